import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { checkRequest } from "../../relayer/service/checkRequest.ts";
import type { Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import type { ServiceRequestOf } from "../../relayer/service/fetchPage.ts";
import { RequestRuleError } from "../../relayer/service/requestRuleError.ts";
import { EVENT_TYPES } from "../../relayer/service/schemas/housingEventNames.ts";
import { isFromBeforeTracking } from "../../relayer/service/schemas/recordTracking.ts";
import { UNIT_TYPES } from "../../relayer/service/schemas/vocabulary.ts";

/**
 * What the service's specification says in so many words, written down here a second time: the table, its schemas and its
 * rules are held against it, not against themselves.
 */

const NATION = 5_826_765n;
const rows: readonly (readonly [EndpointName, Endpoint])[] = ENDPOINT_NAMES.map((name) => [name, ENDPOINTS[name]]);
const pathsOf = (method: Endpoint["method"]) =>
  rows.filter(([, row]) => row.method === method).map(([, { path }]) => path.replace("{svc_id}", "{id}"));

/** The rules that a request breaks, each with the field. */
function broken<Name extends EndpointName>(name: Name, request: ServiceRequestOf<Name>): string[] {
  try {
    checkRequest(name, ENDPOINTS[name] as Endpoint, request, { nationwideMarketId: NATION });
    return [];
  } catch (error) {
    if (!(error instanceof RequestRuleError)) throw error;
    return error.problems.map(({ rule, at }) => `${rule} ${at}`);
  }
}

/** The same for a request that its type forbids. */
const brokenBy = (name: EndpointName, request: object) => broken(name, request as ServiceRequestOf<typeof name>);

const manyIds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("the endpoint table", () => {
  test("has the paths of one market that are written out", () => {
    expect(pathsOf("GET")).toEqual(
      expect.arrayContaining([
        "/v1/search/markets",
        "/v1/market_metrics/{id}/all_cash",
        "/v1/market_metrics/{id}/housing_event_counts",
        "/v1/investor_metrics/{id}/housing_event_counts",
        "/v1/investor_metrics/{id}/purchase_to_sale_ratio",
        "/v1/portfolio_metrics/{id}/sf_housing_event_counts",
        "/v1/new_construction_metrics/{id}/housing_event_counts",
        "/v1/for_sale_market_metrics/{id}/for_sale_inventory_price_changes",
        "/v1/rental_market_metrics/{id}/new_listings_for_rent_rolling_counts",
        "/v1/for_sale_market_metrics/{id}/new_listings_rolling_counts",
        "/v1/investor_metrics/{id}/new_listings_for_sale_rolling_counts",
        "/v1/price_feed/{id}/price_feed",
        "/v1/price_feed/{id}/rental_price_feed",
        "/v1/price_feed/{id}/volatility",
        "/v1/property/search",
      ]),
    );
  });

  test("has the paths of many that are written out", () => {
    expect(pathsOf("POST")).toEqual(
      expect.arrayContaining([
        "/v1/market_metrics/all_cash",
        "/v1/market_metrics/housing_event_counts",
        "/v1/market_metrics/housing_event_prices",
        "/v1/market_metrics/housing_event_property_attributes",
        "/v1/market_metrics/housing_stock",
        "/v1/new_construction/housing_event_prices",
        "/v1/new_construction/housing_event_counts",
        "/v1/price_feed/price_feed",
        "/v1/price_feed/rental_price_feed",
        "/v1/price_feed/volatility",
        "/v1/price_feed/latest",
        "/v1/price_feed_rentals/latest",
        "/v1/property/search_address",
        "/v1/property/event_history",
        "/v2/property_search",
      ]),
    );
    const others = rows.flatMap(([, { otherPaths }]) => otherPaths.map(({ path }) => path));
    expect(others).toEqual(expect.arrayContaining(["/v1/property/events", "/v2/query"]));
  });

  test.each([
    [
      "market_metrics",
      [
        "all_cash",
        "housing_event_counts",
        "housing_event_prices",
        "housing_event_property_attributes",
        "housing_stock",
      ],
    ],
    [
      "for_sale_market_metrics",
      ["for_sale_inventory", "for_sale_inventory_price_changes", "new_listings_rolling_counts"],
    ],
    ["rental_market_metrics", ["gross_yield", "new_listings_for_rent_rolling_counts", "rental_units_concentration"]],
    [
      "investor_metrics",
      [
        "housing_event_counts",
        "housing_event_prices",
        "housing_stock_ownership",
        "new_listings_for_sale_rolling_counts",
        "purchase_to_sale_ratio",
      ],
    ],
    [
      "portfolio_metrics",
      [
        "sf_housing_event_counts",
        "sf_housing_stock_ownership",
        "sf_new_listings_for_rent_rolling_counts",
        "sf_new_listings_for_sale_rolling_counts",
      ],
    ],
    ["new_construction_metrics", ["housing_event_counts", "housing_event_prices"]],
  ])("has every metric of %s, of one market and of many", (category, metrics) => {
    const names = ENDPOINT_NAMES.filter((name) => name.startsWith(`${category}/`));
    expect(names.toSorted()).toEqual(
      metrics.flatMap((metric) => [`${category}/${metric}`, `${category}/${metric}/bulk`]).toSorted(),
    );
  });

  test("takes 1,000 markets, 100 addresses and 10,000 properties in a request", () => {
    const limits = rows.flatMap(([name, { idList }]) => (idList ? [[name, idList.field, idList.most] as const] : []));
    const most = { svc_ids: 1_000, lookups: 100, svc_property_ids: 10_000 };
    for (const [name, field, limit] of limits) expect([name, limit]).toEqual([name, most[field as keyof typeof most]]);
    const posts = rows.filter(([, { method }]) => method === "POST").map(([name]) => name);
    expect(limits.map(([name]) => name).toSorted()).toEqual(posts.toSorted());
  });

  test("gives 1,000 properties a page when nothing is said, and 50,000 at most", () => {
    for (const name of ["property/search", "property_search/v2"] as const) {
      expect(ENDPOINTS[name].page).toMatchObject({ usual: 1_000, most: 50_000 });
    }
  });

  test("deprecates the former market search and the volatility endpoints, and nothing else", () => {
    const deprecated = rows.filter(([, row]) => row.deprecated !== undefined).map(([name]) => name);
    expect(deprecated).toEqual(["price_feed/volatility", "price_feed/volatility/bulk", "property/search_markets"]);
  });

  test("says that property endpoints cost a credit a property", () => {
    const ofProperties = rows.filter(([, { cost }]) => cost === "property").map(([name]) => name);
    expect(ofProperties).toEqual([
      "property/search_address",
      "property/search",
      "property/event_history",
      "property_search/v2",
    ]);
  });

  test("has a major version in front of every path", () => {
    for (const [, { path, otherPaths }] of rows) {
      for (const one of [path, ...otherPaths.map((other) => other.path)]) expect(one).toMatch(/^\/v[12]\//);
    }
  });

  test("updates rolling counts weekly, events monthly and prices daily", () => {
    for (const [name, { cadence }] of rows) {
      if (name.includes("rolling_counts")) expect([name, cadence]).toEqual([name, "weekly"]);
      if (name.includes("housing_event_")) expect([name, cadence]).toEqual([name, "monthly"]);
      if (/^(price_feed|latest)\//.test(name)) expect([name, cadence]).toEqual([name, "daily"]);
    }
  });
});

const words = (text: string) => text.trim().split(/\s+/);

const PROPERTY_FIELDS = words(`
  svc_property_id address unit city zip_code state_abbreviation county cbsa latitude longitude property_type bedrooms
  bathrooms square_footage year_built cbsa_svc_id county_svc_id city_svc_id zip_svc_id event_count
  event_history_sale_flag event_history_rental_flag event_history_listing_flag current_new_construction_flag
  current_owner_occupied_flag current_investor_owned_flag current_entity_owner_name current_on_market_flag
  current_on_market_rental_flag has_pool record_added_date source_id`);
const EVENT_FIELDS = words(`
  event_date event_type event_name price owner_occupied_flag new_construction_flag investor_flag entity_owner_name
  current_owner_flag transfer_index true_sale_index record_updated_date`);
const COUNTS = ["date", "sales", "new_listings_for_sale", "new_rental_listings", "transfers"];
const INVESTOR_COUNTS = ["date", "acquisitions", "dispositions", ...COUNTS.slice(2)];

const RECORDS: readonly [EndpointName, readonly string[]][] = [
  ["property/search", PROPERTY_FIELDS],
  ["property/search_address", PROPERTY_FIELDS],
  ["property/event_history", ["svc_property_id", ...EVENT_FIELDS]],
  ["market_metrics/all_cash", ["date", "count_sales", "pct_sales", "count_transfers", "pct_transfers"]],
  ["market_metrics/housing_event_counts", COUNTS],
  ["new_construction_metrics/housing_event_counts", COUNTS],
  ["investor_metrics/housing_event_counts", INVESTOR_COUNTS],
  ["portfolio_metrics/sf_housing_event_counts", INVESTOR_COUNTS],
  ["investor_metrics/purchase_to_sale_ratio", ["date", "purchase_to_sale_ratio"]],
  [
    "for_sale_market_metrics/for_sale_inventory_price_changes",
    words(`
      date count_price_change count_price_drop median_days_bt_change median_price_change median_pct_price_change
      pct_inventory_price_change pct_inventory_price_drop`),
  ],
];

describe("records", () => {
  test.each(RECORDS)("of %s have every field that is shown", (name, fields) => {
    const { item }: Endpoint = ENDPOINTS[name];
    expect(Object.keys((item as z.ZodObject).shape)).toEqual(expect.arrayContaining([...fields]));
  });

  test("of v2 have a property with the same fields, and events with the seller besides", () => {
    const { property_metadata, events } = ENDPOINTS["property_search/v2"].item.shape;
    const metadata = property_metadata.unwrap().unwrap() as z.ZodObject;
    const event = events.unwrap().unwrap().element;
    const besideEvents = PROPERTY_FIELDS.filter((name) => name !== "svc_property_id");
    expect(Object.keys(metadata.shape)).toEqual(expect.arrayContaining(besideEvents));
    expect(Object.keys(event.shape)).toEqual(expect.arrayContaining([...EVENT_FIELDS, "entity_seller_name"]));
  });

  test("read null where nothing is known, and never as 0", () => {
    const { item } = ENDPOINTS["property/search"];
    const unknown = { unit: null, current_entity_owner_name: null, current_on_market_rental_flag: null };
    expect(item.parse(unknown)).toEqual(unknown);
    const event = { svc_property_id: 1, investor_flag: null, entity_owner_name: null };
    expect(ENDPOINTS["property/event_history"].item.parse(event)).toEqual({ ...event, svc_property_id: 1n });
    const month = { date: "2026-10-01", purchase_to_sale_ratio: null };
    expect(ENDPOINTS["investor_metrics/purchase_to_sale_ratio"].item.parse(month)).toEqual(month);
  });

  test("have ids that are whole numbers, exactly read", () => {
    const { item } = ENDPOINTS["search/markets"];
    for (const svc_id of [5_826_765, "5826765"]) expect(item.parse({ svc_id, name: "x" }).svc_id).toBe(NATION);
    expect(item.parse({ svc_id: "12345678901234567890", name: "x" }).svc_id).toBe(12_345_678_901_234_567_890n);
    for (const svc_id of [1.5, -1, "", "1e3", null]) expect(item.safeParse({ svc_id, name: "x" }).success).toBe(false);
  });

  test("of address search give the caller's id back, also where nothing was found", () => {
    const { item } = ENDPOINTS["property/search_address"];
    const found = { svc_property_id: 48_703_143n, source_id: "mine-7" };
    expect(item.parse({ svc_property_id: 48_703_143, source_id: "mine-7" })).toEqual(found);
    const notFound = { svc_property_id: null, source_id: "mine-8" };
    expect(item.parse(notFound)).toEqual(notFound);
  });

  test("of event histories say nothing about the property but its id", () => {
    const names = Object.keys(ENDPOINTS["property/event_history"].item.shape);
    expect(names.filter((name) => PROPERTY_FIELDS.includes(name))).toEqual(["svc_property_id"]);
  });

  test("are of four kinds of properties and three of events", () => {
    expect(UNIT_TYPES.toSorted()).toEqual(["CONDO", "OTHER", "SINGLE_FAMILY", "TOWNHOUSE"]);
    expect(EVENT_TYPES.toSorted()).toEqual(["LISTING", "RENTAL", "SALE"]);
  });

  test("from before tracking began carry 2024-12-13", () => {
    expect(["2024-12-12", "2024-12-13", "2024-12-14"].map(isFromBeforeTracking)).toEqual([false, true, false]);
  });
});

describe("requests", () => {
  test("for price feeds may reach before 2019-01-01", () => {
    for (const name of ["price_feed/sales/bulk", "price_feed/rental/bulk"] as const) {
      expect(broken(name, { svc_ids: [NATION], start_date: "2011-01-01", end_date: "2018-12-31" })).toEqual([]);
    }
  });

  test("for addresses need four parts, and may have a unit and an id of the caller's", () => {
    const lookup = { address: "100 Main St", city: "Springfield", state_abbreviation: "IL", zip_code: "62701" };
    expect(broken("property/search_address", { lookups: [lookup] })).toEqual([]);
    expect(broken("property/search_address", { lookups: [{ ...lookup, unit: "B", source_id: "mine-7" }] })).toEqual([]);
    for (const part of Object.keys(lookup)) {
      const incomplete = Object.fromEntries(Object.entries(lookup).filter(([name]) => name !== part));
      expect(brokenBy("property/search_address", { lookups: [incomplete] })).toEqual([
        `required-field lookups[0].${part}`,
      ]);
    }
    const hundred = Array.from({ length: 100 }, () => lookup);
    expect(broken("property/search_address", { lookups: hundred })).toEqual([]);
    expect(broken("property/search_address", { lookups: [...hundred, lookup] })).toEqual([
      "at-most-100-lookups lookups",
    ]);
  });

  test("for properties filter by market, attributes, flags, owner, pool and tracking", () => {
    const everything = {
      svc_id: NATION,
      property_type: "CONDO",
      bedrooms_min: 1,
      bedrooms_max: 4,
      bathrooms_min: 1,
      bathrooms_max: 3,
      square_footage_min: 500,
      square_footage_max: 4_000,
      year_built_min: 1950,
      year_built_max: 2020,
      event_history_sale_flag: 1,
      event_history_rental_flag: 0,
      event_history_listing_flag: true,
      current_new_construction_flag: false,
      current_owner_occupied_flag: 0,
      current_investor_owned_flag: 1,
      current_entity_owner_name: "ANY_OPERATOR",
      has_pool: 1,
      record_added_date_start: "2024-12-13",
      record_added_date_end: "2025-01-01",
    };
    expect(brokenBy("property/search", everything)).toEqual([]);
    expect(brokenBy("property/search", { ...everything, limit: 50_001 })).toEqual(["limit-at-most-50000 limit"]);
  });

  test("for event histories filter by type and tracking, of 10,000 properties at most", () => {
    const request = {
      svc_property_ids: manyIds(10_000),
      event_type: "SALE",
      record_updated_date_start: "2024-12-13",
      record_updated_date_end: "2025-01-01",
    };
    expect(brokenBy("property/event_history", request)).toEqual([]);
    expect(brokenBy("property/event_history", { svc_property_ids: manyIds(10_001) })).toEqual([
      "at-most-10000-svc-property-ids svc_property_ids",
    ]);
  });

  test("of bulk endpoints have 1,000 markets at most", () => {
    expect(broken("market_metrics/all_cash/bulk", { svc_ids: manyIds(1_000) })).toEqual([]);
    expect(broken("market_metrics/all_cash/bulk", { svc_ids: manyIds(1_001) })).toEqual([
      "at-most-1000-svc-ids svc_ids",
    ]);
  });

  test("with a day that is none are refused", () => {
    for (const end_date of ["2026-02-29", "2026-2-01", "02/01/2026", "2026-02-01T00:00:00Z"]) {
      expect(broken("price_feed/sales", { svc_id: NATION, end_date })).toEqual(["calendar-date end_date"]);
    }
  });
});

describe("requests of v2", () => {
  const scope = { svc_ids: [5_387_853] };
  const circle = { latitude: 41.88, longitude: -87.63, radius: 10 };

  test("take every field that is shown", () => {
    const everything = {
      ...scope,
      limit: 50_000,
      query_type: "property_events",
      event_filters: {
        event_names: ["SOLD", "PENDING_SALE", "LISTED_RENT"],
        is_new_construction: false,
        min_price: 1,
        max_price: 9_000_000,
        min_event_date: "2010-01-01",
        max_event_date: "2026-10-01",
        min_record_updated_date: "2024-12-13",
        max_record_updated_date: "2026-10-01",
        include_events: 1,
        include_full_event_history: true,
      },
      owner_filters: {
        is_investor_owned: true,
        is_owner_occupied: false,
        owner_name: ["ANY_OPERATOR"],
        entity_seller_name: ["OTHER_OPERATOR"],
      },
      property_filters: {
        min_beds: 2,
        max_beds: 4,
        min_baths: 1.5,
        min_sqft: 800,
        min_year_built: 1950,
        max_year_built: 2020,
        property_types: ["SINGLE_FAMILY"],
        include_property_details: true,
        has_pool: true,
        current_on_market_flag: 1,
        current_on_market_rental_flag: 0,
        current_entity_owner_name: "ANY_OPERATOR",
        min_record_added_date: "2024-12-13",
        max_record_added_date: "2026-10-01",
      },
    };
    expect(brokenBy("property_search/v2", everything)).toEqual([]);
  });

  test("have a scope: properties, markets or a circle", () => {
    expect(broken("property_search/v2", { svc_property_ids: manyIds(10_000) })).toEqual([]);
    expect(broken("property_search/v2", scope)).toEqual([]);
    expect(broken("property_search/v2", { geo_coordinates: circle })).toEqual([]);
    expect(broken("property_search/v2", {})).toEqual(["exactly-one-search-scope svc_property_ids"]);
    expect(broken("property_search/v2", { svc_property_ids: manyIds(10_001) })).toEqual([
      "at-most-10000-svc-property-ids svc_property_ids",
    ]);
  });

  test.each([
    ["Key West", 24.55, -81.78],
    ["Cape Flattery", 48.38, -124.72],
    ["West Quoddy Head", 44.82, -66.95],
    ["Utqiagvik", 71.29, -156.79],
    ["Attu", 52.9, 172.9],
    ["Hilo", 19.71, -155.09],
  ])("may be a circle around %s", (_place, latitude, longitude) => {
    expect(broken("property_search/v2", { geo_coordinates: { latitude, longitude, radius: 10 } })).toEqual([]);
  });

  test.each([
    ["San Juan", 18.47, -66.11],
    ["Guam", 13.44, 144.79],
    ["London", 51.51, -0.13],
    ["Chicago with its numbers swapped", -87.63, 41.88],
    ["Chicago without its sign", 41.88, 87.63],
  ])("may not be a circle around %s", (_place, latitude, longitude) => {
    expect(broken("property_search/v2", { geo_coordinates: { latitude, longitude, radius: 10 } })).toEqual([
      "coordinates-in-united-states geo_coordinates",
    ]);
  });

  test("have a circle of 10 miles at most", () => {
    expect(broken("property_search/v2", { geo_coordinates: { ...circle, radius: 10.01 } })).toEqual([
      "radius-at-most-10-miles geo_coordinates.radius",
    ]);
  });

  test("name an operator where they search the whole nation", () => {
    const nation = { svc_ids: [NATION] };
    expect(broken("property_search/v2", nation)).toEqual(["nationwide-search-names-operator svc_ids"]);
    const events = { event_names: ["SOLD"] };
    for (const owner_filters of [{ owner_name: ["ANY_OPERATOR"] }, { entity_seller_name: ["ANY_OPERATOR"] }]) {
      expect(broken("property_search/v2", { ...nation, owner_filters, event_filters: events })).toEqual([]);
    }
    const property_filters = { current_entity_owner_name: "ANY_OPERATOR" };
    expect(broken("property_search/v2", { ...nation, property_filters })).toEqual([]);
  });

  test("ask for a seller only with sales", () => {
    const owner_filters = { entity_seller_name: ["ANY_OPERATOR"] };
    const withNames = (event_names: string[]) =>
      broken("property_search/v2", { ...scope, owner_filters, event_filters: { event_names } });
    expect(withNames(["LISTED_RENT", "PENDING_SALE"])).toEqual(["seller-needs-sale-event event_filters.event_names"]);
    expect(withNames(["LISTED_RENT", "NON_ARMS_LENGTH_TRANSFER"])).toEqual([]);
  });

  test("ask for full histories only with events", () => {
    const withEvents = (include_events: 0 | 1) =>
      broken("property_search/v2", { ...scope, event_filters: { include_events, include_full_event_history: 1 } });
    expect(withEvents(0)).toEqual(["full-history-needs-events event_filters.include_events"]);
    expect(withEvents(1)).toEqual([]);
  });

  test("have no field that is not theirs, at any depth", () => {
    const fields = { ...scope, page: 1, property_filters: { min_rooms: 3 } };
    expect(brokenBy("property_search/v2", fields)).toEqual(
      expect.arrayContaining(["known-fields-only page", "known-fields-only property_filters.min_rooms"]),
    );
  });

  test("have a limit of 50,000 at most", () => {
    expect(broken("property_search/v2", { ...scope, limit: 50_001 })).toEqual(["limit-at-most-50000 limit"]);
  });
});
