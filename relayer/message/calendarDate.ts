/** Days of the proleptic Gregorian calendar as the service writes them: ten ASCII characters, `YYYY-MM-DD`. */

const MS_PER_DAY = 86_400_000n;
const DATE_SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Days since 1970-01-01 of a `YYYY-MM-DD` text, or `undefined` when it is not structurally a date, not a day of the
 * calendar (2026-02-30), or before 1970: a `uint32` day cannot hold it.
 */
export function dayOfDate(date: string): number | undefined {
  const match = DATE_SHAPE.exec(date);
  if (!match) return undefined;
  const [year, month, dayOfMonth] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1970) return undefined;
  const utcMs = Date.UTC(year, month - 1, dayOfMonth);
  // Date.UTC rolls 30 February over into March; a real date reads back as it was written.
  return dateOfUtcMs(utcMs) === date ? utcMs / 86_400_000 : undefined;
}

/** The `YYYY-MM-DD` text of a day. */
export function dateOfDay(day: number): string {
  return dateOfUtcMs(day * 86_400_000);
}

/** 00:00 UTC of a day, in Unix milliseconds. */
export function startOfDayMs(day: number): bigint {
  return BigInt(day) * MS_PER_DAY;
}

function dateOfUtcMs(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 10);
}
