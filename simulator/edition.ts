import { dateOfDay } from "../relayer/message/calendarDate.ts";
import { easternWallClockMs, instantOfEasternWallClockMs } from "./easternTime.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The service publishes at "about 7:30 AM Eastern" (specification, price feed records). */
const PUBLISHED_AT_MS = 7 * HOUR_MS + 30 * MINUTE_MS;

/** How long an edition outlives the publishing of the next, so that readers have time to carry the next one over. */
const OVERLAP_MS = 55 * MINUTE_MS;

/**
 * Longest life of an edition. The specification allows no expiry further ahead than 25 hours; five seconds less, because a
 * block that takes the price in the moment it is published may carry a time of some seconds before.
 */
const LONGEST_LIFE_MS = 25 * HOUR_MS - 5_000;

/** One day's publication. */
export type Edition = {
  /** Eastern calendar date, `YYYY-MM-DD`. */
  readonly date: string;
  /** The same in days since 1970-01-01. */
  readonly day: number;
  /** 07:30 Eastern of that date, Unix milliseconds. */
  readonly publishTimeMs: bigint;
  /** 55 minutes into the next edition, but less than 25 hours after this one (the night the clocks go back); Unix milliseconds. */
  readonly expiryMs: bigint;
};

/** The newest edition published at an instant (Unix milliseconds). */
export function editionAt(nowMs: bigint): Edition {
  const today = Math.floor(easternWallClockMs(Number(nowMs)) / DAY_MS);
  const todays = editionOfDay(today);
  return todays.publishTimeMs <= nowMs ? todays : editionOfDay(today - 1);
}

/** The edition of the day before. */
export function editionBefore({ day }: Edition): Edition {
  return editionOfDay(day - 1);
}

/** The edition of an Eastern calendar day (days since 1970-01-01). */
export function editionOfDay(day: number): Edition {
  const publishTimeMs = publishTimeOfDayMs(day);
  const expiryMs = Math.min(publishTimeOfDayMs(day + 1) + OVERLAP_MS, publishTimeMs + LONGEST_LIFE_MS);
  return { date: dateOfDay(day), day, publishTimeMs: BigInt(publishTimeMs), expiryMs: BigInt(expiryMs) };
}

function publishTimeOfDayMs(day: number): number {
  return instantOfEasternWallClockMs(day * DAY_MS + PUBLISHED_AT_MS);
}
