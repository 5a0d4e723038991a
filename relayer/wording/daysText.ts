/** Beyond ten years the number says nothing more. */
const MANY_DAYS = 3_650n;

/** For how long something lasts: `12 days`, `more than 3650 days`. */
export function daysText(days: bigint): string {
  return days > MANY_DAYS ? `more than ${MANY_DAYS} days` : `${days} days`;
}
