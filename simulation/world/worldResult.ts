import type { Logger } from "../../relayer/logging/logger.ts";
import type { FaultCount } from "../report/faultCounts.ts";
import type { Violation } from "../violations/violation.ts";

export type WorldOptions = {
  /** A whole number, decimal or 0x-hex. */
  readonly seed: string;
  readonly days: number;
  /** Gets every line of the trace. */
  readonly print?: ((line: string) => void) | undefined;
  /** Of the relayers, for whoever looks into a run. */
  readonly log?: Logger | undefined;
  /** Ends with the first day on which something was violated. */
  readonly stopAtViolation?: boolean | undefined;
};

/** What came of a run. Whatever is in it, except for the real time, follows from seed and days. */
export type WorldResult = {
  readonly seed: string;
  readonly days: number;
  /** When simulated time began, Unix milliseconds. */
  readonly startMs: number;
  /** Hash over everything that happened. */
  readonly digest: string;
  readonly events: number;
  readonly faults: Readonly<Record<string, FaultCount>>;
  readonly violations: readonly Violation[];
  /** Of the relayers, final. */
  readonly transactions: number;
  /** By chain, decimal text. */
  readonly costWei: Readonly<Record<string, string>>;
  readonly crashes: number;
  /** How many processes shared the work. */
  readonly relayers: number;
  /** How often a process went on with what another one had had under way. */
  readonly takeovers: number;
  readonly alertsTold: number;
  /** Feeds of chains at the ends of days: how many had to be current, and how many did not have to be. */
  readonly expectations: number;
  readonly excused: number;
  readonly realMs: number;
};
