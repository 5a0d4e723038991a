import * as z from "zod";
import { type AccountBlock, readAccount } from "./account.ts";
import { valueAt } from "./latestResponseFields.ts";
import type { ServiceRequest } from "./sendRequest.ts";
import type { ServiceClient } from "./serviceClient.ts";
import { NotFoundError, UnexpectedResponseError } from "./serviceErrors.ts";

/** Kinds of areas that the search takes. Answers know more (PLACE, COUNTRY). */
export const LOCATION_TYPES = ["COUNTY", "CITY", "ZIP5", "CDP", "VILLAGE", "TOWN", "CBSA", "ALL"] as const;
export type LocationType = (typeof LOCATION_TYPES)[number];

export const REGIONS = [
  "EAST_NORTH_CENTRAL",
  "EAST_SOUTH_CENTRAL",
  "MIDDLE_ATLANTIC",
  "MOUNTAIN",
  "NEW_ENGLAND",
  "PACIFIC",
  "SOUTH_ATLANTIC",
  "WEST_NORTH_CENTRAL",
  "WEST_SOUTH_CENTRAL",
  "ALL",
] as const;
export type Region = (typeof REGIONS)[number];

/** `EXCHANGE_MARKET` carries the maker's prefix on the wire. */
export const MARKET_SORT_KEYS = [
  "TOTAL_POPULATION",
  "MEDIAN_INCOME",
  "CASE_SHILLER_20_MARKET",
  "CASE_SHILLER_10_MARKET",
  "PRICEFEED_MARKET",
  "EXCHANGE_MARKET",
] as const;
export type MarketSortKey = (typeof MARKET_SORT_KEYS)[number];

export type SearchMarketsParameters = {
  /** Name of a place, a ZIP code, "United States". */
  readonly query?: string | undefined;
  readonly locationType?: LocationType | undefined;
  /** Two letters, or ALL. */
  readonly stateAbbreviation?: string | undefined;
  readonly region?: Region | undefined;
  readonly marketId?: bigint | undefined;
  /** Census identifier of an area, such as 36061. */
  readonly geoid?: string | undefined;
  readonly sortBy?: MarketSortKey | undefined;
  readonly sortOrder?: "ASC" | "DESC" | undefined;
  /** The service returns 12 when not told, and at most 1,000. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** One market of a search. */
export type Market = {
  readonly marketId: bigint;
  readonly name: string;
  readonly locationType: string | undefined;
  readonly stateAbbreviation: string | undefined;
  readonly region: string | undefined;
  readonly geoid: string | undefined;
  readonly totalPopulation: number | undefined;
  readonly medianIncome: number | undefined;
  /** Whether the service says that the market has price feeds; `undefined` when it does not say. */
  readonly hasPriceFeed: boolean | undefined;
  readonly isExchangeMarket: boolean | undefined;
  /** Every field of the item as it came. */
  readonly fields: Readonly<Record<string, unknown>>;
};

export type MarketSearchResult = {
  readonly markets: Market[];
  /** Matches over all pages. */
  readonly total: number | undefined;
  readonly account: AccountBlock | undefined;
};

const text = z.string().nullish();
const flag = z.union([z.literal([0, 1]), z.boolean()]).nullish();

/** An item, by the names after the prefix; open, because fields are added with every minor release of the service. */
const marketSchema = z.looseObject({
  id: z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/)]),
  name: z.string(),
  location_type: text,
  state_abbreviation: text,
  region: text,
  geoid: text,
  total_population: z.number().nullish(),
  median_income: z.number().nullish(),
  pricefeed_market: flag,
  exchange_market: flag,
});

/**
 * Searches markets by keyword or identifiers (specification, endpoints, search). Free of credits. No match is an empty
 * result, not an error.
 *
 * @throws ServiceError, or the signal's reason when the caller aborts.
 */
export async function searchMarkets(
  client: ServiceClient,
  parameters: SearchMarketsParameters,
): Promise<MarketSearchResult> {
  const request: ServiceRequest = {
    method: "GET",
    path: "/v1/search/markets",
    query: queryOf(parameters, client.idPrefix),
    signal: parameters.signal,
  };
  let answer: unknown;
  try {
    answer = await client.request(request);
  } catch (error) {
    if (error instanceof NotFoundError) return { markets: [], total: 0, account: undefined };
    throw error;
  }
  const items = valueAt(answer, "items");
  if (!Array.isArray(items)) {
    throw new UnexpectedResponseError(client.facts(request), "answered without a list in items");
  }
  const total = valueAt(answer, "total");
  return {
    markets: items.map((item, index) => readMarket(item, index, client, request)),
    total: typeof total === "number" ? total : undefined,
    account: readAccount(answer, "account"),
  };
}

function queryOf(parameters: SearchMarketsParameters, idPrefix: string): Record<string, string> {
  const { sortBy } = parameters;
  const values: Record<string, string | number | bigint | undefined> = {
    query: parameters.query,
    location_type: parameters.locationType,
    state_abbreviation: parameters.stateAbbreviation?.toUpperCase(),
    region: parameters.region,
    [`${idPrefix}_id`]: parameters.marketId,
    geoid: parameters.geoid,
    sort_by: sortBy === "EXCHANGE_MARKET" ? `${idPrefix.toUpperCase()}_${sortBy}` : sortBy,
    sort_order: parameters.sortOrder,
    limit: parameters.limit,
    offset: parameters.offset,
  };
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query[name] = String(value);
  }
  return query;
}

function readMarket(item: unknown, index: number, client: ServiceClient, request: ServiceRequest): Market {
  const fields = typeof item === "object" && item !== null ? (item as Record<string, unknown>) : {};
  const { idPrefix } = client;
  const result = marketSchema.safeParse({
    ...fields,
    id: fields[`${idPrefix}_id`],
    exchange_market: fields[`${idPrefix}_exchange_market`],
  });
  if (!result.success) {
    const problems = result.error.issues.map(({ path: [name, ...rest], message }) => {
      const shown = name === "id" || name === "exchange_market" ? `${idPrefix}_${name}` : name;
      return `${[shown, ...rest].join(".")}: ${message}`;
    });
    throw new UnexpectedResponseError(
      client.facts(request),
      `answered with a market that cannot be read (item ${index}: ${problems.join("; ")})`,
    );
  }
  const market = result.data;
  return {
    marketId: BigInt(market.id),
    name: market.name,
    locationType: market.location_type ?? undefined,
    stateAbbreviation: market.state_abbreviation ?? undefined,
    region: market.region ?? undefined,
    geoid: market.geoid ?? undefined,
    totalPopulation: market.total_population ?? undefined,
    medianIncome: market.median_income ?? undefined,
    hasPriceFeed: toBoolean(market.pricefeed_market),
    isExchangeMarket: toBoolean(market.exchange_market),
    fields,
  };
}

function toBoolean(value: 0 | 1 | boolean | null | undefined): boolean | undefined {
  return value === null || value === undefined ? undefined : Boolean(value);
}
