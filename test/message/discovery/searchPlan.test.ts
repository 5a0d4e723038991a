import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDecimal } from "../../../relayer/message/decimalPrice.ts";
import { withoutTrailingZeros } from "../../../relayer/message/discovery/knownValues.ts";
import { partsInOrder } from "../../../relayer/message/discovery/partOrders.ts";
import {
  MAX_CANDIDATES,
  planSearch,
  type SearchPlan,
  type SearchQuery,
} from "../../../relayer/message/discovery/searchPlan.ts";
import { layoutOf, widthOf } from "../../../relayer/message/discovery/sectionLayout.ts";
import { DEFAULT_RENTAL_OFFSET } from "../../../relayer/message/feedId.ts";
import { checkLayout, MESSAGE_LENGTH, type MessageLayout } from "../../../relayer/message/messageLayout.ts";

function query(price: string, constants: readonly number[] = [], changes: Partial<SearchQuery> = {}): SearchQuery {
  return {
    known: {
      feedIds: [5_826_765n, 2_005_826_765n],
      price: withoutTrailingZeros(parseDecimal(price)),
      publishTimeMs: 1_772_627_400_000n,
      expiryMs: 1_772_717_100_000n,
      date: "2026-03-04",
    },
    rentalOffset: DEFAULT_RENTAL_OFFSET,
    constants: constants.map((length) => new Uint8Array(length).fill(0xc0)),
    wide: false,
    ...changes,
  };
}

/** Every layout of a plan, in its order. */
function* layoutsOf({ sections, query }: SearchPlan): Generator<MessageLayout> {
  for (const section of sections) {
    const decimals = section.arrangement.exponent ? [0] : new Set(section.priceForms.map((form) => form.decimals));
    for (let row = 0; row < section.rows; row += 1) {
      const parts = partsInOrder(section.arrangement, row, query.constants.length);
      for (const byteOrder of ["little", "big"] as const) {
        for (const each of decimals) yield layoutOf(section, parts, byteOrder, each, query);
      }
    }
  }
}

describe("a plan", () => {
  test("stays below two million layouts whatever price and constant regions", () => {
    const price = fc.record({
      digits: fc.integer({ min: 1, max: 9_999_999 }),
      decimals: fc.integer({ min: 0, max: 6 }),
    });
    const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 });
    fc.assert(
      fc.property(price, lengths, ({ digits, decimals }, constants) => {
        const plan = planSearch(query(`${digits}e-${decimals}`, constants));
        expect(plan.candidates).toBeLessThan(MAX_CANDIDATES);
      }),
      { seed: 20_261_121, numRuns: 40 },
    );
  });

  test("leaves nothing out where no constant bytes are given", () => {
    for (const price of ["216.94", "1.474", "300", "0.001", "999999.999"]) {
      const { leftOut, candidates } = planSearch(query(price));
      expect(leftOut).toEqual([]);
      expect(candidates).toBeGreaterThan(250_000);
    }
  });

  test("says what it leaves out, and leaves nothing out of a wide search", () => {
    const plan = planSearch(query("216.94", [31]));
    expect(plan.leftOut).not.toEqual([]);
    const wide = planSearch(query("216.94", [31], { wide: true }));
    expect(wide.leftOut).toEqual([]);
    expect(wide.covered).toEqual(expect.arrayContaining([...plan.leftOut]));
    expect(wide.covered.some(({ arrangement }) => arrangement.padding)).toBe(true);
    expect(plan.covered.some(({ arrangement }) => arrangement.padding)).toBe(false);
  });

  test("holds as many layouts as it says, all of which can be and none twice", () => {
    for (const constants of [[48], [47]]) {
      const plan = planSearch(query("216.94", constants));
      const seen = new Set<string>();
      let count = 0;
      for (const layout of layoutsOf(plan)) {
        count += 1;
        // Each would cost a millisecond; every hundredth finds what is wrong with a kind of them.
        if (count % 100 === 1) checkLayout(layout);
        seen.add(JSON.stringify(layout));
      }
      expect(count).toBe(plan.candidates);
      expect(seen.size).toBe(count);
    }
  });

  test("fills every message to the last byte", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 2 }), fc.nat(), (constants, random) => {
        const plan = planSearch(query("216.94", constants));
        const section = plan.sections[random % Math.max(1, plan.sections.length)];
        if (!section) return;
        const parts = partsInOrder(section.arrangement, random % section.rows, constants.length);
        expect(parts.reduce<number>((sum, part) => sum + widthOf(part, section, plan.query), 0)).toBe(MESSAGE_LENGTH);
        expect(new Set(parts).size).toBe(parts.length);
      }),
      { seed: 20_261_121, numRuns: 50 },
    );
  });

  test("has room for every feed id", () => {
    const plan = planSearch(query("216.94", [], { rentalOffset: 2n ** 40n }));
    expect(plan.candidates).toBeGreaterThan(0);
    for (const { widths } of plan.sections) expect(widths.feedId).toBeGreaterThanOrEqual(8);
  });

  test("begins with the most plausible: usual widths, milliseconds, eight decimals, the default order", () => {
    const [first] = layoutsOf(planSearch(query("216.94", [32])));
    expect(first).toEqual({
      feedId: { offset: 32, width: 8, byteOrder: "little" },
      price: { offset: 40, width: 8, byteOrder: "little", decimals: 8 },
      publishTime: { offset: 48, width: 8, byteOrder: "little", unit: "ms" },
      expiry: { offset: 56, width: 8, byteOrder: "little", unit: "ms" },
      date: { offset: 64 },
      constants: [{ offset: 0, bytes: `0x${"c0".repeat(32)}` }],
      padding: [],
    });
  });
});
