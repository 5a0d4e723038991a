import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import type { RequestLogEntry } from "../../simulator/httpServer.ts";
import { type PriceServiceOptions, startPriceService } from "../../simulator/priceService.ts";
import { MORNING, priceTable, ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const SALES = "/v1/price_feed/latest";
const RENTALS = "/v1/price_feed_rentals/latest";

let running: ServiceUnderTest | undefined;
afterEach(async () => {
  await running?.service.close();
  running = undefined;
});

async function start(options: Partial<PriceServiceOptions> = {}): Promise<ServiceUnderTest> {
  running = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, ...options });
  return running;
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("access", () => {
  it("needs the raw key, exactly", async () => {
    const client = await start({ apiKey: "sim_key" });
    const withKey = (headers: Record<string, string>) =>
      fetch(client.service.url + SALES, { method: "POST", headers, body: `{"svc_ids":[${USA}]}` });
    expect((await withKey({ Authorization: "sim_key" })).status).toBe(200);
    const refused: Record<string, string>[] = [
      {},
      { Authorization: "other" },
      { Authorization: "Bearer sim_key" },
      { Authorization: "sim_key2" },
      { Authorization: "SIM_KEY" },
      { "X-Api-Key": "sim_key" },
    ];
    for (const headers of refused) {
      const response = await withKey(headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ detail: expect.any(String) });
    }
    expect((await fetch(`${client.service.url}/v1/search/markets`)).status).toBe(401);
  });

  it("makes up a key of its own when none is given", async () => {
    const client = await start();
    expect(client.service.apiKey).toMatch(/^sim_[\w-]{32}$/);
  });

  it("is 403 for an endpoint outside the plan", async () => {
    const client = await start({ plan: { endpoints: [SALES] } });
    expect((await client.latest("sales", [USA])).status).toBe(200);
    const response = await client.latest("rental", [USA]);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ detail: expect.any(String) });
  });

  it("is 404 for an unknown path and 405 for a wrong method", async () => {
    const client = await start();
    expect((await client.post("/v1/price_feed/newest", {})).status).toBe(404);
    expect((await client.get(SALES)).status).toBe(405);
    expect((await client.post("/v1/search/markets", {})).status).toBe(405);
  });
});

describe("credits", () => {
  it("are one for each price and counted down", async () => {
    const client = await start({ monthlyCredits: 10 });
    const { account } = await client.served("rental", [USA, 5822447, 123]);
    expect(account).toEqual({ est_credits_used: 2, est_remaining_credits: 8 });
    expect((await client.served("sales", [USA])).account.est_remaining_credits).toBe(7);
  });

  it("refuse a request that would exceed them before it runs, and come back after thirty days", async () => {
    const client = await start({ monthlyCredits: 2 });
    const response = await client.latest("rental", [USA, 5822447, 5306725]);
    expect(response.status).toBe(429);
    const { error } = (await response.json()) as { error: string };
    expect(error).toContain("credits");
    expect((await client.served("rental", [USA, 5822447])).account.est_remaining_credits).toBe(0);
    expect((await client.latest("rental", [USA])).status).toBe(429);
    expect((await client.get("/v1/search/markets?query=denver")).status).toBe(200);
    client.clock.ms += 30 * 24 * 3_600_000;
    expect((await client.served("rental", [USA])).account.est_remaining_credits).toBe(1);
  });
});

describe("the service", () => {
  it("counts the requests of each endpoint and logs them without the key", async () => {
    const entries: RequestLogEntry[] = [];
    const client = await start({ log: (entry) => entries.push(entry) });
    await client.latest("sales", [USA]);
    await client.latest("sales", [1]);
    await client.latest("rental", [USA]);
    await client.get("/nowhere?key=1");
    expect(client.service.requests).toEqual({ [SALES]: 2, [RENTALS]: 1, "/v1/search/markets": 0 });
    expect(entries).toEqual([
      { method: "POST", path: SALES, status: 200 },
      { method: "POST", path: SALES, status: 404 },
      { method: "POST", path: RENTALS, status: 200 },
      { method: "GET", path: "/nowhere", status: 404 },
    ]);
    expect(JSON.stringify(entries)).not.toContain(client.service.apiKey);
  });

  it("keeps its key when the secret key is given", async () => {
    // RFC 8032, section 7.1, test 1.
    const secretKey = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex");
    const client = await start({ secretKey });
    expect(client.service.publicKey).toBe("0xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  });

  it("answers 500 and logs the error when it breaks down itself", async () => {
    const entries: RequestLogEntry[] = [];
    let broken = false;
    const nowMs = () => {
      if (broken) throw new Error("the clock stopped");
      return BigInt(MORNING);
    };
    const client = await start({ nowMs, log: (entry) => entries.push(entry) });
    broken = true;
    const response = await client.latest("sales", [USA]);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe("Internal Server Error");
    expect(entries[0]).toMatchObject({ status: 500, error: expect.any(Error) });
  });

  it("says so when its port is in use", async () => {
    const client = await start();
    const port = Number(new URL(client.service.url).port);
    const error = await failure(startPriceService({ prices: BUILT_IN_PRICES, port }));
    expect(error).toMatchObject({ code: "PORT_IN_USE", kind: "configuration", hint: expect.stringContaining("port") });
  });

  it.each([
    ["a port that is none", { port: 70_000 }, "INVALID_PORT"],
    ["an address of another computer", { host: "203.0.113.1" }, "CANNOT_LISTEN"],
    ["a secret key of another length", { secretKey: new Uint8Array(31) }, "INVALID_SECRET_KEY"],
    ["a market id in the rental range", { prices: priceTable("sales 2005826765 2024-06-05 1") }, "INVALID_ID"],
    ["a rental offset that the layout has no room for", { rentalOffset: 2n ** 63n + 1n }, "INVALID_LAYOUT"],
  ])("does not start with %s", async (_case, options, code) => {
    const error = await failure(startPriceService({ prices: BUILT_IN_PRICES, ...options }));
    expect(error).toMatchObject({ code, kind: "configuration" });
  });

  it("closes at once, whatever connections are open", async () => {
    const client = await ServiceUnderTest.start({
      prices: BUILT_IN_PRICES,
      faults: [{ kind: "slow" }],
      slowMs: 60_000,
    });
    const { url } = client.service;
    const slow = failure(client.latest("sales", [USA]));
    const idle = connect(Number(new URL(url).port), "127.0.0.1");
    await new Promise((resolve) => idle.once("connect", resolve));
    idle.on("error", () => undefined);
    while (client.service.requests[SALES] === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const start = performance.now();
    await client.service.close();
    expect(performance.now() - start).toBeLessThan(1_500);
    await slow;
    expect(await failure(fetch(url))).toBeInstanceOf(Error);
    idle.destroy();
  });
});
