import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { EVENT_TYPES } from "./housingEventNames.ts";
import { requestedIdentifiers } from "./identifier.ts";

/** Events of properties, since January 2010. */
export const eventHistoryRequest = z.strictObject({
  svc_property_ids: requestedIdentifiers.describe("property ids"),
  event_type: z.enum([...EVENT_TYPES, "ALL"]).optional(),
  entity_owner_name: z.string().min(1).optional().describe("large-scale operator that owned it at the event"),
  start_date: calendarDate.optional().describe("first date of an event, inclusive"),
  end_date: calendarDate.optional().describe("last date of an event, inclusive"),
  record_updated_date_start: calendarDate.optional().describe("inclusive; 2024-12-13 when left out"),
  record_updated_date_end: calendarDate.optional().describe("inclusive"),
});
