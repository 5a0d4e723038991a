import { setTimeout as pause } from "node:timers/promises";
import pRetry from "p-retry";
import { LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Attempt } from "../journal/journal.ts";
import type { ChainContext } from "./chainContext.ts";
import { type DeliverOptions, type Pass, passOver } from "./deliverToChain.ts";
import type { DeliveredFeed, DeliveryReport } from "./deliveryReport.ts";
import { replaceStuck } from "./replaceStuck.ts";
import { settleAttempts } from "./settleAttempts.ts";
import { throughOneEndpoint } from "./throughOneEndpoint.ts";

export type SettleOptions = DeliverOptions & {
  /** Longest wait for transactions to be mined, in milliseconds. */
  readonly timeoutMs: number;
};

/** How long transactions are still waited for after a stop was asked for: less than service managers give a process. */
const STOPPING_WAIT_MS = 15_000;
/** Between two looks at transactions that are not mined. */
const PAUSE_MS = 2_000;
const LOCAL_PAUSE_MS = 100;

/**
 * Passes over a chain, waits until everything that was sent is mined or the time is up, and passes once more to read back
 * what the chain holds.
 *
 * What fails with its endpoint, or is contradicted by the others, is done again through the next one.
 *
 * @throws what {@link passOver} throws.
 */
export async function deliverUntilSettled(context: ChainContext, options: SettleOptions): Promise<DeliveryReport> {
  const { timeoutMs, sinceMs = context.nowMs(), dryRun, signal } = options;
  const endpoints = context.settings.rpcUrls.length;
  const timer = new Stopwatch(timeoutMs, signal);
  const passAgain = (earlier: readonly Attempt[]): Promise<Pass> =>
    eachEndpoint(endpoints, () => passOver(context, { dryRun, sinceMs, signal, earlier }));

  let { report, attempts } = await passAgain([]);
  for (let passes = 1; !dryRun; passes += 1) {
    const settled = await waitForMining(context, attempts, timer);
    const isContradicted = report.feeds.some(({ status }) => isDoubtful(status, report)) && passes < endpoints;
    if (settled === attempts && !isContradicted) return report;
    const next = await passAgain(settled.filter(({ state }) => state === "final"));
    report = { ...next.report, durationsMs: sum(report.durationsMs, next.report.durationsMs, timer.takeWaited()) };
    attempts = next.attempts;
    if (timer.isUp()) return report;
  }
  return report;
}

/** Whether another endpoint may say otherwise: that it cannot be brought, or that what is mined is not there. */
function isDoubtful(status: DeliveredFeed["status"], { unmined }: DeliveryReport): boolean {
  return status === "failed" || (status === "sent" && unmined === 0);
}

/** @returns The attempts as they are when all are mined or the time is up; the very same if nothing was to be waited for. */
async function waitForMining(
  context: ChainContext,
  attempts: readonly Attempt[],
  timer: Stopwatch,
): Promise<readonly Attempt[]> {
  const endpoints = context.settings.rpcUrls.length;
  const pauseMs = context.access.chain.id === LOCAL_CHAIN_ID ? LOCAL_PAUSE_MS : PAUSE_MS;
  let current = attempts;
  while (current.some(({ state }) => state === "sent") && !timer.isUp()) {
    await timer.wait(pauseMs);
    const known = current;
    current = await eachEndpoint(endpoints, () =>
      throughOneEndpoint(context, async (connection) => {
        const settled = await settleAttempts(context, connection);
        const replaced = await replaceStuck(context, connection, settled.attempts);
        const newer = new Map(replaced.attempts.map((attempt) => [attempt.id, attempt]));
        // What is final is no longer among those that are looked up.
        return known.flatMap((attempt) => newer.get(attempt.id) ?? (attempt.state === "final" ? [attempt] : []));
      }),
    );
  }
  return current;
}

/** Tries once with each endpoint, and once more: the one that failed comes last. What is no endpoint's fault is thrown. */
function eachEndpoint<T>(endpoints: number, run: () => Promise<T>): Promise<T> {
  return pRetry(run, {
    retries: endpoints,
    minTimeout: LOCAL_PAUSE_MS,
    shouldRetry: ({ error }) => !(error instanceof HomePriceError),
  });
}

/** How much of the time to wait is left. It runs on where the clock stands still, as those of tests do. */
class Stopwatch {
  readonly #signal: AbortSignal | undefined;
  #endMs: number;
  #isStopping = false;
  #waitedMs = 0;

  constructor(timeoutMs: number, signal: AbortSignal | undefined) {
    this.#endMs = performance.now() + timeoutMs;
    this.#signal = signal;
  }

  isUp(): boolean {
    if (this.#signal?.aborted && !this.#isStopping) {
      this.#isStopping = true;
      this.#endMs = Math.min(this.#endMs, performance.now() + STOPPING_WAIT_MS);
    }
    return performance.now() >= this.#endMs;
  }

  async wait(ms: number): Promise<void> {
    const begunMs = performance.now();
    await pause(Math.max(0, Math.min(ms, this.#endMs - begunMs)));
    this.#waitedMs += performance.now() - begunMs;
  }

  takeWaited(): number {
    const waited = Math.round(this.#waitedMs);
    this.#waitedMs = 0;
    return waited;
  }
}

type Durations = DeliveryReport["durationsMs"];

function sum(before: Durations, now: Durations, waitedMs: number): Durations {
  return {
    settle: before.settle + now.settle + waitedMs,
    plan: before.plan + now.plan,
    send: before.send + now.send,
  };
}
