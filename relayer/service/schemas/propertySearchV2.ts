import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { requestedBit, requestedSwitch } from "./flag.ts";
import { nestedHousingEvent } from "./housingEvent.ts";
import { identifier, requestedIdentifiers } from "./identifier.ts";
import { offsetParameter, pageSizeParameter } from "./page.ts";
import { propertyRecord } from "./propertyRecord.ts";
import { PROPERTY_TYPES } from "./vocabulary.ts";

const whole = z.int().min(0).optional();
const number = z.number().min(0).optional();
const date = calendarDate.optional();
const yesOrNo = requestedSwitch.optional();
const bit = requestedBit.optional();
const names = z
  .array(z.string().regex(/^[A-Z][A-Z0-9_]*$/, "must be an upper-case name such as SOLD"))
  .min(1)
  .optional();

/** Where the fields stand that the specification lists without a place is what public clients send. */
export const propertySearchV2Request = z.strictObject({
  svc_property_ids: requestedIdentifiers.optional().describe("scope: these properties"),
  svc_ids: requestedIdentifiers.optional().describe("scope: whole markets"),
  geo_coordinates: z
    .strictObject({
      latitude: z.number().min(-90).max(90).describe("decimal degrees"),
      longitude: z.number().min(-180).max(180).describe("decimal degrees"),
      radius: z.number().positive().describe("miles"),
    })
    .optional()
    .describe("scope: a circle"),
  property_filters: z
    .strictObject({
      property_types: z.array(z.enum(PROPERTY_TYPES)).min(1).optional(),
      min_beds: whole,
      max_beds: whole,
      min_baths: number,
      max_baths: number,
      min_sqft: whole,
      max_sqft: whole,
      min_year_built: whole,
      max_year_built: whole,
      current_on_market_flag: bit,
      current_on_market_rental_flag: bit,
      current_new_construction_flag: bit,
      current_owner_occupied_flag: bit,
      current_investor_owned_flag: bit,
      has_pool: yesOrNo.describe("false: nothing says that it has a pool"),
      current_entity_owner_name: z.string().min(1).optional().describe("large-scale operator that owns it now"),
      min_record_added_date: date.describe("inclusive; 2024-12-13 when left out"),
      max_record_added_date: date.describe("inclusive"),
      include_property_details: bit.describe("1: everything about the property; 0: ids and events only"),
    })
    .optional(),
  event_filters: z
    .strictObject({
      event_names: names.describe("names of records; LISTING_PRICE_CHANGE, RENTAL_PRICE_CHANGE, ALL_SOLD"),
      min_event_date: date,
      max_event_date: date,
      min_price: number.describe("USD"),
      max_price: number.describe("USD"),
      is_new_construction: yesOrNo,
      min_record_updated_date: date.describe("inclusive; 2024-12-13 when left out"),
      max_record_updated_date: date.describe("inclusive"),
      include_events: bit.describe("1: events that match the filters; 0: properties only"),
      include_full_event_history: bit.describe("1: every event of a property; 0: those that match"),
    })
    .optional(),
  owner_filters: z
    .strictObject({
      owner_name: names.describe("large-scale operators that own it, or owned it"),
      entity_seller_name: names.describe("large-scale operators that sold it"),
      is_current_owner: yesOrNo,
      is_investor_owned: yesOrNo,
      is_owner_occupied: yesOrNo,
    })
    .optional(),
  query_type: z.string().min(1).optional().describe("the beta engine's; property_events in a sample"),
  limit: pageSizeParameter,
  offset: offsetParameter,
});

/**
 * What v2 says of a property, under the names of its own answers. Those that public clients saw are here; what the
 * property record of v1 calls otherwise is kept as it comes.
 */
export const propertyMetadata = propertyRecord
  .omit({ svc_property_id: true })
  .extend({
    sq_ft: propertyRecord.shape.square_footage,
    address1: propertyRecord.shape.address,
    address2: propertyRecord.shape.unit,
    state: propertyRecord.shape.state_abbreviation,
    zip5: propertyRecord.shape.zip_code,
    city_name: propertyRecord.shape.city,
    county_name: propertyRecord.shape.county,
    metro_name: propertyRecord.shape.cbsa,
  })
  .describe("the property; absent without include_property_details");

/** A property of v2, with the events that were asked for. */
export const propertyWithEvents = z.looseObject({
  svc_property_id: identifier.describe("property id"),
  property_metadata: propertyMetadata.nullish(),
  events: z.array(nestedHousingEvent).nullish().describe("newest first; absent without include_events"),
});
