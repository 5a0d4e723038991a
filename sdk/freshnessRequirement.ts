import { type CalendarDay, toDay } from "./calendarDay.ts";

/**
 * How fresh a price has to be. With neither, it has to be unexpired. These are the rules of `HomePriceConsumer` and of
 * the adapters.
 */
export type FreshnessRequirement = {
  /** Oldest price that will do, in seconds since it was published; its expiry is ignored then. */
  readonly maxAge?: bigint | undefined;
  /** Earliest date that will do: days since 1970-01-01, or `YYYY-MM-DD`. */
  readonly minDay?: CalendarDay | undefined;
};

/** Days since 1970-01-01 of the earliest date; 0 for any. */
export function minDayOf({ minDay }: FreshnessRequirement): number {
  return minDay === undefined ? 0 : toDay(minDay);
}
