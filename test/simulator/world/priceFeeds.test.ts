import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dateOfDay, dayOfDate } from "../../../relayer/message/calendarDate.ts";
import { FEED_KINDS, type FeedKind } from "../../../relayer/message/feedId.ts";
import { BUILT_IN_PRICES } from "../../../simulator/builtInPrices.ts";
import type { MarketRecord } from "../../../simulator/marketTable.ts";
import { namedMarket } from "../../../simulator/marketTable.ts";
import { buildPriceTable, latestSourcePrice, type PriceTable } from "../../../simulator/priceTable.ts";
import { dailyVolatility } from "../../../simulator/world/dailyVolatility.ts";
import { createWorld, type World } from "../../../simulator/world/world.ts";
import { always, anyMarketOfWorld, PRESENT, requireMarket, testWorld } from "./worldsUnderTest.ts";

const world = testWorld("first");
const USA = 5826765n;
const DENVER = 5306725n;
const MIAMI = 5352987n;
const WASHINGTON = 5503877n;
const DECIMALS: Record<FeedKind, number> = { sales: 2, rental: 3 };

const day = (date: string) => {
  const found = dayOfDate(date);
  if (found === undefined) throw new Error(date);
  return found;
};

/** Largest step of one day, in parts of the price before. */
function largestStep(world: World, market: MarketRecord, kind: FeedKind, from?: string, to?: string): number {
  const dates = world.priceFeeds.dates(market, kind, { startDate: from, endDate: to });
  const prices = dates.map((date) => Number(world.priceFeeds.price(market, kind, date).price));
  return Math.max(
    ...prices.slice(1).map((before, index) => {
      return Math.abs((prices[index] ?? Number.NaN) - before) / before;
    }),
  );
}

function worldOf(prices: PriceTable, asOf = PRESENT): World {
  return createWorld({ seed: "prices", prices, asOf });
}

const flat = (marketId: bigint, kind: FeedKind, ...rows: readonly (readonly [string, string])[]) =>
  rows.map(([date, price]) => ({ marketId, kind, date, price }));

describe("a price history", () => {
  it("has every calendar day, newest first, up to the present", () => {
    const usa = requireMarket(world, USA);
    const dates = world.priceFeeds.dates(usa, "sales");
    expect(dates[0]).toBe(PRESENT);
    expect(dates.at(-1)).toBe("2010-01-01");
    expect(dates.length).toBe(day(PRESENT) - day("2010-01-01") + 1);
    expect(dates).toEqual(dates.map((_, index) => dateOfDay(day(PRESENT) - index)));
    expect(world.priceFeeds.dates(requireMarket(world, DENVER), "sales").at(-1)).toBe("2011-01-01");
    expect(world.priceFeeds.dates(usa, "rental", { startDate: "2024-06-01", endDate: "2024-06-03" })).toEqual([
      "2024-06-03",
      "2024-06-02",
      "2024-06-01",
    ]);
    expect(world.priceFeeds.dates(usa, "sales", { startDate: "2024-06-03", endDate: "2024-06-01" })).toEqual([]);
    expect(world.priceFeeds.dates(usa, "sales", { startDate: "2031-01-01" })).toEqual([]);
  });

  it("is there for the markets with price feeds, and not for others", () => {
    expect(world.priceFeeds.has(requireMarket(world, MIAMI), "sales")).toBe(true);
    expect(world.priceFeeds.has(requireMarket(world, WASHINGTON), "sales")).toBe(true);
    expect(world.priceFeeds.has(requireMarket(world, WASHINGTON), "rental")).toBe(false);
    const [zipCode] = world.geography.zipCodesOf(MIAMI);
    if (!zipCode) throw new Error("no ZIP code");
    expect(world.priceFeeds.has(zipCode.market, "sales")).toBe(false);
    expect(world.priceFeeds.dates(zipCode.market, "sales")).toEqual([]);
    expect(world.priceFeeds.volatilityDates(zipCode.market)).toEqual([]);
  });

  it("serves every row of the source as it is", () => {
    let rows = 0;
    for (const kind of FEED_KINDS) {
      for (const [marketId, series] of BUILT_IN_PRICES[kind]) {
        const market = requireMarket(world, marketId);
        for (const row of series) {
          expect(world.priceFeeds.price(market, kind, row.date)).toEqual(row);
          rows += 1;
        }
      }
    }
    expect(rows).toBe(23);
  });

  it("keeps the digits of the source", () => {
    const prices = buildPriceTable(flat(5n, "sales", ["2024-01-01", "216.90"], ["2024-01-03", "217.123456"]));
    const market = requireMarket(worldOf(prices), 5n);
    const { priceFeeds } = worldOf(prices);
    expect(priceFeeds.salesRow(market, "2024-01-01")).toEqual({ date: "2024-01-01", price_feed: "216.90" });
    expect(priceFeeds.salesRow(market, "2024-01-03").price_feed).toBe("217.123456");
    expect(priceFeeds.salesRow(market, "2024-01-02").price_feed).toMatch(/^21[67](\.\d{1,2})?$/);
  });

  it("is at the newest row that the latest endpoint signs, on every day", () => {
    const table = buildPriceTable([
      ...flat(USA, "sales", ["2024-01-10", "200"], ["2024-02-10", "203"], ["2024-03-10", "201"]),
    ]);
    const timeless = worldOf(table);
    for (let at = day("2024-01-10"); at <= day("2024-04-10"); at += 1) {
      const asOf = dateOfDay(at);
      const today = timeless.on(asOf);
      const served = today.priceFeeds.price(requireMarket(today, USA), "sales", asOf);
      expect(served.price).toBe(latestSourcePrice(table, USA, "sales", asOf)?.price);
    }
  });

  it("of the built-in markets moves by at most 0.2 percent a day", () => {
    let series = 0;
    for (const market of world.markets.values()) {
      for (const kind of FEED_KINDS) {
        if (!world.priceFeeds.has(market, kind)) continue;
        expect(largestStep(world, market, kind), `${kind} ${market.name}`).toBeLessThanOrEqual(0.002);
        series += 1;
      }
    }
    expect(series).toBe(29);
  });

  it("of any market moves by at most 0.2 percent a day, and moves", () => {
    always(
      fc.tuple(anyMarketOfWorld, fc.constantFrom(...FEED_KINDS), fc.integer({ min: 2011, max: 2025 })),
      ([
        {
          world: { seed },
          market,
        },
        kind,
        year,
      ]) => {
        const fed = new Map([[market.marketId, { ...market, hasPriceFeed: true }]]);
        const itsWorld = createWorld({ seed, markets: fed, prices: BUILT_IN_PRICES, asOf: PRESENT });
        const itsMarket = requireMarket(itsWorld, market.marketId);
        if (!itsWorld.priceFeeds.has(itsMarket, kind)) return;
        const step = largestStep(itsWorld, itsMarket, kind, `${year}-01-01`, `${year + 1}-01-01`);
        expect(step).toBeLessThanOrEqual(0.002);
        if (year < 2024) expect(step).toBeGreaterThan(0);
      },
      120,
    );
  });

  it("has two decimals of sales and three of rents, without needless zeros", () => {
    const anyFed = anyMarketOfWorld.filter(({ world, market }) => world.priceFeeds.has(market, "rental"));
    always(fc.tuple(anyFed, fc.constantFrom(...FEED_KINDS), fc.nat()), ([{ world, market }, kind, position]) => {
      const dates = world.priceFeeds.dates(market, kind);
      const { price } = world.priceFeeds.price(market, kind, dates[position % dates.length] ?? "");
      expect(price).toMatch(new RegExp(`^[1-9]?\\d*(\\.\\d{0,${DECIMALS[kind] - 1}}[1-9])?$`));
      expect(Number(price)).toBeGreaterThan(0);
    });
  });

  it("bridges the rows of the source, wherever they are, within the range of the two and some percent", () => {
    const anyRows = fc
      .uniqueArray(
        fc.record({ at: fc.integer({ min: 14_700, max: 20_400 }), cents: fc.integer({ min: 5_000, max: 90_000 }) }),
        {
          selector: ({ at }) => at,
          minLength: 1,
          maxLength: 6,
        },
      )
      .map((rows) => rows.toSorted((a, b) => a.at - b.at));
    always(
      fc.tuple(anyRows, fc.integer({ min: 14_700, max: 20_700 })),
      ([rows, at]) => {
        const entries = rows.map(({ at, cents }) => [dateOfDay(at), (cents / 100).toFixed(2)] as const);
        const itsWorld = worldOf(buildPriceTable(flat(5n, "sales", ...entries)));
        const price = Number(itsWorld.priceFeeds.price(requireMarket(itsWorld, 5n), "sales", dateOfDay(at)).price);
        const before = rows.findLast((row) => row.at <= at);
        const after = rows.find((row) => row.at >= at);
        if (before && !after) expect(price).toBe(before.cents / 100);
        if (before && after) {
          const [low, high] = [before.cents, after.cents].toSorted((a, b) => a - b);
          // The curve between two rows is that of the years between, which the rows need not follow.
          expect(price).toBeGreaterThanOrEqual((0.4 * (low ?? 0)) / 100);
          expect(price).toBeLessThanOrEqual((2.5 * (high ?? 0)) / 100);
        }
        if (!before) expect(price).toBeGreaterThan(0);
      },
      100,
    );
  });

  it("has rows of the source from before the usual start", () => {
    const table = buildPriceTable(flat(5n, "rental", ["2009-12-30", "1"], ["2024-01-01", "2"]));
    const itsWorld = worldOf(table);
    const dates = itsWorld.priceFeeds.dates(requireMarket(itsWorld, 5n), "rental");
    expect(dates.at(-1)).toBe("2009-12-30");
  });

  it("of homes rather than square feet still gives plausible prices per square foot", () => {
    const metros = new Map([[394913n, namedMarket(394913n, "New York, NY", { locationType: "CBSA" })]]);
    const prices = buildPriceTable(
      [
        ...flat(394913n, "sales", ["2021-11-30", "560000.12"], ["2024-10-31", "683000.5"]),
        ...flat(394913n, "rental", ["2021-11-30", "2700.1"], ["2024-10-31", "3200"]),
      ],
      metros,
    );
    const itsWorld = worldOf(prices);
    const metro = requireMarket(itsWorld, 394913n);
    const row = itsWorld.metrics.row("market_metrics/housing_event_prices", metro, "2024-03-01");
    expect(row.price_per_square_foot.median.sales).toBeGreaterThan(300);
    expect(row.price_per_square_foot.median.sales).toBeLessThan(500);
    expect(row.price.median.sales).toBeGreaterThan(300_000);
    expect(row.price.median.sales).toBeLessThan(1_500_000);
    expect(Number(itsWorld.priceFeeds.price(metro, "sales", "2023-06-01").price)).toBeGreaterThan(500_000);
  });
});

describe("volatility", () => {
  it("is the standard deviation of thirty daily changes, in percent, with four decimals", () => {
    const alternating = Array.from({ length: 31 }, (_, index) => (index % 2 === 0 ? 100 : 101));
    // Changes of 1 % and of -100/101 %, fifteen each.
    const difference = 1 + 100 / 101;
    expect(dailyVolatility(alternating)).toBeCloseTo((difference / 2) * Math.sqrt(30 / 29), 4);
    expect(dailyVolatility(new Array(31).fill(7))).toBe(0);
    expect(dailyVolatility(new Array(31).fill(0))).toBe(0);
  });

  it("has a row for each day from thirty days after the start, computed from the prices served", () => {
    const denver = requireMarket(world, DENVER);
    const dates = world.priceFeeds.volatilityDates(denver);
    expect(dates[0]).toBe(PRESENT);
    expect(dates.at(-1)).toBe("2011-01-31");
    always(
      fc.nat({ max: dates.length - 1 }),
      (position) => {
        const date = dates[position] ?? "";
        const prices = Array.from({ length: 31 }, (_, index) =>
          Number(world.priceFeeds.price(denver, "sales", dateOfDay(day(date) - 30 + index)).price),
        );
        const row = world.priceFeeds.volatilityRow(denver, date);
        expect(row).toEqual({ date, pct_volatility: dailyVolatility(prices) });
        expect(JSON.stringify(row.pct_volatility)).toMatch(/^\d(\.\d{1,4})?$/);
      },
      60,
    );
  });
});
