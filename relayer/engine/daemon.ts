import type { DeliveryReport } from "../deliver/deliveryReport.ts";
import { askAgainAtMs } from "../edition/askAgain.ts";
import type { CollectionReport } from "../edition/collectionReport.ts";
import { isEverythingThere } from "../edition/collectionReport.ts";
import type { Journal } from "../journal/journal.ts";
import type { Logger } from "../logging/logger.ts";
import type { Condition } from "../watch/condition.ts";
import type { EndedRun, Watch } from "../watch/watch.ts";
import type {
  CollectOutcome,
  CollectReason,
  CollectTurn,
  DeliverOutcome,
  Engine,
  EngineJobs,
  EngineTrouble,
} from "./engine.ts";
import { pruneJournal } from "./pruneJournal.ts";
import { troubleCondition } from "./troubleCondition.ts";

export type RelayerDaemonOptions = {
  readonly engine: Engine;
  readonly watch: Pick<Watch, "collected" | "delivered" | "runEnded">;
  readonly journal: Pick<Journal, "prune">;
  /** Asks the price service for what is lacking. */
  readonly collect: (signal: AbortSignal, reason: CollectReason) => Promise<CollectionReport>;
  /** One pass over one chain. */
  readonly deliver: (chainName: string, signal: AbortSignal) => Promise<DeliveryReport>;
  /** The schedule's next instant, Unix milliseconds. */
  readonly nextRunMs: () => bigint;
  /** Days for which prices stay in the journal; 0: for ever. */
  readonly archiveDays: number;
  readonly nowMs: () => bigint;
  readonly log: Logger;
  /** Aborting ends the daemon: every job stops at its next step; what was sent is in the journal. */
  readonly signal: AbortSignal;
  /** Called with each report. */
  readonly onCollected?: ((report: CollectionReport) => void) | undefined;
  readonly onDelivered?: ((report: DeliveryReport) => void) | undefined;
};

/** Where several processes share the work, a job that failed here may long have worked in another one. */
const TROUBLE_LASTS_MS = 600_000n;

/** Where several processes share the work, one that has not got any of a scheduled run by then is in order. */
const IDLE_AFTER_MS = 600_000n;

const MINUTE_MS = 60_000;

/**
 * Carries prices until stopped: asks the service at the start and by the schedule, delivers to every chain, and makes
 * all of it visible. Nothing that service, chains or journal do ends it.
 *
 * @throws HomePriceError when the schedule is none.
 */
export async function runRelayerDaemon(options: RelayerDaemonOptions): Promise<void> {
  const { engine, log, signal } = options;
  const state = new DaemonState(options);
  const jobs: EngineJobs = {
    collect: (turn, jobSignal) => state.during(() => collectOnce(options, state, turn, jobSignal)),
    deliver: (chainName, jobSignal) => state.during(() => deliverOnce(options, state, chainName, jobSignal)),
    report: (trouble) => state.note(trouble),
  };
  if (signal.aborted) return;
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  // While it waits for its database, it can be told to stop.
  const started = engine.start(jobs);
  const timer = setInterval(() => state.review(), MINUTE_MS);
  try {
    await Promise.race([stopped, started.then(() => stopped)]);
  } finally {
    clearInterval(timer);
    await engine.stop();
    await started.catch(() => {});
    await state.told();
  }
  log.info("stopped");
}

async function collectOnce(
  options: RelayerDaemonOptions,
  state: DaemonState,
  { reason, attempt }: CollectTurn,
  signal: AbortSignal,
): Promise<CollectOutcome> {
  const { watch, log, nowMs } = options;
  const report = await options.collect(signal, reason);
  options.onCollected?.(report);
  await watch.collected(report);
  state.collected(isEverythingThere(report) && report.conditions.length === 0);
  if (reason !== "again") await pruneJournal(options);
  const againAtMs = askAgainAtMs(report, attempt, nowMs());
  if (againAtMs !== undefined) {
    const minutes = Number(againAtMs - nowMs()) / MINUTE_MS;
    log.info({ inMinutes: Math.round(minutes), ...describeLacking(report) }, "asking the price service again later");
  }
  return { hasNewPrices: report.newPrices > 0, againAtMs };
}

async function deliverOnce(
  options: RelayerDaemonOptions,
  state: DaemonState,
  chainName: string,
  signal: AbortSignal,
): Promise<DeliverOutcome> {
  const report = await options.deliver(chainName, signal);
  options.onDelivered?.(report);
  await options.watch.delivered(report);
  state.delivered(
    chainName,
    report.feeds.every(({ status }) => status === "updated" || status === "current"),
  );
  return { againAtMs: report.lookAgainAtMs };
}

/** What the next question will cost, as far as can be told now: each price that comes costs a credit. */
function describeLacking({ pricesAsked, editions }: CollectionReport) {
  return {
    creditsAtMost: pricesAsked,
    waitingFor: editions.filter(({ isDueThere }) => !isDueThere).map(({ kind }) => kind),
    incomplete: editions.filter(({ isComplete }) => !isComplete).map(({ kind }) => kind),
  };
}

type StandingTrouble = { readonly condition: Condition; readonly atMs: bigint };

/** How the last turn of each job went, for those who watch. */
class DaemonState {
  readonly #options: RelayerDaemonOptions;
  readonly #troubles = new Map<string, StandingTrouble>();
  readonly #isDelivered = new Map<string, boolean>();
  #isCollected = true;
  #underWay = 0;
  #nextRunMs: bigint | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(options: RelayerDaemonOptions) {
    this.#options = options;
  }

  collected(isWell: boolean): void {
    this.#isCollected = isWell;
    this.note({ job: "collect", error: undefined });
    this.tell();
  }

  delivered(chainName: string, isWell: boolean): void {
    this.#isDelivered.set(chainName, isWell);
    this.note({ job: "deliver", chainName, error: undefined });
    this.tell();
  }

  note(trouble: EngineTrouble): void {
    const key = trouble.job === "deliver" ? `deliver ${trouble.chainName}` : trouble.job;
    const wasStanding = this.#troubles.delete(key);
    if (trouble.error !== undefined) {
      this.#troubles.set(key, {
        condition: troubleCondition(trouble, trouble.error),
        atMs: this.#options.nowMs(),
      });
    }
    if (wasStanding || trouble.error !== undefined) this.tell();
  }

  /** Counts a job as under way for as long as it is. */
  async during<T>(job: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await job();
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Lets go of what has become old, and says that a process which found nothing to do is in order. */
  review(): void {
    const { engine, nowMs } = this.#options;
    const before = this.#troubles.size;
    for (const [key, { atMs }] of this.#troubles) {
      if (engine.isShared && nowMs() - atMs > TROUBLE_LASTS_MS) this.#troubles.delete(key);
    }
    const isIdle = engine.isShared && this.#underWay === 0 && this.#troubles.size === 0;
    const isDuePast = this.#nextRunMs !== undefined && nowMs() - this.#nextRunMs > IDLE_AFTER_MS;
    if (this.#troubles.size < before || (isIdle && isDuePast)) this.tell();
  }

  /** Hands on how it stands, one after the other. */
  tell(): void {
    const conditions = [...this.#troubles.values()].map(({ condition }) => condition);
    this.#nextRunMs = this.#options.nextRunMs();
    const run: EndedRun = {
      ok: conditions.length === 0 && this.#isCollected && [...this.#isDelivered.values()].every(Boolean),
      conditions,
      nextRunDueMs: this.#nextRunMs,
    };
    this.#telling = this.#telling.then(() => this.#options.watch.runEnded(run));
  }

  async told(): Promise<void> {
    await this.#telling;
  }
}
