import { dateOfDay, dayOfDate } from "../../relayer/message/calendarDate.ts";
import { InvalidWorldError } from "./InvalidWorldError.ts";
import { itemAt } from "./itemAt.ts";

/** Weeks and months, counted in days and months since 1970-01-01, which was a Thursday. */

const MS_PER_DAY = 86_400_000;
const DAYS_PER_WEEK = 7;
/** 1970-01-05. */
const FIRST_MONDAY = 4;

/**
 * Days since 1970-01-01 of a date.
 * @throws InvalidWorldError when the text is no date of the calendar since 1970.
 */
export function requireDay(date: string): number {
  const day = dayOfDate(date);
  if (day === undefined) {
    throw new InvalidWorldError(`"${date}" is not a date`, "Give a date of the calendar as YYYY-MM-DD, from 1970 on.");
  }
  return day;
}

/** The first day of each month from January 1970 to December 2209. */
const FIRST_DAYS = Int32Array.from({ length: 2_881 }, (_, month) => Date.UTC(1970, month, 1) / MS_PER_DAY);
const DAYS_PER_MONTH = 30.436875;

/** Months since January 1970 of the month that a day lies in. */
export function monthOfDay(day: number): number {
  let month = Math.floor(day / DAYS_PER_MONTH);
  while (itemAt(FIRST_DAYS, month + 1) <= day) month += 1;
  while (itemAt(FIRST_DAYS, month) > day) month -= 1;
  return month;
}

/** The first day of a month. */
export function firstDayOfMonth(month: number): number {
  return itemAt(FIRST_DAYS, month);
}

const texts: string[] = [];

/** The `YYYY-MM-DD` text of a day. Remembered: records of properties have many dates, and few different ones. */
export function dateText(day: number): string {
  const known = texts[day];
  if (known !== undefined) return known;
  const text = dateOfDay(day);
  texts[day] = text;
  return text;
}

/** The last Monday on or before a day. */
export function mondayOnOrBefore(day: number): number {
  return FIRST_MONDAY + Math.floor((day - FIRST_MONDAY) / DAYS_PER_WEEK) * DAYS_PER_WEEK;
}

/** The first Monday on or after a day. */
export function mondayOnOrAfter(day: number): number {
  return mondayOnOrBefore(day + DAYS_PER_WEEK - 1);
}
