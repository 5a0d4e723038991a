import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOfDate } from "../../../relayer/message/calendarDate.ts";
import { priceCurve } from "../../../simulator/world/priceCurve.ts";
import { Randomness } from "../../../simulator/world/randomness.ts";
import { always } from "./worldsUnderTest.ts";

const REFERENCE = dayOfDate("2024-06-05") ?? 0;

describe("the curve of a market's prices", () => {
  it.each([
    ["sales", 0.0015],
    ["rental", 0.001],
  ] as const)("of %s moves by less than %d of itself a day, in every market and year", (kind, most) => {
    always(
      fc.tuple(fc.string(), fc.integer({ min: 14_300, max: 24_000 })),
      ([seed, firstDay]) => {
        const curve = priceCurve(kind, Randomness.ofSeed(seed));
        let before = curve(firstDay);
        for (let day = firstDay + 1; day < firstDay + 400; day += 1) {
          const value = curve(day);
          expect(Math.abs(value / before - 1)).toBeLessThan(most);
          before = value;
        }
      },
      200,
    );
  });

  it("is about 1 in June 2024, and about half of that in 2012", () => {
    always(fc.string(), (seed) => {
      const curve = priceCurve("sales", Randomness.ofSeed(seed));
      expect(Math.abs(curve(REFERENCE) - 1)).toBeLessThan(0.05);
      expect(curve(dayOfDate("2012-01-01") ?? 0)).toBeLessThan(0.6);
      expect(curve(dayOfDate("2012-01-01") ?? 0)).toBeGreaterThan(0.3);
    });
  });
});
