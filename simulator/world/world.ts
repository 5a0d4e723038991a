import type { MarketRecord, MarketTable } from "../marketTable.ts";
import type { PriceTable } from "../priceTable.ts";
import { searchableMarkets } from "../searchableMarkets.ts";
import { AddressBook } from "./addresses.ts";
import { requireDay } from "./calendarPeriods.ts";
import { buildGeography, type Geography } from "./geography.ts";
import { MetricSeries } from "./metricSeries.ts";
import { PriceFeeds } from "./priceFeeds.ts";
import { createPriceLevels, type PriceLevels } from "./priceLevels.ts";
import { Properties } from "./properties.ts";
import { Randomness } from "./randomness.ts";

export type WorldOptions = {
  /** Any text. The same seed, markets and prices make the same world. */
  readonly seed: string;
  /** Markets that can be found, beside those of the price table. */
  readonly markets?: MarketTable | undefined;
  readonly prices: PriceTable;
  /** The present, `YYYY-MM-DD`: the date of the newest edition. Nothing later has happened yet. */
  readonly asOf: string;
};

/**
 * A housing world in which every record can be made alone, from the seed and its place: nothing is drawn in advance, and
 * the order of asking makes no difference. What happened before the present does not change when the present moves on,
 * but for the rows of the price feeds between the newest rows of their source (see `sourcedSeries`), the current owner
 * of past events, and the settling of records' dates.
 *
 * Markets are like the real ones in size and price, and their parts do not add up to them: the properties are a sample,
 * some hundred in each ZIP code, not the housing stock that metrics count.
 */
export type World = {
  readonly seed: string;
  readonly asOf: string;
  /** The markets given and those generated around them; see `buildGeography`. */
  readonly markets: MarketTable;
  readonly geography: Geography;
  /** Rows of the 22 metrics. */
  readonly metrics: MetricSeries;
  /** Rows of the sales and rental price feeds and of volatility. */
  readonly priceFeeds: PriceFeeds;
  /** Properties and their events. */
  readonly properties: Properties;
  /** Properties by address. */
  readonly addresses: AddressBook;
  /** The market of an id. */
  market(marketId: bigint): MarketRecord | undefined;
  /**
   * The same world on another day. Costs little: geography and price levels are shared.
   * @throws InvalidWorldError
   */
  on(asOf: string): World;
};

/** What does not depend on the day. */
type Timeless = {
  readonly seed: string;
  readonly random: Randomness;
  readonly prices: PriceTable;
  readonly geography: Geography;
  readonly levels: PriceLevels;
};

/**
 * Makes a world.
 * @throws InvalidWorldError when `asOf` is no date, or the markets need more ZIP codes than there can be.
 */
export function createWorld({ seed, markets, prices, asOf }: WorldOptions): World {
  requireDay(asOf);
  const random = Randomness.ofSeed(seed);
  const geography = buildGeography(searchableMarkets(prices, markets), random.branch("geography"));
  const levels = createPriceLevels(prices, geography, random.branch("prices"));
  return worldOn(asOf, { seed, random, prices, geography, levels });
}

function worldOn(asOf: string, timeless: Timeless): World {
  const { seed, random, prices, geography, levels } = timeless;
  const today = requireDay(asOf);
  const properties = new Properties(geography, levels, random, today);
  return {
    seed,
    asOf,
    markets: geography.markets,
    geography,
    metrics: new MetricSeries(levels, random, today),
    priceFeeds: new PriceFeeds(prices, levels, today),
    properties,
    addresses: new AddressBook(geography, properties),
    market: (marketId) => geography.markets.get(marketId),
    on: (otherDay) => worldOn(otherDay, timeless),
  };
}
