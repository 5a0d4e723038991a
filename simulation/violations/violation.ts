/** Something that must never happen has happened. */
export type Violation = {
  readonly rule: string;
  /** Simulated time, Unix milliseconds. */
  readonly atMs: number;
  readonly message: string;
};
