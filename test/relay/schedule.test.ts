import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { nextRunMs, previousRunMs, type Schedule, scheduleTask } from "../../relayer/relay/schedule.ts";
import { timeMs } from "../message/signedPrices.ts";

const DAILY: Schedule = { expression: "30 7 * * *", timeZone: "America/New_York" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("half past seven in New York", () => {
  test.each([
    ["in winter", "2026-01-14T00:00:00Z", "2026-01-14T12:30:00Z"],
    ["in summer", "2026-07-14T00:00:00Z", "2026-07-14T11:30:00Z"],
    ["the day before the clocks go forward", "2026-03-07T12:00:00Z", "2026-03-07T12:30:00Z"],
    ["the day on which they go forward", "2026-03-07T12:30:00Z", "2026-03-08T11:30:00Z"],
    ["the day after", "2026-03-08T11:30:00Z", "2026-03-09T11:30:00Z"],
    ["the day before the clocks go back", "2026-10-31T00:00:00Z", "2026-10-31T11:30:00Z"],
    ["the day on which they go back", "2026-10-31T11:30:00Z", "2026-11-01T12:30:00Z"],
    ["the day after", "2026-11-01T12:30:00Z", "2026-11-02T12:30:00Z"],
    ["a millisecond before", "2026-03-04T12:29:59.999Z", "2026-03-04T12:30:00Z"],
    ["on New Year's Eve", "2026-12-31T12:30:00Z", "2027-01-01T12:30:00Z"],
    ["on a leap day", "2028-02-28T12:30:00Z", "2028-02-29T12:30:00Z"],
  ])("%s: what comes next", (_, now, next) => {
    vi.setSystemTime(now);
    expect(nextRunMs(DAILY)).toBe(timeMs(next));
  });

  test.each([
    ["a millisecond before", "2026-03-04T12:29:59.999Z", "2026-03-03T12:30:00Z"],
    ["at the instant", "2026-03-04T12:30:00Z", "2026-03-04T12:30:00Z"],
    ["within its minute", "2026-03-04T12:30:59.999Z", "2026-03-04T12:30:00Z"],
    ["hours later", "2026-03-05T12:29:00Z", "2026-03-04T12:30:00Z"],
    ["over the night in which the clocks go forward", "2026-03-08T11:29:00Z", "2026-03-07T12:30:00Z"],
    ["after that night", "2026-03-08T11:30:00Z", "2026-03-08T11:30:00Z"],
    ["over the night in which they go back", "2026-11-01T12:29:00Z", "2026-10-31T11:30:00Z"],
    ["after that night", "2026-11-01T12:30:00Z", "2026-11-01T12:30:00Z"],
  ])("%s: what came last", (_, now, previous) => {
    vi.setSystemTime(now);
    expect(previousRunMs(DAILY)).toBe(timeMs(previous));
  });

  test("comes due once a day through both changes of the clocks", async () => {
    for (const [from, expected] of [
      ["2026-03-06T20:00:00Z", ["2026-03-07T12:30", "2026-03-08T11:30", "2026-03-09T11:30"]],
      ["2026-10-30T20:00:00Z", ["2026-10-31T11:30", "2026-11-01T12:30", "2026-11-02T12:30"]],
    ] as const) {
      vi.setSystemTime(from);
      const runs: string[] = [];
      const task = scheduleTask(DAILY, () => {
        runs.push(new Date().toISOString().slice(0, 16));
      });
      await task.start();
      await vi.advanceTimersByTimeAsync(3 * 24 * 3_600_000);
      await task.destroy();
      expect(runs).toEqual(expected);
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("other schedules", () => {
  test("weekly, the last instant may be days ago", () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    expect(previousRunMs({ ...DAILY, expression: "30 7 * * 4" })).toBe(timeMs("2026-02-26T12:30:00Z"));
  });

  test("yearly, there is no last instant to speak of", () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    expect(previousRunMs({ ...DAILY, expression: "30 7 1 1 *" })).toBeUndefined();
  });

  test("with seconds, both neighbours are found", () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const withSeconds = { ...DAILY, expression: "15 30 7 * * *" };
    expect(nextRunMs(withSeconds)).toBe(timeMs("2026-03-05T12:30:15Z"));
    // To the minute is near enough to tell one edition from the next.
    expect(previousRunMs(withSeconds)).toBeGreaterThanOrEqual(timeMs("2026-03-04T12:30:00Z"));
  });

  test.each([
    [
      { expression: "at half past seven", timeZone: "America/New_York" },
      '"at half past seven" is not a cron expression',
    ],
    [{ expression: "61 7 * * *", timeZone: "America/New_York" }, '"61 7 * * *" is not a cron expression'],
    [{ expression: "30 7 * * *", timeZone: "America/Gotham" }, '"America/Gotham" is not a time zone'],
  ])("%j is none", (schedule, problem) => {
    expect(() => scheduleTask(schedule, () => {})).toThrow(problem);
    expect(() => nextRunMs(schedule)).toThrow(
      expect.objectContaining({ code: "INVALID_SCHEDULE", kind: "configuration" }),
    );
  });
});
