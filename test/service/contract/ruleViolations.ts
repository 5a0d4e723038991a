import { USA } from "./examples.ts";

/** What breaks one rule of an endpoint, and what the service says to it itself. */
export type RuleViolation = {
  /** What to change of a good request; `undefined` leaves a field out. */
  readonly change: Readonly<Record<string, unknown>>;
  /** Where the client says that it is wrong, and what stands there. */
  readonly at: string;
  readonly value: unknown;
  /** The type of the service's complaint at that place, or that it merely finds nothing. */
  readonly service: "value_error" | "less_than_equal" | "too_long" | "finds nothing";
};

const ids = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1));
const LOOKUP = { address: "1 Main St", city: "Chicago", state_abbreviation: "IL", zip_code: "60601" };
const CIRCLE = { latitude: 41.88, longitude: -87.63, radius: 1 };

function pageOver(most: number): RuleViolation {
  return { change: { limit: most + 1 }, at: "limit", value: most + 1, service: "less_than_equal" };
}

function listOver(at: string, list: readonly unknown[]): RuleViolation {
  return { change: { [at]: list }, at, value: list.length, service: "too_long" };
}

function reversed(lower: string, high: unknown, upper: string, low: unknown): RuleViolation {
  return { change: { [lower]: high, [upper]: low }, at: lower, value: high, service: "value_error" };
}

function reversedIn(parent: string, lower: string, high: unknown, upper: string, low: unknown): RuleViolation {
  const change = { [parent]: { [lower]: high, [upper]: low } };
  return { change, at: `${parent}.${lower}`, value: high, service: "value_error" };
}

/** The series has no row before its start, and the service says of a span before it what it says of any without one. */
function beforeDataStart(dayBefore: string): RuleViolation {
  return {
    change: { start_date: undefined, end_date: dayBefore },
    at: "end_date",
    value: dayBefore,
    service: "finds nothing",
  };
}

/** One for each rule of the endpoint table, by the rule's name. */
export const RULE_VIOLATIONS: Readonly<Record<string, RuleViolation>> = {
  "limit-at-most-1000": pageOver(1000),
  "limit-at-most-10000": pageOver(10_000),
  "limit-at-most-50000": pageOver(50_000),
  "at-most-1000-svc-ids": listOver("svc_ids", ids(1001)),
  "at-most-10000-svc-property-ids": listOver("svc_property_ids", ids(10_001)),
  "at-most-100-lookups": listOver("lookups", Array(101).fill(LOOKUP)),

  "start-date-not-above-end-date": reversed("start_date", "2025-02-02", "end_date", "2025-02-01"),
  "data-start-2022-09-01": beforeDataStart("2022-08-31"),
  "data-start-2024-03-01": beforeDataStart("2024-02-29"),
  "data-start-2024-04-15": beforeDataStart("2024-04-14"),
  "data-start-2024-04-22": beforeDataStart("2024-04-21"),
  "data-start-2010-01-01": beforeDataStart("2009-12-31"),
  "data-start-2010-01-01-of-event-filters-max-event-date": {
    change: { event_filters: { max_event_date: "2009-12-31" } },
    at: "event_filters.max_event_date",
    value: "2009-12-31",
    service: "finds nothing",
  },

  "bedrooms-min-not-above-bedrooms-max": reversed("bedrooms_min", 3, "bedrooms_max", 2),
  "bathrooms-min-not-above-bathrooms-max": reversed("bathrooms_min", 3, "bathrooms_max", 2),
  "square-footage-min-not-above-square-footage-max": reversed("square_footage_min", 901, "square_footage_max", 900),
  "year-built-min-not-above-year-built-max": reversed("year_built_min", 2001, "year_built_max", 2000),
  "record-added-date-start-not-above-record-added-date-end": reversed(
    "record_added_date_start",
    "2025-02-02",
    "record_added_date_end",
    "2025-02-01",
  ),
  "record-updated-date-start-not-above-record-updated-date-end": reversed(
    "record_updated_date_start",
    "2025-02-02",
    "record_updated_date_end",
    "2025-02-01",
  ),

  "exactly-one-search-scope": {
    change: { geo_coordinates: CIRCLE },
    at: "geo_coordinates",
    value: ["svc_property_ids", "geo_coordinates"],
    service: "value_error",
  },
  "radius-at-most-10-miles": {
    change: { svc_property_ids: undefined, geo_coordinates: { ...CIRCLE, radius: 10.5 } },
    at: "geo_coordinates.radius",
    value: 10.5,
    service: "value_error",
  },
  "coordinates-in-united-states": {
    change: { svc_property_ids: undefined, geo_coordinates: { ...CIRCLE, latitude: 51.5, longitude: -0.1 } },
    at: "geo_coordinates",
    value: { latitude: 51.5, longitude: -0.1 },
    service: "value_error",
  },
  "nationwide-search-names-operator": {
    change: { svc_property_ids: undefined, svc_ids: [USA] },
    at: "svc_ids",
    value: USA,
    service: "value_error",
  },
  "seller-needs-sale-event": {
    change: {
      owner_filters: { entity_seller_name: ["QUILLHAVEN_HOMES"] },
      event_filters: { event_names: ["LISTED_RENT"] },
    },
    at: "event_filters.event_names",
    value: ["LISTED_RENT"],
    service: "finds nothing",
  },
  "full-history-needs-events": {
    change: { event_filters: { include_events: 0, include_full_event_history: 1 } },
    at: "event_filters.include_events",
    value: 0,
    service: "value_error",
  },
  "property-filters-min-beds-not-above-property-filters-max-beds": reversedIn(
    "property_filters",
    "min_beds",
    3,
    "max_beds",
    2,
  ),
  "property-filters-min-baths-not-above-property-filters-max-baths": reversedIn(
    "property_filters",
    "min_baths",
    2.5,
    "max_baths",
    2,
  ),
  "property-filters-min-sqft-not-above-property-filters-max-sqft": reversedIn(
    "property_filters",
    "min_sqft",
    901,
    "max_sqft",
    900,
  ),
  "property-filters-min-year-built-not-above-property-filters-max-year-built": reversedIn(
    "property_filters",
    "min_year_built",
    2001,
    "max_year_built",
    2000,
  ),
  "property-filters-min-record-added-date-not-above-property-filters-max-record-added-date": reversedIn(
    "property_filters",
    "min_record_added_date",
    "2025-02-02",
    "max_record_added_date",
    "2025-02-01",
  ),
  "event-filters-min-event-date-not-above-event-filters-max-event-date": reversedIn(
    "event_filters",
    "min_event_date",
    "2025-02-02",
    "max_event_date",
    "2025-02-01",
  ),
  "event-filters-min-price-not-above-event-filters-max-price": reversedIn(
    "event_filters",
    "min_price",
    2,
    "max_price",
    1,
  ),
  "event-filters-min-record-updated-date-not-above-event-filters-max-record-updated-date": reversedIn(
    "event_filters",
    "min_record_updated_date",
    "2025-02-02",
    "max_record_updated_date",
    "2025-02-01",
  ),
};
