import { FEED_KINDS } from "../relayer/message/feedId.ts";
import { BUILT_IN_MARKETS } from "./builtInMarkets.ts";
import { type MarketRecord, type MarketTable, namedMarket } from "./marketTable.ts";
import type { PriceTable } from "./priceTable.ts";

/**
 * Every market that can be found: those given, else those that the price source described, else, for markets with a
 * price, the built-in names. Whatever has a price is marked as having a price feed.
 */
export function searchableMarkets(prices: PriceTable, given: MarketTable = new Map()): MarketTable {
  const markets = new Map<bigint, MarketRecord>([...prices.markets, ...given]);
  for (const marketId of FEED_KINDS.flatMap((kind) => [...prices[kind].keys()])) {
    const market =
      markets.get(marketId) ?? BUILT_IN_MARKETS.get(marketId) ?? namedMarket(marketId, `Market ${marketId}`);
    markets.set(marketId, { ...market, hasPriceFeed: true });
  }
  return markets;
}
