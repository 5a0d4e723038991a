import { type DailyTick, startDailyTick } from "../../relayer/engine/dailyTick.ts";
import type { CollectTurn, Engine, EngineJobs } from "../../relayer/engine/engine.ts";
import type { Logger } from "../../relayer/logging/logger.ts";
import type { Schedule } from "../../relayer/relay/schedule.ts";
import { currentActor } from "../kernel/actor.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { SharedQueue } from "./sharedQueue.ts";

const COLLECT = "collect";

/** A chain's jobs have no turn of their own. */
const NO_TURN: CollectTurn = { reason: "again", attempt: 0 };

/**
 * The engine of several processes that share their work, over a queue that is part of the simulation: it does what
 * relayer/engine/postgresEngine.ts does, with the kernel between it and the queue.
 */
export function createSharedEngine({
  queue,
  kernel,
  schedule,
  chainNames,
  log,
}: {
  readonly queue: SharedQueue;
  readonly kernel: Kernel;
  readonly schedule: Schedule;
  readonly chainNames: readonly string[];
  readonly log: Logger;
}): Engine {
  const stop = new AbortController();
  let tick: DailyTick | undefined;
  const ask = (what: string, perform: () => void) => kernel.ask({ kind: "queue", what, perform });
  const wakeChains = async () => {
    for (const name of chainNames) await ask(`wake ${name}`, () => queue.wake(name, NO_TURN));
  };

  const collect = async (jobs: EngineJobs, turn: CollectTurn): Promise<void> => {
    const outcome = await jobs.collect(turn, stop.signal);
    jobs.report({ job: "collect", error: undefined });
    if (outcome.hasNewPrices) await wakeChains();
    const { againAtMs } = outcome;
    if (againAtMs === undefined) return;
    const next: CollectTurn = { reason: "again", attempt: turn.attempt + 1 };
    await ask("collect later", () => queue.later(COLLECT, next, Number(againAtMs)));
  };
  const deliver = async (jobs: EngineJobs, chainName: string): Promise<void> => {
    const { againAtMs } = await jobs.deliver(chainName, stop.signal);
    jobs.report({ job: "deliver", chainName, error: undefined });
    if (againAtMs !== undefined) {
      await ask(`${chainName} later`, () => queue.later(chainName, NO_TURN, Number(againAtMs)));
    }
  };

  return {
    isShared: true,
    async start(jobs) {
      const actor = currentActor();
      if (!actor) throw new RangeError("a process of the simulation has to start it");
      await ask("join", () =>
        queue.join({
          actor,
          work: async (name, turn) => {
            try {
              if (name === COLLECT) await collect(jobs, turn);
              else await deliver(jobs, name);
              await ask(`${name} is done`, () => undefined);
            } catch (error) {
              if (name === COLLECT) jobs.report({ job: "collect", error });
              else jobs.report({ job: "deliver", chainName: name, error });
              throw error;
            }
          },
        }),
      );
      await ask("wake collect", () => queue.wake(COLLECT, { reason: "start", attempt: 0 }));
      await wakeChains();
      tick = await startDailyTick(schedule, log, (instantMs) => {
        void (async () => {
          let isFirst = false;
          await ask(`tick ${instantMs}`, () => {
            isFirst = queue.tick(instantMs);
          });
          if (!isFirst) return;
          await ask("wake collect", () => queue.wake(COLLECT, { reason: "tick", attempt: 0 }));
          await wakeChains();
        })();
      });
    },
    async stop() {
      stop.abort();
      await tick?.stop();
    },
  };
}
