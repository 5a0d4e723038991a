import type { AccountBlock } from "./account.ts";
import { fetchPage, type ServiceItemOf } from "./fetchPage.ts";
import { type Flag, isYes } from "./schemas/flag.ts";
import type { LocationType, MarketSortField, Region, StateAbbreviation } from "./schemas/vocabulary.ts";
import type { ServiceClient } from "./serviceClient.ts";

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
  readonly sortBy?: MarketSortField | undefined;
  readonly sortOrder?: "ASC" | "DESC" | undefined;
  /** Default 12; at most 1,000. */
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

/**
 * Searches markets by keyword or identifiers (specification, endpoints, search). Free of credits. No match is an empty
 * result, not an error.
 *
 * @throws RequestRuleError, ServiceError, or the signal's reason when the caller aborts.
 */
export async function searchMarkets(
  client: ServiceClient,
  { locationType, stateAbbreviation, marketId, sortBy, sortOrder, signal, ...same }: SearchMarketsParameters,
): Promise<MarketSearchResult> {
  const request = {
    ...same,
    location_type: locationType,
    state_abbreviation: stateAbbreviation?.toUpperCase() as StateAbbreviation | undefined,
    svc_id: marketId,
    sort_by: sortBy,
    sort_order: sortOrder,
  };
  const { items, total, account } = await fetchPage(client, "search/markets", request, { signal });
  return { markets: items.map(toMarket), total, account };
}

/** A record of market search under the names of this project. */
export function toMarket(record: ServiceItemOf<"search/markets">): Market {
  return {
    marketId: record.svc_id,
    name: record.name,
    locationType: record.location_type ?? undefined,
    stateAbbreviation: record.state_abbreviation ?? undefined,
    region: record.region ?? undefined,
    geoid: record.geoid ?? undefined,
    totalPopulation: record.total_population ?? undefined,
    medianIncome: record.median_income ?? undefined,
    hasPriceFeed: toBoolean(record.pricefeed_market),
    isExchangeMarket: toBoolean(record.svc_exchange_market),
    fields: record,
  };
}

function toBoolean(value: Flag | undefined): boolean | undefined {
  return value === null || value === undefined ? undefined : isYes(value);
}
