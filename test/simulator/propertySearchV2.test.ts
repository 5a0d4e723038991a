import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import type { HousingEvent } from "../../simulator/world/housingEvents.ts";
import type { PropertyRecord } from "../../simulator/world/properties.ts";
import { ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const CHICAGO = 5387853;
const BROOKLYN = 5822447;
const NOW = Date.parse("2026-03-04T15:00:00Z");
const OPERATOR = "QUILLHAVEN_HOMES";
const PATH = "/v2/property_search";

type OnWire<Fields> = { [Name in keyof Fields]: Fields[Name] extends bigint ? number : Fields[Name] };
type Event = OnWire<Omit<HousingEvent, "svc_property_id">>;
type Home = OnWire<PropertyRecord> & { events: Event[] };
type Answer = { items: Home[]; account: { est_credits_used: number } };

let client: ServiceUnderTest;
let observed: ServiceUnderTest;
/** All of Chicago, with all of its events. */
let homes: readonly Home[];
beforeAll(async () => {
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, seed: 5 }, NOW);
  observed = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, seed: 5, v2Answers: "properties" }, NOW);
  homes = (await search({ svc_ids: [CHICAGO] })).items;
});
afterAll(() => Promise.all([client.service.close(), observed.service.close()]));

async function search(body: object): Promise<Answer> {
  const response = await client.post(`${PATH}?limit=50000`, body);
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

const idsOf = (items: readonly Home[]) => items.map((home) => home.svc_property_id);

describe("the scope", () => {
  it("is markets, properties or a circle; each property comes once, by id, and costs a credit", async () => {
    expect(homes.length).toBeGreaterThan(300);
    expect(idsOf(homes)).toEqual(idsOf(homes).toSorted((a, b) => a - b));
    const some = homes.slice(3, 9);
    const byId = await search({ svc_property_ids: [...idsOf(some), 123, ...idsOf(some)].reverse() });
    expect(byId.items).toEqual(some);
    expect(byId.account.est_credits_used).toBe(6);

    const zips = [...new Set(homes.map((home) => home.zip_svc_id))];
    expect(zips.length).toBeGreaterThan(2);
    expect((await search({ svc_ids: [...zips, CHICAGO, zips[0], 1] })).items).toEqual(homes);
    const two = (await search({ svc_ids: [CHICAGO, BROOKLYN] })).items;
    expect(idsOf(two)).toEqual(idsOf(two).toSorted((a, b) => a - b));
    expect(new Set(two.map((home) => home.state_abbreviation))).toEqual(new Set(["IL", "NY"]));
  });

  it("as a circle holds what lies within its radius", async () => {
    const [centre] = homes;
    if (!centre) throw new Error("no home");
    const { latitude, longitude } = centre;
    const milesFrom = (home: Home) => {
      const [north, east] = [
        home.latitude - latitude,
        (home.longitude - longitude) * Math.cos((latitude * Math.PI) / 180),
      ];
      return Math.hypot(north, east) * 69;
    };
    const { items } = await search({ geo_coordinates: { latitude, longitude, radius: 1 } });
    expect(idsOf(items)).toContain(centre.svc_property_id);
    expect(Math.max(...items.map(milesFrom))).toBeLessThan(1.02);
    const near = homes.filter((home) => milesFrom(home) < 0.98);
    expect(near.filter((home) => !idsOf(items).includes(home.svc_property_id))).toEqual([]);
    expect(near.length).toBeGreaterThan(5);
  });

  it("may be the nation for those who name an operator", async () => {
    expect((await client.post(PATH, { svc_ids: [USA] })).status).toBe(422);
    for (const named of [
      { owner_name: OPERATOR },
      { current_entity_owner_name: OPERATOR },
      { entity_seller_name: OPERATOR, event_filters: { event_names: ["ALL_SOLD"] } },
    ]) {
      expect((await search({ svc_ids: [USA], ...named })).items.length).toBeGreaterThan(3);
    }
  });
});

describe("what a property is", () => {
  test.each<[string, object, (home: Home) => boolean]>([
    ["types", { property_types: ["CONDO", "TOWNHOUSE"] }, (home) => /CONDO|TOWNHOUSE/.test(home.property_type)],
    ["any type", { property_types: ["CONDO", "ALL_PROPERTIES"] }, () => true],
    ["beds", { min_beds: 2, max_beds: 3 }, (home) => home.bedrooms >= 2 && home.bedrooms <= 3],
    ["baths", { min_baths: 1.5, max_baths: 1.5 }, (home) => home.bathrooms === 1.5],
    ["square feet", { max_sqft: 1200 }, (home) => home.square_footage <= 1200],
    [
      "year",
      { min_year_built: 1950, max_year_built: 1980 },
      (home) => home.year_built >= 1950 && home.year_built <= 1980,
    ],
    ["for sale", { current_on_market_flag: 1 }, (home) => home.current_on_market_flag === 1],
    ["for rent", { current_on_market_rental_flag: 0 }, (home) => home.current_on_market_rental_flag === 0],
    ["new construction", { current_new_construction_flag: 0 }, (home) => home.current_new_construction_flag === 0],
    ["occupied", { current_owner_occupied_flag: 1 }, (home) => home.current_owner_occupied_flag === 1],
    ["invested", { current_investor_owned_flag: true }, (home) => home.current_investor_owned_flag === 1],
    ["with a pool", { has_pool: true }, (home) => home.has_pool === 1],
    ["without word of a pool", { has_pool: false }, (home) => home.has_pool === 0],
    ["added since", { min_record_added_date: "2024-12-14" }, (home) => home.record_added_date >= "2024-12-14"],
    [
      "added before tracking",
      { max_record_added_date: "2024-12-13" },
      (home) => home.record_added_date === "2024-12-13",
    ],
  ])("finds those: %s", async (_case, property_filters, matches) => {
    const { items } = await search({ svc_ids: [CHICAGO], property_filters });
    expect(items).toEqual(homes.filter(matches));
    expect(items.length).toBeGreaterThan(0);
  });
});

describe("what happened to a property", () => {
  const between = (event: Event, from: string, to: string) => event.event_date >= from && event.event_date <= to;
  const CASES: [string, object, (event: Event) => boolean][] = [
    ["every sale", { event_filters: { event_names: ["ALL_SOLD"] } }, (event) => event.event_type === "SALE"],
    [
      "names",
      { event_filters: { event_names: ["SOLD", "LISTED_RENT"] } },
      (event) => /^(SOLD|LISTED_RENT)$/.test(event.event_name),
    ],
    [
      "price changes for sale",
      { event_filters: { event_names: ["LISTING_PRICE_CHANGE"] } },
      (event) => event.event_name === "PRICE_CHANGE" && event.event_type === "LISTING",
    ],
    [
      "price changes for rent",
      { event_filters: { event_names: ["RENTAL_PRICE_CHANGE"] } },
      (event) => event.event_name === "PRICE_CHANGE" && event.event_type === "RENTAL",
    ],
    [
      "dates, inclusive",
      { event_filters: { min_event_date: "2023-01-01", max_event_date: "2024-06-30" } },
      (event) => between(event, "2023-01-01", "2024-06-30"),
    ],
    [
      "disclosed prices",
      { event_filters: { min_price: 100_000, max_price: 300_000 } },
      ({ price }) => price !== null && price >= 100_000 && price <= 300_000,
    ],
    [
      "new construction",
      { event_filters: { is_new_construction: true } },
      (event) => event.new_construction_flag === 1,
    ],
    [
      "records changed since",
      { event_filters: { min_record_updated_date: "2024-12-14" } },
      (event) => event.record_updated_date > "2024-12-13",
    ],
    ["investors", { owner_filters: { is_investor_owned: true } }, (event) => event.investor_flag === 1],
    [
      "no investors, as far as is known",
      { owner_filters: { is_investor_owned: false } },
      (event) => event.investor_flag === 0,
    ],
    ["occupants", { owner_filters: { is_owner_occupied: true } }, (event) => event.owner_occupied_flag === 1],
    ["the present owner", { owner_filters: { is_current_owner: true } }, (event) => event.current_owner_flag === 1],
    [
      "several things of one event",
      {
        event_filters: { event_names: ["ALL_SOLD"], min_event_date: "2020-01-01" },
        owner_filters: { is_investor_owned: true },
      },
      (event) => event.event_type === "SALE" && event.event_date >= "2020-01-01" && event.investor_flag === 1,
    ],
  ];

  test.each(CASES)("finds properties with such an event, and shows those: %s", async (_case, filters, matches) => {
    const { items } = await search({ svc_ids: [CHICAGO], ...filters });
    const expected = homes
      .map((home) => ({ ...home, events: home.events.filter(matches) }))
      .filter(({ events }) => events.length > 0);
    expect(items).toEqual(expected);
    expect(items.length).toBeGreaterThan(0);
  });

  it("is shown whole where the full history is asked for, of the same properties", async () => {
    const event_filters = { event_names: ["LISTED_RENT"], include_events: 1, include_full_event_history: 1 };
    const { items } = await search({ svc_ids: [CHICAGO], event_filters });
    expect(items).toEqual(homes.filter(({ events }) => events.some((event) => event.event_name === "LISTED_RENT")));
    expect(items.some(({ events }) => events.some((event) => event.event_name !== "LISTED_RENT"))).toBe(true);
  });

  it("is newest first, and of properties without any an empty list", () => {
    for (const { events } of homes) {
      const dates = events.map((event) => event.event_date);
      expect(dates).toEqual(dates.toSorted().reverse());
    }
    expect(homes.some(({ events }) => events.length === 0)).toBe(true);
  });

  it("names operators that owned, and sellers at sales alone", async () => {
    const owned = (await search({ svc_ids: [USA], owner_name: OPERATOR })).items;
    expect(new Set(owned.flatMap(({ events }) => events.map((event) => event.entity_owner_name)))).toEqual(
      new Set([OPERATOR]),
    );
    const sold = (await search({ svc_ids: [USA], entity_seller_name: [OPERATOR, "TAMBREL_RESIDENCES"] })).items;
    const events = sold.flatMap((home) => home.events);
    expect(new Set(events.map((event) => event.entity_seller_name))).toEqual(new Set([OPERATOR, "TAMBREL_RESIDENCES"]));
    expect(new Set(events.map((event) => event.event_type))).toEqual(new Set(["SALE"]));
    const rented = { svc_ids: [USA], entity_seller_name: OPERATOR, event_filters: { event_names: ["LISTED_RENT"] } };
    expect((await client.post(PATH, rented)).status).toBe(404);
    const others = homes.flatMap((home) => home.events).filter((event) => event.event_type !== "SALE");
    expect(new Set(others.map((event) => event.entity_seller_name))).toEqual(new Set([null]));
  });
});

describe("an answer", () => {
  const body = { svc_ids: [CHICAGO], property_filters: { property_types: ["CONDO"] } };

  it("has details and events unless they are declined", async () => {
    const whole = (await search(body)).items;
    const [first] = whole;
    if (!first) throw new Error("no home");
    expect(Object.keys(first)).toHaveLength(32);
    const bare = await search({ ...body, include_property_details: 0 });
    expect(bare.items).toEqual(whole.map(({ svc_property_id, events }) => ({ svc_property_id, events })));
    const eventless = await search({ ...body, include_events: 0 });
    expect(eventless.items).toEqual(whole.map(({ events: _, ...home }) => home));
    const ids = await search({ ...body, include_property_details: false, include_events: "false" });
    expect(ids.items).toEqual(whole.map(({ svc_property_id }) => ({ svc_property_id })));
  });

  it("has a thousand properties when nothing is said, fifty thousand at most", async () => {
    const nation = { geo_coordinates: { latitude: 40.7, longitude: -73.95, radius: 10 } };
    const { items } = (await (await client.post(PATH, nation)).json()) as Answer;
    expect(items).toHaveLength(1000);
    const response = await client.post(`${PATH}?limit=50001`, nation);
    expect(await response.json()).toMatchObject({ detail: [{ type: "less_than_equal", loc: ["query", "limit"] }] });
  });

  it("has data, metadata, pagination and account_info where the observed form is asked for", async () => {
    const whole = (await search(body)).items;
    const response = await observed.post(`${PATH}?limit=2&offset=1`, body);
    const answer = (await response.json()) as { data: Record<string, unknown>[] } & Record<string, unknown>;
    expect(Object.keys(answer)).toEqual(["data", "metadata", "pagination", "account_info"]);
    expect(answer).toMatchObject({
      metadata: { results: { total_available: whole.length, returned_count: 2 } },
      pagination: { limit: 2, offset: 1, has_more: true },
      account_info: { est_credits_used: 2, est_remaining_credits: 999_998 },
    });
    expect(answer.data.map(({ svc_property_id, events }) => [svc_property_id, events])).toEqual(
      whole.slice(1, 3).map(({ svc_property_id, events }) => [svc_property_id, events]),
    );
    expect(Object.keys(answer.data[0]?.["property_metadata"] ?? {}).slice(0, 9)).toEqual([
      ...["bathrooms", "bedrooms", "sq_ft", "year_built", "property_type", "address1", "address2", "city", "state"],
    ]);
    const last = await observed.post(`${PATH}?limit=2&offset=${whole.length - 2}`, body);
    expect(await last.json()).toMatchObject({ pagination: { has_more: false } });
    expect((await observed.post(`${PATH}?offset=${whole.length}`, body)).status).toBe(404);
    const ids = await observed.post(`${PATH}?limit=1`, { ...body, include_property_details: 0, include_events: 0 });
    expect(await ids.json()).toMatchObject({ data: [{ svc_property_id: whole[0]?.svc_property_id }] });
  });

  it("is the same at the path of the beta", async () => {
    const answer = await client.post("/v2/query?limit=5", { ...body, query_type: "property_events" });
    expect(((await answer.json()) as Answer).items).toEqual((await search(body)).items.slice(0, 5));
  });
});
