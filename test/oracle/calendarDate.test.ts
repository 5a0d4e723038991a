import fc from "fast-check";
import { network } from "hardhat";
import { bytesToHex, type Hex, stringToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dateOfDay, dayOfDate } from "../../relayer/message/calendarDate.ts";
import { LONG } from "./oracleFixture.ts";

const connection = await network.create();
afterAll(() => connection.close());

let harness: Awaited<ReturnType<typeof deployHarness>>;
beforeAll(async () => {
  harness = await deployHarness();
});

function deployHarness() {
  return connection.viem.deployContract("CalendarDateHarness");
}

/** The contract's days; undefined where it finds no date. */
async function parsed(dates: readonly (string | Hex)[]): Promise<(number | undefined)[]> {
  const encoded = dates.map((date) => (date.startsWith("0x") ? (date as Hex) : stringToHex(date)));
  const days = await harness.read.parse([encoded]);
  return days.map((day) => (day === 0n ? undefined : Number(day) - 1));
}

const LAST_DAY = 2_932_896;

describe("a date on-chain", () => {
  it("is a day of the calendar from 1970-01-01 to 9999-12-31", async () => {
    const dates = {
      "1970-01-01": 0,
      "1970-12-31": 364,
      "1972-02-29": 789,
      "2000-02-29": 11_016,
      "2000-03-01": 11_017,
      "2026-03-02": 20_514,
      "2096-02-29": 46_080,
      "9999-12-31": LAST_DAY,
    };
    expect(await parsed(Object.keys(dates))).toEqual(Object.values(dates));
  });

  it("is refused where the calendar has no such day, or before 1970", async () => {
    const none = ["2026-02-29", "2026-02-30", "1900-02-29", "2100-02-29", "2026-04-31", "2026-06-31", "2026-09-31"];
    const out = ["2026-11-31", "2026-01-32", "2026-01-00", "2026-00-10", "2026-13-01", "2026-99-99", "2026-10-40"];
    const early = ["1969-12-31", "1968-02-29", "0000-01-01", "0000-00-00", "1900-01-01"];
    const all = [...none, ...out, ...early];
    expect(await parsed(all)).toEqual(all.map(() => undefined));
  });

  it("agrees with the relayer on days throughout four centuries, and at the ends of months", async () => {
    const stride = LONG ? 1 : 29;
    for (let start = 0; start < 146_097; start += 1_000 * stride) {
      const days = Array.from({ length: 1_000 }, (_, index) => start + index * stride);
      expect(await parsed(days.map(dateOfDay))).toEqual(days);
    }
    for (const year of [1970, 1971, 1972, 1999, 2000, 2026, 2028, 2099, 2100, 2400, 9996, 9999]) {
      const dates = [];
      for (let month = 0; month <= 13; month += 1) {
        for (const day of [0, 1, 28, 29, 30, 31, 32]) dates.push(`${year}-${twoDigits(month)}-${twoDigits(day)}`);
      }
      expect(await parsed(dates)).toEqual(dates.map(dayOfDate));
    }
  });

  it("has a digit in every digit's place and a dash in every dash's, and nothing else of all 256 bytes", async () => {
    for (const date of ["2026-11-21", "1999-09-09"]) {
      const bytes = new TextEncoder().encode(date);
      for (let position = 0; position < bytes.length; position += 1) {
        const variants = Array.from({ length: 256 }, (_, byte) => bytes.with(position, byte));
        const expected = variants.map((variant) => dayOfDate(String.fromCharCode(...variant)));
        expect(await parsed(variants.map((variant) => bytesToHex(variant))), `position ${position}`).toEqual(expected);
        // Nothing that is not a digit (or, between them, the dash) has passed on either side.
        const accepted = variants.flatMap((variant, byte) => (expected[byte] === undefined ? [] : [variant[position]]));
        const isDash = position === 4 || position === 7;
        for (const byte of accepted)
          expect(isDash ? byte === 0x2d : byte !== undefined && byte >= 0x30 && byte <= 0x39).toBe(true);
      }
    }
  });

  it("agrees with the relayer on dates at random, whole, bent or nonsense", async () => {
    const anyDay = fc.integer({ min: 0, max: LAST_DAY }).map((day) => new TextEncoder().encode(dateOfDay(day)));
    const bent = fc
      .tuple(anyDay, fc.nat(9), fc.integer({ min: 0, max: 255 }))
      .map(([bytes, position, byte]) => bytes.with(position, byte));
    const digits = fc
      .tuple(fc.nat(9_999), fc.nat(19), fc.nat(39))
      .map(([year, month, day]) =>
        new TextEncoder().encode(`${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`),
      );
    const nonsense = fc.uint8Array({ minLength: 10, maxLength: 10 });
    const dates = fc.array(fc.oneof(anyDay, bent, digits, nonsense), { minLength: 100, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(dates, async (batch) => {
        const expected = batch.map((bytes) => dayOfDate(String.fromCharCode(...bytes)));
        expect(await parsed(batch.map((bytes) => bytesToHex(bytes)))).toEqual(expected);
      }),
      { numRuns: LONG ? 2_000 : 50 },
    );
  });
});

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
