import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { type MarketRecord, namedMarket } from "../../simulator/marketTable.ts";
import { mergePriceTables } from "../../simulator/priceTable.ts";
import { priceTable, ServiceUnderTest } from "./priceServiceClient.ts";

type SearchAnswer = {
  items: Record<string, unknown>[];
  total: number;
  limit: number;
  offset: number;
  links: { first: string; next: string | null; prev: string | null; last: string };
  account: { est_credits_used: number; est_remaining_credits: number };
};

const MARKETS: readonly MarketRecord[] = [
  namedMarket(5822484n, "New York County", {
    geoid: "36061",
    stateFipsCode: "36",
    stateAbbreviation: "NY",
    region: "MIDDLE_ATLANTIC",
    locationType: "COUNTY",
    totalPopulation: 1645867,
    medianIncome: 99880,
  }),
  namedMarket(5820999n, "Doña Ana County", {
    stateAbbreviation: "NM",
    locationType: "COUNTY",
    totalPopulation: 219000,
  }),
  namedMarket(5542808n, "74755", {
    stateAbbreviation: "OK",
    region: "WEST_SOUTH_CENTRAL",
    locationType: "ZIP5",
    totalPopulation: 105,
  }),
];

let client: ServiceUnderTest;
beforeAll(async () => {
  client = await ServiceUnderTest.start({
    prices: mergePriceTables([BUILT_IN_PRICES, priceTable("sales 777 2024-06-01 5", "sales 5822484 2024-06-01 9")]),
    markets: new Map(MARKETS.map((market) => [market.marketId, market])),
  });
});
afterAll(() => client.service.close());

async function search(query: string): Promise<SearchAnswer> {
  const response = await client.get(`/v1/search/markets?${query}`);
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  return (await response.json()) as SearchAnswer;
}

async function namesFound(query: string): Promise<unknown[]> {
  return (await search(query)).items.map((item) => item["name"]);
}

describe("the market search", () => {
  it("answers records with the fields of the service", async () => {
    const { items, ...envelope } = await search("query=NEW york&location_type=county");
    expect(items).toEqual([
      {
        svc_id: 5822484,
        country: "USA",
        geoid: "36061",
        state_fips_code: "36",
        name: "New York County",
        state_abbreviation: "NY",
        region: "MIDDLE_ATLANTIC",
        location_type: "COUNTY",
        total_population: 1645867,
        median_income: 99880,
        svc_exchange_market: 0,
        pricefeed_market: 1,
        case_shiller_10_market: 0,
        case_shiller_20_market: 0,
      },
    ]);
    expect(envelope).toMatchObject({ total: 1, limit: 12, offset: 0, links: { next: null, prev: null } });
    expect(envelope.account).toEqual({ est_credits_used: 0, est_remaining_credits: 1_000_000 });
  });

  it.each([
    ["query=denver", ["Denver City"]],
    ["query=74755", ["74755"]],
    ["query=dona+ana", ["Doña Ana County"]],
    ["query=york+new", ["New York County", "New York City"]],
    ["query=county+ny", ["New York County", "Kings County"]],
    ["query=united+states", ["United States Of America"]],
    ["svc_id=5306725", ["Denver City"]],
    ["geoid=36061", ["New York County"]],
    ["state_abbreviation=nm&location_type=ALL", ["Doña Ana County"]],
    ["region=west_south_central", ["74755"]],
    ["state_fips_code=36&region=ALL&location_type=", ["New York County"]],
    ["query=market+777", ["Market 777"]],
  ])("finds by %s", async (query, names) => {
    expect(await namesFound(query)).toEqual(names);
  });

  it("sorts by a field, those without it last", async () => {
    const ascending = await search("sort_by=total_population&sort_order=asc&limit=100");
    expect(ascending.items.slice(0, 3).map((item) => item["total_population"])).toEqual([105, 219000, 1645867]);
    expect(ascending.items.at(-1)?.["total_population"]).toBeNull();
    const [exchange] = (await search("sort_by=SVC_EXCHANGE_MARKET")).items;
    expect(exchange?.["svc_exchange_market"]).toBe(1);
  });

  it("links pages that together hold everything once", async () => {
    const ids: unknown[] = [];
    let address: string | null = `${client.service.url}/v1/search/markets?limit=4`;
    let total = 0;
    while (address) {
      const response = await fetch(address, { headers: { Authorization: client.service.apiKey } });
      const page = (await response.json()) as SearchAnswer;
      ids.push(...page.items.map((item) => item["svc_id"]));
      total = page.total;
      address = page.links.next;
    }
    expect(total).toBe(19);
    expect(ids).toHaveLength(19);
    expect(new Set(ids).size).toBe(19);
    const { links } = await search("limit=4&offset=5");
    expect(links.prev).toContain("offset=1");
    expect(links.first).toContain("offset=0");
    expect(links.last).toContain("offset=16");
  });

  it.each(["query=nowhere", "query=new&offset=50", "state_abbreviation=AK"])("is 404 for %s", async (query) => {
    expect((await client.get(`/v1/search/markets?${query}`)).status).toBe(404);
  });

  it.each([
    ["limit=1001", "less_than_equal", "limit"],
    ["limit=0", "greater_than_equal", "limit"],
    ["limit=many", "int_parsing", "limit"],
    ["offset=-1", "greater_than_equal", "offset"],
    ["sort_order=UP", "enum", "sort_order"],
    ["sort_by=AGE", "enum", "sort_by"],
    ["location_type=PLANET", "enum", "location_type"],
    ["region=SOUTH", "enum", "region"],
    ["state_abbreviation=ZZ", "enum", "state_abbreviation"],
    ["state_fips_code=3", "enum", "state_fips_code"],
    ["svc_id=denver", "int_parsing", "svc_id"],
  ])("is 422 for %s", async (query, type, name) => {
    const response = await client.get(`/v1/search/markets?${query}`);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: unknown[] };
    expect(detail[0]).toMatchObject({ type, loc: ["query", name] });
  });
});

describe("generated markets", () => {
  let generated: ServiceUnderTest;
  beforeAll(async () => {
    generated = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, listsGeneratedMarkets: true });
  });
  afterAll(() => generated.service.close());

  const found = async (query: string) => {
    const response = await generated.get(`/v1/search/markets?limit=1000&${query}`);
    return ((await response.json()) as SearchAnswer).items;
  };

  it("are found where they are listed: those with price feeds first, then the large", async () => {
    const items = await found("query=new+york");
    expect(items.slice(0, 2).map((item) => item["name"])).toEqual([
      "New York City",
      "New York-Newark-Jersey City, Ny-Nj-Pa",
    ]);
    const types = new Set((await found("")).map((item) => item["location_type"]));
    expect([...types].sort()).toEqual(["CBSA", "CITY", "COUNTRY", "COUNTY", "ZIP5"]);
    expect((await client.get("/v1/search/markets?location_type=ZIP5&query=33139")).status).toBe(404);
  });

  it("are those that properties lie in, and have metrics", async () => {
    const answer = await generated.get("/v1/property/search?svc_id=5353022&property_type=CONDO&limit=1");
    const [home] = ((await answer.json()) as SearchAnswer).items;
    for (const field of ["zip_svc_id", "city_svc_id", "county_svc_id", "cbsa_svc_id"]) {
      const id = home?.[field];
      expect((await found(`svc_id=${id}`)).map((market) => market["svc_id"])).toEqual([id]);
      expect((await generated.get(`/v1/market_metrics/${id}/housing_stock`)).status).toBe(200);
    }
  });
});
