import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dateOfDay, dayOfDate, startOfDayMs } from "../../relayer/message/calendarDate.ts";

test.each([
  ["1970-01-01", 0],
  ["1970-12-31", 364],
  ["2000-02-29", 11_016],
  ["2024-02-29", 19_782],
  ["2026-03-04", 20_516],
  ["9999-12-31", 2_932_896],
])("%s is day %i", (date, day) => {
  expect(dayOfDate(date)).toBe(day);
  expect(dateOfDay(day)).toBe(date);
  expect(startOfDayMs(day)).toBe(BigInt(Date.parse(`${date}T00:00:00Z`)));
});

test.each([
  "2026-02-29",
  "2026-02-30",
  "2100-02-29",
  "2026-04-31",
  "2026-00-10",
  "2026-13-01",
  "2026-01-00",
  "2026-01-32",
  "1969-12-31",
  "0000-00-00",
  "0099-01-01",
  "2026-3-04",
  "2026/03/04",
  "20260304  ",
  "2026-03-04Z",
  " 2026-03-04",
  "2026-03-04\n",
  "+026-03-04",
  "2026-03-0x",
  "２０２６-03-04",
  "",
])("%j is no day of the calendar", (date) => {
  expect(dayOfDate(date)).toBeUndefined();
});

test("every day has one date", () => {
  return fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_932_896 }), (day) => {
      expect(dayOfDate(dateOfDay(day))).toBe(day);
    }),
  );
});
