import { describe, expect, test } from "vitest";
import { searchMarkets } from "../../relayer/service/searchMarkets.ts";
import { UnauthorizedError, UnexpectedResponseError } from "../../relayer/service/serviceErrors.ts";
import { API_KEY, rejectionOf, startServer, testClient } from "./priceServer.ts";

const NEW_YORK = {
  svc_id: 2900187,
  country: "USA",
  geoid: "35620",
  state_fips_code: null,
  name: "New York-Newark-Jersey City, Ny-Nj-Pa",
  state_abbreviation: null,
  region: null,
  location_type: "CBSA",
  total_population: 19908595,
  median_income: 93610,
  svc_exchange_market: 0,
  pricefeed_market: 1,
  case_shiller_10_market: 1,
  case_shiller_20_market: 1,
};

describe("searchMarkets", () => {
  test("sends every parameter under the service's name", async () => {
    const server = await startServer(() => ({ body: { items: [] } }));
    await searchMarkets(testClient(server.url), {
      query: "St. Louis & Co",
      locationType: "CITY",
      stateAbbreviation: "mo",
      region: "WEST_NORTH_CENTRAL",
      marketId: 2900187n,
      geoid: "36061",
      sortBy: "SVC_EXCHANGE_MARKET",
      sortOrder: "DESC",
      limit: 1000,
      offset: 0,
    });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "GET", path: "/v1/search/markets", body: "" });
    expect(request?.headers.authorization).toBe(API_KEY);
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      query: "St. Louis & Co",
      location_type: "CITY",
      state_abbreviation: "MO",
      region: "WEST_NORTH_CENTRAL",
      svc_id: "2900187",
      geoid: "36061",
      sort_by: "SVC_EXCHANGE_MARKET",
      sort_order: "DESC",
      limit: "1000",
      offset: "0",
    });
  });

  test("reads markets, total and account, and keeps fields that it does not know", async () => {
    const item = { ...NEW_YORK, time_zone: "America/New_York" };
    const account = { est_credits_used: 0, est_remaining_credits: 1000 };
    const server = await startServer(() => ({ body: { items: [item], total: 31, limit: 12, account } }));
    expect(await searchMarkets(testClient(server.url), { query: "New York" })).toEqual({
      markets: [
        {
          marketId: 2900187n,
          name: "New York-Newark-Jersey City, Ny-Nj-Pa",
          locationType: "CBSA",
          stateAbbreviation: undefined,
          region: undefined,
          geoid: "35620",
          totalPopulation: 19908595,
          medianIncome: 93610,
          hasPriceFeed: true,
          isExchangeMarket: false,
          fields: { ...item, svc_id: 2900187n },
        },
      ],
      total: 31,
      account: { creditsUsed: 0, creditsRemaining: 1000 },
    });
  });

  test("needs an id and a name, nothing else", async () => {
    const server = await startServer(() => ({ body: { items: [{ svc_id: "7", name: "Nowhere" }] } }));
    const { markets, total } = await searchMarkets(testClient(server.url), {});
    expect(markets).toMatchObject([{ marketId: 7n, name: "Nowhere", hasPriceFeed: undefined }]);
    expect(total).toBeUndefined();
    expect(server.requests[0]?.query.size).toBe(0);
  });

  test("follows the prefix of identifiers", async () => {
    const item = { acme_id: 7, name: "Nowhere", acme_exchange_market: 1 };
    const server = await startServer(() => ({ body: { items: [item] } }));
    const client = testClient(server.url, { idPrefix: "acme" });
    const { markets } = await searchMarkets(client, { marketId: 7n, sortBy: "SVC_EXCHANGE_MARKET" });
    expect(markets).toMatchObject([{ marketId: 7n, isExchangeMarket: true }]);
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
      acme_id: "7",
      sort_by: "ACME_EXCHANGE_MARKET",
    });
  });

  test("finds nothing where the service says 404", async () => {
    const server = await startServer(() => ({ status: 404, body: { detail: "No markets" } }));
    const result = await searchMarkets(testClient(server.url), { query: "Atlantis" });
    expect(result).toEqual({ markets: [], total: 0, account: undefined });
  });

  test.each([
    [{ items: [{ svc_id: 7 }] }, "name"],
    [{ items: [{ name: "x", svc_id: 7.5 }] }, "svc_id"],
    [{ items: [NEW_YORK, null] }, "item 1"],
    [{ results: [] }, "without a list in items"],
  ])("%j is not what was promised", async (body, words) => {
    const server = await startServer(() => ({ body }));
    const error = await rejectionOf(searchMarkets(testClient(server.url), { query: "x" }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect((error as Error).message).toContain(words);
  });

  test("an error does not repeat the query", async () => {
    const server = await startServer(() => ({ status: 401 }));
    const error = await rejectionOf(searchMarkets(testClient(server.url), { query: "my home street" }));
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect((error as Error).message).toBe(`GET /v1/search/markets at ${server.url} answered 401`);
  });
});
