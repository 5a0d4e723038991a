import { expect, expectTypeOf, test } from "vitest";
import {
  type FeedId,
  formatPrice,
  InvalidDayError,
  InvalidIdError,
  type MarketId,
  marketOfFeed,
  type PriceValue,
  rentalFeedId,
  salesFeedId,
  toDay,
  toFeedId,
  toMarketId,
  toPriceValue,
} from "../../sdk/index.ts";

const OFFSET = 2_000_000_000n;

test.each([[5_826_765n], [5_826_765], ["5826765"], [1n], [OFFSET - 1n]])("%s is a market id", (id) => {
  expect(toMarketId(id)).toBe(BigInt(id));
});

test.each([[0n], [-1n], [OFFSET], [2_005_826_765n], [1.5], [Number.NaN], [2 ** 60], ["0x10"], [""], ["1e3"], [" 7"]])(
  "%s is no market id",
  (id) => {
    expect(() => toMarketId(id)).toThrow(InvalidIdError);
    expect(() => toMarketId(id)).toThrow(`market id ${id} is not a valid id`);
  },
);

test.each([["1"], [OFFSET - 1n], [OFFSET + 1n], [2n * OFFSET - 1n]])("%s is a feed id", (id) => {
  expect(toFeedId(id)).toBe(BigInt(id));
});

test.each([[0n], [OFFSET], [2n * OFFSET], ["x"]])("%s is no feed id", (id) => {
  expect(() => toFeedId(id)).toThrow(InvalidIdError);
});

test("a market's two feeds", () => {
  const market = toMarketId("5826765");
  expect(salesFeedId(market)).toBe(5_826_765n);
  expect(rentalFeedId(market)).toBe(2_005_826_765n);
  expect(marketOfFeed(rentalFeedId(market))).toEqual({ marketId: market, kind: "rental" });
  // The id of a rental feed cannot pass for a market.
  expect(() => rentalFeedId(rentalFeedId(market))).toThrow(InvalidIdError);
});

test("another oracle's offset", () => {
  const options = { rentalOffset: 1000n };
  expect(rentalFeedId(7n, options)).toBe(1007n);
  expect(marketOfFeed(toFeedId(1007n, options), options)).toEqual({ marketId: 7n, kind: "rental" });
  expect(() => salesFeedId(1000n, options)).toThrow(InvalidIdError);
});

test("types keep markets, feeds and plain numbers apart", () => {
  expectTypeOf(salesFeedId(1n)).toEqualTypeOf<FeedId<"sales">>();
  expectTypeOf<FeedId<"sales">>().toExtend<FeedId>();
  expectTypeOf<FeedId<"rental">>().not.toExtend<FeedId<"sales">>();
  expectTypeOf<bigint>().not.toExtend<FeedId>();
  expectTypeOf<bigint>().not.toExtend<MarketId>();
  expectTypeOf<FeedId>().not.toExtend<MarketId>();
  expectTypeOf<FeedId>().toExtend<bigint>();
  expectTypeOf(marketOfFeed(rentalFeedId(1n)).kind).toEqualTypeOf<"rental">();
});

test("prices carry their decimals in the type", () => {
  expectTypeOf<PriceValue["decimals"]>().toEqualTypeOf<8>();
  expectTypeOf<{ value: bigint; decimals: 18 }>().not.toExtend<PriceValue>();
  expect(formatPrice(toPriceValue(21_694_000_000n))).toBe("216.94");
  expect(formatPrice(toPriceValue(1n))).toBe("0.00000001");
  expect(formatPrice(toPriceValue(2n ** 60n - 1n))).toBe("11529215046.06846975");
  expect(formatPrice(toPriceValue(-150_000_000n))).toBe("-1.5");
});

test.each([
  ["2026-03-02", 20_514],
  [20_514, 20_514],
  ["1970-01-01", 0],
])("%s is a day", (day, expected) => {
  expect(toDay(day)).toBe(expected);
});

test.each([["2026-02-30"], ["yesterday"], [-1], [1.5], [2 ** 32], [Number.NaN]])("%s is no day", (day) => {
  expect(() => toDay(day)).toThrow(InvalidDayError);
});
