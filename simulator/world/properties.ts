import type { MarketRecord } from "../marketTable.ts";
import { dateText } from "./calendarPeriods.ts";
import { RECORD_TRACKING_START } from "./dataStarts.ts";
import { milesBetween } from "./distance.ts";
import type { Geography, ZipCode } from "./geography.ts";
import { type HousingEvent, investorFlag, type PropertyHistory, propertyHistory } from "./housingEvents.ts";
import { LeastRecentlyUsed } from "./leastRecentlyUsed.ts";
import type { PriceLevels } from "./priceLevels.ts";
import { type PropertyAttributes, propertyAttributes, type ZipCharacter, zipCharacter } from "./propertyAttributes.ts";
import { propertyIdOf, propertyPlaceOf } from "./propertyId.ts";
import type { Randomness } from "./randomness.ts";
import type { PropertyType } from "./segments.ts";

/** A property as property search and address search answer it, its fields in the order of the specification. */
export type PropertyRecord = {
  readonly svc_property_id: bigint;
  readonly address: string;
  readonly unit: string | null;
  readonly city: string;
  readonly zip_code: string;
  readonly state_abbreviation: string;
  readonly county: string;
  readonly cbsa: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly property_type: PropertyType;
  readonly bedrooms: number;
  readonly bathrooms: number;
  readonly square_footage: number;
  readonly year_built: number;
  readonly cbsa_svc_id: bigint;
  readonly county_svc_id: bigint;
  readonly city_svc_id: bigint;
  readonly zip_svc_id: bigint;
  readonly event_count: number;
  readonly event_history_sale_flag: 0 | 1;
  readonly event_history_rental_flag: 0 | 1;
  readonly event_history_listing_flag: 0 | 1;
  readonly current_new_construction_flag: 0 | 1;
  readonly current_owner_occupied_flag: 0 | 1;
  readonly current_investor_owned_flag: 0 | 1;
  readonly current_entity_owner_name: string | null;
  readonly current_on_market_flag: 0 | 1;
  readonly current_on_market_rental_flag: 0 | 1 | null;
  readonly has_pool: 0 | 1;
  readonly record_added_date: string;
  /** Only in answers to address lookups that supply one. */
  readonly source_id?: string;
};

/** A property's record with its events, newest first. */
export type Property = { readonly record: PropertyRecord; readonly events: readonly HousingEvent[] };

/** A point and how far around it, in decimal degrees and miles. */
export type Surroundings = { readonly latitude: number; readonly longitude: number; readonly radiusMiles: number };

/** Which of a market's properties can be meant; narrows a search down before any record is made. */
export type Candidates = {
  /** Only where one of these operators owns, or has owned, houses: all of theirs are found, and others' too. */
  readonly operators?: readonly string[] | undefined;
};

const PROPERTIES_KEPT = 2_048;

/** The properties of a world on one day. */
export class Properties {
  readonly #geography: Geography;
  readonly #lastDay: number;
  readonly #characterOf: (zipCode: ZipCode) => ZipCharacter;
  readonly #kept: LeastRecentlyUsed<bigint, Property | undefined>;

  /** The present is `lastDay`, in days since 1970-01-01. */
  constructor(geography: Geography, levels: PriceLevels, world: Randomness, lastDay: number) {
    this.#geography = geography;
    this.#lastDay = lastDay;
    // All are kept: ids in ascending order visit the ZIP codes of a market in turn, again and again.
    const characters = new Map<ZipCode, ZipCharacter>();
    this.#characterOf = (zipCode) => {
      const character = characters.get(zipCode) ?? zipCharacter(zipCode, levels, world);
      characters.set(zipCode, character);
      return character;
    };
    this.#kept = new LeastRecentlyUsed((propertyId) => this.#make(propertyId), PROPERTIES_KEPT);
  }

  /** The property of an id, or `undefined` where there is none. */
  byId(propertyId: bigint): Property | undefined {
    return this.#kept.get(propertyId);
  }

  /** The properties of a market by id, ascending; each is made when it is reached, and none is kept. */
  *inMarket(market: MarketRecord, { operators }: Candidates = {}): Generator<Property> {
    const zipCodes = this.#geography.zipCodesOf(market.marketId);
    yield* this.#inZipCodes(
      operators === undefined
        ? zipCodes
        : zipCodes.filter((zipCode) => this.#characterOf(zipCode).operators.some((name) => operators.includes(name))),
    );
  }

  /** The properties within some miles of a point by id, ascending. */
  *around({ latitude, longitude, radiusMiles }: Surroundings): Generator<Property> {
    const reach = radiusMiles + FARTHEST_FROM_MIDDLE_MILES;
    const near = this.#geography.zipCodes.filter((zipCode) => milesBetween({ latitude, longitude }, zipCode) <= reach);
    for (const property of this.#inZipCodes(near)) {
      if (milesBetween({ latitude, longitude }, property.record) <= radiusMiles) yield property;
    }
  }

  /** The properties of one ZIP code by their number there. */
  *ofZipCode(zipCode: ZipCode): Generator<Property> {
    for (let index = 0; index < zipCode.propertySlots; index += 1) {
      const property = this.#at(zipCode, index);
      if (property) yield property;
    }
  }

  *#inZipCodes(zipCodes: readonly ZipCode[]): Generator<Property> {
    // Ids fit 32 bits; numbers in one block sort fast and take little room, even the ids of the whole nation.
    const ids = new Uint32Array(zipCodes.reduce((sum, { propertySlots }) => sum + propertySlots, 0));
    let next = 0;
    for (const { code, propertySlots } of zipCodes) {
      for (let index = 0; index < propertySlots; index += 1) {
        ids[next++] = Number(propertyIdOf({ zipCode: code, index }));
      }
    }
    for (const id of ids.sort()) {
      const property = this.#make(BigInt(id));
      if (property) yield property;
    }
  }

  #make(propertyId: bigint): Property | undefined {
    const place = propertyPlaceOf(propertyId);
    const zipCode = place && this.#geography.zipCode(place.zipCode);
    return zipCode && place.index < zipCode.propertySlots ? this.#at(zipCode, place.index) : undefined;
  }

  #at(zipCode: ZipCode, index: number): Property | undefined {
    const character = this.#characterOf(zipCode);
    const attributes = propertyAttributes(zipCode, character, index);
    if (!this.#isThere(attributes)) return undefined;
    const history = propertyHistory(attributes, character, this.#lastDay);
    return { record: recordOf(attributes, history), events: history.events.toReversed() };
  }

  /** What is not built, or was added to the records only later, is not there yet. */
  #isThere({ addedDay, firstDay }: PropertyAttributes): boolean {
    return firstDay <= this.#lastDay && (addedDay === RECORD_TRACKING_START || addedDay <= this.#lastDay);
  }
}

/** Properties lie within 0.015 degrees of the middle of their ZIP code, both ways. */
const FARTHEST_FROM_MIDDLE_MILES = 2;

function recordOf(attributes: PropertyAttributes, { events, state }: PropertyHistory): PropertyRecord {
  const { zipCode } = attributes;
  const hasEvent = (type: HousingEvent["event_type"]) => flag(events.some(({ event_type }) => event_type === type));
  return {
    svc_property_id: attributes.propertyId,
    address: attributes.address,
    unit: attributes.unit,
    city: cityName(zipCode.city),
    zip_code: zipCode.code,
    state_abbreviation: zipCode.state.abbreviation,
    county: zipCode.county.name,
    cbsa: zipCode.metro.name,
    latitude: attributes.latitude,
    longitude: attributes.longitude,
    property_type: attributes.propertyType,
    bedrooms: attributes.bedrooms,
    bathrooms: attributes.bathrooms,
    square_footage: attributes.squareFootage,
    year_built: attributes.yearBuilt,
    cbsa_svc_id: zipCode.metro.marketId,
    county_svc_id: zipCode.county.marketId,
    city_svc_id: zipCode.city.marketId,
    zip_svc_id: zipCode.market.marketId,
    event_count: events.length,
    event_history_sale_flag: hasEvent("SALE"),
    event_history_rental_flag: hasEvent("RENTAL"),
    event_history_listing_flag: hasEvent("LISTING"),
    current_new_construction_flag: flag(state.isNewConstruction),
    current_owner_occupied_flag: flag(state.owner.kind === "occupant"),
    current_investor_owned_flag: investorFlag(state.owner) ?? 0,
    current_entity_owner_name: state.owner.operator,
    current_on_market_flag: flag(state.isOnMarketForSale),
    current_on_market_rental_flag: rentalFlag(attributes.propertyType, { events, state }),
    has_pool: flag(attributes.hasPool),
    record_added_date: dateText(attributes.addedDay),
  };
}

/** Known of single-family homes only; and not of those whose owner is not known and that were never seen for rent. */
function rentalFlag(type: PropertyType, { events, state }: PropertyHistory): 0 | 1 | null {
  if (type !== "SINGLE_FAMILY") return null;
  const isUnknown = state.owner.kind === "unknown" && events.every(({ event_type }) => event_type !== "RENTAL");
  return isUnknown ? null : flag(state.isOnMarketForRent);
}

/** `MIAMI BEACH` of `Miami Beach City`. */
function cityName({ name }: MarketRecord): string {
  return name.replace(/ (?:City|Town|Village|Cdp|Borough|County)$/i, "").toUpperCase();
}

function flag(is: boolean): 0 | 1 {
  return is ? 1 : 0;
}
