import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { accountBlock, creditLimitAnswer, jsonAnswer } from "../../simulator/answer.ts";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { creditCost } from "../../simulator/creditCosts.ts";
import type { Endpoint } from "../../simulator/endpoints/endpoint.ts";
import { parseFault } from "../../simulator/faults.ts";
import { ServiceUnderTest } from "./priceServiceClient.ts";

const METRIC = "/v1/market_metrics/{id}/all_cash";

/** Answers what it was asked. */
const metric: Endpoint = {
  method: "GET",
  path: METRIC,
  otherPaths: ["/v0/all_cash/{id}"],
  chargedFor: "dated-row",
  answer: ({ path, pathParameters, query }) =>
    jsonAnswer(200, { path, pathParameters, query: Object.fromEntries(query) }),
};

const bulkMetric: Endpoint = {
  method: "POST",
  path: "/v1/market_metrics/all_cash",
  chargedFor: "dated-row",
  answer: ({ bodyText }) => jsonAnswer(200, { bodyText }),
};

/** Charges for as many properties as it is asked. */
const properties: Endpoint = {
  method: "GET",
  path: "/v1/property/{count}",
  chargedFor: "property",
  answer({ pathParameters, nowMs }, { credits }) {
    const cost = creditCost("property", Number(pathParameters["count"]));
    if (!credits.canSpend(cost, nowMs)) return creditLimitAnswer(cost, credits.remaining(nowMs));
    return jsonAnswer(200, accountBlock(cost, credits.spend(cost, nowMs)));
  },
};

let client: ServiceUnderTest;
beforeAll(async () => {
  const endpoints = [metric, bulkMetric, properties];
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, endpoints, plan: { credits: 10 } });
});
afterAll(() => client.service.close());
beforeEach(() => client.service.setFaults([]));

it("a path has parameters, and the query stays what it is", async () => {
  const response = await client.get("/v1/market_metrics/5826765/all_cash?limit=2&x=a%20b");
  expect(await response.json()).toEqual({
    path: "/v1/market_metrics/5826765/all_cash",
    pathParameters: { id: "5826765" },
    query: { limit: "2", x: "a b" },
  });
  const encoded = await client.get("/v1/market_metrics/New%20York/all_cash");
  expect(await encoded.json()).toMatchObject({ pathParameters: { id: "New York" } });
});

it("an endpoint is the same under its other paths: counter, plan, faults", async () => {
  const before = client.service.requests[METRIC] ?? 0;
  expect((await client.get("/v0/all_cash/7")).status).toBe(200);
  expect((await client.get("/v1/market_metrics/7/all_cash")).status).toBe(200);
  expect(client.service.requests).toMatchObject({ [METRIC]: before + 2 });
  expect(Object.keys(client.service.requests)).toEqual([METRIC, bulkMetric.path, properties.path]);

  for (const path of [METRIC, "/v0/all_cash/{id}"]) {
    client.service.setFaults([parseFault(`unavailable@${path}`)]);
    expect((await client.get("/v0/all_cash/7")).status).toBe(503);
    expect((await client.get("/v1/market_metrics/7/all_cash")).status).toBe(503);
    expect((await client.post(bulkMetric.path, {})).status).toBe(200);
    client.service.setFaults([]);
    client.service.setPlan({ credits: 10, withoutEndpoints: [path] });
    expect((await client.get("/v0/all_cash/7")).status).toBe(403);
    expect((await client.get("/v1/market_metrics/7/all_cash")).status).toBe(403);
    client.service.setPlan({ credits: 10 });
  }
});

it.each([
  ["POST", "/v1/market_metrics/7/all_cash", "GET"],
  ["GET", "/v1/market_metrics/all_cash", "POST"],
  ["PUT", "/v0/all_cash/7", "GET"],
  ["DELETE", "/v1/property/1", "GET"],
])("%s %s is 405: allowed is %s", async (method, path, allowed) => {
  const response = await fetch(client.service.url + path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allowed);
  expect(await response.json()).toEqual({ detail: "Method Not Allowed" });
});

it.each(["/v1/market_metrics/7", "/v1/market_metrics/7/all_cash/8", "/v1/market_metrics//all_cash/", "/", "/v2"])(
  "%s is 404",
  async (path) => {
    const response = await client.get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: "Not Found" });
  },
);

it("a property costs a credit, and a request that would exceed the credits costs nothing", async () => {
  client.service.setCredits(10);
  expect(await (await client.get("/v1/property/7")).json()).toEqual({ est_credits_used: 7, est_remaining_credits: 3 });
  expect((await client.get("/v1/property/4")).status).toBe(429);
  expect(await (await client.get("/v1/property/3")).json()).toEqual({ est_credits_used: 3, est_remaining_credits: 0 });
  client.service.setFaults([parseFault("no-credits")]);
  client.service.setCredits(10);
  const response = await client.get("/v1/property/1");
  expect(response.status).toBe(429);
  expect(await response.json()).toEqual({ error: expect.stringMatching(/credit/i) });
});

it("a stale cache tells apart what was asked for", async () => {
  const ask = async (path: string) => (await client.get(path)).text();
  const asked = [
    "/v1/market_metrics/1/all_cash",
    "/v1/market_metrics/2/all_cash",
    "/v1/market_metrics/1/all_cash?limit=1",
  ];
  const answers = await Promise.all(asked.map(ask));
  client.service.setFaults([parseFault("stale-cache")]);
  expect(await Promise.all(asked.map(ask))).toEqual(answers);
  expect(new Set(answers).size).toBe(3);
});
