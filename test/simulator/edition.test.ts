import { describe, expect, it } from "vitest";
import { editionAt, editionBefore, editionOfDay } from "../../simulator/edition.ts";

const at = (time: string) => editionAt(BigInt(Date.parse(time)));
const iso = (ms: bigint) => new Date(Number(ms)).toISOString();
const HOUR_MS = 3_600_000n;

describe("the current edition", () => {
  it.each([
    ["in summer 07:30 is 11:30 UTC", "2024-06-05T11:30:00Z", "2024-06-05", "2024-06-05T11:30:00.000Z"],
    [
      "a millisecond before it is the day before's",
      "2024-06-05T11:29:59.999Z",
      "2024-06-04",
      "2024-06-04T11:30:00.000Z",
    ],
    ["in winter 07:30 is 12:30 UTC", "2024-01-15T12:30:00Z", "2024-01-15", "2024-01-15T12:30:00.000Z"],
    [
      "late in the Eastern evening UTC is a day ahead",
      "2024-06-06T03:00:00Z",
      "2024-06-05",
      "2024-06-05T11:30:00.000Z",
    ],
    ["on the day the clocks go forward, before", "2024-03-10T11:29:59Z", "2024-03-09", "2024-03-09T12:30:00.000Z"],
    ["on the day the clocks go forward, after", "2024-03-10T11:30:00Z", "2024-03-10", "2024-03-10T11:30:00.000Z"],
    ["the year after too", "2025-03-09T11:30:00Z", "2025-03-09", "2025-03-09T11:30:00.000Z"],
    ["on the day the clocks go back, before", "2024-11-03T12:29:59Z", "2024-11-02", "2024-11-02T11:30:00.000Z"],
    ["on the day the clocks go back, after", "2024-11-03T12:30:00Z", "2024-11-03", "2024-11-03T12:30:00.000Z"],
    ["across a new year", "2025-01-01T12:00:00Z", "2024-12-31", "2024-12-31T12:30:00.000Z"],
  ])("%s", (_case, now, date, publishTime) => {
    const edition = at(now);
    expect(edition.date).toBe(date);
    expect(iso(edition.publishTimeMs)).toBe(publishTime);
  });

  it.each([
    ["an ordinary day", "2024-06-05T12:00:00Z", "2024-06-06T12:25:00.000Z"],
    ["a day of 23 hours", "2024-03-09T13:00:00Z", "2024-03-10T12:25:00.000Z"],
    ["a day of 25 hours, the longest life allowed", "2024-11-02T13:00:00Z", "2024-11-03T12:29:55.000Z"],
  ])("expires 55 minutes into the next: %s", (_case, now, expiry) => {
    expect(iso(at(now).expiryMs)).toBe(expiry);
  });

  it("is unexpired and at most 25 h ahead at every hour around the changes of clocks", () => {
    for (const day of ["2024-03-10", "2024-11-03", "2025-03-09", "2025-11-02"]) {
      const start = Date.parse(`${day}T00:00:00Z`) - 24 * 3_600_000;
      for (let hour = 0; hour < 72; hour += 0.5) {
        const now = BigInt(start + hour * 3_600_000);
        const { publishTimeMs, expiryMs } = editionAt(now);
        expect(expiryMs).toBeGreaterThan(now);
        expect(expiryMs - now).toBeLessThanOrEqual(25n * HOUR_MS);
        expect(publishTimeMs).toBeLessThanOrEqual(now);
        expect(now - publishTimeMs).toBeLessThanOrEqual(25n * HOUR_MS);
      }
    }
  });

  it("is one a day for years, 23 to 25 hours apart, consistent with its date", () => {
    let previous = editionOfDay(19_723 - 1);
    for (let day = 19_723; day < 19_723 + 3 * 366; day += 1) {
      const edition = editionOfDay(day);
      const apart = edition.publishTimeMs - previous.publishTimeMs;
      expect([23n, 24n, 25n]).toContain(apart / HOUR_MS);
      expect(apart % HOUR_MS).toBe(0n);
      const startOfDate = BigInt(Date.parse(`${edition.date}T00:00:00Z`));
      expect(edition.publishTimeMs).toBeGreaterThanOrEqual(startOfDate);
      expect(edition.expiryMs).toBeLessThanOrEqual(startOfDate + 72n * HOUR_MS);
      expect(editionAt(edition.publishTimeMs)).toEqual(edition);
      expect(editionAt(edition.publishTimeMs - 1n)).toEqual(previous);
      expect(editionBefore(edition)).toEqual(previous);
      previous = edition;
    }
  });
});
