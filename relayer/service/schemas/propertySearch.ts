import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { requestedSwitch } from "./flag.ts";
import { requestedIdentifier } from "./identifier.ts";
import { offsetParameter, pageSizeParameter } from "./page.ts";
import { PROPERTY_TYPES } from "./vocabulary.ts";

const count = z.int().min(0).optional();
const yesOrNo = requestedSwitch.optional();

/** Property search of v1: of one market, by what a property is now. */
export const propertySearchRequest = z.strictObject({
  svc_id: requestedIdentifier.describe("market id"),
  property_type: z.enum(PROPERTY_TYPES),
  bedrooms_min: count,
  bedrooms_max: count,
  bathrooms_min: count,
  bathrooms_max: count,
  square_footage_min: count,
  square_footage_max: count,
  year_built_min: count,
  year_built_max: count,
  event_history_sale_flag: yesOrNo,
  event_history_rental_flag: yesOrNo,
  event_history_listing_flag: yesOrNo,
  current_new_construction_flag: yesOrNo,
  current_owner_occupied_flag: yesOrNo,
  current_investor_owned_flag: yesOrNo,
  current_on_market_flag: yesOrNo,
  current_on_market_rental_flag: yesOrNo,
  has_pool: yesOrNo,
  current_entity_owner_name: z.string().min(1).optional().describe("large-scale operator that owns it now"),
  record_added_date_start: calendarDate.optional().describe("inclusive; 2024-12-13 when left out"),
  record_added_date_end: calendarDate.optional().describe("inclusive"),
  limit: pageSizeParameter,
  offset: offsetParameter,
});
