import { type Answered, accountBlock, detailAnswer, jsonAnswer } from "../answer.ts";
import { exactNumber } from "../exactJson.ts";
import type { MarketRecord } from "../marketTable.ts";
import { parseChoice, parseCount } from "../queryParameters.ts";
import { LOCATION_TYPES, REGIONS, STATE_ABBREVIATIONS, STATE_FIPS_CODES } from "../searchVocabulary.ts";
import type { Endpoint } from "./endpoint.ts";
import { paginationLinks } from "./paginationLinks.ts";

const DEFAULT_LIMIT = 12;
const MAX_LIMIT = 1000;

/** Fields that answers can be sorted by; what the service does without one is not known. */
const SORT_FIELDS = [
  "TOTAL_POPULATION",
  "MEDIAN_INCOME",
  "CASE_SHILLER_20_MARKET",
  "CASE_SHILLER_10_MARKET",
  "PRICEFEED_MARKET",
  "EXCHANGE_MARKET",
] as const;

type SortField = (typeof SORT_FIELDS)[number];

type SearchOptions = {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: SortField;
  readonly ascending: boolean;
};

/** GET /v1/search/markets: markets by words of their name, ZIP code or state, and by their fields. Costs no credits. */
export const marketSearch: Endpoint = {
  method: "GET",
  path: "/v1/search/markets",
  chargedFor: "nothing",
  isThrottledSearch: true,
  answer(request, service) {
    const options = parseOptions(request.query, service.idPrefix);
    if (!options.ok) return options.answer;
    const { limit, offset, sortBy, ascending } = options.value;
    const filters = parseFilters(request.query, service.idPrefix);
    if (!filters.ok) return filters.answer;
    const found = [...service.markets.values()].filter((market) => filters.value.every((matches) => matches(market)));
    const page = sortMarkets(found, sortBy, ascending).slice(offset, offset + limit);
    if (page.length === 0) return detailAnswer(404, "No markets found");
    return jsonAnswer(200, {
      items: page.map((market) => marketJson(market, service.idPrefix)),
      total: found.length,
      limit,
      offset,
      links: paginationLinks(`${request.origin}${request.path}`, request.query, {
        limit,
        offset,
        total: found.length,
      }),
      account: accountBlock(0, service.credits.remaining(request.nowMs)),
    });
  },
};

/** Parameters that take one of some words. */
const CHOICE_FILTERS: readonly {
  readonly name: string;
  readonly choices: readonly string[];
  readonly fieldOf: (market: MarketRecord) => string | null;
}[] = [
  { name: "location_type", choices: LOCATION_TYPES, fieldOf: (market) => market.locationType },
  { name: "region", choices: REGIONS, fieldOf: (market) => market.region },
  { name: "state_abbreviation", choices: STATE_ABBREVIATIONS, fieldOf: (market) => market.stateAbbreviation },
  { name: "state_fips_code", choices: STATE_FIPS_CODES, fieldOf: (market) => market.stateFipsCode },
];

type Filter = (market: MarketRecord) => boolean;

/** The filters that a query asks for, or the 422 for the first one that names what there is not. */
function parseFilters(query: URLSearchParams, idPrefix: string): Answered<Filter[]> {
  const words = wordsOf(query.get("query") ?? "");
  const filters: Filter[] = [(market) => matchesWords(market, words)];
  const geoid = query.get("geoid") ?? "";
  if (geoid !== "") filters.push((market) => market.geoid === geoid);

  if (query.has(`${idPrefix}_id`)) {
    const marketId = parseCount(query, `${idPrefix}_id`, { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER });
    if (!marketId.ok) return marketId;
    filters.push((market) => market.marketId === BigInt(marketId.value));
  }

  for (const { name, choices, fieldOf } of CHOICE_FILTERS) {
    const choice = parseChoice(query, name, choices, "ALL");
    if (!choice.ok) return choice;
    if (choice.value !== "ALL") filters.push((market) => fieldOf(market) === choice.value);
  }
  return { ok: true, value: filters };
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

/** Markets that say nothing about the field come last either way; equals keep the order of the source. */
function sortMarkets(markets: readonly MarketRecord[], sortBy: SortField, ascending: boolean): MarketRecord[] {
  const direction = ascending ? 1 : -1;
  return markets.toSorted((a, b) => {
    const [left, right] = [sortValue(a, sortBy), sortValue(b, sortBy)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return direction * (left - right);
  });
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
    case "EXCHANGE_MARKET":
      return Number(market.isExchangeMarket);
  }
}

function marketJson(market: MarketRecord, idPrefix: string): Record<string, unknown> {
  return {
    [`${idPrefix}_id`]: exactNumber(market.marketId),
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

function parseOptions(query: URLSearchParams, idPrefix: string): Answered<SearchOptions> {
  const limit = parseCount(query, "limit", { fallback: DEFAULT_LIMIT, min: 1, max: MAX_LIMIT });
  if (!limit.ok) return limit;
  const offset = parseCount(query, "offset", { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER });
  if (!offset.ok) return offset;
  const order = parseChoice(query, "sort_order", ["ASC", "DESC"], "DESC");
  if (!order.ok) return order;
  const exchangeMarket = `${idPrefix.toUpperCase()}_EXCHANGE_MARKET`;
  const wireNames = SORT_FIELDS.map((field) => (field === "EXCHANGE_MARKET" ? exchangeMarket : field));
  const sortBy = parseChoice(query, "sort_by", wireNames, "TOTAL_POPULATION");
  if (!sortBy.ok) return sortBy;
  const field = SORT_FIELDS[wireNames.indexOf(sortBy.value)] ?? "TOTAL_POPULATION";
  return {
    ok: true,
    value: { limit: limit.value, offset: offset.value, sortBy: field, ascending: order.value === "ASC" },
  };
}
