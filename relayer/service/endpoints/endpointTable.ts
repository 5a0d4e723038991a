import { coordinatesInUnitedStates } from "../rules/coordinatesInUnitedStates.ts";
import { fullHistoryNeedsEvents } from "../rules/fullHistoryNeedsEvents.ts";
import { idListLength } from "../rules/idListLength.ts";
import { nationwideSearchNamesOperator } from "../rules/nationwideSearchNamesOperator.ts";
import { notBeforeDataStart } from "../rules/notBeforeDataStart.ts";
import { notReversed } from "../rules/notReversed.ts";
import { oneSearchScope } from "../rules/oneSearchScope.ts";
import { pageSize } from "../rules/pageSize.ts";
import { searchRadius } from "../rules/searchRadius.ts";
import { sellerNeedsSale } from "../rules/sellerNeedsSale.ts";
import { addressSearchRequest } from "../schemas/addressSearch.ts";
import { eventHistoryRequest } from "../schemas/eventHistory.ts";
import { housingEvent } from "../schemas/housingEvent.ts";
import { marketRecord, marketSearchRequest } from "../schemas/market.ts";
import { rentalFeedItem, salesFeedItem, volatilityItem } from "../schemas/priceFeedItems.ts";
import { propertyRecord } from "../schemas/propertyRecord.ts";
import { propertySearchRequest } from "../schemas/propertySearch.ts";
import { propertySearchV2Request, propertyWithEvents } from "../schemas/propertySearchV2.ts";
import { defineEndpoint, type Endpoint } from "./endpoint.ts";
import { LATEST_ENDPOINTS } from "./latestEndpoints.ts";
import { METRIC_ENDPOINTS } from "./metricEndpoints.ts";
import { seriesOfManyMarkets, seriesOfOneMarket } from "./seriesEndpoints.ts";

const MAX_ADDRESSES = 100;
const MAX_PROPERTY_IDS = 10_000;
const MARKET_SEARCH_PAGE = { usual: 12, most: 1000 } as const;
const PROPERTY_PAGE = { usual: 1000, most: 50_000, followed: 5_000 } as const;
/** Of housing events (specification, data start dates, which names the month). */
const EVENTS_START = "2010-01-01";

const DEPRECATED_VOLATILITY = "since 0.38.5, without a successor";

/**
 * Every endpoint of the service (specification, endpoints). Client, simulator, documents and tests go by this table: an
 * endpoint is one row and its schemas; the metrics have a table of their own.
 */
export const ENDPOINTS = {
  "search/markets": defineEndpoint({
    summary: "Markets by keyword, kind, place and identifiers.",
    method: "GET",
    path: "/v1/search/markets",
    request: marketSearchRequest,
    item: marketRecord,
    page: MARKET_SEARCH_PAGE,
    rules: [pageSize(MARKET_SEARCH_PAGE.most)],
    cost: "free",
  }),

  ...METRIC_ENDPOINTS,

  "price_feed/sales": seriesOfOneMarket({
    summary: "Daily sales price feed of one market, in USD per square foot.",
    path: "/v1/price_feed/{svc_id}/price_feed",
    filter: "none",
    item: salesFeedItem,
    cadence: "daily",
  }),
  "price_feed/sales/bulk": seriesOfManyMarkets({
    summary: "Daily sales price feeds of many markets; dates before 2019-01-01 are accepted.",
    path: "/v1/price_feed/price_feed",
    filter: "none",
    item: salesFeedItem,
    cadence: "daily",
  }),
  "price_feed/rental": seriesOfOneMarket({
    summary: "Daily rental price feed of one market, in USD per square foot a month.",
    path: "/v1/price_feed/{svc_id}/rental_price_feed",
    filter: "none",
    item: rentalFeedItem,
    cadence: "daily",
  }),
  "price_feed/rental/bulk": seriesOfManyMarkets({
    summary: "Daily rental price feeds of many markets; dates before 2019-01-01 are accepted.",
    path: "/v1/price_feed/rental_price_feed",
    filter: "none",
    item: rentalFeedItem,
    cadence: "daily",
  }),
  "price_feed/volatility": seriesOfOneMarket({
    summary: "Daily volatility of one market's sales price feed, in percent.",
    path: "/v1/price_feed/{svc_id}/volatility",
    filter: "none",
    item: volatilityItem,
    cadence: "daily",
    deprecated: DEPRECATED_VOLATILITY,
  }),
  "price_feed/volatility/bulk": seriesOfManyMarkets({
    summary: "Daily volatility of many markets' sales price feeds, in percent.",
    path: "/v1/price_feed/volatility",
    filter: "none",
    item: volatilityItem,
    cadence: "daily",
    deprecated: DEPRECATED_VOLATILITY,
  }),

  "latest/sales": LATEST_ENDPOINTS.sales,
  "latest/rental": LATEST_ENDPOINTS.rental,

  "property/search_address": defineEndpoint({
    summary: "Properties by address.",
    method: "POST",
    path: "/v1/property/search_address",
    request: addressSearchRequest,
    bodyField: "lookups",
    item: propertyRecord,
    idList: { field: "lookups", most: MAX_ADDRESSES },
    rules: [idListLength("lookups", MAX_ADDRESSES)],
    cost: "property",
  }),
  "property/search": defineEndpoint({
    summary: "Properties of one market by their attributes and flags.",
    method: "GET",
    path: "/v1/property/search",
    request: propertySearchRequest,
    item: propertyRecord,
    page: PROPERTY_PAGE,
    rules: [
      pageSize(PROPERTY_PAGE.most),
      notReversed("bedrooms_min", "bedrooms_max"),
      notReversed("bathrooms_min", "bathrooms_max"),
      notReversed("square_footage_min", "square_footage_max"),
      notReversed("year_built_min", "year_built_max"),
      notReversed("record_added_date_start", "record_added_date_end"),
    ],
    cost: "property",
  }),
  "property/event_history": defineEndpoint({
    summary: "Housing events of properties since January 2010.",
    method: "POST",
    path: "/v1/property/event_history",
    otherPaths: [{ path: "/v1/property/events", why: "the specification names it beside the first" }],
    request: eventHistoryRequest,
    item: housingEvent,
    idList: { field: "svc_property_ids", most: MAX_PROPERTY_IDS },
    rules: [
      idListLength("svc_property_ids", MAX_PROPERTY_IDS),
      notReversed("start_date", "end_date"),
      notBeforeDataStart(EVENTS_START),
      notReversed("record_updated_date_start", "record_updated_date_end"),
    ],
    cost: "property",
    dataStart: EVENTS_START,
  }),
  "property_search/v2": defineEndpoint({
    summary: "Properties with their events, by ids, markets or a circle, filtered by events, owners and attributes.",
    method: "POST",
    path: "/v2/property_search",
    otherPaths: [{ path: "/v2/query", why: "its beta, which ran the same engine" }],
    request: propertySearchV2Request,
    queryFields: ["limit", "offset"],
    item: propertyWithEvents,
    answer: "properties",
    page: PROPERTY_PAGE,
    idList: { field: "svc_property_ids", most: MAX_PROPERTY_IDS },
    rules: [
      oneSearchScope,
      idListLength("svc_property_ids", MAX_PROPERTY_IDS),
      pageSize(PROPERTY_PAGE.most),
      searchRadius,
      coordinatesInUnitedStates,
      nationwideSearchNamesOperator,
      sellerNeedsSale,
      fullHistoryNeedsEvents,
      notReversed("property_filters.min_beds", "property_filters.max_beds"),
      notReversed("property_filters.min_baths", "property_filters.max_baths"),
      notReversed("property_filters.min_sqft", "property_filters.max_sqft"),
      notReversed("property_filters.min_year_built", "property_filters.max_year_built"),
      notReversed("property_filters.min_record_added_date", "property_filters.max_record_added_date"),
      notReversed("event_filters.min_event_date", "event_filters.max_event_date"),
      notBeforeDataStart(EVENTS_START, "event_filters.max_event_date"),
      notReversed("event_filters.min_price", "event_filters.max_price"),
      notReversed("event_filters.min_record_updated_date", "event_filters.max_record_updated_date"),
    ],
    cost: "property",
    dataStart: EVENTS_START,
  }),
  "property/search_markets": defineEndpoint({
    summary: "Market search under its former path.",
    method: "GET",
    path: "/v1/property/search_markets",
    request: marketSearchRequest,
    item: marketRecord,
    page: MARKET_SEARCH_PAGE,
    rules: [pageSize(MARKET_SEARCH_PAGE.most)],
    cost: "free",
    deprecated: "use property search, or search/markets for markets",
  }),
} as const satisfies Readonly<Record<string, Endpoint>>;

/** Name of an endpoint: a row's key. */
export type EndpointName = keyof typeof ENDPOINTS;

export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as EndpointName[];
