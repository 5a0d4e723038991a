import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dueEdition, isEditionOf } from "../../relayer/edition/editionClock.ts";
import { instantOfWallClock } from "../../relayer/edition/wallClock.ts";
import { calendarDateIn } from "../../relayer/relay/futureDate.ts";
import { easternWallClockMs } from "../../simulator/easternTime.ts";
import { timeMs } from "../message/signedPrices.ts";

const ZONE = "America/New_York";
const DAILY = { expression: "30 7 * * *", timeZone: ZONE };
const iso = (milliseconds: bigint | undefined) =>
  milliseconds === undefined ? undefined : new Date(Number(milliseconds)).toISOString().slice(0, 16);

function due(now: string, { expression = DAILY.expression, lateAt = "10:00" } = {}) {
  const found = dueEdition({ expression, timeZone: ZONE }, lateAt, timeMs(now));
  return found && { due: iso(found.dueMs), late: iso(found.lateAtMs) };
}

describe("the edition that is due", () => {
  test.each([
    ["in winter", "2026-01-14T15:00:00Z", "2026-01-14T12:30", "2026-01-14T15:00"],
    ["in summer", "2026-07-14T15:00:00Z", "2026-07-14T11:30", "2026-07-14T14:00"],
    ["a millisecond before the instant", "2026-03-04T12:29:59.999Z", "2026-03-03T12:30", "2026-03-03T15:00"],
    ["at the instant", "2026-03-04T12:30:00Z", "2026-03-04T12:30", "2026-03-04T15:00"],
    ["the night before the clocks go forward", "2026-03-08T04:00:00Z", "2026-03-07T12:30", "2026-03-07T15:00"],
    ["the morning after they went forward", "2026-03-08T11:30:00Z", "2026-03-08T11:30", "2026-03-08T14:00"],
    ["just before it", "2026-03-08T11:29:00Z", "2026-03-07T12:30", "2026-03-07T15:00"],
    ["the morning after they went back", "2026-11-01T12:30:00Z", "2026-11-01T12:30", "2026-11-01T15:00"],
    [
      "an hour before it, when the old time would have had it due",
      "2026-11-01T11:30:00Z",
      "2026-10-31T11:30",
      "2026-10-31T14:00",
    ],
  ])("%s", (_, now, expected, late) => {
    expect(due(now)).toEqual({ due: expected, late });
  });

  test("of a schedule in the hour that is skipped is the day before's all day long", () => {
    expect(due("2026-03-08T23:00:00Z", { expression: "30 2 * * *" })?.due).toBe("2026-03-07T07:30");
    expect(due("2026-03-09T06:30:00Z", { expression: "30 2 * * *" })?.due).toBe("2026-03-09T06:30");
  });

  test("of a schedule in the hour that comes twice is due from the first time on", () => {
    expect(due("2026-11-01T12:00:00Z", { expression: "30 1 * * *" })?.due).toBe("2026-11-01T05:30");
  });

  test("is one a day, however often the schedule asks", () => {
    expect(due("2026-03-04T22:00:00Z", { expression: "*/15 7-20 * * *" })?.due).toBe("2026-03-04T12:00");
  });

  test("is late on the next day when the hour is before the schedule's", () => {
    expect(due("2026-03-04T15:00:00Z", { lateAt: "06:00" })?.late).toBe("2026-03-05T11:00");
  });

  test("is late when a clock that skips the hour would have shown it", () => {
    expect(due("2026-03-08T23:00:00Z", { expression: "0 1 * * *", lateAt: "02:30" })?.late).toBe("2026-03-08T07:30");
  });

  test("is none when there was no instant for more than a week", () => {
    expect(due("2026-03-04T15:00:00Z", { expression: "30 7 1 1 *" })).toBeUndefined();
  });

  test("is never in the future, at most a day and an hour ago, and late after it, at any time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }), async (now) => {
        const found = dueEdition(DAILY, "10:00", BigInt(now));
        if (!found) throw new Error("nothing is due");
        expect(found.dueMs <= BigInt(now)).toBe(true);
        expect(BigInt(now) - found.dueMs).toBeLessThan(25n * 3_600_000n);
        // The simulator's own reckoning of Eastern time.
        expect(easternWallClockMs(Number(found.dueMs)) % 86_400_000).toBe(7.5 * 3_600_000);
        expect(easternWallClockMs(Number(found.lateAtMs)) % 86_400_000).toBe(10 * 3_600_000);
        expect(calendarDateIn(found.lateAtMs, ZONE)).toBe(calendarDateIn(found.dueMs, ZONE));
      }),
      { numRuns: 60 },
    );
  });
});

describe("the instant of a wall clock", () => {
  test.each([
    ["2026-03-08", "01:59", "2026-03-08T06:59"],
    ["2026-03-08", "03:00", "2026-03-08T07:00"],
    ["2026-11-01", "01:30", "2026-11-01T05:30"],
    ["2026-11-01", "02:00", "2026-11-01T07:00"],
    ["2026-12-31", "23:59", "2027-01-01T04:59"],
  ])("%s %s in New York", (date, time, expected) => {
    expect(iso(instantOfWallClock(date, time, ZONE))).toBe(expected);
  });
});

describe("whether an edition is the one that is due", () => {
  const dueMs = timeMs("2026-03-04T12:30:00Z");
  test.each([
    ["published in time", "2026-03-04T12:30:00Z", "2026-03-04T12:30:05Z", true],
    ["published a little early and seen before", "2026-03-04T11:45:00Z", "2026-03-04T11:50:00Z", true],
    ["yesterday's", "2026-03-03T12:30:00Z", "2026-03-03T12:31:00Z", false],
    ["yesterday's, first seen today", "2026-03-03T12:30:00Z", "2026-03-04T12:31:00Z", false],
    ["yesterday's, late in the evening and seen then", "2026-03-04T03:00:00Z", "2026-03-04T03:01:00Z", false],
    ["hours late", "2026-03-04T19:00:00Z", "2026-03-04T19:01:00Z", true],
    ["published hours before the schedule asks", "2026-03-04T07:00:00Z", "2026-03-04T12:30:01Z", true],
  ])("%s: %s, seen %s", (_, published, seen, expected) => {
    expect(isEditionOf({ publishTimeMs: timeMs(published), firstSeenMs: timeMs(seen) }, dueMs)).toBe(expected);
  });
});
