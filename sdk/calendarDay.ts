import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { dateOfDay, dayOfDate } from "../relayer/message/calendarDate.ts";

/** A day: days since 1970-01-01, or its date `YYYY-MM-DD`. */
export type CalendarDay = number | string;

/** What contracts store days in. */
const MAX_DAY = 2 ** 32 - 1;

/** A text that is no date, or a number that is no day. */
export class InvalidDayError extends HomePriceError {
  constructor(day: CalendarDay) {
    super("INVALID_DAY", `${JSON.stringify(day)} is not a day`, {
      kind: "configuration",
      hint: "Give a date YYYY-MM-DD from 1970 on, or whole days since 1970-01-01.",
    });
  }
}

/**
 * Days since 1970-01-01.
 * @throws InvalidDayError
 */
export function toDay(day: CalendarDay): number {
  const days = typeof day === "string" ? dayOfDate(day) : day;
  if (days === undefined || !Number.isInteger(days) || days < 0 || days > MAX_DAY) throw new InvalidDayError(day);
  return days;
}

/** The date `YYYY-MM-DD` of a day; of one that no calendar of JavaScript reaches, the number. */
export function toDate(day: number): string {
  return day <= 100_000_000 ? dateOfDay(day) : String(day);
}
