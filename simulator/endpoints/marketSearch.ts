import type { MarketRecord } from "../marketTable.ts";
import { pagedAnswer } from "./answers/itemsAnswer.ts";
import { worldNow } from "./series/marketRows.ts";
import type { DataSource, ValuesOf } from "./simulatedEndpoint.ts";

type SearchValues = ValuesOf<"search/markets">;
type SortField = NonNullable<SearchValues["sort_by"]>;
type Filter = (market: MarketRecord) => boolean;

/** Markets by words of their name, ZIP code or state, and by their fields. */
export const marketSearch: DataSource<SearchValues> = {
  isLenient: true,
  isThrottledSearch: true,
  answer(request, service) {
    const { values, page } = request;
    const markets = service.listsGeneratedMarkets ? worldNow(request, service).markets : service.markets;
    const filters = filtersOf(values);
    const found = [...markets.values()].filter((market) => filters.every((matches) => matches(market)));
    const sorted = found.toSorted(orderOf(values));
    const listed = sorted.slice(page.offset, page.offset + page.limit);
    const answered = {
      total: found.length,
      count: listed.length,
      chargedFor: "nothing",
      records: () => listed.map((market) => marketFields(market, service.idPrefix)),
    } as const;
    return pagedAnswer(answered, request, service);
  },
};

/** Fields of a market by the parameters that ask for them. */
const FIELDS = {
  geoid: (market: MarketRecord) => market.geoid,
  location_type: (market: MarketRecord) => market.locationType,
  region: (market: MarketRecord) => market.region,
  state_abbreviation: (market: MarketRecord) => market.stateAbbreviation,
  state_fips_code: (market: MarketRecord) => market.stateFipsCode,
  svc_id: (market: MarketRecord) => market.marketId,
} as const satisfies Partial<Record<keyof SearchValues, unknown>>;

function filtersOf(values: SearchValues): Filter[] {
  const words = wordsOf(values.query ?? "");
  const filters: Filter[] = [(market) => matchesWords(market, words)];
  for (const [name, fieldOf] of Object.entries(FIELDS)) {
    const wanted = values[name as keyof typeof FIELDS];
    if (wanted !== undefined && wanted !== "ALL") filters.push((market) => fieldOf(market) === wanted);
  }
  return filters;
}

/** Every word of the query begins a word of the market's name, or is its state. Case and accents do not matter. */
function matchesWords({ name, stateAbbreviation }: MarketRecord, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const nameWords = wordsOf(name);
  const state = stateAbbreviation?.toLowerCase();
  return words.every((word) => word === state || nameWords.some((nameWord) => nameWord.startsWith(word)));
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{Mark}/gu, "");
  return plain.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? [];
}

type Order = (a: MarketRecord, b: MarketRecord) => number;

/** What the service does when no field is named is not known; here, markets with a price feed come first, then the large. */
function orderOf({ sort_by, sort_order = "DESC" }: SearchValues): Order {
  const direction = sort_order === "ASC" ? 1 : -1;
  if (sort_by !== undefined) return orderBy(sort_by, direction);
  const [byFeed, bySize] = [orderBy("PRICEFEED_MARKET", direction), orderBy("TOTAL_POPULATION", direction)];
  return (a, b) => byFeed(a, b) || bySize(a, b);
}

/** Markets that say nothing about the field come last either way; equals keep the order of the source. */
function orderBy(field: SortField, direction: 1 | -1): Order {
  return (a, b) => {
    const [left, right] = [sortValue(a, field), sortValue(b, field)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return direction * (left - right);
  };
}

function sortValue(market: MarketRecord, sortBy: SortField): number | null {
  switch (sortBy) {
    case "TOTAL_POPULATION":
      return market.totalPopulation;
    case "MEDIAN_INCOME":
      return market.medianIncome;
    case "CASE_SHILLER_20_MARKET":
      return Number(market.isCaseShiller20Market);
    case "CASE_SHILLER_10_MARKET":
      return Number(market.isCaseShiller10Market);
    case "PRICEFEED_MARKET":
      return Number(market.hasPriceFeed);
    case "SVC_EXCHANGE_MARKET":
      return Number(market.isExchangeMarket);
  }
}

/** A market's fields in the order of the service's answers. */
function marketFields(market: MarketRecord, idPrefix: string): Record<string, unknown> {
  return {
    svc_id: market.marketId,
    country: market.country,
    geoid: market.geoid,
    state_fips_code: market.stateFipsCode,
    name: market.name,
    state_abbreviation: market.stateAbbreviation,
    region: market.region,
    location_type: market.locationType,
    total_population: market.totalPopulation,
    median_income: market.medianIncome,
    [`${idPrefix}_exchange_market`]: Number(market.isExchangeMarket),
    pricefeed_market: Number(market.hasPriceFeed),
    case_shiller_10_market: Number(market.isCaseShiller10Market),
    case_shiller_20_market: Number(market.isCaseShiller20Market),
  };
}
