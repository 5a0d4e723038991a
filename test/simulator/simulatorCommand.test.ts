import { describe, expect, test } from "vitest";
import { FEED_FAULTS, SERVICE_FAULTS, TIMED_FAULTS } from "../../simulator/faults.ts";
import { type JsonDocument, readyDocument, runCommand, startCommand } from "../endToEnd/commandLine.ts";

/** The command while it runs, with ways to ask it and its admin face. */
async function startSimulator(options: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const running = startCommand(["simulator", "--port", "0", "--json", ...options], environment);
  const document: JsonDocument = await readyDocument(running);
  const state = async (): Promise<JsonDocument> => {
    const response = await fetch(`${document.adminUrl}/state`, { headers: { Authorization: document.adminKey } });
    return response.json();
  };
  const ask = async (path: string, body?: object): Promise<JsonDocument> => {
    const method = body ? "POST" : "GET";
    const headers = { Authorization: document.apiKey };
    const response = await fetch(document.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return response.json();
  };
  return { ...running, document, state, ask };
}

describe("homeprice simulator", () => {
  test("gives the account the plan and the faults that it is told, and shows them on its admin face", async () => {
    const simulator = await startSimulator([
      ...["--plan", "free", "--credits", "7", "--rate-limit", "20", "--without-endpoint", "/v1/search/markets"],
      ...["--fault", "expired:5826765", "--fault", "latency:1@/v1/price_feed/latest*3"],
      ...["--given-markets-only", "--v2-answers", "properties"],
    ]);
    try {
      expect(Object.keys(simulator.document)).toEqual(["ok", "url", "apiKey", "publicKey", "adminUrl", "adminKey"]);
      expect(await simulator.state()).toMatchObject({
        plan: { name: "free", credits: 7, requestsPerMinute: 20, withoutEndpoints: ["/v1/search/markets"] },
        credits: { remaining: 7 },
        faults: ["expired:5826765", "latency:1@/v1/price_feed/latest*3"],
        publicKey: simulator.document.publicKey,
      });
      const found = await simulator.ask("/v1/property/search_markets?query=denver");
      expect(found.items).toMatchObject([{ name: "Denver City" }]);
      const homes = await simulator.ask("/v2/property_search?limit=2", { svc_ids: [5306725] });
      expect(homes).toMatchObject({ data: [{}, {}], pagination: { limit: 2 }, account_info: { est_credits_used: 2 } });
    } finally {
      await simulator.stop();
    }
    expect(simulator.stderr()).not.toContain(simulator.document.adminKey);
  });

  test("has the paid plan, an admin key from the environment, and keys and data that a seed makes the same at every start", async () => {
    const seeded = () => startSimulator(["--seed", "42"], { HOMEPRICE_SIMULATOR_ADMIN_KEY: "admin_given" });
    const [first, second] = await Promise.all([seeded(), seeded()]);
    try {
      expect(first.document.adminKey).toBe("admin_given");
      expect(second.document.publicKey).toBe(first.document.publicKey);
      expect(second.document.apiKey).not.toBe(first.document.apiKey);
      const [one, other] = [await first.state(), await second.state()];
      expect(one.plan).toMatchObject({ name: "paid", credits: 1_000_000, rollsOver: true });
      expect(other.rotatedPublicKey).toBe(one.rotatedPublicKey);
      const asked = "/v1/market_metrics/5306725/all_cash?end_date=2024-01-01";
      expect((await second.ask(asked)).items).toEqual((await first.ask(asked)).items);
      expect((await first.ask("/v1/search/markets?query=denver")).total).toBeGreaterThan(1);
      expect(first.stderr()).not.toContain("HOMEPRICE_SIMULATOR_ADMIN_KEY");
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });

  test.each([
    [["--plan", "golden"], "USAGE", /free, paid, annual/],
    [["--credits", "many"], "USAGE", /--credits is "many"/],
    [["--rate-limit", "-1"], "USAGE", /--rate-limit/],
    [["--seed", "0x1"], "USAGE", /--seed is "0x1"/],
    [["--v2-answers", "rows"], "USAGE", /items, properties/],
    [["--without-endpoint", "/v1/nowhere"], "INVALID_PLAN", /\/v1\/nowhere/],
    [["--fault", "slow@/v1/nowhere"], "INVALID_FAULT", /no endpoint has the path/],
    [["--fault", "latency"], "INVALID_FAULT", /milliseconds/],
  ] as const)("ends with 2 for %j", async (options, code, message) => {
    const run = await runCommand(["simulator", "--port", "0", "--json", ...options]);
    expect(run.exitCode).toBe(2);
    expect(run.document()).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
  });

  test("explains every fault, the way to write it, and the admin face", async () => {
    const { exitCode, stdout } = await runCommand(["simulator", "--help"]);
    expect(exitCode).toBe(0);
    const kinds = Object.entries({ ...FEED_FAULTS, ...SERVICE_FAULTS, ...TIMED_FAULTS });
    for (const [kind, description] of kinds) expect(stdout).toMatch(new RegExp(`${kind} +${description}`));
    for (const text of ["KIND[:ARGUMENT][@PATH][*TIMES]", "/admin/clock", "HOMEPRICE_SIMULATOR_ADMIN_KEY"]) {
      expect(stdout).toContain(text);
    }
  });
});
