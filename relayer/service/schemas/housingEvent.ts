import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { flag } from "./flag.ts";
import { identifier } from "./identifier.ts";
import { money, quantity } from "./quantity.ts";

const text = z.string().nullish();

/** What v1 and v2 say of an event alike (specification, housing event record). The service omits events that are null. */
export const housingEventFields = {
  event_date: calendarDate.nullish(),
  event_type: text.describe("SALE, LISTING or RENTAL"),
  event_name: text.describe("such as SOLD or LISTED_RENT; its class is told by isArmsLengthSale and isTransfer"),
  price: money.nullish().describe("USD; null: not disclosed; 0: a transfer without a price"),
  owner_occupied_flag: flag.describe("1: owner-occupied at the time of the event"),
  new_construction_flag: flag.describe("1: new construction at the time of the event"),
  investor_flag: flag.describe("any investor, named or not, at the time of the event; null: not known"),
  entity_owner_name: text.describe("large-scale operator that owned it then; null: none, or not a tracked one"),
  current_owner_flag: flag.describe("1: who owned it then still does"),
  transfer_index: quantity.nullish().describe("transfers (any SALE) of the property up to this date"),
  true_sale_index: quantity.nullish().describe("genuine sales (SOLD) of the property up to this date"),
  record_updated_date: calendarDate
    .nullish()
    .describe("when tracking last saw the record change; 2024-12-13: before tracking began"),
};

/** An event of the history of v1: each says whose it is. */
export const housingEvent = z.looseObject({
  svc_property_id: identifier.describe("property id"),
  ...housingEventFields,
});

/** An event of v2, inside its property. */
export const nestedHousingEvent = z.looseObject({
  ...housingEventFields,
  entity_seller_name: text.describe("large-scale operator that sold it; null on every event that is no sale"),
});
