import { TRACKING_BASELINE } from "../../../relayer/service/schemas/recordTracking.ts";
import type { HousingEvent } from "../../world/housingEvents.ts";
import type { Property, PropertyRecord } from "../../world/properties.ts";
import { isNamedBy } from "../../world/propertyAnswers.ts";
import type { ValuesOf } from "../simulatedEndpoint.ts";
import { isFlagged } from "./isFlagged.ts";
import { isWithin } from "./isWithin.ts";

type SearchValues = ValuesOf<"property_search/v2">;

/** A property that a search of v2 has found, with the events that it is to show. */
export type FoundProperty = Pick<Property, "record" | "events">;

/**
 * The property with its events as a search asks for them, or `undefined` when it is not found by it. What a property is
 * now, it has to be; and where the search says anything about events or their owners, one of its events has to be all of
 * that.
 */
export function findProperty({ record, events }: Property, values: SearchValues): FoundProperty | undefined {
  if (!isWanted(record, values.property_filters ?? {})) return undefined;
  const matching = asksForEvents(values) ? events.filter((event) => isEventWanted(event, values)) : events;
  if (matching.length === 0 && asksForEvents(values)) return undefined;
  return { record, events: values.event_filters?.include_full_event_history === 1 ? events : matching };
}

/** Operators that own, or have owned, everything that a search can find, or `undefined` when it names none. */
export function operatorsNamed({ owner_filters: owners, property_filters: now }: SearchValues) {
  const current = now?.current_entity_owner_name;
  return current === undefined ? (owners?.owner_name ?? owners?.entity_seller_name) : [current];
}

/** Flags of a property that are filters of the same name. */
const FLAGS = [
  "current_on_market_flag",
  "current_on_market_rental_flag",
  "current_new_construction_flag",
  "current_owner_occupied_flag",
  "current_investor_owned_flag",
  "has_pool",
] as const;

function isWanted(record: PropertyRecord, filters: NonNullable<SearchValues["property_filters"]>): boolean {
  const { property_types: types = ["ALL_PROPERTIES"], current_entity_owner_name: owner } = filters;
  const { min_record_added_date: from = TRACKING_BASELINE, max_record_added_date: to } = filters;
  return (
    (types.includes("ALL_PROPERTIES") || types.includes(record.property_type)) &&
    (owner === undefined || record.current_entity_owner_name === owner) &&
    FLAGS.every((name) => isFlagged(record[name], filters[name])) &&
    isWithin(record.bedrooms, filters.min_beds, filters.max_beds) &&
    isWithin(record.bathrooms, filters.min_baths, filters.max_baths) &&
    isWithin(record.square_footage, filters.min_sqft, filters.max_sqft) &&
    isWithin(record.year_built, filters.min_year_built, filters.max_year_built) &&
    isWithin(record.record_added_date, from, to)
  );
}

/** Fields of the event filters that say what is shown, not which events are meant. */
const INCLUDES = ["include_events", "include_full_event_history"];

function asksForEvents({ event_filters: events = {}, owner_filters: owners = {} }: SearchValues): boolean {
  return [...Object.keys(events), ...Object.keys(owners)].some((name) => !INCLUDES.includes(name));
}

function isEventWanted(
  event: HousingEvent,
  { event_filters: events = {}, owner_filters: owners = {} }: SearchValues,
): boolean {
  const { event_names: names, min_record_updated_date: from = TRACKING_BASELINE } = events;
  return (
    (names === undefined || names.some((name) => isNamedBy(name, event))) &&
    isWithin(event.event_date, events.min_event_date, events.max_event_date) &&
    isWithin(event.price, events.min_price, events.max_price) &&
    isFlagged(event.new_construction_flag, events.is_new_construction) &&
    isWithin(event.record_updated_date, from, events.max_record_updated_date) &&
    isOneOf(event.entity_owner_name, owners.owner_name) &&
    isOneOf(event.entity_seller_name, owners.entity_seller_name) &&
    isFlagged(event.current_owner_flag, owners.is_current_owner) &&
    isFlagged(event.investor_flag, owners.is_investor_owned) &&
    isFlagged(event.owner_occupied_flag, owners.is_owner_occupied)
  );
}

function isOneOf(name: string | null, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || (name !== null && wanted.includes(name));
}
