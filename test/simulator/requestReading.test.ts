import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const CHICAGO = 5387853;
const CASH = `/v1/market_metrics/${USA}/all_cash`;
const BULK = "/v1/market_metrics/all_cash";
const HOMES = "/v1/property/search";
const V2 = "/v2/property_search";
const CIRCLE = { latitude: 41.88, longitude: -87.63, radius: 5 };

let client: ServiceUnderTest;
beforeAll(async () => {
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, listsGeneratedMarkets: true });
});
afterAll(() => client.service.close());

const send = (path: string, body?: unknown) => (body === undefined ? client.get(path) : client.post(path, body));

async function itemsOf(path: string, body?: unknown): Promise<unknown> {
  const response = await send(path, body);
  const { items, detail } = (await response.json()) as { items?: unknown; detail?: unknown };
  if (!items) throw new Error(`${response.status}: ${JSON.stringify(detail)}`);
  return items;
}

describe("a request that is malformed is 422 in the words of the service's framework", () => {
  test.each([
    [`${CASH}?colour=1`, undefined, "extra_forbidden", ["query", "colour"], "Extra inputs are not permitted", "1"],
    [
      "/v1/market_metrics/chicago/all_cash",
      undefined,
      "int_parsing",
      ["path", "svc_id"],
      "Input should be a valid integer, unable to parse string as an integer",
      "chicago",
    ],
    [
      `${CASH}?limit=1001`,
      undefined,
      "less_than_equal",
      ["query", "limit"],
      "Input should be less than or equal to 1000",
      "1001",
    ],
    [
      `${CASH}?limit=0`,
      undefined,
      "greater_than_equal",
      ["query", "limit"],
      "Input should be greater than or equal to 1",
      "0",
    ],
    [`${CASH}?limit=1.5`, undefined, "int_parsing", ["query", "limit"], /unable to parse string as an integer/, "1.5"],
    [
      `${CASH}?start_date=2024`,
      undefined,
      "date_from_datetime_parsing",
      ["query", "start_date"],
      /input is too short$/,
      "2024",
    ],
    [
      `${CASH}?end_date=2024-13-01`,
      undefined,
      "date_from_datetime_parsing",
      ["query", "end_date"],
      /month value is outside/,
      "2024-13-01",
    ],
    [
      `${CASH}?end_date=2023-02-29`,
      undefined,
      "date_from_datetime_parsing",
      ["query", "end_date"],
      /day value is outside/,
      "2023-02-29",
    ],
    [
      `${CASH}?end_date=10/12/2023`,
      undefined,
      "date_from_datetime_parsing",
      ["query", "end_date"],
      /invalid character in year/,
      "10/12/2023",
    ],
    [
      `${CASH}?property_type=condo`,
      undefined,
      "enum",
      ["query", "property_type"],
      "Input should be 'SINGLE_FAMILY', 'CONDO', 'TOWNHOUSE', 'OTHER' or 'ALL_PROPERTIES'",
      "condo",
    ],
    [
      `${CASH}?start_date=2024-02-01&end_date=2024-01-01`,
      undefined,
      "value_error",
      ["query", "start_date"],
      /^Value error, start_date is 2024-02-01, above/,
      "2024-02-01",
    ],
    [BULK, {}, "missing", ["body", "svc_ids"], "Field required", {}],
    [BULK, { svc_ids: [USA], colour: 1 }, "extra_forbidden", ["body", "colour"], "Extra inputs are not permitted", 1],
    [
      `${BULK}?start_date=2024-01-01`,
      { svc_ids: [USA] },
      "extra_forbidden",
      ["query", "start_date"],
      /not permitted/,
      "2024-01-01",
    ],
    [BULK, { svc_ids: [USA, "x"] }, "int_parsing", ["body", "svc_ids", 1], /valid integer/, "x"],
    [BULK, { svc_id: [USA, 1.5] }, "int_from_float", ["body", "svc_id", 1], /got a number with a fractional part/, 1.5],
    [BULK, { svc_ids: [USA], svc_id: [USA] }, "extra_forbidden", ["body", "svc_id"], /not permitted/, [USA]],
    [
      BULK,
      { svc_ids: [USA], start_date: 5 },
      "string_type",
      ["body", "start_date"],
      "Input should be a valid string",
      5,
    ],
    [`${BULK}?limit=10001`, { svc_ids: [USA] }, "less_than_equal", ["query", "limit"], /to 10000$/, "10001"],
    [`${HOMES}?property_type=CONDO`, undefined, "missing", ["query", "svc_id"], "Field required", null],
    [
      `${HOMES}?svc_id=${CHICAGO}&property_type=CONDO&has_pool=perhaps`,
      undefined,
      "bool_parsing",
      ["query", "has_pool"],
      "Input should be a valid boolean, unable to interpret input",
      "perhaps",
    ],
    [
      `${HOMES}?svc_id=${CHICAGO}&property_type=CONDO&limit=50001`,
      undefined,
      "less_than_equal",
      ["query", "limit"],
      /to 50000$/,
      "50001",
    ],
    [
      "/v1/property/search_address",
      [{ address: "1 A St", city: "B", zip_code: "60601" }],
      "missing",
      ["body", 0, "state_abbreviation"],
      "Field required",
      { address: "1 A St", city: "B", zip_code: "60601" },
    ],
    [
      "/v1/property/search_address",
      { addresses: [{}] },
      "missing",
      ["body", "addresses", 0, "address"],
      "Field required",
      {},
    ],
    [
      "/v1/property/search_address",
      { addresses: [], others: [] },
      "list_type",
      ["body"],
      "Input should be a valid list",
      { addresses: [], others: [] },
    ],
    [
      "/v1/property/search_address",
      [{ address: "1 A St", city: " ", state_abbreviation: "IL", zip_code: "6060" }],
      "string_pattern_mismatch",
      ["body", 0, "zip_code"],
      "String should match pattern '^\\d{5}$'",
      "6060",
    ],
    [
      V2,
      { geo_coordinates: { ...CIRCLE, radius: 0 } },
      "greater_than",
      ["body", "geo_coordinates", "radius"],
      "Input should be greater than 0",
      0,
    ],
    [
      V2,
      { geo_coordinates: { ...CIRCLE, radius: "wide" } },
      "float_parsing",
      ["body", "geo_coordinates", "radius"],
      /valid number, unable to parse/,
      "wide",
    ],
    [
      V2,
      { geo_coordinates: { ...CIRCLE, latitude: null } },
      "float_type",
      ["body", "geo_coordinates", "latitude"],
      "Input should be a valid number",
      null,
    ],
    [
      V2,
      { geo_coordinates: CIRCLE, property_filters: 5 },
      "model_attributes_type",
      ["body", "property_filters"],
      /valid dictionary or object/,
      5,
    ],
    [
      V2,
      { geo_coordinates: CIRCLE, property_filters: { has_pool: [] } },
      "bool_type",
      ["body", "property_filters", "has_pool"],
      "Input should be a valid boolean",
      [],
    ],
    [
      V2,
      { geo_coordinates: CIRCLE, property_filters: { beds: 2 } },
      "extra_forbidden",
      ["body", "property_filters", "beds"],
      /not permitted/,
      2,
    ],
    [
      V2,
      { geo_coordinates: CIRCLE, event_filters: { event_names: [] } },
      "too_short",
      ["body", "event_filters", "event_names"],
      "List should have at least 1 item after validation, not 0",
      [],
    ],
    [
      V2,
      { geo_coordinates: CIRCLE, has_pool: "perhaps" },
      "bool_parsing",
      ["body", "has_pool"],
      /valid boolean/,
      "perhaps",
    ],
    [
      V2,
      { geo_coordinates: CIRCLE, owner_name: ["?"] },
      "string_pattern_mismatch",
      ["body", "owner_name", 0],
      /should match pattern/,
      "?",
    ],
    [
      V2,
      { geo_coordinates: CIRCLE, has_pool: true, property_filters: { has_pool: true } },
      "extra_forbidden",
      ["body", "has_pool"],
      /not permitted/,
      true,
    ],
    [V2, { geo_coordinates: CIRCLE, limit: 50_001 }, "less_than_equal", ["body", "limit"], /to 50000$/, 50_001],
    [V2, { svc_id: [CHICAGO] }, "extra_forbidden", ["body", "svc_id"], /not permitted/, [CHICAGO]],
    [V2, {}, "value_error", ["body", "svc_property_ids"], /exactly one of/, []],
  ])("%s with %j: %s at %j", async (path, body, type, loc, msg, input) => {
    const response = await send(path, body);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: unknown[] };
    const isSaid = typeof msg === "string" ? msg : expect.stringMatching(msg);
    expect(detail).toContainEqual(expect.objectContaining({ type, loc, msg: isSaid, input }));
  });

  it("names everything that is wrong at once, unknown fields last, and rules only where the fields are right", async () => {
    const wrong = "colour=1&limit=0&offset=-1&start_date=x&end_date=2024-01-01&property_type=HUT";
    const namesIn = async (response: Response) => {
      const { detail } = (await response.json()) as { detail: { loc: string[] }[] };
      return detail.map(({ loc }) => loc.at(-1));
    };
    const inQuery = ["start_date", "limit", "offset", "property_type", "colour"];
    expect(await namesIn(await client.get(`${CASH}?${wrong}`))).toEqual(inQuery);
    expect(await namesIn(await client.post(BULK, { acme_ids: [USA] }))).toEqual(["svc_ids", "acme_ids"]);
    const nested = { geo_coordinates: { size: 1, latitude: 41.88 } };
    expect(await namesIn(await client.post(V2, nested))).toEqual(["longitude", "radius", "size"]);
  });

  it("costs nothing", async () => {
    const before = client.service.state().credits.remaining;
    await client.get(`${CASH}?limit=0`);
    expect(client.service.state().credits.remaining).toBe(before);
  });
});

describe("a request means the same however it is spelt", () => {
  test.each([
    ["ids as text", BULK, { svc_ids: [USA] }, { svc_ids: [`${USA}`] }],
    ["a list in the singular", BULK, { svc_ids: [USA] }, { svc_id: [`${USA}`] }],
    [
      "nulls for what is not given",
      BULK,
      { svc_ids: [USA] },
      { svc_ids: [USA], start_date: null, property_type: null },
    ],
    ["pages in the body, too", `${BULK}?limit=5`, { svc_ids: [USA] }, { svc_ids: [USA], limit: 5, offset: 0 }],
    [
      "filters of v2 at the top, as the specification lists them",
      V2,
      {
        geo_coordinates: CIRCLE,
        property_filters: { has_pool: false, current_on_market_flag: 0, include_property_details: 1 },
        event_filters: { include_events: 1, include_full_event_history: 1, event_names: ["SOLD"] },
      },
      {
        geo_coordinates: CIRCLE,
        has_pool: false,
        current_on_market_flag: 0,
        include_property_details: 1,
        include_events: 1,
        include_full_event_history: 1,
        event_filters: { event_names: ["SOLD"] },
      },
    ],
    [
      "flags of v2 as booleans, numbers and text",
      V2,
      { geo_coordinates: CIRCLE, has_pool: true, include_events: 1, current_on_market_flag: 0 },
      {
        geo_coordinates: CIRCLE,
        property_filters: { has_pool: "true", current_on_market_flag: "false" },
        event_filters: { include_events: "1" },
      },
    ],
    [
      "flags of v2 as numbers and booleans",
      V2,
      { geo_coordinates: CIRCLE, has_pool: true, include_events: false },
      { geo_coordinates: CIRCLE, has_pool: 1, include_events: 0 },
    ],
    [
      "an operator's name, or a list of one",
      V2,
      { svc_ids: [USA], owner_name: "QUILLHAVEN_HOMES", limit: 3 },
      { svc_ids: [USA], owner_filters: { owner_name: ["QUILLHAVEN_HOMES"] }, limit: 3 },
    ],
    [
      "numbers of v2 as text",
      V2,
      { geo_coordinates: CIRCLE, property_filters: { min_beds: 3, min_baths: 1.5 } },
      {
        geo_coordinates: { latitude: "41.88", longitude: "-87.63", radius: "5" },
        property_filters: { min_beds: "3", min_baths: "1.5" },
      },
    ],
  ])("%s", async (_case, path, body, other) => {
    expect(await itemsOf(path, other)).toEqual(await itemsOf(path, body));
  });

  it("pages of v2 in the query or in the body, the query first", async () => {
    const body = { svc_ids: [CHICAGO] };
    const three = (await itemsOf(`${V2}?limit=3&offset=2`, body)) as unknown[];
    expect(three).toHaveLength(3);
    expect(await itemsOf(V2, { ...body, limit: 3, offset: 2 })).toEqual(three);
    expect(await itemsOf(`${V2}?limit=3`, { ...body, limit: 7, offset: 2 })).toEqual(three);
  });

  it("flags of a query as words or digits", async () => {
    const search = `${HOMES}?svc_id=${CHICAGO}&property_type=ALL_PROPERTIES&has_pool=`;
    expect(await itemsOf(`${search}true`)).toEqual(await itemsOf(`${search}1`));
    expect(await itemsOf(`${search}False`)).toEqual(await itemsOf(`${search}0`));
  });

  it("addresses as a bare list, or as the only list of an object", async () => {
    const [home] = (await itemsOf(`${HOMES}?svc_id=${CHICAGO}&property_type=CONDO&limit=1`)) as Record<
      string,
      string
    >[];
    const { address, unit, city, state_abbreviation, zip_code } = home ?? {};
    const lookups = [{ address, unit, city, state_abbreviation: state_abbreviation?.toLowerCase(), zip_code }];
    const found = await itemsOf("/v1/property/search_address", lookups);
    expect(found).toEqual([home]);
    for (const name of ["lookups", "addresses", "items"]) {
      expect(await itemsOf("/v1/property/search_address", { [name]: lookups })).toEqual(found);
    }
  });
});
