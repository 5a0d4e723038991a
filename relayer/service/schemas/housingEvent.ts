import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { flag } from "./flag.ts";
import { identifier } from "./identifier.ts";
import { money, quantity } from "./quantity.ts";

const text = z.string().nullish();

/** What v1 and v2 say of an event alike (specification, housing event record). The service omits events that are null. */
export const housingEventFields = {
  event_date: calendarDate.nullish(),
  event_type: text.describe("SALE, LISTING or RENTAL; see isTransfer, isForSaleListingEvent, isRentalListingEvent"),
  event_name: text.describe("such as SOLD or LISTED_RENT; see isArmsLengthSale, isNonArmsLengthTransfer"),
  price: money.nullish().describe("USD; null: withheld; 0: a transfer without a price; see hasDisclosedPrice"),
  owner_occupied_flag: flag.describe("1: owner-occupied then"),
  new_construction_flag: flag.describe("1: newly built then"),
  investor_flag: flag.describe("1: an investor, named or not, owned it then; null: not known"),
  entity_owner_name: text.describe("large-scale operator that owned it then; null: none, or not a tracked one"),
  current_owner_flag: flag.describe("1: who is listed as owner owned it then"),
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
