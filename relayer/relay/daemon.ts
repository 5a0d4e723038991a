import pRetry, { AbortError } from "p-retry";
import { describeRpcError } from "../chain/rpcError.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Logger } from "../logging/logger.ts";
import { EditionTracker } from "./editionTracker.ts";
import type { RelayReport } from "./report.ts";
import { type Schedule, scheduleTask } from "./schedule.ts";

export type DaemonOptions = {
  readonly schedule: Schedule;
  /** One full run. */
  readonly run: (signal: AbortSignal) => Promise<RelayReport>;
  readonly log: Logger;
  /** Aborting ends the daemon: the run under way finishes what it has sent, then the daemon's promise resolves. */
  readonly signal: AbortSignal;
  /** Pauses between asking again while an edition is not there: the first, doubling up to the longest. Milliseconds. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** Called with each report. */
  readonly onReport?: (report: RelayReport) => void;
};

const MINUTE_MS = 60_000;

/**
 * Runs at start, then on the schedule, until stopped. Each time it asks again with growing pauses until the edition that
 * is due is there and every wanted feed is current; the next instant of the schedule takes over.
 */
export async function runDaemon(options: DaemonOptions): Promise<void> {
  const { schedule, log, signal } = options;
  const edition = new EditionTracker(schedule);
  let pursuit: Pursuit | undefined;
  let takingOver: Promise<void> | undefined;
  /** The next pursuit begins when the one before has ended; several instants at once, after a sleep, are one. */
  const takeOver = (): Promise<void> => {
    takingOver ??= (async () => {
      await pursuit?.end();
      if (!signal.aborted) pursuit = pursue(options, edition);
    })().finally(() => {
      takingOver = undefined;
    });
    return takingOver;
  };
  const task = scheduleTask(schedule, takeOver);
  // The scheduler does not make up for what it missed, while the machine slept, say.
  task.on("execution:missed", () => {
    log.warn("a scheduled run was missed; asking now");
    return takeOver();
  });
  if (!signal.aborted) pursuit = pursue(options, edition);
  await task.start();
  log.info({ nextRun: task.getNextRun()?.toISOString() }, "waiting for the next edition");

  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await task.destroy();
  await takingOver;
  await pursuit?.end();
  log.info("stopped");
}

type Pursuit = { readonly end: () => Promise<void> };

/** Not an error of anybody's: what was asked for is not there yet. */
class NotThereYet extends Error {}

/** Runs, and runs again with growing pauses, until the edition is there and everything is current. */
function pursue(
  { run, log, signal, firstPauseMs = MINUTE_MS, longestPauseMs = 15 * MINUTE_MS, onReport }: DaemonOptions,
  edition: EditionTracker,
): Pursuit {
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const seen: RelayReport[] = [];

  const attempt = async () => {
    let report: RelayReport;
    try {
      report = await run(stopped);
    } catch (error) {
      if (stopped.aborted) throw new AbortError("stopped");
      if (error instanceof HomePriceError && error.kind === "configuration") throw new AbortError(error);
      throw error;
    }
    seen.push(report);
    onReport?.(report);
    for (const feed of report.feeds) {
      if (feed.status !== "updated" && feed.status !== "current") log.error(feed, `feed ${feed.feedId} ${feed.status}`);
    }
    if (!edition.isThere(report)) throw new NotThereYet("the new edition is not published yet");
    if (!report.ok) throw new NotThereYet("not every wanted feed is current");
    log.info({ feeds: report.feeds.length, transactions: report.transactions.length }, "every wanted feed is current");
  };

  const done = pRetry(attempt, {
    retries: Number.POSITIVE_INFINITY,
    factor: 2,
    minTimeout: firstPauseMs,
    maxTimeout: longestPauseMs,
    randomize: true,
    signal: stopped,
    onFailedAttempt: ({ error, retryDelay }) => {
      const pause = retryDelay === undefined ? {} : { againInSeconds: Math.round(retryDelay / 1000) };
      if (error instanceof NotThereYet) log.info(pause, error.message);
      else if (error instanceof HomePriceError)
        log.error({ code: error.code, hint: error.hint, ...pause }, error.message);
      else log.error(pause, describeRpcError(error));
    },
  })
    .catch((error: unknown) => {
      if (!stopped.aborted)
        log.fatal({ code: error instanceof HomePriceError ? error.code : undefined }, describeRpcError(error));
    })
    .finally(() => {
      const last = seen.at(-1);
      if (last) edition.remember(last);
    });

  return {
    end: async () => {
      stop.abort();
      await done;
    },
  };
}
