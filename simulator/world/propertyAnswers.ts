import type { EventName, EventType, HousingEvent } from "./housingEvents.ts";
import type { PropertyRecord } from "./properties.ts";

/** An event as the event history (v1) answers it; the seller is for version 2 only. */
export type EventHistoryRecord = Omit<HousingEvent, "entity_seller_name">;

export function eventHistoryRecord(event: HousingEvent): EventHistoryRecord {
  const { entity_seller_name: _, ...record } = event;
  return record;
}

/** An event as property search v2 answers it, within its property, its fields in the order seen. */
export type PropertySearchEvent = Omit<HousingEvent, "svc_property_id">;

export function propertySearchEvent(event: HousingEvent): PropertySearchEvent {
  return {
    event_type: event.event_type,
    event_name: event.event_name,
    event_date: event.event_date,
    entity_owner_name: event.entity_owner_name,
    true_sale_index: event.true_sale_index,
    price: event.price,
    transfer_index: event.transfer_index,
    investor_flag: event.investor_flag,
    owner_occupied_flag: event.owner_occupied_flag,
    new_construction_flag: event.new_construction_flag,
    current_owner_flag: event.current_owner_flag,
    record_updated_date: event.record_updated_date,
    entity_seller_name: event.entity_seller_name,
  };
}

/** A property's details as property search v2 answers them, with the names and the order seen there. */
export type PropertyMetadata = {
  readonly bathrooms: number;
  readonly bedrooms: number;
  readonly sq_ft: number;
  readonly year_built: number;
  readonly property_type: string;
  readonly address1: string;
  readonly address2: string | null;
  readonly city: string;
  readonly state: string;
  readonly zip5: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly city_name: string;
  readonly county_name: string;
  readonly metro_name: string;
  readonly record_added_date: string;
  readonly current_on_market_flag: 0 | 1;
  readonly current_on_market_rental_flag: 0 | 1 | null;
  readonly current_new_construction_flag: 0 | 1;
  readonly current_owner_occupied_flag: 0 | 1;
  readonly current_investor_owned_flag: 0 | 1;
  readonly current_entity_owner_name: string | null;
  readonly has_pool: 0 | 1;
};

export function propertyMetadata(record: PropertyRecord): PropertyMetadata {
  return {
    bathrooms: record.bathrooms,
    bedrooms: record.bedrooms,
    sq_ft: record.square_footage,
    year_built: record.year_built,
    property_type: record.property_type,
    address1: record.address,
    address2: record.unit,
    city: record.city,
    state: record.state_abbreviation,
    zip5: record.zip_code,
    latitude: record.latitude,
    longitude: record.longitude,
    city_name: record.city,
    county_name: record.county,
    metro_name: record.cbsa,
    record_added_date: record.record_added_date,
    current_on_market_flag: record.current_on_market_flag,
    current_on_market_rental_flag: record.current_on_market_rental_flag,
    current_new_construction_flag: record.current_new_construction_flag,
    current_owner_occupied_flag: record.current_owner_occupied_flag,
    current_investor_owned_flag: record.current_investor_owned_flag,
    current_entity_owner_name: record.current_entity_owner_name,
    has_pool: record.has_pool,
  };
}

/** What version 2's filters call price changes; their answers say `PRICE_CHANGE` with the type of the event. */
const FILTER_NAMES: Readonly<Record<string, readonly [EventType, EventName]>> = {
  LISTING_PRICE_CHANGE: ["LISTING", "PRICE_CHANGE"],
  RENTAL_PRICE_CHANGE: ["RENTAL", "PRICE_CHANGE"],
};

/** Whether an event is one that a filter of property search v2 names: `SOLD`, `RENTAL_PRICE_CHANGE`, `ALL_SOLD`. */
export function isNamedBy(filterName: string, { event_type, event_name }: HousingEvent): boolean {
  if (filterName === "ALL_SOLD") return event_type === "SALE";
  const [type, name] = FILTER_NAMES[filterName] ?? [undefined, filterName];
  return event_name === name && (type === undefined || event_type === type);
}
