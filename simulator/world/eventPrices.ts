import type { FeedKind } from "../../relayer/message/feedId.ts";
import { firstDayOfMonth } from "./calendarPeriods.ts";
import type { MarketModel } from "./marketModel.ts";
import type { Randomness } from "./randomness.ts";
import { roundedTo } from "./roundedQuotient.ts";
import { PROPERTY_TYPES, type PropertyType } from "./segments.ts";

/** Statistics of a quantity over the events of a month; `null` where there are too few events for one. */
export type Statistics = {
  readonly median: number | null;
  readonly standard_deviation: number | null;
  readonly percentile_20th: number | null;
  readonly percentile_80th: number | null;
};

/** Some events of a month whose homes and prices are described. */
export type DescribedEvents = {
  /** Their random numbers, other ones than those of other events. */
  readonly random: Randomness;
  readonly feed: FeedKind;
  /** How their prices compare with those of all sales, or of all rents. */
  readonly priceFactor: number;
  /** How many there were of a type. */
  readonly countOf: (type: PropertyType) => number;
};

/** A quantity of the homes of one type: its middle, how far it spreads, and how it is written. */
export type Quantity = {
  readonly median: number;
  /** The 20th percentile in parts of the median. */
  readonly low: number;
  /** The 80th percentile in parts of the median. */
  readonly high: number;
  /** Rounds a value to how the service would write it. */
  readonly write: (value: number) => number;
};

const PER_SQUARE_FOOT_DECIMALS: Readonly<Record<FeedKind, number>> = { sales: 2, rental: 3 };

/** Price per square foot of each type in parts of the market's. */
const TYPE_FACTORS: Readonly<Record<PropertyType, number>> = {
  SINGLE_FAMILY: 0.98,
  CONDO: 1.07,
  TOWNHOUSE: 1,
  OTHER: 0.9,
};

/** Homes for rent are smaller. */
const RENTED_SIZE = 0.66;

const MOST_PRICE_CHANCE = 0.025;
const MIDDLE_OF_MONTH = 14;

/** How many standard deviations of a normal distribution lie between the 20th and the 80th percentile. */
const SPREAD_OF_PERCENTILES = 1.683;

/** Statistics of prices, USD (for rentals a month). */
export function priceStatistics(
  model: MarketModel,
  events: DescribedEvents,
  types: readonly PropertyType[],
  month: number,
): Statistics {
  return statisticsOver(events, types, (type) => ({
    median: pricePerSquareFoot(model, events, type, month) * typicalSquareFeet(model, events, type, month),
    ...spreadOf(events, type, month),
    write: Math.round,
  }));
}

/** Statistics of prices per square foot, USD (for rentals a month). */
export function perSquareFootStatistics(
  model: MarketModel,
  events: DescribedEvents,
  types: readonly PropertyType[],
  month: number,
): Statistics {
  const write = (value: number) => roundedTo(value, PER_SQUARE_FOOT_DECIMALS[events.feed]);
  return statisticsOver(events, types, (type) => ({
    median: pricePerSquareFoot(model, events, type, month),
    ...spreadOf(events, type, month),
    write,
  }));
}

/**
 * Statistics over several types: the mean of those of each type, weighed by its events, so that they lie between the
 * types'. The 20th percentile is never above the median, the 80th never below it.
 */
export function statisticsOver(
  { countOf }: DescribedEvents,
  types: readonly PropertyType[],
  quantityOf: (type: PropertyType) => Quantity,
): Statistics {
  let [events, median, low, high] = [0, 0, 0, 0];
  let write: Quantity["write"] | undefined;
  for (const type of types) {
    const count = countOf(type);
    if (count === 0) continue;
    const quantity = quantityOf(type);
    write = quantity.write;
    events += count;
    median += count * quantity.median;
    low += count * quantity.median * quantity.low;
    high += count * quantity.median * quantity.high;
  }
  if (write === undefined) {
    return { median: null, standard_deviation: null, percentile_20th: null, percentile_80th: null };
  }
  return {
    median: write(median / events),
    standard_deviation: events < 2 ? null : roundedTo((high - low) / events / SPREAD_OF_PERCENTILES, 2),
    percentile_20th: write(low / events),
    percentile_80th: write(high / events),
  };
}

function pricePerSquareFoot(
  { perSquareFoot }: MarketModel,
  { random, feed, priceFactor }: DescribedEvents,
  type: PropertyType,
  month: number,
): number {
  const level = perSquareFoot[feed](firstDayOfMonth(month) + MIDDLE_OF_MONTH);
  const wobble = random.between(figureIndex("price", type, month), -MOST_PRICE_CHANCE, MOST_PRICE_CHANCE);
  return level * TYPE_FACTORS[type] * priceFactor * (1 + wobble);
}

/** Floor area of the typical home in such events. */
export function typicalSquareFeet(
  { profile }: MarketModel,
  { random, feed }: DescribedEvents,
  type: PropertyType,
  month: number,
): number {
  const wobble = random.between(figureIndex("size", type, month), -0.02, 0.02);
  return profile.squareFeet[type] * (feed === "rental" ? RENTED_SIZE : 1) * (1 + wobble);
}

/** How far prices and sizes spread around their median. */
export function spreadOf(
  { random }: DescribedEvents,
  type: PropertyType,
  month: number,
): { readonly low: number; readonly high: number } {
  return {
    low: random.between(figureIndex("low", type, month), 0.64, 0.76),
    high: random.between(figureIndex("high", type, month), 1.3, 1.52),
  };
}

const FIGURES = ["price", "size", "low", "high", "age"] as const;

/** Index of the random number for one figure of a type in a month. */
export function figureIndex(figure: (typeof FIGURES)[number], type: PropertyType, month: number): number {
  return indexOf(type, month) * FIGURES.length + FIGURES.indexOf(figure);
}

/** Index of random numbers of a type in a month. */
export function indexOf(type: PropertyType, month: number): number {
  return month * PROPERTY_TYPES.length + PROPERTY_TYPES.indexOf(type);
}
