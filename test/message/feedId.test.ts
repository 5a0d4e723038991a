import * as fc from "fast-check";
import { expect, test } from "vitest";
import { feedIdOf, feedOf, InvalidIdError, isMarketId } from "../../relayer/message/feedId.ts";

const OFFSET = 2_000_000_000n;

test.each([1n, 5_826_765n, OFFSET - 1n])("market %i has two feeds", (marketId) => {
  expect(isMarketId(marketId)).toBe(true);
  expect(feedIdOf({ marketId, kind: "sales" })).toBe(marketId);
  expect(feedIdOf({ marketId, kind: "rental" })).toBe(marketId + OFFSET);
});

test.each([-1n, 0n, OFFSET, OFFSET + 5_826_765n, 2n ** 64n])("%i is no market", (marketId) => {
  expect(isMarketId(marketId)).toBe(false);
  for (const kind of ["sales", "rental"] as const) {
    expect(() => feedIdOf({ marketId, kind })).toThrow(InvalidIdError);
    expect(() => feedIdOf({ marketId, kind })).toThrow(`market id ${marketId} is not a valid id`);
  }
});

test.each([-1n, 0n, OFFSET, 2n * OFFSET, 2n * OFFSET + 1n, 2n ** 64n - 1n])("%i is no feed", (feedId) => {
  expect(feedOf(feedId)).toBeUndefined();
});

test("every feed id is one feed's, with any offset", () => {
  const offsets = fc.bigInt({ min: 2n, max: 2n ** 62n });
  const feeds = offsets.chain((offset) =>
    fc.record({
      offset: fc.constant(offset),
      marketId: fc.bigInt({ min: 1n, max: offset - 1n }),
      kind: fc.constantFrom("sales" as const, "rental" as const),
    }),
  );
  return fc.assert(
    fc.property(feeds, ({ offset, marketId, kind }) => {
      expect(feedOf(feedIdOf({ marketId, kind }, offset), offset)).toEqual({ marketId, kind });
    }),
  );
});

test("the hint tells a rental feed id from a market id", () => {
  expect(new InvalidIdError("market id", 2_005_826_765n, OFFSET)).toMatchObject({
    code: "INVALID_ID",
    kind: "configuration",
    hint: "Market ids are 1 to 1999999999; rental feed ids are market id + 2000000000. Give the plain market id.",
  });
});
