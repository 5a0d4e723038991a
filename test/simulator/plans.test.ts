import { afterEach, describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { parseFault } from "../../simulator/faults.ts";
import type { PlanChoice } from "../../simulator/plan.ts";
import { startPriceService } from "../../simulator/priceService.ts";
import { ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const SALES = "/v1/price_feed/latest";
const RENTALS = "/v1/price_feed_rentals/latest";
const SEARCH = "/v1/search/markets";

let running: ServiceUnderTest | undefined;
afterEach(async () => {
  await running?.service.close();
  running = undefined;
});

async function start(plan: PlanChoice): Promise<ServiceUnderTest> {
  running = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, plan });
  return running;
}

async function statusesOf(count: number, request: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await request()).status);
  return statuses;
}

describe("an endpoint that the plan lacks", () => {
  it("is 403, and the others are not", async () => {
    const client = await start({ withoutEndpoints: [RENTALS, SEARCH] });
    expect((await client.latest("sales", [USA])).status).toBe(200);
    for (const response of [await client.latest("rental", [USA]), await client.get(SEARCH)]) {
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({ detail: expect.any(String) });
    }
    client.service.setPlan({});
    expect((await client.latest("rental", [USA])).status).toBe(200);
  });

  it("says nothing to whoever has no key", async () => {
    const client = await start({ withoutEndpoints: [SEARCH] });
    expect((await fetch(client.service.url + SEARCH)).status).toBe(401);
  });

  it("has to exist", async () => {
    const plan = { withoutEndpoints: [SALES, "/v1/nowhere"] };
    await expect(startPriceService({ prices: BUILT_IN_PRICES, plan })).rejects.toMatchObject({
      code: "INVALID_PLAN",
      kind: "configuration",
      message: expect.stringContaining("/v1/nowhere"),
      hint: expect.stringContaining(SALES),
    });
    const client = await start({ name: "free" });
    expect(() => client.service.setPlan(plan)).toThrow(/nowhere/);
    expect(client.service.state().plan.name).toBe("free");
  });
});

describe("the rate limit", () => {
  it("refuses what exceeds it in a minute, whatever the endpoint, and forgets it with the minute", async () => {
    const client = await start({ requestsPerMinute: 3 });
    expect(await statusesOf(2, () => client.latest("sales", [USA]))).toEqual([200, 200]);
    client.clock.ms += 59_999;
    expect((await client.get(SEARCH)).status).toBe(200);
    const refused = await client.latest("rental", [USA]);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBeNull();
    expect(await refused.json()).toEqual({ error: "Rate Limit Exceeded" });
    client.clock.ms += 1;
    expect(await statusesOf(4, () => client.latest("sales", [USA]))).toEqual([200, 200, 200, 429]);
  });

  it("counts nobody else's requests", async () => {
    const client = await start({ requestsPerMinute: 1 });
    await fetch(client.service.url + SEARCH);
    await fetch(client.service.url + SEARCH, { headers: { Authorization: "other" } });
    expect(await statusesOf(2, () => client.get(SEARCH))).toEqual([200, 429]);
  });

  it("can say when to come back, in whole seconds that are enough", async () => {
    const client = await start({ requestsPerMinute: 1, sendsRetryAfter: true });
    await client.get(SEARCH);
    client.clock.ms += 17_001;
    const refused = await client.get(SEARCH);
    expect(refused.headers.get("retry-after")).toBe("43");
    client.clock.ms += 43_000;
    expect((await client.get(SEARCH)).status).toBe(200);
    client.service.setFaults([parseFault("rate-limited")]);
    client.clock.ms += 60_000;
    expect((await client.get(SEARCH)).headers.get("retry-after")).toBe("60");
  });

  it("does not shut anybody out for long when the clock is put back", async () => {
    const client = await start({ requestsPerMinute: 1 });
    await client.get(SEARCH);
    client.clock.ms -= 3_600_000;
    expect(await statusesOf(2, () => client.get(SEARCH))).toEqual([200, 429]);
  });

  it("may be none", async () => {
    const client = await start({ requestsPerMinute: null });
    expect(client.service.state().plan.requestsPerMinute).toBeNull();
    expect((await client.get(SEARCH)).status).toBe(200);
  });
});

describe("the search throttle", () => {
  it("concerns searches of the free plan, and nothing else", async () => {
    const client = await start({ name: "free" });
    const statuses = await statusesOf(31, () => client.get(`${SEARCH}?query=denver`));
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    const refused = await client.get(SEARCH);
    expect(await refused.json()).toEqual({ error: "Rate Limit Exceeded" });
    expect((await client.latest("sales", [USA])).status).toBe(200);
    client.clock.ms += 60_000;
    expect((await client.get(SEARCH)).status).toBe(200);
  });

  it.each(["paid", "annual"] as const)("is not part of the %s plan", async (name) => {
    const client = await start({ name });
    expect(new Set(await statusesOf(31, () => client.get(SEARCH)))).toEqual(new Set([200]));
  });

  it("may be another number", async () => {
    const client = await start({ name: "free", searchesPerMinute: 1 });
    expect(await statusesOf(2, () => client.get(SEARCH))).toEqual([200, 429]);
  });
});
