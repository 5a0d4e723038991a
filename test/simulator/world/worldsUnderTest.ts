import fc from "fast-check";
import { BUILT_IN_PRICES } from "../../../simulator/builtInPrices.ts";
import { type MarketRecord, type MarketTable, namedMarket } from "../../../simulator/marketTable.ts";
import { createWorld, type World } from "../../../simulator/world/world.ts";

/** Long after tracking began, so that every kind of record exists. */
export const PRESENT = "2026-11-21";

/** The seed of every property test here; fast-check prints it with a counterexample. */
export const FAST_CHECK_SEED = 20_261_121;

/** Markets of every type and size, among them an empty one, tiny ones and some of which next to nothing is known. */
export const MIXED_MARKETS: MarketTable = new Map(
  [
    namedMarket(5269136n, "11359", { stateAbbreviation: "NY", locationType: "ZIP5", totalPopulation: 0 }),
    namedMarket(5542808n, "74755", { stateFipsCode: "40", locationType: "ZIP5", totalPopulation: 105 }),
    namedMarket(5295937n, "22025", { locationType: "ZIP5", totalPopulation: 19_280, medianIncome: 134_456 }),
    namedMarket(5381133n, "B And E Cdp", { stateAbbreviation: "TX", locationType: "CDP", totalPopulation: 83 }),
    namedMarket(5821868n, "Harris County", {
      geoid: "48201",
      stateAbbreviation: "TX",
      locationType: "COUNTY",
      totalPopulation: 4_700_000,
    }),
    namedMarket(5822567n, "Loving County", { stateAbbreviation: "TX", locationType: "COUNTY", totalPopulation: 64 }),
    namedMarket(2899734n, "Dallas-Fort Worth-Arlington, Tx", { locationType: "CBSA", totalPopulation: 7_500_000 }),
    namedMarket(2887280n, "Somewhere, Vt-Nh", { locationType: "CBSA" }),
    namedMarket(900n, "Oregon", { locationType: "STATE" }),
    namedMarket(901n, "New England", { locationType: "REGION" }),
    namedMarket(777n, "Market 777"),
  ].map((market) => [market.marketId, market]),
);

export function testWorld(seed: string, asOf: string = PRESENT): World {
  return createWorld({ seed, markets: MIXED_MARKETS, prices: BUILT_IN_PRICES, asOf });
}

const worlds = ["first", "second", "third"].map((seed) => testWorld(seed));

export const anyWorld: fc.Arbitrary<World> = fc.constantFrom(...worlds);

/** A market of a world, given or generated. */
export const anyMarketOfWorld: fc.Arbitrary<{ readonly world: World; readonly market: MarketRecord }> = anyWorld.chain(
  (world) => fc.constantFrom(...world.markets.values()).map((market) => ({ world, market })),
);

/** Asserts a property of everything that an arbitrary yields, with the fixed seed. */
export function always<Value>(arbitrary: fc.Arbitrary<Value>, holds: (value: Value) => void, numRuns = 300): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      holds(value);
    }),
    { seed: FAST_CHECK_SEED, numRuns },
  );
}

/** The market of an id that the world must have. */
export function requireMarket(world: World, marketId: bigint): MarketRecord {
  const market = world.market(marketId);
  if (!market) throw new Error(`no market ${marketId}`);
  return market;
}
