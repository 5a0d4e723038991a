import type {
  CollectOutcome,
  CollectTurn,
  DeliverOutcome,
  EngineJobs,
  EngineTrouble,
} from "../../relayer/engine/engine.ts";

export type RecordedJobs = EngineJobs & {
  /** `start`, `tick` or `again 2` with the time, ISO 8601 to the second. */
  readonly collected: string[];
  /** Name of the chain and time. */
  readonly delivered: string[];
  readonly troubles: EngineTrouble[];
};

/** Jobs that keep a record of when they were done; what they do is up to the test. */
export function recordedJobs(
  does: {
    collect?: (turn: CollectTurn, signal: AbortSignal) => Promise<Partial<CollectOutcome>>;
    deliver?: (chainName: string, signal: AbortSignal) => Promise<Partial<DeliverOutcome>>;
  } = {},
): RecordedJobs {
  const collected: string[] = [];
  const delivered: string[] = [];
  const troubles: EngineTrouble[] = [];
  return {
    collected,
    delivered,
    troubles,
    collect: async (turn, signal) => {
      collected.push(`${turn.reason === "again" ? `again ${turn.attempt}` : turn.reason} ${now()}`);
      return { hasNewPrices: false, againAtMs: undefined, ...(await does.collect?.(turn, signal)) };
    },
    deliver: async (chainName, signal) => {
      delivered.push(`${chainName} ${now()}`);
      return { againAtMs: undefined, ...(await does.deliver?.(chainName, signal)) };
    },
    report: (trouble) => {
      troubles.push(trouble);
    },
  };
}

function now(): string {
  return new Date().toISOString().slice(0, 19);
}
