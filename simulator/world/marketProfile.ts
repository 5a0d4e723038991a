import type { MarketRecord } from "../marketTable.ts";
import { byType } from "./byType.ts";
import { itemAt } from "./itemAt.ts";
import type { Randomness } from "./randomness.ts";
import { OWNER_CLASSES, type OwnerClass, type PropertyType } from "./segments.ts";

/** What stays the same about a market over time, from which its metrics follow. */
export type MarketProfile = {
  readonly market: MarketRecord;
  readonly random: Randomness;
  /** Homes of each type at the start of 2010. */
  readonly stock: Readonly<Record<PropertyType, number>>;
  /** How much of the stock of 2010 is added each month. */
  readonly stockGrowth: number;
  /** Share of each owner class in single-family homes and, where there are no portfolios, in the other types. */
  readonly ownership: Readonly<Record<OwnerClass, number>>;
  /** Floor area of a typical home that is sold. */
  readonly squareFeet: Readonly<Record<PropertyType, number>>;
};

const PEOPLE_PER_HOME = 2.4;

/** Populations of markets that say nothing of theirs: at least the first, less than the second. */
const POPULATIONS: Readonly<Record<string, readonly [number, number]>> = {
  COUNTRY: [330_000_000, 332_000_000],
  REGION: [15_000_000, 60_000_000],
  STATE: [600_000, 30_000_000],
  CBSA: [60_000, 5_000_000],
  COUNTY: [8_000, 1_000_000],
  ZIP5: [500, 60_000],
};
const POPULATION_OF_PLACES = [1_500, 300_000] as const;

const SQUARE_FEET: Readonly<Record<PropertyType, number>> = {
  SINGLE_FAMILY: 1_850,
  CONDO: 1_080,
  TOWNHOUSE: 1_520,
  OTHER: 1_350,
};

const OWNERSHIP: Readonly<Record<OwnerClass, number>> = {
  NOT_INVESTOR: 0.78,
  OTHER_INVESTOR: 0.09,
  PORTFOLIO_2_TO_9: 0.075,
  PORTFOLIO_10_TO_99: 0.022,
  PORTFOLIO_100_TO_999: 0.012,
  PORTFOLIO_1000_PLUS: 0.021,
};

export function marketProfile(market: MarketRecord, world: Randomness): MarketProfile {
  const random = world.branch("market").branch(market.marketId);
  const population = market.totalPopulation ?? likelyPopulation(market, random);
  const homes = population / PEOPLE_PER_HOME;
  const condo = random.between(10, 0.04, 0.3);
  const townhouse = random.between(11, 0.03, 0.12);
  const other = random.between(12, 0.02, 0.06);
  const shares = { SINGLE_FAMILY: 1 - condo - townhouse - other, CONDO: condo, TOWNHOUSE: townhouse, OTHER: other };
  const size = random.between(13, 0.85, 1.2);
  return {
    market,
    random,
    stock: byType((type) => Math.round(homes * shares[type])),
    stockGrowth: random.between(14, 0, 0.0015),
    ownership: ownershipOf(random),
    squareFeet: byType((type) => SQUARE_FEET[type] * size),
  };
}

/** In some markets the large portfolios are strong, in others they are absent. */
function ownershipOf(random: Randomness): Record<OwnerClass, number> {
  const weights = OWNER_CLASSES.map((owner, index) => OWNERSHIP[owner] * random.between(20 + index, 0.4, 1.6));
  weights[0] = OWNERSHIP.NOT_INVESTOR;
  if (random.happens(30, 0.25)) weights[OWNER_CLASSES.indexOf("PORTFOLIO_1000_PLUS")] = 0;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const entries = OWNER_CLASSES.map((owner, index) => [owner, itemAt(weights, index) / total] as const);
  return Object.fromEntries(entries) as Record<OwnerClass, number>;
}

/** Small markets are more frequent than large ones. */
function likelyPopulation({ locationType }: MarketRecord, random: Randomness): number {
  const [low, high] = POPULATIONS[locationType ?? ""] ?? POPULATION_OF_PLACES;
  const u = random.uniform(0);
  return Math.round(low + (high - low) * u * u * u);
}
