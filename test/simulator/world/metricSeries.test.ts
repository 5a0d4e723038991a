import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOfDate } from "../../../relayer/message/calendarDate.ts";
import type { MarketRecord } from "../../../simulator/marketTable.ts";
import { InvalidWorldError } from "../../../simulator/world/InvalidWorldError.ts";
import {
  describeMetric,
  isMetricName,
  METRIC_NAMES,
  type MetricName,
  type MetricRow,
  type Segment,
} from "../../../simulator/world/metricSeries.ts";
import {
  type PORTFOLIO_SIZE_FILTERS,
  PORTFOLIO_SIZES,
  PROPERTY_TYPE_FILTERS,
  PROPERTY_TYPES,
} from "../../../simulator/world/segments.ts";
import type { World } from "../../../simulator/world/world.ts";
import { always, anyMarketOfWorld, requireMarket, testWorld } from "./worldsUnderTest.ts";

const world = testWorld("first");
const USA = 5826765n;
const EMPTY = 5269136n;

/** A market and one of the dates of a metric. */
function anyRowOf(name: MetricName) {
  return fc.tuple(anyMarketOfWorld, fc.nat()).map(([{ world, market }, position]) => {
    const dates = world.metrics.dates(name);
    return { world, market, date: dates[position % dates.length] ?? "" };
  });
}

const rowsOfTypes = (world: World, market: MarketRecord, date: string) =>
  ({
    of: <Name extends MetricName>(name: Name, propertyType?: Segment["propertyType"]) =>
      world.metrics.row(name, market, date, { propertyType }),
  }) as const;

function expectDecimals(value: number | null, decimals: number): void {
  if (value !== null) expect(JSON.stringify(value)).toMatch(new RegExp(`^-?\\d+(\\.\\d{1,${decimals}})?$`));
}

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** Percent with two decimals, rounded half up, in whole numbers. */
function percentOf(part: number, whole: number): number | null {
  if (whole === 0) return null;
  const hundredths = (BigInt(part) * 20_000n + BigInt(whole)) / (2n * BigInt(whole));
  return Number(hundredths) / 100;
}

describe("the metrics", () => {
  it("are the 22 of the service", () => {
    expect(METRIC_NAMES.length).toBe(22);
    const categories = Map.groupBy(METRIC_NAMES, (name) => name.split("/")[0]);
    expect(Object.fromEntries([...categories].map(([category, names]) => [category, names.length]))).toEqual({
      market_metrics: 5,
      for_sale_market_metrics: 3,
      rental_market_metrics: 3,
      investor_metrics: 5,
      portfolio_metrics: 4,
      new_construction_metrics: 2,
    });
    expect(isMetricName("market_metrics/all_cash")).toBe(true);
    expect(isMetricName("market_metrics/toString")).toBe(false);
    expect(isMetricName("toString")).toBe(false);
  });

  it.each<[MetricName, string[]]>([
    ["market_metrics/all_cash", ["count_sales", "pct_sales", "count_transfers", "pct_transfers"]],
    ["market_metrics/housing_event_counts", ["sales", "new_listings_for_sale", "new_rental_listings", "transfers"]],
    ["market_metrics/housing_event_prices", ["price", "price_per_square_foot"]],
    ["market_metrics/housing_event_property_attributes", ["bedrooms", "bathrooms", "square_footage", "year_built"]],
    ["market_metrics/housing_stock", ["single_family", "condo", "townhouse", "other", "all_properties"]],
    ["for_sale_market_metrics/for_sale_inventory", ["for_sale_inventory"]],
    [
      "for_sale_market_metrics/for_sale_inventory_price_changes",
      [
        "count_price_change",
        "count_price_drop",
        "median_days_bt_change",
        "median_price_change",
        "median_pct_price_change",
        "pct_inventory_price_change",
        "pct_inventory_price_drop",
      ],
    ],
    [
      "for_sale_market_metrics/new_listings_rolling_counts",
      ["rolling_7_day", "rolling_30_day", "rolling_60_day", "rolling_90_day"],
    ],
    ["rental_market_metrics/gross_yield", ["pct_gross_yield"]],
    ["rental_market_metrics/rental_units_concentration", ["rental_units", "total_units", "pct_rental_concentration"]],
    [
      "rental_market_metrics/new_listings_for_rent_rolling_counts",
      ["rolling_7_day", "rolling_30_day", "rolling_60_day", "rolling_90_day"],
    ],
    ["investor_metrics/housing_stock_ownership", ["count", "pct_ownership"]],
    [
      "investor_metrics/housing_event_counts",
      ["acquisitions", "dispositions", "new_listings_for_sale", "new_rental_listings", "transfers"],
    ],
    ["investor_metrics/housing_event_prices", ["price", "price_per_square_foot"]],
    ["investor_metrics/purchase_to_sale_ratio", ["purchase_to_sale_ratio"]],
    ["investor_metrics/new_listings_for_sale_rolling_counts", ["count", "pct_for_sale_market"]],
    ["portfolio_metrics/sf_housing_stock_ownership", ["count", "pct_sf_housing_stock"]],
    [
      "portfolio_metrics/sf_housing_event_counts",
      ["acquisitions", "dispositions", "new_listings_for_sale", "new_rental_listings", "transfers"],
    ],
    ["portfolio_metrics/sf_new_listings_for_sale_rolling_counts", ["count", "pct_sf_for_sale_market"]],
    ["portfolio_metrics/sf_new_listings_for_rent_rolling_counts", ["count", "pct_sf_for_rent_market"]],
    [
      "new_construction_metrics/housing_event_counts",
      ["sales", "new_listings_for_sale", "new_rental_listings", "transfers"],
    ],
    ["new_construction_metrics/housing_event_prices", ["price", "price_per_square_foot"]],
  ])("%s has these fields after its date", (name, fields) => {
    const [date = ""] = world.metrics.dates(name);
    expect(Object.keys(world.metrics.row(name, requireMarket(world, USA), date))).toEqual(["date", ...fields]);
  });

  it("nest prices by statistic and kind of event, investors' and new homes' with medians only", () => {
    const date = "2024-06-01";
    const market = requireMarket(world, USA);
    const kinds = ["sales", "new_listings_for_sale", "new_rental_listings"];
    const investorKinds = ["acquisitions", "dispositions", "new_listings_for_sale", "new_rental_listings"];
    const statistics = ["median", "standard_deviation", "percentile_20th", "percentile_80th"];
    const prices = world.metrics.row("market_metrics/housing_event_prices", market, date);
    for (const quantity of [prices.price, prices.price_per_square_foot]) {
      expect(Object.keys(quantity)).toEqual(statistics);
      for (const byKind of Object.values(quantity)) expect(Object.keys(byKind)).toEqual(kinds);
    }
    for (const [name, eventKinds] of [
      ["investor_metrics/housing_event_prices", investorKinds],
      ["new_construction_metrics/housing_event_prices", kinds],
    ] as const) {
      const { price, price_per_square_foot } = world.metrics.row(name, market, date);
      for (const quantity of [price, price_per_square_foot]) {
        expect(Object.keys(quantity)).toEqual(["median"]);
        expect(Object.keys(quantity.median)).toEqual(eventKinds);
      }
    }
  });
});

describe("the dates of a metric", () => {
  it.each(METRIC_NAMES)("%s: newest first, evenly, on firsts of months or Mondays", (name) => {
    const dates = world.metrics.dates(name);
    const { cadence, firstDate } = describeMetric(name);
    expect(dates.at(-1)).toBe(firstDate);
    expect(dates).toEqual([...new Set(dates)].sort().reverse());
    for (const [index, date] of dates.entries()) {
      if (cadence === "monthly") {
        expect(date).toMatch(/-01$/);
      } else {
        expect(new Date(date).getUTCDay()).toBe(1);
        const before = dates[index + 1];
        if (before) expect((dayOfDate(date) ?? 0) - (dayOfDate(before) ?? 0)).toBe(7);
      }
    }
    // Every month once, from the first to the newest.
    if (cadence === "monthly") {
      const [from, to] = [new Date(firstDate), new Date(dates[0] ?? "")];
      const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
      expect(dates.length).toBe(months + 1);
    }
  });

  it("begin when the service's data begin", () => {
    const firstDates = Object.fromEntries(METRIC_NAMES.map((name) => [name, describeMetric(name).firstDate]));
    const byFirstDate = Map.groupBy(METRIC_NAMES, (name) => firstDates[name]);
    // Mondays: 2022-09-05 is the first one of the listings, which begin on 2022-09-01.
    expect([...byFirstDate.keys()].sort()).toEqual([
      "2010-01-01",
      "2022-09-01",
      "2022-09-05",
      "2024-03-01",
      "2024-04-15",
      "2024-04-22",
    ]);
    expect(firstDates["portfolio_metrics/sf_housing_stock_ownership"]).toBe("2024-03-01");
    expect(firstDates["portfolio_metrics/sf_new_listings_for_sale_rolling_counts"]).toBe("2024-04-15");
    expect(firstDates["portfolio_metrics/sf_new_listings_for_rent_rolling_counts"]).toBe("2024-04-22");
    expect(firstDates["rental_market_metrics/gross_yield"]).toBe("2022-09-01");
    expect(firstDates["market_metrics/housing_event_counts"]).toBe("2010-01-01");
  });

  it.each([
    ["2024-05-31", "2024-04-01", "2024-05-27"],
    ["2024-06-01", "2024-05-01", "2024-05-27"],
    ["2024-06-03", "2024-05-01", "2024-06-03"],
  ])("on %s the newest month is %s, once it is over, and the newest week %s", (asOf, month, monday) => {
    const { metrics } = world.on(asOf);
    expect(metrics.dates("market_metrics/housing_stock")[0]).toBe(month);
    expect(metrics.dates("for_sale_market_metrics/for_sale_inventory")[0]).toBe(monday);
  });

  it("can be narrowed, both bounds included", () => {
    const monthly = (startDate?: string, endDate?: string) =>
      world.metrics.dates("market_metrics/all_cash", { startDate, endDate });
    expect(monthly("2024-01-01", "2024-03-01")).toEqual(["2024-03-01", "2024-02-01", "2024-01-01"]);
    expect(monthly("2024-01-02", "2024-02-29")).toEqual(["2024-02-01"]);
    expect(monthly("2024-02-02", "2024-02-29")).toEqual([]);
    expect(monthly("2030-01-01")).toEqual([]);
    expect(monthly(undefined, "2009-12-31")).toEqual([]);
    const weekly = world.metrics.dates("for_sale_market_metrics/for_sale_inventory", {
      startDate: "2024-06-03",
      endDate: "2024-06-10",
    });
    expect(weekly).toEqual(["2024-06-10", "2024-06-03"]);
    expect(() => monthly("2024-02-30")).toThrow(InvalidWorldError);
  });
});

describe("events of a market", () => {
  it("are fewer sales than transfers, whole numbers, and listings from September 2022 on only", () => {
    for (const name of [
      "market_metrics/housing_event_counts",
      "new_construction_metrics/housing_event_counts",
    ] as const) {
      always(fc.tuple(anyRowOf(name), fc.constantFrom(...PROPERTY_TYPE_FILTERS)), ([{ world, market, date }, type]) => {
        const row = world.metrics.row(name, market, date, { propertyType: type });
        expect(row.sales).toBeGreaterThanOrEqual(0);
        expect(row.sales).toBeLessThanOrEqual(row.transfers);
        for (const listings of [row.new_listings_for_sale, row.new_rental_listings]) {
          if (date < "2022-09-01") expect(listings).toBeNull();
          else expect(listings).toBeGreaterThanOrEqual(0);
        }
        for (const count of [row.sales, row.transfers]) expect(Number.isSafeInteger(count)).toBe(true);
      });
    }
  });

  it("add up over the types", () => {
    for (const name of [
      "market_metrics/housing_event_counts",
      "new_construction_metrics/housing_event_counts",
    ] as const) {
      always(anyRowOf(name), ({ world, market, date }) => {
        const { of } = rowsOfTypes(world, market, date);
        const [all, parts] = [of(name), PROPERTY_TYPES.map((type) => of(name, type))];
        for (const field of ["sales", "transfers", "new_listings_for_sale", "new_rental_listings"] as const) {
          expect(all[field] ?? 0).toBe(sum(parts.map((part) => part[field])));
        }
      });
    }
  });

  it("include those of new homes", () => {
    always(anyRowOf("market_metrics/housing_event_counts"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      for (const type of PROPERTY_TYPE_FILTERS) {
        const all = of("market_metrics/housing_event_counts", type);
        const newHomes = of("new_construction_metrics/housing_event_counts", type);
        for (const field of ["sales", "transfers", "new_listings_for_sale", "new_rental_listings"] as const) {
          expect(newHomes[field] ?? 0).toBeLessThanOrEqual(all[field] ?? 0);
        }
      }
    });
  });

  it("are paid in cash in part, and the percentages are of the counts", () => {
    always(anyRowOf("market_metrics/all_cash"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      for (const type of PROPERTY_TYPE_FILTERS) {
        const counts = of("market_metrics/housing_event_counts", type);
        const cash = of("market_metrics/all_cash", type);
        expect(cash.count_sales === null).toBe(counts.sales === 0);
        expect(cash.count_transfers === null).toBe(counts.transfers === 0);
        expect(cash.count_sales ?? 0).toBeLessThanOrEqual(counts.sales);
        expect(cash.count_transfers ?? 0).toBeLessThanOrEqual(counts.transfers);
        expect(cash.count_transfers ?? 0).toBeGreaterThanOrEqual(cash.count_sales ?? 0);
        expect(cash.pct_sales).toBe(percentOf(cash.count_sales ?? 0, counts.sales));
        expect(cash.pct_transfers).toBe(percentOf(cash.count_transfers ?? 0, counts.transfers));
      }
      const parts = PROPERTY_TYPES.map((type) => of("market_metrics/all_cash", type));
      expect(of("market_metrics/all_cash").count_sales ?? 0).toBe(sum(parts.map((part) => part.count_sales)));
    });
  });
});

function statisticsOf({ date: _, ...attributes }: MetricRow<"market_metrics/housing_event_property_attributes">) {
  return Object.values(attributes);
}

describe("prices of events", () => {
  it("are there where there are events, their percentiles around the median", () => {
    always(
      fc.tuple(anyRowOf("market_metrics/housing_event_prices"), fc.constantFrom(...PROPERTY_TYPE_FILTERS)),
      ([{ world, market, date }, type]) => {
        const { of } = rowsOfTypes(world, market, date);
        const counts = of("market_metrics/housing_event_counts", type);
        const prices = of("market_metrics/housing_event_prices", type);
        const attributes = of("market_metrics/housing_event_property_attributes", type);
        for (const quantity of [prices.price, prices.price_per_square_foot, ...statisticsOf(attributes)]) {
          for (const kind of ["sales", "new_listings_for_sale", "new_rental_listings"] as const) {
            const [low, middle, high] = [quantity.percentile_20th, quantity.median, quantity.percentile_80th];
            const count = counts[kind] ?? 0;
            expect(middle[kind] === null).toBe(count === 0);
            expect(quantity.standard_deviation[kind] === null).toBe(count < 2);
            if (count === 0) continue;
            expect(low[kind]).toBeLessThanOrEqual(middle[kind] ?? 0);
            expect(middle[kind]).toBeLessThanOrEqual(high[kind] ?? 0);
            expect(low[kind]).toBeGreaterThan(0);
          }
        }
      },
    );
  });

  it("of all types lie between those of the single types", () => {
    always(anyRowOf("market_metrics/housing_event_prices"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      const all = of("market_metrics/housing_event_prices").price.median.sales;
      const parts = PROPERTY_TYPES.map((type) => of("market_metrics/housing_event_prices", type).price.median.sales);
      const known = parts.filter((part) => part !== null);
      if (all === null) return;
      expect(all).toBeGreaterThanOrEqual(Math.min(...known));
      expect(all).toBeLessThanOrEqual(Math.max(...known));
    });
  });

  it("per square foot are near the market's price feeds", () => {
    const anyFed = anyMarketOfWorld.filter(({ world, market }) => world.priceFeeds.has(market, "rental"));
    always(fc.tuple(anyFed, fc.nat()), ([{ world, market }, position]) => {
      const dates = world.metrics.dates("market_metrics/housing_event_prices");
      const date = dates[position % dates.length] ?? "";
      if (date < "2011-01-01") return;
      const { median } = world.metrics.row("market_metrics/housing_event_prices", market, date).price_per_square_foot;
      const middle = `${date.slice(0, 8)}15`;
      const sales = Number(world.priceFeeds.price(market, "sales", middle).price);
      const rental = Number(world.priceFeeds.price(market, "rental", middle).price);
      expect(Math.abs((median.sales ?? 0) / sales - 1)).toBeLessThan(0.1);
      if (date < "2022-09-01") return;
      expect(Math.abs((median.new_listings_for_sale ?? 0) / sales - 1)).toBeLessThan(0.15);
      expect(Math.abs((median.new_rental_listings ?? 0) / rental - 1)).toBeLessThan(0.1);
    });
  });

  it("make up the gross yield", () => {
    always(
      fc.tuple(anyRowOf("rental_market_metrics/gross_yield"), fc.constantFrom(...PROPERTY_TYPE_FILTERS)),
      ([{ world, market, date }, type]) => {
        const { of } = rowsOfTypes(world, market, date);
        const { median } = of("market_metrics/housing_event_prices", type).price;
        const [rent, price] = [median.new_rental_listings, median.new_listings_for_sale];
        const expected = rent === null || price === null ? null : percentOf(rent * 12, price);
        expect(of("rental_market_metrics/gross_yield", type).pct_gross_yield).toBe(expected);
        expectDecimals(expected, 2);
      },
    );
  });

  it("are whole dollars, and per square foot two decimals, three of rents", () => {
    always(anyRowOf("market_metrics/housing_event_prices"), ({ world, market, date }) => {
      const { price, price_per_square_foot } = world.metrics.row("market_metrics/housing_event_prices", market, date);
      expect(Object.values(price.median).every((median) => median === null || Number.isInteger(median))).toBe(true);
      expectDecimals(price_per_square_foot.median.sales, 2);
      expectDecimals(price_per_square_foot.median.new_listings_for_sale, 2);
      expectDecimals(price_per_square_foot.median.new_rental_listings, 3);
    });
  });
});

describe("the housing stock", () => {
  it("is the sum of its types, and rental units are part of it", () => {
    always(anyRowOf("market_metrics/housing_stock"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      const stock = of("market_metrics/housing_stock");
      expect(stock.all_properties).toBe(stock.single_family + stock.condo + stock.townhouse + stock.other);
      for (const [type, homes] of [
        ["ALL_PROPERTIES", stock.all_properties],
        ["SINGLE_FAMILY", stock.single_family],
        ["CONDO", stock.condo],
        ["TOWNHOUSE", stock.townhouse],
        ["OTHER", stock.other],
      ] as const) {
        const rented = of("rental_market_metrics/rental_units_concentration", type);
        expect(rented.total_units).toBe(homes);
        expect(rented.rental_units).toBeLessThanOrEqual(homes);
        expect(rented.pct_rental_concentration).toBe(percentOf(rented.rental_units, homes));
      }
      const parts = PROPERTY_TYPES.map((type) => of("rental_market_metrics/rental_units_concentration", type));
      expect(of("rental_market_metrics/rental_units_concentration").rental_units).toBe(
        sum(parts.map(({ rental_units }) => rental_units)),
      );
    });
  });

  it("is owned by investors in part, and by portfolios in a part of that", () => {
    always(anyRowOf("portfolio_metrics/sf_housing_stock_ownership"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      const stock = of("market_metrics/housing_stock");
      const investors = of("investor_metrics/housing_stock_ownership");
      const portfolios = of("portfolio_metrics/sf_housing_stock_ownership");
      const { all_portfolios, ...sizes } = portfolios.count;
      expect(Object.keys(sizes)).toEqual(PORTFOLIO_SIZES.map((size) => size.toLowerCase()));
      expect(all_portfolios).toBe(sum(Object.values(sizes)));
      expect(all_portfolios).toBeLessThanOrEqual(stock.single_family);
      expect(all_portfolios).toBeLessThanOrEqual(investors.count);
      expect(investors.count).toBeLessThanOrEqual(stock.all_properties);
      expect(investors.pct_ownership).toBe(percentOf(investors.count, stock.all_properties));
      for (const size of Object.keys(portfolios.count) as (keyof typeof portfolios.count)[]) {
        expect(portfolios.pct_sf_housing_stock[size]).toBe(percentOf(portfolios.count[size], stock.single_family));
      }
    });
  });
});

const INVESTOR_FIELDS = [
  "acquisitions",
  "dispositions",
  "new_listings_for_sale",
  "new_rental_listings",
  "transfers",
] as const;

describe("investors", () => {
  it("take part in no more events than there are, and portfolios in no more than investors", () => {
    always(anyRowOf("investor_metrics/housing_event_counts"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      const all = of("market_metrics/housing_event_counts");
      const investors = of("investor_metrics/housing_event_counts");
      const portfolios = of("portfolio_metrics/sf_housing_event_counts");
      expect(investors.acquisitions).toBeLessThanOrEqual(all.sales);
      expect(investors.dispositions).toBeLessThanOrEqual(all.sales);
      expect(investors.transfers).toBeLessThanOrEqual(all.transfers);
      expect(investors.new_listings_for_sale ?? 0).toBeLessThanOrEqual(all.new_listings_for_sale ?? 0);
      expect(investors.new_rental_listings ?? 0).toBeLessThanOrEqual(all.new_rental_listings ?? 0);
      for (const row of [investors, portfolios]) {
        expect(row.transfers).toBeGreaterThanOrEqual(Math.max(row.acquisitions, row.dispositions));
        expect(row.new_listings_for_sale === null).toBe(date < "2022-09-01");
      }
      for (const field of INVESTOR_FIELDS) {
        expect(portfolios[field] ?? 0).toBeLessThanOrEqual(investors[field] ?? 0);
      }
    });
  });

  it("have a purchase to sale ratio that is the one of their counts", () => {
    let [nulls, zeros] = [0, 0];
    always(anyRowOf("investor_metrics/purchase_to_sale_ratio"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      const { acquisitions, dispositions } = of("investor_metrics/housing_event_counts");
      const { purchase_to_sale_ratio: ratio } = of("investor_metrics/purchase_to_sale_ratio");
      if (dispositions === 0) expect(ratio).toBeNull();
      else if (acquisitions === 0) expect(ratio).toBe(0);
      if (dispositions > 0) {
        const hundredths = (BigInt(acquisitions) * 200n + BigInt(dispositions)) / (2n * BigInt(dispositions));
        expect(ratio).toBe(Number(hundredths) / 100);
      }
      nulls += Number(ratio === null);
      zeros += Number(ratio === 0);
    });
    // The test means something only if both happen.
    expect(nulls).toBeGreaterThan(0);
    expect(zeros).toBeGreaterThan(0);
  });

  it("have prices of what they did, and none of what they did not", () => {
    always(anyRowOf("investor_metrics/housing_event_prices"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      const counts = of("investor_metrics/housing_event_counts");
      const { price, price_per_square_foot } = of("investor_metrics/housing_event_prices");
      for (const kind of ["acquisitions", "dispositions", "new_listings_for_sale", "new_rental_listings"] as const) {
        expect(price.median[kind] === null).toBe((counts[kind] ?? 0) === 0);
        expect(price_per_square_foot.median[kind] === null).toBe((counts[kind] ?? 0) === 0);
      }
    });
  });

  it("in portfolios add up over the sizes", () => {
    always(anyRowOf("portfolio_metrics/sf_housing_event_counts"), ({ world, market, date }) => {
      const of = (portfolioSize: (typeof PORTFOLIO_SIZE_FILTERS)[number]) =>
        world.metrics.row("portfolio_metrics/sf_housing_event_counts", market, date, { portfolioSize });
      const [all, parts] = [of("ALL_PORTFOLIOS"), PORTFOLIO_SIZES.map(of)];
      for (const field of INVESTOR_FIELDS) expect(all[field] ?? 0).toBe(sum(parts.map((part) => part[field])));
    });
  });
});

const WINDOWS = ["rolling_7_day", "rolling_30_day", "rolling_60_day", "rolling_90_day"] as const;
const DAYS = { rolling_7_day: 7, rolling_30_day: 30, rolling_60_day: 60, rolling_90_day: 90 } as const;

describe("rolling counts", () => {
  it("grow with their windows, and are null while a window begins before the data", () => {
    for (const name of [
      "for_sale_market_metrics/new_listings_rolling_counts",
      "rental_market_metrics/new_listings_for_rent_rolling_counts",
    ] as const) {
      always(fc.tuple(anyRowOf(name), fc.constantFrom(...PROPERTY_TYPE_FILTERS)), ([{ world, market, date }, type]) => {
        const row = world.metrics.row(name, market, date, { propertyType: type });
        const age = (dayOfDate(date) ?? 0) - (dayOfDate("2022-09-01") ?? 0) + 1;
        for (const window of WINDOWS) expect(row[window] === null).toBe(age < DAYS[window]);
        const counts = WINDOWS.map((window) => row[window]).filter((count) => count !== null);
        expect(counts).toEqual(counts.toSorted((a, b) => a - b));
        expect(counts.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
      });
    }
  });

  it("of successive weeks are consistent: two weeks' 7 days lie within 30, and 30 and 60 within 90", () => {
    always(anyRowOf("for_sale_market_metrics/new_listings_rolling_counts"), ({ world, market, date }) => {
      const name = "for_sale_market_metrics/new_listings_rolling_counts";
      const dates = world.metrics.dates(name);
      const before = dates[dates.indexOf(date) + 1];
      if (!before || date < "2022-12-01") return;
      const [newer, older] = [world.metrics.row(name, market, date), world.metrics.row(name, market, before)];
      const recent = (newer.rolling_7_day ?? 0) + (older.rolling_7_day ?? 0);
      expect(recent).toBeLessThanOrEqual(newer.rolling_30_day ?? 0);
      expect(newer.rolling_90_day ?? 0).toBeLessThanOrEqual((older.rolling_90_day ?? 0) + (newer.rolling_7_day ?? 0));
    });
  });

  it("add up to the month: 30 days ending on 30 June are June's listings", () => {
    // 30 June 2025 and 30 November 2026 are Mondays that end a month of 30 days.
    always(anyMarketOfWorld, ({ world, market }) => {
      const rolling = world.metrics.row("for_sale_market_metrics/new_listings_rolling_counts", market, "2025-06-30");
      const rented = world.metrics.row(
        "rental_market_metrics/new_listings_for_rent_rolling_counts",
        market,
        "2025-06-30",
      );
      const month = world.metrics.row("market_metrics/housing_event_counts", market, "2025-06-01");
      expect(rolling.rolling_30_day).toBe(month.new_listings_for_sale);
      expect(rented.rolling_30_day).toBe(month.new_rental_listings);
    });
  });

  it("of investors are part of the market's, by type", () => {
    const name = "investor_metrics/new_listings_for_sale_rolling_counts";
    always(fc.tuple(anyRowOf(name), fc.constantFrom(...PROPERTY_TYPE_FILTERS)), ([{ world, market, date }, type]) => {
      const { of } = rowsOfTypes(world, market, date);
      const all = of("for_sale_market_metrics/new_listings_rolling_counts", type);
      const { count, pct_for_sale_market } = of(name, type);
      for (const window of WINDOWS) {
        expect(count[window] === null).toBe(all[window] === null);
        expect(count[window] ?? 0).toBeLessThanOrEqual(all[window] ?? 0);
        const expected = all[window] === null ? null : percentOf(count[window] ?? 0, all[window]);
        expect(pct_for_sale_market[window]).toBe(expected);
      }
    });
  });

  it("of portfolios are part of the single-family market's, and add up over the sizes", () => {
    for (const [name, whole, percentField] of [
      [
        "portfolio_metrics/sf_new_listings_for_sale_rolling_counts",
        "for_sale_market_metrics/new_listings_rolling_counts",
        "pct_sf_for_sale_market",
      ],
      [
        "portfolio_metrics/sf_new_listings_for_rent_rolling_counts",
        "rental_market_metrics/new_listings_for_rent_rolling_counts",
        "pct_sf_for_rent_market",
      ],
    ] as const) {
      always(anyRowOf(name), ({ world, market, date }) => {
        const market7 = world.metrics.row(whole, market, date, { propertyType: "SINGLE_FAMILY" });
        const of = (portfolioSize: (typeof PORTFOLIO_SIZE_FILTERS)[number]) =>
          world.metrics.row(name, market, date, { portfolioSize });
        const [all, parts] = [of("ALL_PORTFOLIOS"), PORTFOLIO_SIZES.map(of)];
        for (const window of WINDOWS) {
          expect(all.count[window]).toBe(sum(parts.map(({ count }) => count[window])));
          expect(all.count[window]).toBeLessThanOrEqual(market7[window] ?? 0);
          const percentages = (all as unknown as Record<string, Record<string, number | null>>)[percentField];
          expect(percentages?.[window]).toBe(percentOf(all.count[window] ?? 0, market7[window] ?? 0));
        }
      });
    }
  });
});

describe("the inventory", () => {
  it("adds up over the types, and its price changes are part of it", () => {
    always(anyRowOf("for_sale_market_metrics/for_sale_inventory"), ({ world, market, date }) => {
      const { of } = rowsOfTypes(world, market, date);
      const inventory = (type?: Segment["propertyType"]) =>
        of("for_sale_market_metrics/for_sale_inventory", type).for_sale_inventory;
      expect(inventory()).toBe(sum(PROPERTY_TYPES.map((type) => inventory(type))));
      for (const type of PROPERTY_TYPE_FILTERS) {
        const changes = of("for_sale_market_metrics/for_sale_inventory_price_changes", type);
        expect(changes.count_price_drop).toBeLessThanOrEqual(changes.count_price_change);
        expect(changes.count_price_change).toBeLessThanOrEqual(inventory(type));
        expect(changes.pct_inventory_price_change).toBe(percentOf(changes.count_price_change, inventory(type)));
        expect(changes.pct_inventory_price_drop).toBe(percentOf(changes.count_price_drop, inventory(type)));
        const medians = [changes.median_days_bt_change, changes.median_price_change, changes.median_pct_price_change];
        for (const median of medians) expect(median === null).toBe(changes.count_price_change === 0);
        if (changes.count_price_change > 0) {
          expect(changes.median_days_bt_change).toBeGreaterThan(0);
          expect(changes.median_price_change).toBeLessThanOrEqual(0);
          expect(changes.median_pct_price_change).toBeLessThan(0);
        }
        expectDecimals(changes.median_pct_price_change, 2);
      }
      const parts = PROPERTY_TYPES.map((type) => of("for_sale_market_metrics/for_sale_inventory_price_changes", type));
      expect(of("for_sale_market_metrics/for_sale_inventory_price_changes").count_price_change).toBe(
        sum(parts.map(({ count_price_change }) => count_price_change)),
      );
    });
  });
});

describe("a market without people", () => {
  it("has no homes, no events, no prices, and percentages of nothing", () => {
    const { of } = rowsOfTypes(world, requireMarket(world, EMPTY), "2024-06-01");
    expect(of("market_metrics/housing_stock").all_properties).toBe(0);
    expect(of("market_metrics/housing_event_counts")).toEqual({
      date: "2024-06-01",
      sales: 0,
      new_listings_for_sale: 0,
      new_rental_listings: 0,
      transfers: 0,
    });
    expect(of("market_metrics/all_cash")).toEqual({
      date: "2024-06-01",
      count_sales: null,
      pct_sales: null,
      count_transfers: null,
      pct_transfers: null,
    });
    expect(of("rental_market_metrics/gross_yield").pct_gross_yield).toBeNull();
    expect(of("investor_metrics/purchase_to_sale_ratio").purchase_to_sale_ratio).toBeNull();
    expect(of("market_metrics/housing_event_prices").price.median.sales).toBeNull();
    expect(of("rental_market_metrics/rental_units_concentration").pct_rental_concentration).toBeNull();
    const { of: weekly } = rowsOfTypes(world, requireMarket(world, EMPTY), "2024-06-03");
    expect(weekly("for_sale_market_metrics/for_sale_inventory_price_changes")).toMatchObject({
      count_price_change: 0,
      median_price_change: null,
      pct_inventory_price_change: null,
    });
  });
});
