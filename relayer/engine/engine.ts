/** Why the price service is asked: at the start of a process, by the schedule, or again because something was lacking. */
export type CollectReason = "start" | "tick" | "again";

export type CollectTurn = {
  readonly reason: CollectReason;
  /** Number of questions before this one since the start, or since the schedule's last instant. */
  readonly attempt: number;
};

export type CollectOutcome = {
  /** Whether prices came that the journal did not have: every chain's turn has come then. */
  readonly hasNewPrices: boolean;
  /** When to ask again, in Unix milliseconds; `undefined`: at the schedule's next instant. */
  readonly againAtMs: bigint | undefined;
};

export type DeliverOutcome = {
  /** When to look at the chain again, in Unix milliseconds; `undefined`: when new prices come. */
  readonly againAtMs: bigint | undefined;
};

/** What there is to do. Whatever a job throws is reported, and the job is done again after a pause that grows. */
export type EngineJobs = {
  readonly collect: (turn: CollectTurn, signal: AbortSignal) => Promise<CollectOutcome>;
  /** One pass over one chain. Never called twice at once for one chain, whatever the number of processes. */
  readonly deliver: (chainName: string, signal: AbortSignal) => Promise<DeliverOutcome>;
  /** What has failed, or that it works again. Must not throw. */
  readonly report: (trouble: EngineTrouble) => void;
};

export type EngineTrouble =
  | { readonly job: "collect"; readonly error: unknown | undefined }
  | { readonly job: "deliver"; readonly chainName: string; readonly error: unknown | undefined }
  /** Of what hands out the work. */
  | { readonly job: "engine"; readonly error: unknown | undefined };

/** Who does what when. */
export type Engine = {
  /** Whether other processes may do what is to be done: then one that does nothing is in order. */
  readonly isShared: boolean;
  /** Collects and delivers once, then by the schedule and as the outcomes say. Resolves when that is under way. */
  readonly start: (jobs: EngineJobs) => Promise<void>;
  /** Aborts what is under way, waits until it has ended, and begins nothing more. */
  readonly stop: () => Promise<void>;
};
