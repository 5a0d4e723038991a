import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPERATOR_NAMES } from "../../../simulator/world/inventedNames.ts";
import type { Property } from "../../../simulator/world/properties.ts";
import { propertyMetadata } from "../../../simulator/world/propertyAnswers.ts";
import { propertyIdOf, propertyPlaceOf } from "../../../simulator/world/propertyId.ts";
import { PROPERTY_TYPES } from "../../../simulator/world/segments.ts";
import { always, anyMarketOfWorld, requireMarket, testWorld } from "./worldsUnderTest.ts";

const world = testWorld("first");
const MIAMI_BEACH = 5353022n;
const CHICAGO = 5387853n;
const USA = 5826765n;

const inMarket = (marketId: bigint) => [...world.properties.inMarket(requireMarket(world, marketId))];
const everywhere = inMarket(USA);

/** The highest count of anything that holds in a share of all properties. */
const count = (holds: (property: Property) => boolean) => everywhere.filter(holds).length;

describe("property ids", () => {
  const anyPlace = fc.record({
    zipCode: fc.nat({ max: 99_999 }).map((code) => String(code).padStart(5, "0")),
    index: fc.nat({ max: 511 }),
  });

  it("lead back to the place that they were made from, and have eight or nine digits", () => {
    always(
      anyPlace,
      (place) => {
        const id = propertyIdOf(place);
        expect(String(id)).toMatch(/^\d{8,9}$/);
        expect(propertyPlaceOf(id)).toEqual(place);
      },
      3_000,
    );
    for (const place of [
      { zipCode: "00000", index: 0 },
      { zipCode: "99999", index: 511 },
    ]) {
      expect(propertyPlaceOf(propertyIdOf(place))).toEqual(place);
    }
  });

  it("stand for a place only if they were made from it", () => {
    always(
      fc.bigInt({ min: -10n, max: 250_000_000n }),
      (id) => {
        const place = propertyPlaceOf(id);
        if (place) expect(propertyIdOf(place)).toBe(id);
      },
      3_000,
    );
    expect(propertyPlaceOf(0n)).toBeUndefined();
    expect(propertyPlaceOf(9_999_999n)).toBeUndefined();
    expect(propertyPlaceOf(2n ** 63n)).toBeUndefined();
  });

  it("are refused for places that cannot be", () => {
    expect(() => propertyIdOf({ zipCode: "1234", index: 0 })).toThrow("ZIP code 1234");
    expect(() => propertyIdOf({ zipCode: "12345", index: 512 })).toThrow("property 512");
  });
});

describe("the properties of a market", () => {
  it("are 20 to 400 in a ZIP code, and all of a market's ZIP codes together", () => {
    for (const zipCode of world.geography.zipCodes) {
      const { length } = inMarket(zipCode.market.marketId);
      expect(length).toBeGreaterThanOrEqual(20);
      expect(length).toBeLessThanOrEqual(400);
    }
    always(
      anyMarketOfWorld,
      ({ world, market }) => {
        const ids = [...world.properties.inMarket(market)].map(({ record }) => record.svc_property_id);
        const zipCodes = world.geography.zipCodesOf(market.marketId);
        const parts = zipCodes.flatMap((zipCode) =>
          [...world.properties.ofZipCode(zipCode)].map(({ record }) => record.svc_property_id),
        );
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(parts.sort((a, b) => (a < b ? -1 : 1)));
      },
      12,
    );
  });

  it("come by ascending id, the same ones that their ids give", () => {
    const properties = inMarket(CHICAGO);
    expect(properties.length).toBeGreaterThan(100);
    for (const property of properties) {
      expect(world.properties.byId(property.record.svc_property_id)).toEqual(property);
    }
    expect(world.properties.byId(1n)).toBeUndefined();
    // The ZIP code exists; the property does not.
    expect(world.properties.byId(propertyIdOf({ zipCode: "60614", index: 511 }))).toBeUndefined();
    expect(world.properties.byId(propertyIdOf({ zipCode: "00001", index: 0 }))).toBeUndefined();
  });

  it("lie in the markets that their records name", () => {
    for (const { record } of inMarket(MIAMI_BEACH)) {
      expect(record).toMatchObject({
        city: "MIAMI BEACH",
        state_abbreviation: "FL",
        county: "Miami-Dade County",
        city_svc_id: MIAMI_BEACH,
        cbsa_svc_id: 2900128n,
      });
      expect(world.market(record.zip_svc_id)?.name).toBe(record.zip_code);
      expect(world.market(record.county_svc_id)?.name).toBe(record.county);
      expect(world.market(record.cbsa_svc_id)?.name).toBe(record.cbsa);
    }
  });

  it("of operators are all found where only those operators' ZIP codes are searched", () => {
    for (const name of OPERATOR_NAMES.slice(0, 4)) {
      const isTheirs = ({ record, events }: Property) =>
        record.current_entity_owner_name === name ||
        events.some(({ entity_owner_name, entity_seller_name }) =>
          [entity_owner_name, entity_seller_name].includes(name),
        );
      const narrowed = [...world.properties.inMarket(requireMarket(world, USA), { operators: [name] })];
      expect(narrowed.filter(isTheirs)).toEqual(everywhere.filter(isTheirs));
      expect(narrowed.length).toBeLessThan(everywhere.length);
      expect(narrowed.filter(isTheirs).length).toBeGreaterThan(0);
    }
    expect([...world.properties.inMarket(requireMarket(world, USA), { operators: ["NOBODY"] })]).toEqual([]);
  });

  it("around a point are those within the radius", () => {
    const [middle] = inMarket(CHICAGO);
    if (!middle) throw new Error("no property");
    const { latitude, longitude } = middle.record;
    const within = (radiusMiles: number) => [...world.properties.around({ latitude, longitude, radiusMiles })];
    const near = within(1.5);
    expect(near.map(({ record }) => record.svc_property_id)).toContain(middle.record.svc_property_id);
    // One degree of latitude is 69.1 miles, one of longitude there 51.4.
    const isNear = ({ record }: Property) =>
      Math.hypot((record.latitude - latitude) * 69.1, (record.longitude - longitude) * 51.4) <= 1.5;
    const expected = everywhere.filter(isNear).length;
    expect(Math.abs(near.length - expected)).toBeLessThanOrEqual(Math.ceil(expected / 50));
    expect(within(10).length).toBeGreaterThan(near.length);
    expect([...world.properties.around({ latitude: 0, longitude: 0, radiusMiles: 10 })]).toEqual([]);
  });
});

describe("a property record", () => {
  const FIELDS = [
    "svc_property_id",
    "address",
    "unit",
    "city",
    "zip_code",
    "state_abbreviation",
    "county",
    "cbsa",
    "latitude",
    "longitude",
    "property_type",
    "bedrooms",
    "bathrooms",
    "square_footage",
    "year_built",
    "cbsa_svc_id",
    "county_svc_id",
    "city_svc_id",
    "zip_svc_id",
    "event_count",
    "event_history_sale_flag",
    "event_history_rental_flag",
    "event_history_listing_flag",
    "current_new_construction_flag",
    "current_owner_occupied_flag",
    "current_investor_owned_flag",
    "current_entity_owner_name",
    "current_on_market_flag",
    "current_on_market_rental_flag",
    "has_pool",
    "record_added_date",
  ];

  it("has the fields of the specification in its order, and plausible values", () => {
    for (const { record } of everywhere.slice(0, 4_000)) {
      expect(Object.keys(record)).toEqual(FIELDS);
      expect(record.zip_code).toMatch(/^\d{5}$/);
      expect(record.address).toMatch(/^\d+ [A-Z ]+ [A-Z]{2,4}$/);
      expect(record.unit === null).toBe(record.property_type !== "CONDO");
      expect(PROPERTY_TYPES).toContain(record.property_type);
      expect(record.bedrooms).toBeGreaterThanOrEqual(1);
      expect(record.bathrooms * 2).toBe(Math.round(record.bathrooms * 2));
      expect(record.bathrooms).toBeGreaterThanOrEqual(1);
      expect(record.square_footage).toBeGreaterThanOrEqual(400);
      expect(record.square_footage).toBeLessThanOrEqual(5_000);
      expect(record.year_built).toBeGreaterThanOrEqual(1900);
      expect(record.year_built).toBeLessThanOrEqual(2025);
      expect(JSON.stringify(record.latitude)).toMatch(/^-?\d+(\.\d{1,6})?$/);
      expect(record.record_added_date >= "2024-12-13").toBe(true);
      expect(record.record_added_date <= world.asOf).toBe(true);
      expect(record.current_on_market_rental_flag !== null && record.property_type !== "SINGLE_FAMILY").toBe(false);
      if (record.current_entity_owner_name !== null) {
        expect(record.current_entity_owner_name).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
        expect(record.current_investor_owned_flag).toBe(1);
        expect(["SINGLE_FAMILY", "TOWNHOUSE"]).toContain(record.property_type);
      }
      expect(record.current_investor_owned_flag + record.current_owner_occupied_flag).toBeLessThanOrEqual(1);
      expect(record.current_investor_owned_flag + record.current_new_construction_flag).toBeLessThanOrEqual(1);
    }
  });

  it("comes with every value of every flag, type and kind of owner somewhere", () => {
    expect(everywhere.length).toBeGreaterThan(5_000);
    for (const flag of [
      "event_history_sale_flag",
      "event_history_rental_flag",
      "event_history_listing_flag",
      "current_new_construction_flag",
      "current_owner_occupied_flag",
      "current_investor_owned_flag",
      "current_on_market_flag",
      "has_pool",
    ] as const) {
      for (const value of [0, 1]) {
        expect(
          count(({ record }) => record[flag] === value),
          `${flag} ${value}`,
        ).toBeGreaterThan(30);
      }
    }
    for (const value of [0, 1, null]) {
      const isIt = ({ record }: Property) =>
        record.property_type === "SINGLE_FAMILY" && record.current_on_market_rental_flag === value;
      expect(count(isIt)).toBeGreaterThan(20);
    }
    for (const type of PROPERTY_TYPES)
      expect(count(({ record }) => record.property_type === type)).toBeGreaterThan(100);
    for (const name of OPERATOR_NAMES) {
      expect(count(({ record }) => record.current_entity_owner_name === name)).toBeGreaterThan(5);
    }
    expect(count(({ record }) => record.bathrooms % 1 === 0.5)).toBeGreaterThan(100);
    const added = count(({ record }) => record.record_added_date === "2024-12-13");
    expect(added).toBeGreaterThan(0.9 * everywhere.length);
    expect(added).toBeLessThan(everywhere.length);
    expect(count(({ record }) => record.year_built === 2025)).toBeGreaterThan(20);
  });

  it("is there from the day it was added on, or from the beginning", () => {
    const later = everywhere.filter(({ record }) => record.record_added_date > "2025-06-01").slice(0, 40);
    expect(later.length).toBe(40);
    for (const { record } of later) {
      const dayBefore = new Date(Date.parse(record.record_added_date) - 86_400_000).toISOString().slice(0, 10);
      expect(world.on(record.record_added_date).properties.byId(record.svc_property_id)).toBeDefined();
      expect(world.on(dayBefore).properties.byId(record.svc_property_id)).toBeUndefined();
    }
    const earlier = [...world.on("2015-01-01").properties.inMarket(requireMarket(world, MIAMI_BEACH))];
    expect(earlier.length).toBeGreaterThan(20);
    for (const { record } of earlier) expect(record.year_built).toBeLessThanOrEqual(2015);
  });

  it("has other names in version 2, and the same values", () => {
    const [property] = inMarket(CHICAGO).filter(({ record }) => record.unit !== null);
    if (!property) throw new Error("no condo");
    const { record } = property;
    const metadata = propertyMetadata(record);
    expect(Object.keys(metadata).slice(0, 9)).toEqual([
      "bathrooms",
      "bedrooms",
      "sq_ft",
      "year_built",
      "property_type",
      "address1",
      "address2",
      "city",
      "state",
    ]);
    expect(metadata).toMatchObject({
      sq_ft: record.square_footage,
      address1: record.address,
      address2: record.unit,
      zip5: record.zip_code,
      state: "IL",
      city_name: "CHICAGO",
      county_name: record.county,
      metro_name: record.cbsa,
      has_pool: record.has_pool,
      current_on_market_rental_flag: null,
      record_added_date: record.record_added_date,
    });
  });
});
