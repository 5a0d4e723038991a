import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { flag } from "./flag.ts";
import { identifier } from "./identifier.ts";
import { quantity } from "./quantity.ts";

const text = z.string().nullish();
const date = calendarDate.nullish();

/** A property (specification, property record). */
export const propertyRecord = z.looseObject({
  svc_property_id: identifier.nullish().describe("property id; null in an address search that found no property"),
  address: text,
  unit: text,
  city: text,
  zip_code: text.describe("the Census's ZIP code, not the postal one"),
  state_abbreviation: text.describe("two letters"),
  county: text,
  cbsa: text.describe("name of the metro area"),
  latitude: quantity.nullish().describe("decimal degrees"),
  longitude: quantity.nullish().describe("decimal degrees"),
  property_type: text.describe("SINGLE_FAMILY, CONDO, TOWNHOUSE or OTHER; see isSingleFamilyHome"),
  bedrooms: quantity.nullish(),
  bathrooms: quantity.nullish(),
  square_footage: quantity.nullish().describe("square feet"),
  year_built: quantity.nullish(),
  cbsa_svc_id: identifier.nullish().describe("market id of the metro area"),
  county_svc_id: identifier.nullish().describe("market id of the county"),
  city_svc_id: identifier.nullish().describe("market id of the city"),
  zip_svc_id: identifier.nullish().describe("market id of the ZIP code"),
  event_count: quantity.nullish().describe("events since 2010"),
  event_history_sale_flag: flag.describe("1: has been sold since 2010"),
  event_history_rental_flag: flag.describe("1: has been listed for rent since 2010"),
  event_history_listing_flag: flag.describe("1: has been listed for sale since 2010"),
  current_new_construction_flag: flag.describe("1: new construction now"),
  current_owner_occupied_flag: flag.describe("1: owner-occupied now"),
  current_investor_owned_flag: flag.describe("1: an investor, named or not, owns it now"),
  current_entity_owner_name: text.describe("large-scale operator that owns it now; null: none"),
  current_on_market_flag: flag.describe("1: listed for sale now, 0: not; updated daily"),
  current_on_market_rental_flag: flag.describe(
    "1: single-family home listed for rent now, 0: not, null: not known, or no single-family home",
  ),
  has_pool: flag.describe("1: has a pool, 0: nothing says that it has one"),
  record_added_date: date.describe("when tracking first saw the property; 2024-12-13: before tracking began"),
  source_id: text.describe("the caller's own id, given back by address search"),
});
