import type { FeedKind } from "../../relayer/message/feedId.ts";
import type { MarketRecord } from "../marketTable.ts";
import type { PriceTable } from "../priceTable.ts";
import { requireDay } from "./calendarPeriods.ts";
import type { Geography } from "./geography.ts";
import { itemAt } from "./itemAt.ts";
import { LeastRecentlyUsed } from "./leastRecentlyUsed.ts";
import { priceCurve } from "./priceCurve.ts";
import { generatedSeries, type PriceSeries, sourcedSeries } from "./priceSeries.ts";
import type { Randomness } from "./randomness.ts";
import { STATES } from "./states.ts";

/** Price series of every market, and the price per square foot that metrics and events go by. */
export type PriceLevels = {
  /** In the unit of the feed. */
  seriesOf(market: MarketRecord, kind: FeedKind): PriceSeries;
  /** USD per square foot (sales) or per square foot a month (rental) on a day, as a function of the day; above 0. */
  perSquareFoot(market: MarketRecord, kind: FeedKind): (day: number) => number;
};

/** The day whose level a curve has as 1. */
const REFERENCE_DAY = requireDay("2024-06-05");

/** USD per square foot of the nation where the source has no price of it. */
const NATIONAL_PRICE = 215;
const TYPICAL_MEDIAN_INCOME = 75_000;

/** A year's rent of a square foot in parts of its price. */
const LOWEST_YIELD = 0.07;
const HIGHEST_YIELD = 0.092;

/** A feed above this is not per square foot but of whole homes, as in files of metro home values. */
const HIGHEST_PER_SQUARE_FOOT: Readonly<Record<FeedKind, number>> = { sales: 20_000, rental: 100 };
const SQUARE_FEET_OF_TYPICAL_HOME = 1_700;
const LOWEST_PER_SQUARE_FOOT: Readonly<Record<FeedKind, number>> = { sales: 30, rental: 0.5 };

const SERIES_KEPT = 4_096;

/**
 * Prices of markets that the source knows come from it. The others follow, in this order: the market's own prices of the
 * other kind; those of the city, county or metro around them; the level of their state.
 */
export function createPriceLevels(prices: PriceTable, geography: Geography, random: Randomness): PriceLevels {
  const kept = {
    sales: new LeastRecentlyUsed((market: MarketRecord) => makeSeries(market, "sales"), SERIES_KEPT),
    rental: new LeastRecentlyUsed((market: MarketRecord) => makeSeries(market, "rental"), SERIES_KEPT),
  };
  const seriesOf = (market: MarketRecord, kind: FeedKind) => kept[kind].get(market);
  const sourceOf = ({ marketId }: MarketRecord, kind: FeedKind) => prices[kind].get(marketId) ?? [];

  function makeSeries(market: MarketRecord, kind: FeedKind): PriceSeries {
    const own = random.branch(market.marketId);
    const curve = priceCurve(kind, own.branch(kind));
    const rows = sourceOf(market, kind);
    if (rows.length > 0) return sourcedSeries(kind, rows, curve);

    const otherKind = kind === "sales" ? "rental" : "sales";
    const annualYield = own.between(0, LOWEST_YIELD, HIGHEST_YIELD);
    if (sourceOf(market, otherKind).length > 0) {
      const other = perSquareFoot(market, otherKind)(REFERENCE_DAY);
      const level = kind === "sales" ? (other * 12) / annualYield : (other * annualYield) / 12;
      return generatedSeries(kind, (day) => level * curve(day));
    }
    const candidates = marketsAround(market);
    const reference =
      candidates.find((other) => sourceOf(other, kind).length > 0) ??
      candidates.find((other) => sourceOf(other, otherKind).length > 0);
    if (reference) {
      // The same factor for both kinds, so that dear neighbourhoods have dear rents.
      const factor = own.between(1, 0.78, 1.3);
      const around = perSquareFoot(reference, kind);
      return generatedSeries(kind, (day) => factor * around(day));
    }
    const sales = stateLevel(market, own);
    const level = kind === "sales" ? sales : (sales * annualYield) / 12;
    return generatedSeries(kind, (day) => Math.max(level, 2 * LOWEST_PER_SQUARE_FOOT[kind]) * curve(day));
  }

  function perSquareFoot(market: MarketRecord, kind: FeedKind): (day: number) => number {
    const { levelOn } = seriesOf(market, kind);
    const isOfHome = Number(sourceOf(market, kind).at(-1)?.price ?? 0) > HIGHEST_PER_SQUARE_FOOT[kind];
    const squareFeet = isOfHome ? SQUARE_FEET_OF_TYPICAL_HOME : 1;
    return (day) => Math.max(levelOn(day) / squareFeet, LOWEST_PER_SQUARE_FOOT[kind]);
  }

  function marketsAround(market: MarketRecord): readonly MarketRecord[] {
    if (isLargerThanMetro(market)) return [];
    const zipCodes = geography.zipCodesOf(market.marketId);
    if (zipCodes.length === 0) return [];
    const { city, county, metro } = itemAt(zipCodes, 0);
    return [city, county, metro].filter(({ marketId }) => marketId !== market.marketId);
  }

  function stateLevel(market: MarketRecord, own: Randomness): number {
    if (isLargerThanMetro(market) && market.locationType !== "STATE") return NATIONAL_PRICE;
    const state =
      geography.zipCodesOf(market.marketId)[0]?.state ??
      (market.stateAbbreviation === null ? undefined : STATES.get(market.stateAbbreviation));
    const income = market.medianIncome ?? TYPICAL_MEDIAN_INCOME;
    const wealth = Math.min(Math.max(0.6 + (0.4 * income) / TYPICAL_MEDIAN_INCOME, 0.7), 1.5);
    return (state?.pricePerSquareFoot ?? NATIONAL_PRICE) * wealth * own.between(2, 0.8, 1.2);
  }

  return { seriesOf, perSquareFoot };
}

function isLargerThanMetro({ locationType }: MarketRecord): boolean {
  return locationType === "COUNTRY" || locationType === "REGION" || locationType === "STATE";
}
