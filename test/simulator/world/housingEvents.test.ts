import { describe, expect, it } from "vitest";
import { EVENT_NAMES, type HousingEvent } from "../../../simulator/world/housingEvents.ts";
import { eventHistoryRecord, isNamedBy, propertySearchEvent } from "../../../simulator/world/propertyAnswers.ts";
import { STATES } from "../../../simulator/world/states.ts";
import { PRESENT, requireMarket, testWorld } from "./worldsUnderTest.ts";

const world = testWorld("first");
const USA = 5826765n;
const TRACKING = "2024-12-13";

/** Some thousand properties from everywhere, as ids say nothing of places, with their events oldest first. */
const histories = [...world.properties.inMarket(requireMarket(world, USA))]
  .slice(0, 4_000)
  .map(({ record, events }) => ({ record, events: events.toReversed() }));
const allEvents = histories.flatMap(({ events }) => events);

const isSale = ({ event_type }: HousingEvent) => event_type === "SALE";

describe("the events of a property", () => {
  it("have their fields, types and names", () => {
    const isSound = (event: HousingEvent) =>
      (EVENT_NAMES[event.event_type] as readonly string[]).includes(event.event_name) &&
      event.event_date >= "2010-01-01" &&
      event.event_date <= PRESENT &&
      [event.owner_occupied_flag, event.current_owner_flag, event.new_construction_flag].every(
        (flag) => flag === 0 || flag === 1,
      ) &&
      [0, 1, null].includes(event.investor_flag) &&
      (event.price === null || Number.isSafeInteger(event.price));
    expect(allEvents.filter((event) => !isSound(event))).toEqual([]);
    for (const [type, names] of Object.entries(EVENT_NAMES)) {
      for (const name of names) {
        const those = allEvents.filter((event) => event.event_type === type && event.event_name === name);
        expect(those.length, `${type} ${name}`).toBeGreaterThan(10);
      }
    }
  });

  it("come newest first, no two on one day", () => {
    for (const { events } of histories) {
      const dates = events.map(({ event_date }) => event_date);
      expect(dates).toEqual([...new Set(dates)].sort());
    }
    const [property] = world.properties.inMarket(requireMarket(world, USA));
    const dates = property?.events.map(({ event_date }) => event_date) ?? [];
    expect(dates).toEqual(dates.toSorted().reverse());
  });

  it("follow one another: listed, changed, pending, sold; listed for rent, changed, let", () => {
    const inARow: Record<string, readonly string[]> = {
      // After each event, those that may come next; a listing may end the history, where it is still open.
      LISTED_SALE: ["PRICE_CHANGE", "LISTING_REMOVED", "PENDING_SALE", "OTHER"],
      PRICE_CHANGE: ["PRICE_CHANGE", "LISTING_REMOVED", "PENDING_SALE", "OTHER"],
      RELISTED: ["PENDING_SALE", "OTHER"],
      OTHER: ["PENDING_SALE"],
      PENDING_SALE: ["SOLD"],
      LISTED_RENT: ["RENT_CHANGE", "DELISTED_FOR_RENT"],
      RENT_CHANGE: ["DELISTED_FOR_RENT"],
    };
    const opening = new Set(["LISTED_SALE", "RELISTED", "LISTED_RENT", ...EVENT_NAMES.SALE]);
    for (const { events } of histories) {
      const names = events.map((event) =>
        event.event_type === "RENTAL" && event.event_name === "PRICE_CHANGE" ? "RENT_CHANGE" : event.event_name,
      );
      for (const [index, name] of names.entries()) {
        const next = names[index + 1];
        const allowed = inARow[name];
        if (next === undefined) continue;
        if (allowed) expect(allowed).toContain(next);
        else expect(opening).toContain(next);
        if (next === "RELISTED") expect(name).toBe("LISTING_REMOVED");
      }
      // Whole from their beginning.
      if (names[0]) expect(["LISTED_SALE", "LISTED_RENT", ...EVENT_NAMES.SALE]).toContain(names[0]);
    }
  });

  it("are recorded as listings from September 2022 on only", () => {
    const listings = allEvents.filter((event) => !isSale(event));
    expect(listings.every(({ event_date }) => event_date >= "2022-09-01")).toBe(true);
    expect(listings.length).toBeGreaterThan(1_000);
  });

  it("count transfers and sales as they go", () => {
    for (const { events } of histories) {
      let [transfers, sales] = [0, 0];
      for (const event of events) {
        transfers += Number(isSale(event));
        sales += Number(event.event_name === "SOLD");
        expect(event.transfer_index).toBe(transfers);
        expect(event.true_sale_index).toBe(sales);
      }
    }
  });

  it("tell the owner at the time, who changes at sales only", () => {
    const ownerOf = ({ investor_flag, owner_occupied_flag, entity_owner_name }: HousingEvent) =>
      JSON.stringify([investor_flag, owner_occupied_flag, entity_owner_name]);
    for (const { events } of histories) {
      for (const [index, event] of events.entries()) {
        if (event.entity_owner_name !== null) expect(event.investor_flag).toBe(1);
        if (event.owner_occupied_flag === 1) expect(event.investor_flag).toBe(0);
        const before = events[index - 1];
        if (before && !isSale(event)) expect(ownerOf(event)).toBe(ownerOf(before));
      }
    }
  });

  it("name a seller at sales only, who owned the property until then", () => {
    for (const { events } of histories) {
      for (const [index, event] of events.entries()) {
        const before = events[index - 1];
        if (!isSale(event)) expect(event.entity_seller_name).toBeNull();
        else if (before) expect(event.entity_seller_name).toBe(before.entity_owner_name);
        if (event.event_name === "SOLD_INTER_PORTFOLIO_TRANSFER") {
          expect(event.entity_seller_name).not.toBeNull();
          expect(event.entity_owner_name).not.toBeNull();
          expect(event.entity_owner_name).not.toBe(event.entity_seller_name);
        }
        if (event.event_name === "NON_ARMS_LENGTH_INTRA_PORTFOLIO_TRANSFER") {
          expect(event.entity_seller_name).not.toBeNull();
          expect(event.entity_owner_name).toBe(event.entity_seller_name);
        }
      }
    }
  });

  it("have the current owner from the last change of ownership on", () => {
    for (const { events } of histories) {
      const changes = events.filter(
        (event) => isSale(event) && event.event_name !== "NON_ARMS_LENGTH_INTRA_PORTFOLIO_TRANSFER",
      );
      const lastChange = changes.at(-1)?.event_date ?? "";
      for (const event of events) expect(event.current_owner_flag).toBe(event.event_date >= lastChange ? 1 : 0);
    }
  });

  it("have prices where they are disclosed: none or few of sales in some states, 0 of gifts in the others", () => {
    let [withheld, disclosed] = [0, 0];
    for (const { record, events } of histories) {
      const discloses = STATES.get(record.state_abbreviation)?.disclosesPrices;
      for (const { event_type, event_name, price } of events) {
        if (event_type !== "SALE") {
          expect(price).toBeGreaterThan(0);
        } else if (event_name.startsWith("NON_ARMS_LENGTH")) {
          expect(price).toBe(discloses ? 0 : null);
        } else if (discloses) {
          expect(price).toBeGreaterThanOrEqual(500);
        } else if (price === null) {
          withheld += 1;
        } else {
          expect(price).toBeGreaterThanOrEqual(500);
          disclosed += 1;
        }
      }
    }
    expect(withheld).toBeGreaterThan(disclosed);
    expect(disclosed).toBeGreaterThan(0);
  });

  it("change prices when they say so, downwards", () => {
    for (const { events } of histories) {
      for (const [index, event] of events.entries()) {
        const before = events[index - 1];
        if (event.event_name === "PRICE_CHANGE") expect(event.price).toBeLessThan(before?.price ?? 0);
        else if (["PENDING_SALE", "LISTING_REMOVED", "RELISTED", "DELISTED_FOR_RENT"].includes(event.event_name)) {
          expect(event.price).toBe(before?.price);
        }
      }
    }
  });

  it("have plausible prices: sold near what was asked, rents of some permille of it", () => {
    for (const { record, events } of histories) {
      for (const [index, event] of events.entries()) {
        const before = events[index - 1];
        if (event.event_name === "SOLD" && before?.event_name === "PENDING_SALE" && event.price !== null) {
          expect(Math.abs(event.price / (before.price ?? 0) - 1)).toBeLessThan(0.1);
        }
        if (event.event_name === "LISTED_SALE") {
          const perSquareFoot = (event.price ?? 0) / record.square_footage;
          expect(perSquareFoot).toBeGreaterThan(20);
          expect(perSquareFoot).toBeLessThan(3_000);
        }
        if (event.event_name === "LISTED_RENT") expect(event.price).toBeLessThan(20_000);
      }
    }
  });

  it("were recorded when tracking began, when their property was added, or within days", () => {
    for (const { record, events } of histories) {
      for (const { event_date, record_updated_date } of events) {
        expect(record_updated_date >= record.record_added_date).toBe(true);
        expect(record_updated_date <= PRESENT).toBe(true);
        if (event_date < TRACKING) expect(record_updated_date).toBe(record.record_added_date);
        else if (record.record_added_date === TRACKING) {
          const days = (Date.parse(record_updated_date) - Date.parse(event_date)) / 86_400_000;
          expect(days).toBeGreaterThanOrEqual(0);
          expect(days).toBeLessThan(10);
        }
      }
    }
  });

  it("are of new homes until the first sale of a home built in the time of the history", () => {
    let newHomes = 0;
    for (const { record, events } of histories) {
      const firstSold = events.findIndex(({ event_name }) => event_name === "SOLD");
      for (const [index, event] of events.entries()) {
        if (event.new_construction_flag === 1) {
          expect(record.year_built).toBeGreaterThanOrEqual(2010);
          expect(firstSold === -1 || index <= firstSold).toBe(true);
          newHomes += 1;
        }
      }
    }
    expect(newHomes).toBeGreaterThan(100);
  });
});

describe("the state of a property", () => {
  it("follows from its events", () => {
    for (const { record, events } of histories) {
      const has = (type: string) => (events.some(({ event_type }) => event_type === type) ? 1 : 0);
      expect(record.event_count).toBe(events.length);
      expect(record.event_history_sale_flag).toBe(has("SALE"));
      expect(record.event_history_rental_flag).toBe(has("RENTAL"));
      expect(record.event_history_listing_flag).toBe(has("LISTING"));
      const last = events.at(-1);
      if (last) {
        expect(record.current_owner_occupied_flag).toBe(last.owner_occupied_flag);
        expect(record.current_investor_owned_flag).toBe(last.investor_flag ?? 0);
        expect(record.current_entity_owner_name).toBe(last.entity_owner_name);
      }
      const forSale = events.findLast(({ event_type }) => event_type !== "RENTAL");
      const isForSale = forSale?.event_type === "LISTING" && forSale.event_name !== "LISTING_REMOVED";
      expect(record.current_on_market_flag).toBe(isForSale ? 1 : 0);
      const forRent = events.findLast(({ event_type }) => event_type !== "LISTING");
      const isForRent = forRent?.event_type === "RENTAL" && forRent.event_name !== "DELISTED_FOR_RENT";
      if (record.current_on_market_rental_flag !== null) {
        expect(record.current_on_market_rental_flag).toBe(isForRent ? 1 : 0);
      } else if (record.property_type === "SINGLE_FAMILY") {
        expect(has("RENTAL")).toBe(0);
        if (last) expect(last.investor_flag).toBeNull();
      }
      const isSold = events.some(({ event_name }) => event_name === "SOLD");
      if (isSold) expect(record.current_new_construction_flag).toBe(0);
      else if (last) expect(record.current_new_construction_flag).toBe(last.new_construction_flag);
    }
  });

  it("on an earlier day is that of the events until then, which are the same", () => {
    // Owner and settling of the present are the only things that may differ.
    const timeless = ({ current_owner_flag: _, record_updated_date: __, ...event }: HousingEvent) => event;
    for (const asOf of ["2012-07-01", "2022-09-15", "2024-06-05", "2025-03-03"]) {
      const earlier = world.on(asOf);
      let compared = 0;
      for (const { record, events } of histories.slice(0, 1_000)) {
        const then = earlier.properties.byId(record.svc_property_id);
        if (!then) continue;
        const expected = events.filter(({ event_date }) => event_date <= asOf).map(timeless);
        expect(then.events.toReversed().map(timeless)).toEqual(expected);
        expect(then.record.event_count).toBe(expected.length);
        compared += expected.length;
      }
      expect(compared).toBeGreaterThan(100);
    }
  });

  it("of a day has no record of a later day, once tracking has begun", () => {
    const earlier = world.on("2025-03-03");
    for (const { events } of earlier.properties.inMarket(requireMarket(world, USA))) {
      for (const event of events) expect(event.record_updated_date <= "2025-03-03").toBe(true);
    }
  });
});

describe("an event in answers", () => {
  const sale = allEvents.find((event) => event.entity_seller_name !== null);
  const events = (sale ? [sale] : []).concat(allEvents.slice(0, 50));

  it("has the fields of each version in their order", () => {
    for (const event of events) {
      expect(Object.keys(eventHistoryRecord(event))).toEqual([
        "svc_property_id",
        "event_date",
        "event_type",
        "event_name",
        "price",
        "owner_occupied_flag",
        "new_construction_flag",
        "investor_flag",
        "entity_owner_name",
        "current_owner_flag",
        "transfer_index",
        "true_sale_index",
        "record_updated_date",
      ]);
      const searched = propertySearchEvent(event);
      expect(Object.keys(searched)).toEqual([
        "event_type",
        "event_name",
        "event_date",
        "entity_owner_name",
        "true_sale_index",
        "price",
        "transfer_index",
        "investor_flag",
        "owner_occupied_flag",
        "new_construction_flag",
        "current_owner_flag",
        "record_updated_date",
        "entity_seller_name",
      ]);
      expect({ svc_property_id: event.svc_property_id, ...searched }).toEqual(event);
    }
  });

  it("goes by the names of version 2's filters", () => {
    const named = (name: string) => allEvents.filter((event) => isNamedBy(name, event));
    const are = (type: string, name?: string) =>
      allEvents.filter(({ event_type, event_name }) => event_type === type && (name ?? event_name) === event_name);
    expect(named("ALL_SOLD")).toEqual(are("SALE"));
    expect(named("SOLD")).toEqual(are("SALE", "SOLD"));
    expect(named("LISTED_RENT")).toEqual(are("RENTAL", "LISTED_RENT"));
    expect(named("LISTING_PRICE_CHANGE")).toEqual(are("LISTING", "PRICE_CHANGE"));
    expect(named("RENTAL_PRICE_CHANGE")).toEqual(are("RENTAL", "PRICE_CHANGE"));
    expect(named("PRICE_CHANGE").length).toBe(
      are("LISTING", "PRICE_CHANGE").length + are("RENTAL", "PRICE_CHANGE").length,
    );
    expect(named("NOTHING")).toEqual([]);
  });
});
