import { InvalidArgumentError } from "commander";
import { dayOfDate } from "../message/calendarDate.ts";

/** Reads a date `YYYY-MM-DD` as days since 1970-01-01. */
export function parseDay(text: string): number {
  const day = dayOfDate(text);
  if (day !== undefined) return day;
  throw new InvalidArgumentError(`"${text}" is no date: dates are YYYY-MM-DD.`);
}
