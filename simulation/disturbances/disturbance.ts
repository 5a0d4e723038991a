import type { Span } from "../world/troubleLog.ts";

/** Something that goes wrong for a while. */
export type Disturbance = Span & {
  readonly kind: string;
  /** What it is about, for the trace. */
  readonly subject: string;
  /** Begins it; what is returned ends it. */
  readonly begin: () => (() => void) | undefined;
};

/** One day of the simulation: from one edition to the next. */
export type Day = Span & {
  /** Days since 1970-01-01 of the edition that the day begins with. */
  readonly day: number;
};

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
