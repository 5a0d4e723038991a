import { networkInterfaces } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { parseFault } from "../../simulator/faults.ts";
import { isLoopback } from "../../simulator/loopback.ts";
import { startPriceService } from "../../simulator/priceService.ts";
import { ServiceUnderTest } from "./priceServiceClient.ts";

const USA = 5826765;
const SALES = "/v1/price_feed/latest";
const SEARCH = "/v1/search/markets";

const ROUTES = [
  ["GET", "faults"],
  ["PUT", "faults"],
  ["POST", "faults"],
  ["DELETE", "faults"],
  ["GET", "requests"],
  ["PUT", "credits"],
  ["PUT", "plan"],
  ["PUT", "clock"],
  ["GET", "state"],
] as const;

let client: ServiceUnderTest;
beforeEach(async () => {
  client = await ServiceUnderTest.start({ prices: BUILT_IN_PRICES });
});
afterEach(() => client.service.close());

/** Status and document of a request to the admin face. */
async function ask(...request: Parameters<ServiceUnderTest["admin"]>): Promise<[number, unknown]> {
  const response = await client.admin(...request);
  return [response.status, await response.json()];
}

describe("the admin face", () => {
  it("has a key of its own, of which the service's opens nothing", async () => {
    const { apiKey, adminKey, adminUrl, url } = client.service;
    expect(adminKey).toMatch(/^admin_[\w-]{32}$/);
    expect(adminUrl).toBe(`${url}/admin`);
    for (const [method, path] of ROUTES) {
      const without = await fetch(`${adminUrl}/${path}`, { method });
      expect([without.status, await without.json()]).toEqual([401, { detail: "Authorization header missing" }]);
      for (const key of [apiKey, `Bearer ${adminKey}`, "other"]) {
        const refused = await fetch(`${adminUrl}/${path}`, { method, headers: { Authorization: key } });
        expect([refused.status, await refused.json()]).toEqual([401, { detail: "Invalid admin key" }]);
      }
    }
    const asClient = await fetch(url + SEARCH, { headers: { Authorization: adminKey } });
    expect(asClient.status).toBe(401);
  });

  it("takes the key that it is given", async () => {
    const service = await startPriceService({ prices: BUILT_IN_PRICES, adminKey: "admin_given" });
    const response = await fetch(`${service.adminUrl}/state`, { headers: { Authorization: "admin_given" } });
    expect(response.status).toBe(200);
    await service.close();
  });

  it("is 404 where there is nothing and 405 for another method", async () => {
    expect(await ask("GET", "nothing")).toEqual([404, { detail: "Not Found" }]);
    expect(await ask("GET", "credits")).toEqual([405, { detail: "Method Not Allowed" }]);
    expect((await client.admin("POST", "state")).headers.get("allow")).toBe("GET");
  });

  it("is not to be found from another computer", async () => {
    const address = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4")?.address;
    if (address === undefined) {
      process.stderr.write("not tested over a network: this computer has no address but its own\n");
      return;
    }
    const open = await startPriceService({ prices: BUILT_IN_PRICES, host: "0.0.0.0" });
    const headers = { Authorization: open.adminKey };
    const fromOutside = await fetch(`${open.url.replace("127.0.0.1", address)}/admin/state`, { headers });
    expect([fromOutside.status, await fromOutside.json()]).toEqual([404, { detail: "Not Found" }]);
    expect((await fetch(`${open.adminUrl}/state`, { headers })).status).toBe(200);
    await open.close();
  });

  it.each([
    ["127.0.0.1", true],
    ["127.8.9.10", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["10.0.0.1", false],
    ["::ffff:10.0.0.1", false],
    ["fe80::1", false],
    ["", false],
  ])("counts %j as this computer: %s", (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
  });

  it("is neither struck by faults nor counted nor logged as a request of the service", async () => {
    client.service.setFaults([parseFault("unavailable"), parseFault("not-json"), parseFault("unauthorized*1")]);
    expect((await ask("GET", "faults"))[0]).toBe(200);
    expect(client.service.recentRequests()).toEqual([]);
    expect(Object.values(client.service.requests).every((count) => count === 0)).toBe(true);
  });
});

describe("faults", () => {
  it("are listed, replaced, added and removed as they are written", async () => {
    expect(await ask("GET", "faults")).toEqual([200, { faults: [] }]);
    const written = [`expired:${USA}`, `truncated@${SALES}*2`];
    expect(await ask("PUT", "faults", { faults: written })).toEqual([200, { faults: written }]);
    expect(await (await client.latest("sales", [USA])).text()).not.toMatch(/\}$/);
    expect(await ask("POST", "faults", { faults: ["clock-skew:-1000"] })).toEqual([
      200,
      { faults: [`expired:${USA}`, `truncated@${SALES}*1`, "clock-skew:-1000"] },
    ]);
    expect(await ask("PUT", "faults", { faults: ["unavailable"] })).toEqual([200, { faults: ["unavailable"] }]);
    expect((await client.latest("sales", [USA])).status).toBe(503);
    expect(await ask("DELETE", "faults")).toEqual([200, { faults: [] }]);
    expect((await client.latest("sales", [USA])).status).toBe(200);
    expect(client.service.faults()).toEqual([]);
  });

  it("that are written wrong are named one by one, and nothing changes", async () => {
    await ask("PUT", "faults", { faults: ["unavailable"] });
    for (const method of ["PUT", "POST"] as const) {
      const [status, body] = await ask(method, "faults", { faults: ["nonsense", "slow", "slow@/v1/nowhere"] });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        detail: [
          {
            type: "value_error",
            loc: ["body", "faults", 0],
            input: "nonsense",
            msg: expect.stringContaining("no kind"),
          },
          { loc: ["body", "faults", 2], input: "slow@/v1/nowhere", msg: expect.stringContaining("no endpoint") },
        ],
      });
    }
    expect(await ask("GET", "faults")).toEqual([200, { faults: ["unavailable"] }]);
  });

  it("know the rental offset of the service", async () => {
    const service = await startPriceService({ prices: BUILT_IN_PRICES, rentalOffset: 3_000_000_000n });
    const response = await fetch(`${service.adminUrl}/faults`, {
      method: "PUT",
      headers: { Authorization: service.adminKey },
      body: '{"faults": ["expired:3005826765"]}',
    });
    expect(response.status).toBe(200);
    expect(service.faults()).toEqual([{ kind: "expired", feedId: 3_005_826_765n }]);
    await service.close();
  });
});

describe("a body", () => {
  it.each([
    ["faults", "", "missing", ["body"]],
    ["faults", "{", "json_invalid", ["body", 0]],
    ["faults", "[]", "invalid_type", ["body"]],
    ["faults", {}, "missing", ["body", "faults"]],
    ["faults", { faults: "slow" }, "invalid_type", ["body", "faults"]],
    ["faults", { faults: [1] }, "invalid_type", ["body", "faults", 0]],
    ["faults", { faults: [], fault: [] }, "extra_forbidden", ["body", "fault"]],
    ["credits", {}, "missing", ["body", "remaining"]],
    ["credits", { remaining: -1 }, "too_small", ["body", "remaining"]],
    ["credits", { remaining: 1.5 }, "invalid_type", ["body", "remaining"]],
    ["credits", { remaining: "1" }, "invalid_type", ["body", "remaining"]],
    ["plan", { name: "golden" }, "invalid_value", ["body", "name"]],
    ["plan", { requestsPerMinute: -1 }, "too_small", ["body", "requestsPerMinute"]],
    ["plan", { withoutEndpoints: ["/v1/nowhere"] }, "value_error", ["body", "withoutEndpoints"]],
    ["plan", { colour: 1 }, "extra_forbidden", ["body", "colour"]],
    ["clock", {}, "custom", ["body"]],
    ["clock", { offsetMs: 1, time: "2026-03-04T12:30:00Z" }, "custom", ["body"]],
    ["clock", { time: "yesterday" }, "invalid_format", ["body", "time"]],
    ["clock", { time: "1926-03-04T12:30:00Z" }, "invalid_format", ["body", "time"]],
    ["clock", { offsetMs: 1e15 }, "too_big", ["body", "offsetMs"]],
  ])("for %s that is %j is 422, %s", async (path, body, type, loc) => {
    const [status, answer] = await ask("PUT", path, body);
    expect(status).toBe(422);
    expect((answer as { detail: unknown[] }).detail[0]).toMatchObject({ type, loc, msg: expect.any(String) });
    expect((answer as { detail: unknown[] }).detail[0]).toHaveProperty("input");
  });
});

describe("requests", () => {
  it("are counted by endpoint and shown with what was asked, but no secrets", async () => {
    const { apiKey, adminKey, url } = client.service;
    await client.latest("sales", [USA]);
    client.clock.ms += 1_000;
    await client.get(`${SEARCH}?query=${apiKey}&limit=3&token=s3cret&session_key=s3cret`);
    await client.post("/v1/nowhere", { admin: adminKey, filler: "x".repeat(3_000) });
    await fetch(url + SEARCH);
    await fetch(url + SEARCH, { headers: { Authorization: "s3cret" } });

    const [status, body] = await ask("GET", "requests");
    expect(status).toBe(200);
    const { counts, recent } = body as { counts: unknown; recent: { body: string }[] };
    expect(counts).toMatchObject({ [SALES]: 1, [SEARCH]: 3, "/v1/price_feed_rentals/latest": 0 });
    expect(recent).toMatchObject([
      {
        time: "2024-06-05T14:00:00.000Z",
        method: "POST",
        path: SALES,
        query: {},
        authorization: "valid",
        body: `{"svc_ids":[${USA}]}`,
        status: 200,
      },
      {
        time: "2024-06-05T14:00:01.000Z",
        method: "GET",
        path: SEARCH,
        query: { query: "…", limit: "3", token: "…", session_key: "…" },
        status: 422,
      },
      { path: "/v1/nowhere", status: 404 },
      { path: SEARCH, authorization: "absent", status: 401 },
      { path: SEARCH, authorization: "invalid", status: 401 },
    ]);
    expect(recent[2]?.body).toHaveLength(2_000);
    for (const secret of [apiKey, adminKey, "s3cret"]) expect(JSON.stringify(body)).not.toContain(secret);
  });

  it("are forgotten beyond the last hundred", async () => {
    for (let id = 1; id <= 101; id += 1) await client.get(`/v1/nowhere/${id}`);
    const paths = client.service.recentRequests().map(({ path }) => path);
    expect(paths).toHaveLength(100);
    expect([paths[0], paths[99]]).toEqual(["/v1/nowhere/2", "/v1/nowhere/101"]);
  });
});

describe("credits, plan and clock", () => {
  it("of credits changes what is left in this cycle", async () => {
    expect(await ask("PUT", "credits", { remaining: 1 })).toEqual([
      200,
      { remaining: 1, cycleEnd: "2024-07-05T14:00:00.000Z" },
    ]);
    expect((await client.served("sales", [USA])).account.est_remaining_credits).toBe(0);
    expect((await client.latest("sales", [USA])).status).toBe(429);
  });

  it("of the plan begins a first cycle, with whatever is to be different", async () => {
    await ask("PUT", "credits", { remaining: 0 });
    const changes = {
      name: "free",
      credits: 5,
      searchesPerMinute: 1,
      sendsRetryAfter: true,
      withoutEndpoints: [SALES],
    };
    expect(await ask("PUT", "plan", changes)).toEqual([
      200,
      { ...changes, cycleDays: 30, rollsOver: false, requestsPerMinute: 60_000 },
    ]);
    expect((await client.latest("sales", [USA])).status).toBe(403);
    expect((await client.served("rental", [USA])).account.est_remaining_credits).toBe(4);
    expect((await client.get(SEARCH)).status).toBe(200);
    expect((await client.get(SEARCH)).headers.get("retry-after")).toBe("60");
    const [, paid] = await ask("PUT", "plan", { requestsPerMinute: null });
    expect(paid).toMatchObject({ name: "paid", credits: 1_000_000, requestsPerMinute: null, searchesPerMinute: null });
    expect((await client.latest("sales", [USA])).status).toBe(200);
  });

  it("of the clock moves the whole service, or stops it", async () => {
    expect(await ask("PUT", "clock", { offsetMs: 86_400_000 })).toEqual([
      200,
      { now: "2024-06-06T14:00:00.000Z", offsetMs: 86_400_000 },
    ]);
    const response = await client.latest("sales", [USA]);
    expect(response.headers.get("date")).toBe("Thu, 06 Jun 2024 14:00:00 GMT");
    expect(await response.json()).toMatchObject({ items: [{ date: "2024-06-06" }] });
    client.clock.ms += 1_000;
    expect(client.service.state().nowMs).toBe(BigInt(Date.parse("2024-06-06T14:00:01Z")));

    expect(await ask("PUT", "clock", { time: "2026-03-04T07:30:00-05:00" })).toEqual([
      200,
      { now: "2026-03-04T12:30:00.000Z", time: "2026-03-04T12:30:00.000Z" },
    ]);
    client.clock.ms += 1_000;
    expect((await client.servedOne("sales", USA)).date).toBe("2026-03-04");
    expect(client.service.state().nowMs).toBe(BigInt(Date.parse("2026-03-04T12:30:00Z")));

    expect(await ask("PUT", "clock", { offsetMs: 0 })).toEqual([200, { now: "2024-06-05T14:00:02.000Z", offsetMs: 0 }]);
    expect((await client.servedOne("sales", USA)).date).toBe("2024-06-05");
  });

  it("are all in the state, with the edition and the keys", async () => {
    client.service.setFaults([parseFault("slow@/v1/search/markets*3")]);
    await client.latest("sales", [USA]);
    expect(await ask("GET", "state")).toEqual([
      200,
      {
        clock: { now: "2024-06-05T14:00:00.000Z", offsetMs: 0 },
        edition: { date: "2024-06-05", publishTime: "2024-06-05T11:30:00.000Z", expiry: "2024-06-06T12:25:00.000Z" },
        faults: ["slow@/v1/search/markets*3"],
        plan: client.service.state().plan,
        credits: { remaining: 999_999, cycleEnd: "2024-07-05T14:00:00.000Z" },
        requests: client.service.requests,
        publicKey: client.service.publicKey,
        rotatedPublicKey: client.service.rotatedPublicKey,
      },
    ]);
    expect(client.service.state().plan).toMatchObject({ name: "paid", rollsOver: true });
  });
});
