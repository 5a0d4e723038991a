import type { EndpointName } from "../../../relayer/service/endpoints/endpointTable.ts";
import { METRICS, type Metric, type MetricName } from "../../../relayer/service/endpoints/metricTable.ts";
import type { ServiceRequestOf } from "../../../relayer/service/fetchPage.ts";
import type { Known } from "./contractService.ts";

/** A good request to an endpoint, and what has to come of it. */
export type Example<Name extends EndpointName = EndpointName> = {
  readonly request: ServiceRequestOf<Name>;
  /** What the service sees of it. */
  readonly sent: Sent;
  /** What it sees where clients follow the public ones; default the same. */
  readonly sentByPublicClients?: Partial<Sent>;
  /** Fields of every record, dots leading into nested ones. */
  readonly fields: readonly string[];
  /** What stands beside the records. */
  readonly echo?: Readonly<Record<string, unknown>>;
  /** Markets, as the records name them, and dates of the records in their order. */
  readonly dated?: { readonly marketIds?: readonly bigint[]; readonly dates: readonly string[] };
  /** What makes it find nothing. */
  readonly findingNothing: Partial<ServiceRequestOf<Name>>;
};

export type Sent = {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON reads it; absent of a GET. */
  readonly body?: unknown;
};

export const USA = 5826765n;
export const BROOKLYN = 5822447n;
export const CHICAGO = 5387853n;
const NOBODY = 123n;
const MARKETS = [BROOKLYN, CHICAGO, USA];
/** As bulk answers have them: highest id first. */
const MARKETS_IN_ORDER = [USA, BROOKLYN, CHICAGO];

/** Spans whose first and last day have a row, and all days that have one, newest first. */
const DATES = {
  monthly: ["2025-06-01", "2025-05-01", "2025-04-01", "2025-03-01", "2025-02-01", "2025-01-01"],
  weekly: ["2025-02-17", "2025-02-10", "2025-02-03", "2025-01-27", "2025-01-20", "2025-01-13", "2025-01-06"],
  daily: ["2024-06-05", "2024-06-04", "2024-06-03", "2024-06-02", "2024-06-01"],
} as const;

const FILTERS = {
  none: {},
  property_type: { property_type: "CONDO" },
  portfolio_size: { portfolio_size: "PORTFOLIO_10_TO_99" },
} as const;

const EVENTS = ["sales", "new_listings_for_sale", "new_rental_listings"];
const INVESTOR_EVENTS = ["acquisitions", "dispositions", "new_listings_for_sale", "new_rental_listings"];
const WINDOWS = ["rolling_7_day", "rolling_30_day", "rolling_60_day", "rolling_90_day"];
const SIZES = [
  "portfolio_2_to_9",
  "portfolio_10_to_99",
  "portfolio_100_to_999",
  "portfolio_1000_plus",
  "all_portfolios",
];
const STATISTICS = ["median", "standard_deviation", "percentile_20th", "percentile_80th"];
const PRICES = ["price", "price_per_square_foot"];

/** Every way from one of the first names to one of the second. */
function within(outer: readonly string[], inner: readonly string[]): string[] {
  return outer.flatMap((name) => inner.map((field) => `${name}.${field}`));
}

/** The fields that the service was seen to answer with. */
const METRIC_FIELDS: { readonly [Name in MetricName]: readonly string[] } = {
  "market_metrics/all_cash": ["count_sales", "pct_sales", "count_transfers", "pct_transfers"],
  "market_metrics/housing_event_counts": [...EVENTS, "transfers"],
  "market_metrics/housing_event_prices": within(PRICES, within(STATISTICS, EVENTS)),
  // Its fields are not known.
  "market_metrics/housing_event_property_attributes": [],
  "market_metrics/housing_stock": ["single_family", "condo", "townhouse", "other", "all_properties"],
  "for_sale_market_metrics/for_sale_inventory": ["for_sale_inventory"],
  "for_sale_market_metrics/for_sale_inventory_price_changes": [
    "count_price_change",
    "count_price_drop",
    "median_days_bt_change",
    "median_price_change",
    "median_pct_price_change",
    "pct_inventory_price_change",
    "pct_inventory_price_drop",
  ],
  "for_sale_market_metrics/new_listings_rolling_counts": WINDOWS,
  "rental_market_metrics/gross_yield": ["pct_gross_yield"],
  "rental_market_metrics/new_listings_for_rent_rolling_counts": WINDOWS,
  "rental_market_metrics/rental_units_concentration": ["rental_units", "total_units", "pct_rental_concentration"],
  "investor_metrics/housing_event_counts": [...INVESTOR_EVENTS, "transfers"],
  "investor_metrics/housing_event_prices": within(PRICES, within(["median"], INVESTOR_EVENTS)),
  "investor_metrics/housing_stock_ownership": ["count", "pct_ownership"],
  "investor_metrics/new_listings_for_sale_rolling_counts": within(["count", "pct_for_sale_market"], WINDOWS),
  "investor_metrics/purchase_to_sale_ratio": ["purchase_to_sale_ratio"],
  "portfolio_metrics/sf_housing_event_counts": [...INVESTOR_EVENTS, "transfers"],
  "portfolio_metrics/sf_housing_stock_ownership": within(["count", "pct_sf_housing_stock"], SIZES),
  "portfolio_metrics/sf_new_listings_for_rent_rolling_counts": within(["count", "pct_sf_for_rent_market"], WINDOWS),
  "portfolio_metrics/sf_new_listings_for_sale_rolling_counts": within(["count", "pct_sf_for_sale_market"], WINDOWS),
  "new_construction_metrics/housing_event_counts": [...EVENTS, "transfers"],
  "new_construction_metrics/housing_event_prices": within(PRICES, within(["median"], EVENTS)),
};

type SeriesFacts = {
  readonly path: string;
  readonly cadence: keyof typeof DATES;
  readonly filter: keyof typeof FILTERS;
  readonly fields: readonly string[];
};

function spanOf({ cadence, filter }: SeriesFacts) {
  const dates = DATES[cadence];
  return { start_date: dates.at(-1) ?? "", end_date: dates[0], ...FILTERS[filter] };
}

function ofOneMarket(facts: SeriesFacts) {
  return () => ({
    request: { svc_id: CHICAGO, ...spanOf(facts) },
    sent: { path: facts.path, query: { ...spanOf(facts), limit: "12" } },
    fields: ["date", ...facts.fields],
    echo: { svc_id: Number(CHICAGO), ...FILTERS[facts.filter] },
    dated: { dates: DATES[facts.cadence] },
    findingNothing: { svc_id: NOBODY },
  });
}

function ofManyMarkets(facts: SeriesFacts, publicPath = facts.path) {
  const span = spanOf(facts);
  return () => ({
    request: { svc_ids: MARKETS, ...span },
    sent: { path: facts.path, query: { limit: "1000" }, body: { svc_ids: MARKETS.map(Number), ...span } },
    sentByPublicClients: { path: publicPath, body: { svc_id: MARKETS.map(String), ...span } },
    fields: ["svc_id", "date", ...facts.fields],
    echo: FILTERS[facts.filter],
    dated: { marketIds: MARKETS_IN_ORDER, dates: DATES[facts.cadence] },
    findingNothing: { svc_ids: [NOBODY] },
  });
}

type Examples = { readonly [Name in EndpointName]: (known: Known) => Example<Name> };

/** The specification's paths of bulk metrics are those of one market without the market, but for new construction. */
function metricExamples() {
  const examples = Object.entries(METRIC_FIELDS).flatMap(([name, fields]) => {
    const { cadence, filter }: Metric = METRICS[name as MetricName];
    const [category = "", tail = ""] = name.split("/");
    const bulkCategory = category === "new_construction_metrics" ? "new_construction" : category;
    const facts = { cadence, filter, fields };
    return [
      [name, ofOneMarket({ ...facts, path: `/v1/${category}/${CHICAGO}/${tail}` })],
      [`${name}/bulk`, ofManyMarkets({ ...facts, path: `/v1/${bulkCategory}/${tail}` }, `/v1/${category}/${tail}`)],
    ];
  });
  return Object.fromEntries(examples) as Pick<Examples, MetricName | `${MetricName}/bulk`>;
}

function feed(path: string, field: string): SeriesFacts {
  return { path, cadence: "daily", filter: "none", fields: [field] };
}

function latest(path: string) {
  return () => ({
    request: { svc_ids: MARKETS.slice(0, 1).concat(USA) },
    sent: { path, query: {}, body: { svc_ids: [Number(BROOKLYN), Number(USA)] } },
    sentByPublicClients: { body: { svc_id: [String(BROOKLYN), String(USA)] } },
    fields: ["svc_id", "date", "price", "publish_timestamp", "expiry", "signature", "public_key", "message"],
    dated: { marketIds: [USA, BROOKLYN], dates: ["2026-03-04"] },
    findingNothing: { svc_ids: [NOBODY] },
  });
}

function marketSearch(path: string) {
  return () => ({
    request: { query: "new york", sort_by: "SVC_EXCHANGE_MARKET", sort_order: "DESC" } as const,
    sent: { path, query: { query: "new york", sort_by: "SVC_EXCHANGE_MARKET", sort_order: "DESC" } },
    fields: [
      "svc_id",
      "country",
      "geoid",
      "state_fips_code",
      "name",
      "state_abbreviation",
      "region",
      "location_type",
      "total_population",
      "median_income",
      "svc_exchange_market",
      "pricefeed_market",
      "case_shiller_10_market",
      "case_shiller_20_market",
    ],
    findingNothing: { query: "nowhere at all" },
  });
}

const PROPERTY_FIELDS = [
  "svc_property_id",
  "address",
  "unit",
  "city",
  "zip_code",
  "state_abbreviation",
  "county",
  "cbsa",
  "latitude",
  "longitude",
  "property_type",
  "bedrooms",
  "bathrooms",
  "square_footage",
  "year_built",
  "cbsa_svc_id",
  "county_svc_id",
  "city_svc_id",
  "zip_svc_id",
  "event_count",
  "event_history_sale_flag",
  "event_history_rental_flag",
  "event_history_listing_flag",
  "current_new_construction_flag",
  "current_owner_occupied_flag",
  "current_investor_owned_flag",
  "current_entity_owner_name",
  "current_on_market_flag",
  "current_on_market_rental_flag",
  "has_pool",
  "record_added_date",
];

const EVENT_FIELDS = [
  "event_date",
  "event_type",
  "event_name",
  "price",
  "owner_occupied_flag",
  "new_construction_flag",
  "investor_flag",
  "entity_owner_name",
  "current_owner_flag",
  "transfer_index",
  "true_sale_index",
  "record_updated_date",
];

const idsOf = ({ homes }: Known) => homes.flatMap(({ svc_property_id: id }) => (id == null ? [] : [id]));

const lookupsOf = ({ homes }: Known) =>
  homes.map(({ address, unit, city, state_abbreviation, zip_code }, index) => ({
    address: address ?? "",
    ...(unit != null && { unit }),
    city: city ?? "",
    state_abbreviation: state_abbreviation ?? "",
    zip_code: zip_code ?? "",
    source_id: `mine-${index}`,
  }));

/** One for each row of the endpoint table. */
export const EXAMPLES: Examples = {
  "search/markets": marketSearch("/v1/search/markets"),
  "property/search_markets": marketSearch("/v1/property/search_markets"),

  ...metricExamples(),

  "price_feed/sales": ofOneMarket(feed(`/v1/price_feed/${CHICAGO}/price_feed`, "price_feed")),
  "price_feed/sales/bulk": ofManyMarkets(feed("/v1/price_feed/price_feed", "price_feed")),
  "price_feed/rental": ofOneMarket(feed(`/v1/price_feed/${CHICAGO}/rental_price_feed`, "rental_price_feed")),
  "price_feed/rental/bulk": ofManyMarkets(feed("/v1/price_feed/rental_price_feed", "rental_price_feed")),
  "price_feed/volatility": ofOneMarket(feed(`/v1/price_feed/${CHICAGO}/volatility`, "pct_volatility")),
  "price_feed/volatility/bulk": ofManyMarkets(feed("/v1/price_feed/volatility", "pct_volatility")),

  "latest/sales": latest("/v1/price_feed/latest"),
  "latest/rental": latest("/v1/price_feed_rentals/latest"),

  "property/search_address": (known) => ({
    request: { lookups: lookupsOf(known) },
    sent: { path: "/v1/property/search_address", query: {}, body: lookupsOf(known) },
    fields: [...PROPERTY_FIELDS, "source_id"],
    findingNothing: {
      lookups: [{ address: "1 Nowhere St", city: "Chicago", state_abbreviation: "IL", zip_code: "60601" }],
    },
  }),

  "property/search": () => ({
    request: { svc_id: CHICAGO, property_type: "SINGLE_FAMILY", bedrooms_min: 2, has_pool: false, limit: 40 },
    sent: {
      path: "/v1/property/search",
      query: { svc_id: "5387853", property_type: "SINGLE_FAMILY", bedrooms_min: "2", has_pool: "false", limit: "40" },
    },
    fields: PROPERTY_FIELDS,
    findingNothing: { svc_id: NOBODY },
  }),

  "property/event_history": (known) => ({
    request: { svc_property_ids: idsOf(known), event_type: "SALE", start_date: "2010-01-01", end_date: "2026-03-04" },
    sent: {
      path: "/v1/property/event_history",
      query: {},
      body: {
        svc_property_ids: idsOf(known).map(Number),
        event_type: "SALE",
        start_date: "2010-01-01",
        end_date: "2026-03-04",
      },
    },
    sentByPublicClients: {
      body: {
        svc_property_id: idsOf(known).map(String),
        event_type: "SALE",
        start_date: "2010-01-01",
        end_date: "2026-03-04",
      },
    },
    fields: ["svc_property_id", ...EVENT_FIELDS],
    findingNothing: { svc_property_ids: [NOBODY] },
  }),

  "property_search/v2": (known) => ({
    request: {
      svc_property_ids: idsOf(known),
      property_filters: { property_types: ["ALL_PROPERTIES"], include_property_details: true },
      event_filters: { event_names: ["ALL_SOLD"], include_events: true, include_full_event_history: 0 },
    },
    sent: {
      path: "/v2/property_search",
      query: { limit: "1000" },
      body: {
        svc_property_ids: idsOf(known).map(Number),
        property_filters: { property_types: ["ALL_PROPERTIES"], include_property_details: 1 },
        event_filters: { event_names: ["ALL_SOLD"], include_events: 1, include_full_event_history: 0 },
      },
    },
    fields: [
      "svc_property_id",
      "property_metadata.latitude",
      "property_metadata.has_pool",
      "events.0.entity_seller_name",
    ],
    findingNothing: { svc_property_ids: [NOBODY] },
  }),
};
