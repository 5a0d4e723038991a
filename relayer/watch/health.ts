import type { StandingAlert } from "./alertBook.ts";
import { SERVICE_SCOPE, scopeOfChain } from "./conditionScope.ts";

/** What health is judged by. Times are Unix milliseconds. */
export type HealthFacts = {
  readonly nowMs: bigint;
  readonly startedAtMs: bigint;
  readonly lastRunEndMs: bigint | undefined;
  /** When the next run is to begin, as the last one said. */
  readonly nextRunDueMs: bigint | undefined;
  /** When the process last looked after itself, which it does every minute. */
  readonly lastTurnMs: bigint;
  /** What stands, as far as is known, told or not. */
  readonly standing: readonly StandingAlert[];
  /** Chains on which a wanted feed was not current at the last look, and since when that is so. */
  readonly behind: readonly BehindChain[];
};

export type BehindChain = { readonly chain: string; readonly sinceMs: bigint };

export type Health = {
  readonly ok: boolean;
  /** Why not, one sentence each. */
  readonly reasons: readonly string[];
};

const MINUTE_MS = 60_000n;

/** A run that was due must have ended by then; it asks the service with growing pauses, but each run ends. */
export const RUN_OVERDUE_AFTER_MS = 30n * MINUTE_MS;

/** A process that has not looked after itself for so long is stuck, or waits for its journal. */
export const STALLED_AFTER_MS = 5n * MINUTE_MS;

/** A chain may need that long for an edition before that counts as not doing the job. */
export const BEHIND_AFTER_MS = 30n * MINUTE_MS;

/**
 * Whether the relayer does its job: nothing critical stands, no chain has been behind for half an hour, runs end when
 * they are due, and the process keeps turning. Warnings alone are no ill health.
 */
export function healthOf(facts: HealthFacts): Health {
  const critical = facts.standing.filter(({ severity }) => severity === "critical");
  const reasons = [
    ...critical.map(({ scope, kind, message }) => `${scope}: ${kind}: ${message}`),
    ...behindForLong(facts),
    ...overdueRun(facts),
    ...stall(facts),
  ];
  return { ok: reasons.length === 0, reasons };
}

/**
 * A look is old when another process has looked since. What holds a chain up is a condition that all of them know: once
 * none stands any more, the look is not believed.
 */
function behindForLong({ nowMs, behind, standing }: HealthFacts): string[] {
  const isHeldUp = (chain: string) =>
    standing.some(({ scope }) => scope === scopeOfChain(chain) || scope === SERVICE_SCOPE);
  return behind
    .filter(({ chain, sinceMs }) => nowMs - sinceMs >= BEHIND_AFTER_MS && isHeldUp(chain))
    .map(({ chain, sinceMs }) => `${scopeOfChain(chain)}: not every wanted feed is current since ${isoOf(sinceMs)}`);
}

function overdueRun({ nowMs, startedAtMs, lastRunEndMs, nextRunDueMs }: HealthFacts): string[] {
  const dueMs = nextRunDueMs ?? startedAtMs;
  if (nowMs - dueMs < RUN_OVERDUE_AFTER_MS) return [];
  const last =
    lastRunEndMs === undefined ? "none has ended since the start" : `the last ended at ${isoOf(lastRunEndMs)}`;
  return [`a run was due at ${isoOf(dueMs)} and has not ended; ${last}`];
}

function stall({ nowMs, lastTurnMs }: HealthFacts): string[] {
  if (nowMs - lastTurnMs < STALLED_AFTER_MS) return [];
  return [`the process is stuck: it last looked after itself at ${isoOf(lastTurnMs)}`];
}

function isoOf(timeMs: bigint): string {
  return new Date(Number(timeMs)).toISOString();
}
