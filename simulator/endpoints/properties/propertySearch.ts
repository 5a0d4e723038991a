import { TRACKING_BASELINE } from "../../../relayer/service/schemas/recordTracking.ts";
import type { PropertyRecord } from "../../world/properties.ts";
import type { World } from "../../world/world.ts";
import { itemsAnswer } from "../answers/itemsAnswer.ts";
import { takePage } from "../answers/takePage.ts";
import { worldNow } from "../series/marketRows.ts";
import type { DataSource, ValuesOf } from "../simulatedEndpoint.ts";
import { isFlagged } from "./isFlagged.ts";
import { isWithin } from "./isWithin.ts";

type SearchValues = ValuesOf<"property/search">;

/** Properties of one market by what they are now, by id. */
export const propertySearch: DataSource<SearchValues> = {
  answer(request, service) {
    const found = takePage(propertiesFound(worldNow(request, service), request.values), request.page);
    return itemsAnswer({ count: found.length, chargedFor: "property", records: () => found }, request, service);
  },
};

function* propertiesFound(world: World, values: SearchValues): Generator<PropertyRecord> {
  const market = world.market(values.svc_id);
  if (!market) return;
  const owner = values.current_entity_owner_name;
  const candidates = owner === undefined ? {} : { operators: [owner] };
  for (const { record } of world.properties.inMarket(market, candidates)) if (matches(record, values)) yield record;
}

/** Flags that are filters of the same name. */
const FLAGS = [
  "event_history_sale_flag",
  "event_history_rental_flag",
  "event_history_listing_flag",
  "current_new_construction_flag",
  "current_owner_occupied_flag",
  "current_investor_owned_flag",
  "current_on_market_flag",
  "current_on_market_rental_flag",
  "has_pool",
] as const satisfies readonly (keyof SearchValues & keyof PropertyRecord)[];

/** Figures that are bounded by `_min` and `_max`. */
const FIGURES = ["bedrooms", "bathrooms", "square_footage", "year_built"] as const;

function matches(record: PropertyRecord, values: SearchValues): boolean {
  const { property_type: type, current_entity_owner_name: owner } = values;
  const { record_added_date_start: from = TRACKING_BASELINE, record_added_date_end: to } = values;
  return (
    (type === "ALL_PROPERTIES" || record.property_type === type) &&
    (owner === undefined || record.current_entity_owner_name === owner) &&
    FLAGS.every((name) => isFlagged(record[name], values[name])) &&
    FIGURES.every((name) => isWithin(record[name], values[`${name}_min`], values[`${name}_max`])) &&
    isWithin(record.record_added_date, from, to)
  );
}
