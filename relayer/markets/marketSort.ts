import type { MarketSortField } from "../service/schemas/vocabulary.ts";
import type { Market } from "../service/searchMarkets.ts";

/** What markets can be ranked by, highest first, and the service's word for it. */
export const MARKET_SORTS = {
  population: "TOTAL_POPULATION",
  income: "MEDIAN_INCOME",
  "price-feed": "PRICEFEED_MARKET",
  exchange: "SVC_EXCHANGE_MARKET",
  "case-shiller-10": "CASE_SHILLER_10_MARKET",
  "case-shiller-20": "CASE_SHILLER_20_MARKET",
} as const satisfies Readonly<Record<string, MarketSortField>>;

export type MarketSort = keyof typeof MARKET_SORTS;

export const MARKET_SORT_NAMES = Object.keys(MARKET_SORTS) as MarketSort[];

/** What a market is ranked by; of a flag 1 or 0. `undefined` where the service does not say. */
export function rankValue(market: Market, sort: MarketSort): number | undefined {
  switch (sort) {
    case "population":
      return market.totalPopulation;
    case "income":
      return market.medianIncome;
    case "price-feed":
      return flagValue(market, "pricefeed_market");
    case "exchange":
      return flagValue(market, "svc_exchange_market");
    case "case-shiller-10":
      return flagValue(market, "case_shiller_10_market");
    case "case-shiller-20":
      return flagValue(market, "case_shiller_20_market");
  }
}

/** Highest first; markets of which the service does not say it come last; equals by id, so that the order is one. */
export function compareMarkets(sort: MarketSort): (a: Market, b: Market) => number {
  return (a, b) => {
    const [left, right] = [rankValue(a, sort), rankValue(b, sort)];
    if (left !== right) return (right ?? Number.NEGATIVE_INFINITY) - (left ?? Number.NEGATIVE_INFINITY);
    return a.marketId < b.marketId ? -1 : 1;
  };
}

function flagValue({ fields }: Market, name: string): number | undefined {
  const value = fields[name];
  return typeof value === "number" ? value : undefined;
}
