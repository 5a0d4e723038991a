import { fetchItems } from "../service/fetchItems.ts";
import type { ServiceRequestOf } from "../service/fetchPage.ts";
import type { ServicePage } from "../service/readPage.ts";
import { LOCATION_TYPES, type Region, type StateAbbreviation } from "../service/schemas/vocabulary.ts";
import { type Market, toMarket } from "../service/searchMarkets.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import { compareMarkets, MARKET_SORTS, type MarketSort, rankValue } from "./marketSort.ts";

type AskedLocationType = Exclude<(typeof LOCATION_TYPES)[number], "ALL">;

/** Kinds of areas: those that the search takes, and those that only its answers know. */
export const MARKET_TYPES = [
  ...LOCATION_TYPES.filter((type): type is AskedLocationType => type !== "ALL"),
  "PLACE",
  "COUNTRY",
] as const;
export type MarketType = (typeof MARKET_TYPES)[number];

/** Flags that markets can be narrowed by, rarest first. */
const FLAGS = ["case-shiller-10", "exchange", "case-shiller-20", "price-feed"] as const satisfies readonly MarketSort[];
export type MarketFlag = (typeof FLAGS)[number];

/** Which markets are meant. What is left out does not narrow. */
export type MarketSelection = {
  /** Any of these. */
  readonly types?: readonly MarketType[];
  /** In any of these. Metros and the nation lie in no one state. */
  readonly states?: readonly StateAbbreviation[];
  readonly region?: Region | undefined;
  /** All of these are set. */
  readonly flags?: readonly MarketFlag[];
  /** What they are ranked by. */
  readonly sort: MarketSort;
  /** Only the highest so many. */
  readonly top?: number | undefined;
};

export type SelectMarketsOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Called for every page of the search. */
  readonly onPage?: ((page: ServicePage<unknown>) => void) | undefined;
};

/**
 * The markets of a selection, highest rank first: all pages of as many searches as it takes, free of credits.
 *
 * Where only the highest are wanted, or those with a flag, a search ends early once its answers have shown that they
 * come in that order; if they do not, it goes on to the end.
 *
 * @throws ServiceError, IncompleteResultError: no part of a selection is passed off as the whole; the signal's reason.
 */
export async function selectMarkets(
  client: ServiceClient,
  selection: MarketSelection,
  options: SelectMarketsOptions = {},
): Promise<Market[]> {
  const found = new Map<bigint, Market>();
  for (const search of searchesOf(selection)) {
    for (const market of await searchThrough(client, search, selection, options)) found.set(market.marketId, market);
  }
  return [...found.values()].toSorted(compareMarkets(selection.sort)).slice(0, selection.top);
}

type Search = ServiceRequestOf<"search/markets">;

/** One search for each kind of area in each state; types that the service cannot be asked for are picked out here. */
function searchesOf({ types = [], states = [], region, ...selection }: MarketSelection): Search[] {
  const asked = types.filter((type): type is AskedLocationType => (LOCATION_TYPES as readonly string[]).includes(type));
  const locationTypes = types.length > 0 && asked.length === types.length ? asked : [undefined];
  return locationTypes.flatMap((location_type) =>
    (states.length > 0 ? states : [undefined]).map((state_abbreviation) => ({
      location_type,
      state_abbreviation,
      region,
      sort_by: MARKET_SORTS[orderOf(selection)],
      sort_order: "DESC" as const,
    })),
  );
}

/** What the service is asked to sort by: a flag, so that the markets with it come first, or else the rank. */
function orderOf({ flags = [], sort }: Pick<MarketSelection, "flags" | "sort">): MarketSort {
  return FLAGS.find((flag) => flags.includes(flag)) ?? sort;
}

async function searchThrough(
  client: ServiceClient,
  search: Search,
  selection: MarketSelection,
  { signal, onPage }: SelectMarketsOptions,
): Promise<Market[]> {
  const order = orderOf(selection);
  const { flags = [], top } = selection;
  const matching: Market[] = [];
  let leftOfPage = 0;
  let lowest: number | undefined;
  let hasFallen = false;
  let hasRisen = false;
  const items = fetchItems(client, "search/markets", search, {
    signal,
    onPage(page) {
      leftOfPage = page.items.length;
      onPage?.(page);
    },
  });
  for await (const record of items) {
    const market = toMarket(record);
    if (isSelected(market, selection)) matching.push(market);
    const value = rankValue(market, order);
    if (value !== undefined) {
      hasFallen ||= lowest !== undefined && value < lowest;
      hasRisen ||= lowest !== undefined && value > lowest;
      lowest = value;
    }
    leftOfPage -= 1;
    // A page has been asked for as a whole: all of it is read, and bears witness to the order.
    if (leftOfPage > 0 || !hasFallen || hasRisen) continue;
    const isEnough =
      flags.length > 0
        ? lowest === 0
        : top !== undefined && matching.filter((each) => rankValue(each, order) !== undefined).length >= top;
    if (isEnough) break;
  }
  return matching;
}

/** Whether a market is meant, by its own record: a filter that the service does not heed must not cost credits. */
function isSelected(market: Market, { types = [], states = [], region, flags = [] }: MarketSelection): boolean {
  const { locationType, stateAbbreviation } = market;
  if (types.length > 0 && !(types as readonly unknown[]).includes(locationType)) return false;
  if (states.length > 0 && !(states as readonly unknown[]).includes(stateAbbreviation)) return false;
  if (region !== undefined && market.region !== region) return false;
  return flags.every((flag) => rankValue(market, flag) === 1);
}
