import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import type { HousingEvent } from "../../simulator/world/housingEvents.ts";
import type { PropertyRecord } from "../../simulator/world/properties.ts";
import { ServiceUnderTest } from "./priceServiceClient.ts";

const CHICAGO = 5387853;
const NOW = Date.parse("2026-03-04T15:00:00Z");
const BASELINE = "2024-12-13";

type OnWire<Fields> = { [Name in keyof Fields]: Fields[Name] extends bigint ? number : Fields[Name] };
type Home = OnWire<PropertyRecord>;
type Event = OnWire<HousingEvent>;
type Answer<Item> = { items: Item[]; account: { est_credits_used: number; est_remaining_credits: number } };

let client: ServiceUnderTest;
/** All of Chicago. */
let homes: readonly Home[];
/** Some of everywhere, and all that happened to them. */
let nation: readonly Home[];
let events: readonly Event[];
beforeAll(async () => {
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, seed: 5 }, NOW);
  homes = (await search("")).items;
  const sold = "svc_id=5826765&property_type=ALL_PROPERTIES&event_history_sale_flag=true&limit=1000";
  nation = (await answerOf<Home>(client.get(`/v1/property/search?${sold}`))).items;
  events = (await history({ svc_property_ids: idsOf(nation) })).items;
});
afterEach(() => client.service.setPlan({}));
afterAll(() => client.service.close());

async function answerOf<Item>(request: Promise<Response>): Promise<Answer<Item>> {
  const response = await request;
  if (response.status === 404) return { items: [], account: { est_credits_used: 0, est_remaining_credits: 0 } };
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer<Item>;
}

const search = (filters: string, type = "ALL_PROPERTIES") =>
  answerOf<Home>(client.get(`/v1/property/search?svc_id=${CHICAGO}&property_type=${type}&limit=50000${filters}`));
const history = (body: object) => answerOf<Event>(client.post("/v1/property/event_history", body));
const idsOf = (items: readonly { svc_property_id: number }[]) => items.map((item) => item.svc_property_id);

describe("property search", () => {
  it("is the properties of a market by id, a credit each, without more of an envelope than the account", async () => {
    const answer = await search("");
    expect(Object.keys(answer)).toEqual(["items", "account"]);
    expect(answer.items.length).toBeGreaterThan(300);
    expect(idsOf(answer.items)).toEqual(idsOf(answer.items).toSorted((a, b) => a - b));
    expect(answer.account.est_credits_used).toBe(answer.items.length);
    expect(new Set(answer.items.map((home) => home.city_svc_id))).toEqual(new Set([CHICAGO]));
    const zip = answer.items[0]?.zip_svc_id;
    const ofZip = await answerOf<Home>(client.get(`/v1/property/search?svc_id=${zip}&property_type=ALL_PROPERTIES`));
    expect(ofZip.items).toEqual(answer.items.filter((home) => home.zip_svc_id === zip));
  });

  it("has a thousand at most when nothing is said, and pages by limit and offset", async () => {
    const everything = "/v1/property/search?svc_id=5826765&property_type=ALL_PROPERTIES";
    expect((await answerOf<Home>(client.get(everything))).items).toHaveLength(1000);
    const page = await answerOf<Home>(
      client.get(`/v1/property/search?svc_id=${CHICAGO}&property_type=ALL_PROPERTIES&limit=3&offset=4`),
    );
    expect(page.items).toEqual(homes.slice(4, 7));
    expect((await client.get(`${everything}&offset=1000000`)).status).toBe(404);
  });

  test.each<[string, (home: Home) => boolean]>([
    ["bedrooms_min=3", (home) => home.bedrooms >= 3],
    ["bedrooms_max=2", (home) => home.bedrooms <= 2],
    ["bathrooms_min=2&bathrooms_max=2", (home) => home.bathrooms === 2],
    [
      "square_footage_min=1000&square_footage_max=1500",
      (home) => home.square_footage >= 1000 && home.square_footage <= 1500,
    ],
    ["year_built_min=1990", (home) => home.year_built >= 1990],
    ["event_history_sale_flag=true", (home) => home.event_history_sale_flag === 1],
    ["event_history_rental_flag=false", (home) => home.event_history_rental_flag === 0],
    ["event_history_listing_flag=1", (home) => home.event_history_listing_flag === 1],
    ["current_new_construction_flag=0", (home) => home.current_new_construction_flag === 0],
    ["current_owner_occupied_flag=true", (home) => home.current_owner_occupied_flag === 1],
    ["current_investor_owned_flag=true", (home) => home.current_investor_owned_flag === 1],
    ["current_on_market_flag=true", (home) => home.current_on_market_flag === 1],
    // Unknown is not no.
    ["current_on_market_rental_flag=false", (home) => home.current_on_market_rental_flag === 0],
    ["has_pool=true", (home) => home.has_pool === 1],
    ["has_pool=false", (home) => home.has_pool === 0],
    ["record_added_date_start=2024-12-14", (home) => home.record_added_date > BASELINE],
    ["record_added_date_end=2024-12-13", (home) => home.record_added_date === BASELINE],
    ["record_added_date_start=2010-01-01", () => true],
  ])("by %s finds those and no others", async (filter, matches) => {
    const { items } = await search(`&${filter}`);
    expect(idsOf(items)).toEqual(idsOf(homes.filter(matches)));
    expect(items.length).toBeGreaterThan(0);
    expect(filter.endsWith("2010-01-01") || items.length < homes.length).toBe(true);
  });

  it("is by type and by the operator that owns now", async () => {
    for (const type of ["SINGLE_FAMILY", "CONDO", "TOWNHOUSE", "OTHER"]) {
      const { items } = await search("", type);
      expect(idsOf(items)).toEqual(idsOf(homes.filter((home) => home.property_type === type)));
    }
    const operator = homes.find((home) => home.current_entity_owner_name !== null)?.current_entity_owner_name;
    const { items } = await search(`&current_entity_owner_name=${operator}`);
    expect(idsOf(items)).toEqual(idsOf(homes.filter((home) => home.current_entity_owner_name === operator)));
    expect(items.length).toBeGreaterThan(0);
    expect((await search("&current_entity_owner_name=NOBODY")).items).toEqual([]);
  });

  it("has records from before tracking began with its first day, and later ones with their own", () => {
    const dates = homes.map((home) => home.record_added_date);
    expect(dates.filter((date) => date === BASELINE).length).toBeGreaterThan(0);
    expect(dates.filter((date) => date > BASELINE).length).toBeGreaterThan(0);
    expect(dates.filter((date) => date < BASELINE)).toEqual([]);
  });
});

describe("event history", () => {
  it("is the events of properties by id, newest first; a property costs a credit however many they are", async () => {
    const asked = homes.filter((home) => home.event_count > 1).slice(0, 4);
    const { items, account } = await history({ svc_property_ids: [...idsOf(asked), 123, ...idsOf(asked)].reverse() });
    const byHome = Map.groupBy(items, (event) => event.svc_property_id);
    expect([...byHome.keys()]).toEqual(idsOf(asked));
    for (const [id, ofHome] of byHome) {
      const dates = ofHome.map((event) => event.event_date);
      expect(dates).toEqual(dates.toSorted().reverse());
      expect(ofHome).toHaveLength(asked.find((home) => home.svc_property_id === id)?.event_count ?? -1);
    }
    expect(account.est_credits_used).toBe(4);
    expect(items[0]).not.toHaveProperty("entity_seller_name");
    expect(items[0]).not.toHaveProperty("address");
  });

  it("leaves out properties without an event that matches, and charges nothing for them", async () => {
    const rented = homes.filter((home) => home.event_history_rental_flag === 1).slice(0, 2);
    const others = homes.filter((home) => home.event_history_rental_flag === 0).slice(0, 5);
    const { items, account } = await history({ svc_property_ids: idsOf([...others, ...rented]), event_type: "RENTAL" });
    expect(new Set(idsOf(items))).toEqual(new Set(idsOf(rented)));
    expect(account.est_credits_used).toBe(2);
    expect(items.every((event) => event.event_type === "RENTAL")).toBe(true);
    const nothing = await client.post("/v1/property/event_history", {
      svc_property_ids: idsOf(others),
      event_type: "RENTAL",
    });
    expect(nothing.status).toBe(404);
  });

  test.each<[string, object, (event: Event) => boolean]>([
    ["type", { event_type: "SALE" }, (event) => event.event_type === "SALE"],
    ["every type", { event_type: "ALL" }, () => true],
    [
      "dates, inclusive",
      { start_date: "2015-01-01", end_date: "2019-12-31" },
      ({ event_date: date }) => date >= "2015" && date < "2020",
    ],
    ["owner", { entity_owner_name: "QUILLHAVEN_HOMES" }, (event) => event.entity_owner_name === "QUILLHAVEN_HOMES"],
    [
      "later changes of records",
      { record_updated_date_start: "2024-12-14" },
      (event) => event.record_updated_date > BASELINE,
    ],
    [
      "records that nobody touched since",
      { record_updated_date_end: BASELINE },
      (event) => event.record_updated_date === BASELINE,
    ],
  ])("is by %s", async (_filter, filter, matches) => {
    const { items } = await history({ svc_property_ids: idsOf(nation), ...filter });
    expect(items).toEqual(events.filter(matches));
    expect(items.length).toBeGreaterThan(0);
  });

  it("takes ten thousand ids, and 422 of one more", async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => index + 1);
    expect((await client.post("/v1/property/events", { svc_property_ids: ids.slice(1) })).status).toBe(404);
    const response = await client.post("/v1/property/events", { svc_property_ids: ids });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: [
        { type: "too_long", loc: ["body", "svc_property_ids"], ctx: { max_length: 10_000, actual_length: 10_001 } },
      ],
    });
  });
});

describe("address search", () => {
  const lookupOf = ({ address, unit, city, state_abbreviation, zip_code }: Home) => ({
    ...{ address, city, state_abbreviation, zip_code },
    ...(unit !== null && { unit }),
  });
  const NOWHERE = {
    address: "1 Nowhere St",
    city: "Chicago",
    state_abbreviation: "IL",
    zip_code: "60601",
    source_id: "x",
  };
  const find = (from: ServiceUnderTest, lookups: unknown) =>
    answerOf<Home & { source_id?: string }>(from.post("/v1/property/search_address", lookups));

  it("finds what property search has, in the order of the lookups, with the caller's ids", async () => {
    const wanted = homes
      .filter((home) => home.property_type === "SINGLE_FAMILY")
      .slice(0, 3)
      .reverse();
    const lookups = wanted.map((home, index) => ({
      ...lookupOf(home),
      ...(index > 0 && { source_id: `mine-${index}` }),
    }));
    const { items, account } = await find(client, lookups);
    expect(items).toEqual(wanted.map((home, index) => ({ ...home, ...(index > 0 && { source_id: `mine-${index}` }) })));
    expect(account.est_credits_used).toBe(3);
  });

  it("answers an address without a match beside others with a null id, or leaves it out; alone it is 404", async () => {
    const [home] = homes.filter(({ property_type: type }) => type === "SINGLE_FAMILY");
    if (!home) throw new Error("no home");
    const { items, account } = await find(client, [NOWHERE, lookupOf(home)]);
    expect(items).toEqual([
      { ...NOWHERE, svc_property_id: null, unit: null, address: "1 NOWHERE ST", city: "CHICAGO" },
      home,
    ]);
    expect(account.est_credits_used).toBe(1);
    expect((await client.post("/v1/property/search_address", [NOWHERE])).status).toBe(404);
    const other = await ServiceUnderTest.start(
      { prices: BUILT_IN_PRICES, seed: 5, unmatchedAddresses: "left out" },
      NOW,
    );
    expect((await find(other, [NOWHERE, lookupOf(home)])).items).toEqual([home]);
    await other.service.close();
  });

  it("takes a hundred lookups, and 422 of one more", async () => {
    const lookups = Array(101).fill(NOWHERE);
    expect((await client.post("/v1/property/search_address", lookups.slice(1))).status).toBe(404);
    const response = await client.post("/v1/property/search_address", lookups);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ type: "too_long", loc: ["body"] }] });
  });
});

describe("credits", () => {
  it("are refused for more properties than are left of them, before anything is answered", async () => {
    client.service.setCredits(2);
    expect(
      await (await client.get(`/v1/property/search?svc_id=${CHICAGO}&property_type=CONDO&limit=3`)).json(),
    ).toEqual({
      error: "Credit limit exceeded: 3 credits needed, 2 credits remaining",
    });
    const { account } = await answerOf(client.get(`/v1/property/search?svc_id=${CHICAGO}&property_type=CONDO&limit=2`));
    expect(account).toEqual({ est_credits_used: 2, est_remaining_credits: 0 });
  });
});
