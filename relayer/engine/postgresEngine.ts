import { createHash } from "node:crypto";
import pRetry from "p-retry";
import { type Job, PgBoss, type QueueOptions } from "pg-boss";
import { describeRpcError } from "../chain/rpcError.ts";
import type { Logger } from "../logging/logger.ts";
import type { Schedule } from "../relay/schedule.ts";
import { type DailyTick, startDailyTick } from "./dailyTick.ts";
import type { CollectTurn, Engine, EngineJobs } from "./engine.ts";

export type PostgresEngineOptions = {
  /** `postgres://…`; never printed. */
  readonly connectionString: string;
  readonly schedule: Schedule;
  readonly chainNames: readonly string[];
  readonly nowMs: () => bigint;
  readonly log: Logger;
  /** Schema of the queues' tables. */
  readonly schema?: string;
};

const DEFAULT_SCHEMA = "homeprice_jobs";

/** The schedule's instants: each is one job, however many processes send it. */
const TICK_QUEUE = "tick";
const COLLECT_QUEUE = "collect";

/** The one job that waits in a queue. */
const NEXT = "next";

/** How often a process says that it still works on a job, and after how long a silence the job is another's. */
const HEARTBEAT_REFRESH_SECONDS = 4;
const HEARTBEAT_SECONDS = 20;

/** How often each process looks for jobs whose process has gone silent. */
const SUPERVISE_SECONDS = 4;

const POLLING_SECONDS = 1;

/** Longer than any job takes; one that hangs is another's then. */
const LONGEST_JOB_SECONDS = 1_800;

const JOB_OPTIONS: QueueOptions = {
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: LONGEST_JOB_SECONDS,
  // Errors come again and again while a chain is down; a job that fails for good would never be done again.
  retryLimit: 1_000_000,
  retryBackoff: true,
  retryDelay: 1,
  retryDelayMax: 60,
  // Long enough that no instant of the schedule is taken for a new one; short enough that the tables stay small.
  deleteAfterSeconds: 2 * 86_400,
  retentionSeconds: 30 * 86_400,
};

/** How long jobs may take to end after they were told to stop. */
const STOP_TIMEOUT_MS = 20_000;

/**
 * Any number of identical processes share the work through one PostgreSQL: pg-boss hands out each job to one of them,
 * and to another when the first has gone silent. A queue for each chain has at most one job that runs and one that
 * waits.
 */
export function createPostgresEngine(options: PostgresEngineOptions): Engine {
  const { schedule, chainNames, nowMs, log } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const boss = new PgBoss({
    connectionString: options.connectionString,
    schema: options.schema ?? DEFAULT_SCHEMA,
    application_name: "homeprice",
    // One for each queue, and some for what the jobs send.
    max: chainNames.length + 4,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // Says also which chain is being worked on; what is old there keeps a job waiting.
    queueCacheIntervalSeconds: SUPERVISE_SECONDS,
  });
  let tick: DailyTick | undefined;

  return {
    isShared: true,
    async start(jobs) {
      const trouble = new EngineState(jobs, log);
      boss.on("error", (error) => {
        if (trouble.failed(error)) untilItAnswers();
      });
      boss.on("warning", ({ message }) => log.debug(message));
      const retrying = { retries: Number.POSITIVE_INFINITY, minTimeout: 1_000, maxTimeout: 30_000, signal };
      /** Something that is asked of the database until it answers. */
      const persistently = <T>(ask: () => Promise<T>): Promise<T> =>
        pRetry(
          async () => {
            const answer = await ask();
            trouble.works();
            return answer;
          },
          { ...retrying, onFailedAttempt: ({ error }) => void trouble.failed(error) },
        );
      /** After an error that pg-boss met by itself, somebody has to notice that it is over. */
      const untilItAnswers = () => {
        persistently(() => boss.getQueue(TICK_QUEUE)).catch(() => {});
      };
      /** What is to be done in a queue now: what waits there is moved forward. */
      const wake = (queue: string, data: object = {}) =>
        persistently(() => boss.upsert(queue, data, { singletonKey: NEXT, startAfter: 0 }));
      /** What is to be done later, unless something waits already, which is earlier. */
      const later = (queue: string, data: object, atMs: bigint) => {
        // In seconds from now: the clock of the database may be another one.
        const startAfter = Math.max(0, Math.ceil(Number(atMs - nowMs()) / 1000));
        return persistently(() => boss.send(queue, data, { singletonKey: NEXT, startAfter }));
      };
      const wakeChains = () => Promise.all(chainNames.map((name) => wake(queueOf(name))));

      const collect = async (job: Job<CollectTurn>): Promise<void> => {
        const turn = job.data;
        const outcome = await jobs.collect(turn, AbortSignal.any([signal, job.signal]));
        jobs.report({ job: "collect", error: undefined });
        if (outcome.hasNewPrices) await wakeChains();
        if (outcome.againAtMs === undefined) return;
        await later(
          COLLECT_QUEUE,
          { reason: "again", attempt: turn.attempt + 1 } satisfies CollectTurn,
          outcome.againAtMs,
        );
      };
      const deliver = async (chainName: string, job: Pick<Job, "signal">): Promise<void> => {
        const { againAtMs } = await jobs.deliver(chainName, AbortSignal.any([signal, job.signal]));
        jobs.report({ job: "deliver", chainName, error: undefined });
        if (againAtMs !== undefined) await later(queueOf(chainName), {}, againAtMs);
      };

      await persistently(() => boss.start());
      await persistently(async () => {
        await boss.createQueue(TICK_QUEUE, { ...JOB_OPTIONS, policy: "standard" });
        for (const queue of [COLLECT_QUEUE, ...chainNames.map(queueOf)]) {
          await boss.createQueue(queue, { ...JOB_OPTIONS, policy: "stately" });
        }
      });
      const working = { pollingIntervalSeconds: POLLING_SECONDS, heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS };
      await boss.work(TICK_QUEUE, working, async () => {
        await wake(COLLECT_QUEUE, { reason: "tick", attempt: 0 } satisfies CollectTurn);
        // Once a day each chain is looked at, whether prices came or not.
        await wakeChains();
      });
      await boss.work<CollectTurn>(COLLECT_QUEUE, working, async ([job]) => {
        if (job)
          await reporting(
            (error) => jobs.report({ job: "collect", error }),
            () => collect(job),
          );
      });
      for (const name of chainNames) {
        await boss.work(queueOf(name), working, async ([job]) => {
          const report = (error: unknown) => jobs.report({ job: "deliver", chainName: name, error });
          if (job) await reporting(report, () => deliver(name, job));
        });
      }
      await wake(COLLECT_QUEUE, { reason: "start", attempt: 0 } satisfies CollectTurn);
      await wakeChains();
      tick = await startDailyTick(schedule, log, (instantMs) => {
        const id = jobIdOf(`${TICK_QUEUE} ${instantMs}`);
        // A second job with the same id is none: whoever sends it first, the tick is done once.
        persistently(() => boss.send(TICK_QUEUE, {}, { id })).catch((error: unknown) => {
          if (!signal.aborted) trouble.failed(error);
        });
      });
    },
    async stop() {
      stop.abort();
      await tick?.stop();
      // What has been begun ends at its next step; what has not is left for the others.
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };

  async function reporting(report: (error: unknown) => void, job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch (error) {
      if (!signal.aborted) {
        report(error);
        log.error(describeRpcError(error));
      }
      // pg-boss does it again after a pause that grows, here or in another process.
      throw new Error(describeRpcError(error));
    }
  }
}

/** Tells once of a database that fails, and once that it works again. */
class EngineState {
  readonly #jobs: EngineJobs;
  readonly #log: Logger;
  #isFailing = false;

  constructor(jobs: EngineJobs, log: Logger) {
    this.#jobs = jobs;
    this.#log = log;
  }

  /** @returns Whether it worked until then. */
  failed(error: unknown): boolean {
    const isNew = !this.#isFailing;
    if (isNew) this.#log.error(`the job queue fails: ${describeRpcError(error)}`);
    this.#isFailing = true;
    this.#jobs.report({ job: "engine", error });
    return isNew;
  }

  works(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#log.info("the job queue works again");
    this.#jobs.report({ job: "engine", error: undefined });
  }
}

/** Names of chains may hold what names of queues may not. */
function queueOf(chainName: string): string {
  return `deliver/${chainName.replace(/[^A-Za-z0-9-]/g, (character) => `_${character.codePointAt(0)}_`)}`;
}

/** The same id for the same thing in every process: a UUID of version 8, from its hash. */
function jobIdOf(what: string): string {
  const bytes = createHash("sha256").update(what).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
