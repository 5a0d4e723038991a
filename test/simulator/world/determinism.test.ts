import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../../simulator/builtInPrices.ts";
import { InvalidWorldError } from "../../../simulator/world/InvalidWorldError.ts";
import { METRIC_NAMES } from "../../../simulator/world/metricSeries.ts";
import { createWorld, type World } from "../../../simulator/world/world.ts";
import { FAST_CHECK_SEED, MIXED_MARKETS, PRESENT, requireMarket, testWorld } from "./worldsUnderTest.ts";

/** One question to a world; the numbers choose what is asked about. */
const anyQuestion = fc.record({
  kind: fc.constantFrom("metric", "price", "volatility", "property", "market", "address" as const),
  market: fc.nat(),
  which: fc.nat(),
  position: fc.nat(),
});
type Question = typeof anyQuestion extends fc.Arbitrary<infer Value> ? Value : never;

function answer(world: World, { kind, market: marketNumber, which, position }: Question): unknown {
  const markets = [...world.markets.values()].sort((a, b) => (a.marketId < b.marketId ? -1 : 1));
  const market = markets[marketNumber % markets.length];
  const zipCode = world.geography.zipCodes[which % world.geography.zipCodes.length];
  if (!market || !zipCode) throw new Error("an empty world");
  switch (kind) {
    case "metric": {
      const name = METRIC_NAMES[which % METRIC_NAMES.length] ?? "market_metrics/all_cash";
      const dates = world.metrics.dates(name);
      return world.metrics.row(name, market, dates[position % dates.length] ?? "", { propertyType: "SINGLE_FAMILY" });
    }
    case "price":
    case "volatility": {
      const usa = requireMarket(world, 5826765n);
      const dates = world.priceFeeds.volatilityDates(usa);
      const date = dates[position % dates.length] ?? "";
      return kind === "price" ? world.priceFeeds.price(usa, "rental", date) : world.priceFeeds.volatilityRow(usa, date);
    }
    case "market":
      return [market, world.geography.zipCodesOf(market.marketId)];
    case "property":
    case "address": {
      const properties = [...world.properties.ofZipCode(zipCode)];
      const property = properties[position % properties.length];
      return kind === "property" || !property
        ? property
        : world.addresses.search([lookupOf(property.record)], "null id");
    }
  }
}

function lookupOf({
  unit,
  ...record
}: {
  unit: string | null;
  address: string;
  city: string;
  state_abbreviation: string;
  zip_code: string;
}) {
  return { ...record, ...(unit === null ? {} : { unit }) };
}

describe("a world", () => {
  it("gives the same answers again, in another world of the same seed, whatever the order of asking", () => {
    const one = testWorld("order");
    fc.assert(
      fc.property(fc.array(anyQuestion, { minLength: 1, maxLength: 12 }), (questions) => {
        const forwards = questions.map((question) => answer(one, question));
        const other = testWorld("order");
        const backwards = questions.toReversed().map((question) => answer(other, question));
        expect(backwards.toReversed()).toEqual(forwards);
      }),
      { seed: FAST_CHECK_SEED, numRuns: 40 },
    );
  });

  it("gives the same answers whatever the order of its markets", () => {
    const reversed = new Map([...MIXED_MARKETS].toReversed());
    const other = createWorld({ seed: "order", markets: reversed, prices: BUILT_IN_PRICES, asOf: PRESENT });
    const one = testWorld("order");
    fc.assert(
      fc.property(anyQuestion, (question) => {
        expect(answer(other, question)).toEqual(answer(one, question));
      }),
      { seed: FAST_CHECK_SEED, numRuns: 60 },
    );
  });

  it("is the same when the present has moved and come back", () => {
    const world = testWorld("order");
    const [there, back] = [world.on("2024-06-05"), world.on("2024-06-05").on(PRESENT)];
    expect(there.asOf).toBe("2024-06-05");
    const usa = requireMarket(world, 5826765n);
    const first = (of: World) => of.properties.inMarket(usa).next().value;
    expect(first(back)).toEqual(first(world));
    expect(there.geography).toBe(world.geography);
  });

  it("gives the same rows of metrics and prices on every later day", () => {
    const world = testWorld("order");
    const earlier = world.on("2025-03-03");
    for (const name of METRIC_NAMES) {
      for (const marketId of [5826765n, 5352987n, 5542808n]) {
        const market = requireMarket(world, marketId);
        for (const date of earlier.metrics.dates(name).slice(0, 5)) {
          expect(world.metrics.dates(name)).toContain(date);
          expect(earlier.metrics.row(name, market, date)).toEqual(world.metrics.row(name, market, date));
        }
      }
    }
    const denver = requireMarket(world, 5306725n);
    for (const date of earlier.priceFeeds.dates(denver, "sales").slice(0, 700)) {
      expect(earlier.priceFeeds.price(denver, "sales", date)).toEqual(world.priceFeeds.price(denver, "sales", date));
    }
  });

  it("has other records under another seed", () => {
    const [one, other] = [testWorld("one"), testWorld("other")];
    expect(one.seed).toBe("one");
    const questions = fc.sample(anyQuestion, { seed: FAST_CHECK_SEED, numRuns: 200 });
    const isTold = (kind: Question["kind"]) => {
      const those = questions.filter((question) => question.kind === kind);
      expect(those.length).toBeGreaterThan(10);
      return those.some(
        (question) => JSON.stringify(told(answer(one, question))) !== JSON.stringify(told(answer(other, question))),
      );
    };
    for (const kind of ["metric", "price", "volatility", "property", "market", "address"] as const) {
      expect(isTold(kind), kind).toBe(true);
    }
  });

  it("cannot be on a day that does not exist", () => {
    expect(() => testWorld("x", "2026-02-30")).toThrow(InvalidWorldError);
    expect(() => testWorld("x").on("tomorrow")).toThrow('"tomorrow" is not a date');
  });

  it("of no markets and no prices is empty", () => {
    const empty = createWorld({
      seed: "",
      prices: { sales: new Map(), rental: new Map(), markets: new Map() },
      asOf: PRESENT,
    });
    expect(empty.markets.size).toBe(0);
    expect(empty.geography.zipCodes).toEqual([]);
    expect(empty.properties.byId(48_703_143n)).toBeUndefined();
  });
});

const told = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, field: unknown) => (typeof field === "bigint" ? String(field) : field)) ?? "null",
  );
