import pRetry, { AbortError } from "p-retry";
import { describeRpcError } from "../chain/rpcError.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Logger } from "../logging/logger.ts";
import type { Schedule } from "../relay/schedule.ts";
import { type DailyTick, startDailyTick } from "./dailyTick.ts";
import type { CollectTurn, Engine, EngineJobs } from "./engine.ts";
import { WakeableWait } from "./wakeableWait.ts";

export type LocalEngineOptions = {
  readonly schedule: Schedule;
  readonly chainNames: readonly string[];
  readonly nowMs: () => bigint;
  readonly log: Logger;
};

/** Pauses after errors: they double up to the longest, which also bounds how long new prices wait for a failing chain. */
const FIRST_ERROR_PAUSE_MS = 1_000;
const LONGEST_ERROR_PAUSE_MS = 60_000;

/**
 * One process does everything. The price service and each chain have a loop of their own, so that none holds up another.
 */
export function createLocalEngine(options: LocalEngineOptions): Engine {
  const stop = new AbortController();
  const { signal } = stop;
  const collecting = new WakeableWait(options.nowMs, signal);
  const delivering = new Map(options.chainNames.map((name) => [name, new WakeableWait(options.nowMs, signal)]));
  const loops: Promise<void>[] = [];
  let tick: DailyTick | undefined;
  let isTickDue = false;

  const collectLoop = async (jobs: EngineJobs): Promise<void> => {
    let turn: CollectTurn = { reason: "start", attempt: 0 };
    while (!signal.aborted) {
      const outcome = await untilItWorks(() => jobs.collect(turn, signal), {
        ...options,
        signal,
        report: (error) => jobs.report({ job: "collect", error }),
      });
      if (!outcome) return;
      if (outcome.hasNewPrices) for (const wait of delivering.values()) wait.wake();
      await collecting.until(outcome.againAtMs);
      turn = isTickDue ? { reason: "tick", attempt: 0 } : { reason: "again", attempt: turn.attempt + 1 };
      isTickDue = false;
    }
  };

  const deliverLoop = async (jobs: EngineJobs, chainName: string, wait: WakeableWait): Promise<void> => {
    while (!signal.aborted) {
      const outcome = await untilItWorks(() => jobs.deliver(chainName, signal), {
        ...options,
        signal,
        report: (error) => jobs.report({ job: "deliver", chainName, error }),
      });
      if (!outcome) return;
      await wait.until(outcome.againAtMs);
    }
  };

  return {
    isShared: false,
    async start(jobs) {
      tick = await startDailyTick(options.schedule, options.log, () => {
        isTickDue = true;
        collecting.wake();
        // Once a day each chain is looked at, whether prices came or not.
        for (const wait of delivering.values()) wait.wake();
      });
      loops.push(collectLoop(jobs));
      for (const [name, wait] of delivering) loops.push(deliverLoop(jobs, name, wait));
    },
    async stop() {
      stop.abort();
      await tick?.stop();
      await Promise.all(loops);
    },
  };
}

type Attempts = Pick<LocalEngineOptions, "log"> & {
  readonly signal: AbortSignal;
  readonly report: (error: unknown | undefined) => void;
};

/** The result of a job that is done again after each error. `undefined` once it is to stop. */
async function untilItWorks<T>(job: () => Promise<T>, { log, signal, report }: Attempts): Promise<T | undefined> {
  let hasFailed = false;
  let running: Promise<unknown> | undefined;
  const attempt = async (): Promise<T> => {
    const work = job();
    running = work;
    try {
      return await work;
    } catch (error) {
      if (signal.aborted) throw new AbortError("stopped");
      hasFailed = true;
      report(error);
      throw new JobFailed(error);
    }
  };
  try {
    const result = await pRetry(attempt, {
      retries: Number.POSITIVE_INFINITY,
      factor: 2,
      minTimeout: FIRST_ERROR_PAUSE_MS,
      maxTimeout: LONGEST_ERROR_PAUSE_MS,
      randomize: true,
      signal,
      onFailedAttempt: ({ error, retryDelay }) => {
        log.error({ ...codeOf(error.cause), againInSeconds: Math.round(retryDelay / 1000) }, error.message);
      },
    });
    if (hasFailed) report(undefined);
    return result;
  } catch (error) {
    if (!signal.aborted) throw error;
    // p-retry does not wait for what it is told to give up.
    await running?.catch(() => {});
    return undefined;
  }
}

/** p-retry retries no TypeError, and a job may throw one. */
class JobFailed extends Error {
  constructor(cause: unknown) {
    super(describeRpcError(cause), { cause });
  }
}

function codeOf(error: unknown): { code?: string; hint?: string } {
  return error instanceof HomePriceError ? { code: error.code, hint: error.hint } : {};
}
