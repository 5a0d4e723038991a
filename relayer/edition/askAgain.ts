import { type CollectionReport, isEverythingThere } from "./collectionReport.ts";

const MINUTE_MS = 60_000n;
const FIRST_PAUSE_MS = MINUTE_MS;

/** While an edition is awaited: a question costs a few credits then, or none when the service is down. */
const LONGEST_WAIT_MS = 15n * MINUTE_MS;

/** While single markets are lacking, perhaps for good: after an hour of asking, the pauses are hours. */
const LONGEST_PAUSE_MS = 240n * MINUTE_MS;

/**
 * When to ask the service again: after a minute, then after pauses that double. `undefined` when there is nothing left to
 * ask for; the schedule comes next.
 *
 * @param attempt Number of questions before this one since the schedule's last instant, or since the start.
 */
export function askAgainAtMs(report: CollectionReport, attempt: number, nowMs: bigint): bigint | undefined {
  if (isEverythingThere(report)) return undefined;
  const isAwaited = report.serviceError !== undefined || report.editions.some(({ isDueThere }) => !isDueThere);
  const longest = isAwaited ? LONGEST_WAIT_MS : LONGEST_PAUSE_MS;
  const pause = FIRST_PAUSE_MS << BigInt(Math.min(attempt, 16));
  return nowMs + (pause < longest ? pause : longest);
}
