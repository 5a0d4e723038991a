import { valueAt } from "../latestResponseFields.ts";
import { asksForSales } from "../schemas/housingEventNames.ts";
import type { RequestRule } from "./requestRule.ts";

/** The seller is null on every event that is no sale, so that a filter by seller asks for sales (specification, rule 3 of v2). */
export const sellerNeedsSale: RequestRule = {
  name: "seller-needs-sale-event",
  statement: "`owner_filters.entity_seller_name` goes with at least one SALE event in `event_filters.event_names`.",
  findsNothing: true,
  breach(request) {
    const seller = valueAt(request, "owner_filters.entity_seller_name");
    if (seller === undefined) return undefined;
    const names = valueAt(request, "event_filters.event_names");
    if (Array.isArray(names) && names.some((name) => asksForSales(String(name)))) return undefined;
    return {
      at: "event_filters.event_names",
      value: names,
      message: "names no SALE event, and only those have a seller: add ALL_SOLD, SOLD or another",
    };
  },
};
