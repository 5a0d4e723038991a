import { type MarketRecord, type MarketTable, namedMarket } from "./marketTable.ts";

/** Id, name, state and type of the fifteen markets whose prices the exchange consumed in August 2024, as the market search answered them. */
const EXCHANGE_MARKETS = [
  [5826765n, "United States Of America", null, "COUNTRY"],
  [5822447n, "Kings County", "NY", "COUNTY"],
  [5352987n, "Miami City", "FL", "CITY"],
  [5353022n, "Miami Beach City", "FL", "CITY"],
  [5306725n, "Denver City", "CO", "CITY"],
  [5372594n, "New York City", "NY", "CITY"],
  [5373892n, "Los Angeles City", "CA", "CITY"],
  [5374167n, "San Diego City", "CA", "CITY"],
  [5374321n, "San Francisco City", "CA", "CITY"],
  [5377230n, "Las Vegas City", "NV", "CITY"],
  [5380879n, "Austin City", "TX", "CITY"],
  [5384169n, "Atlanta City", "GA", "CITY"],
  [5387853n, "Chicago City", "IL", "CITY"],
  [5407714n, "Boston City", "MA", "CITY"],
  [5503877n, "Washington City", "DC", "CITY"],
] as const;

/** Names for a service that runs without a market file. */
export const BUILT_IN_MARKETS: MarketTable = new Map(
  EXCHANGE_MARKETS.map(([marketId, name, stateAbbreviation, locationType]): [bigint, MarketRecord] => [
    marketId,
    namedMarket(marketId, name, { stateAbbreviation, locationType, isExchangeMarket: true, hasPriceFeed: true }),
  ]),
);
