import { startOfDayMs } from "./calendarDate.ts";
import type { CheckedPriceMessage } from "./priceMessage.ts";
import { accepted, type Checked, refused } from "./refusal.ts";

const HOUR_MS = 3_600_000n;

/** The time rules of a signed price (specification, pre-signing checks 2 to 5). Bounds are inclusive, all in milliseconds. */
export type TimeWindows = {
  /** Expiry at most this long after now. */
  readonly maxExpiryAheadMs: bigint;
  /** Publish time at most this long before now. */
  readonly maxPublishAgeMs: bigint;
  /** Publish time at most this long after now. */
  readonly maxPublishAheadMs: bigint;
  /** Expiry at most this long after 00:00 UTC of the date: our reading of "date and expiry are consistent". */
  readonly maxExpiryAfterDateMs: bigint;
};

export const DEFAULT_WINDOWS: TimeWindows = {
  maxExpiryAheadMs: 25n * HOUR_MS,
  maxPublishAgeMs: 48n * HOUR_MS,
  maxPublishAheadMs: HOUR_MS,
  maxExpiryAfterDateMs: 72n * HOUR_MS,
};

/** Checks a message against the clock and against its own date, in the order of the contract. */
export function checkTimeWindows(
  message: CheckedPriceMessage,
  nowMs: bigint,
  windows: TimeWindows = DEFAULT_WINDOWS,
): Checked<CheckedPriceMessage> {
  const { expiryMs, publishTimeMs } = message;
  if (expiryMs < nowMs) {
    return refused("ExpiryPassed", `expired at ${formatTimeMs(expiryMs)}, ${formatSpanMs(nowMs - expiryMs)} ago`);
  }
  if (expiryMs > nowMs + windows.maxExpiryAheadMs) {
    return refused(
      "ExpiryTooFarAhead",
      `expires at ${formatTimeMs(expiryMs)}, ${formatSpanMs(expiryMs - nowMs)} ahead; at most ${formatSpanMs(windows.maxExpiryAheadMs)} is allowed`,
    );
  }
  if (publishTimeMs + windows.maxPublishAgeMs < nowMs) {
    return refused(
      "PublishTimeTooOld",
      `published at ${formatTimeMs(publishTimeMs)}, ${formatSpanMs(nowMs - publishTimeMs)} ago; at most ${formatSpanMs(windows.maxPublishAgeMs)} is allowed`,
    );
  }
  if (publishTimeMs > nowMs + windows.maxPublishAheadMs) {
    return refused(
      "PublishTimeTooFarAhead",
      `published at ${formatTimeMs(publishTimeMs)}, ${formatSpanMs(publishTimeMs - nowMs)} in the future; at most ${formatSpanMs(windows.maxPublishAheadMs)} is allowed`,
    );
  }
  return checkDateConsistency(message, windows);
}

/** The part of the time rules that does not depend on now: 00:00 UTC of the date ≤ publish time, and < expiry ≤ 72 h after it. */
export function checkDateConsistency(
  message: CheckedPriceMessage,
  { maxExpiryAfterDateMs }: Pick<TimeWindows, "maxExpiryAfterDateMs"> = DEFAULT_WINDOWS,
): Checked<CheckedPriceMessage> {
  const { day, date, expiryMs, publishTimeMs } = message;
  const startMs = startOfDayMs(day);
  if (publishTimeMs < startMs) {
    return refused("PublishedBeforeDate", `published at ${formatTimeMs(publishTimeMs)}, before its own date ${date}`);
  }
  if (expiryMs <= startMs) {
    return refused("ExpiryNotAfterDate", `expires at ${formatTimeMs(expiryMs)}, before its own date ${date} begins`);
  }
  if (expiryMs > startMs + maxExpiryAfterDateMs) {
    return refused(
      "ExpiryTooFarFromDate",
      `expires at ${formatTimeMs(expiryMs)}, more than ${formatSpanMs(maxExpiryAfterDateMs)} after 00:00 UTC of its date ${date}`,
    );
  }
  return accepted(message);
}

/** Largest time that JavaScript's Date can show, in milliseconds. */
const MAX_DATE_MS = 8_640_000_000_000_000n;

/** ISO 8601 text of a Unix time, or the bare number where no calendar reaches that far. */
export function formatTimeMs(timeMs: bigint): string {
  return timeMs <= MAX_DATE_MS ? new Date(Number(timeMs)).toISOString() : `${timeMs} ms`;
}

/** A span for people: `49 h`, `25 h 0 min 1 s`. */
function formatSpanMs(spanMs: bigint): string {
  const totalSeconds = spanMs / 1000n;
  if (totalSeconds === 0n) return `${spanMs} ms`;
  const parts = [
    [totalSeconds / 3600n, "h"],
    [(totalSeconds / 60n) % 60n, "min"],
    [totalSeconds % 60n, "s"],
  ] as const;
  return parts
    .filter(([count]) => count > 0n)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
