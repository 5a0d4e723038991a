import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { type PriceServiceOptions, type RequestLogEntry, startPriceService } from "../../simulator/priceService.ts";
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

  it("is 404 for an unknown path and 405 for a wrong method", async () => {
    const client = await start();
    const nowhere = await client.post("/v1/price_feed/newest", {});
    expect(nowhere.status).toBe(404);
    expect(await nowhere.json()).toEqual({ detail: "Not Found" });
    const wrongMethod = await client.get(SALES);
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get("allow")).toBe("POST");
    expect(await wrongMethod.json()).toEqual({ detail: "Method Not Allowed" });
    expect((await client.post("/v1/search/markets", {})).status).toBe(405);
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
    expect(client.service.requests).toMatchObject({ [SALES]: 2, [RENTALS]: 1, "/v1/search/markets": 0 });
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
    const client = await start({ secretKey, seed: 1 });
    expect(client.service.publicKey).toBe("0xd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  });

  it("signs the same bytes at every start with the same seed, whatever its faults, and other bytes with another", async () => {
    const answers: unknown[] = [];
    const keys: unknown[] = [];
    for (const seed of [1, 1, 2]) {
      const client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES, seed });
      const sound = await client.served("sales", [USA]);
      client.service.setFaults([{ kind: "unknown-signer" }]);
      answers.push([sound.items, (await client.served("sales", [USA])).items]);
      keys.push([client.service.publicKey, client.service.rotatedPublicKey]);
      await client.service.close();
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(keys[1]).toEqual(keys[0]);
    expect(answers[2]).not.toEqual(answers[0]);
    expect(new Set(keys.flat()).size).toBe(4);
  });

  it("shows its own clock in the header Date, also where nothing is found", async () => {
    const client = await start();
    const expected = "Wed, 05 Jun 2024 14:00:00 GMT";
    expect((await client.latest("sales", [USA])).headers.get("date")).toBe(expected);
    expect((await client.get("/nowhere")).headers.get("date")).toBe(expected);
    expect((await client.get(SALES)).headers.get("date")).toBe(expected);
    expect((await client.post(SALES, " ".repeat(2_000_000))).headers.get("date")).toBe(expected);
    client.clock.ms += 61_000;
    expect((await client.latest("sales", [1])).headers.get("date")).toBe("Wed, 05 Jun 2024 14:01:01 GMT");
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
