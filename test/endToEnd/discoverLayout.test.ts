import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import type { FeedKind } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { type JsonDocument, runCommand } from "./commandLine.ts";

/** A service that signs with a layout that the relayer is not configured for. */
let service: PriceService;
let folder: string;
/** The service's answers, as files. */
let sales: string;
let rental: string;

const MARKETS = { sales: [5_826_765, 5_822_447, 5_306_725], rental: [5_826_765, 5_372_594] };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "homeprice-layout-"));
  service = await startPriceService({ prices: BUILT_IN_PRICES, layout: EXPONENT_LAYOUT });
  sales = await save("sales.json", await latest(service, "sales"));
  rental = await save("rental.json", await latest(service, "rental"));
});

afterAll(async () => {
  await service?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function latest({ url, apiKey }: PriceService, kind: FeedKind): Promise<JsonDocument> {
  const path = kind === "sales" ? "/v1/price_feed/latest" : "/v1/price_feed_rentals/latest";
  const headers = { Authorization: apiKey, "Content-Type": "application/json" };
  const body = JSON.stringify({ svc_ids: MARKETS[kind] });
  return await (await fetch(url + path, { method: "POST", headers, body })).json();
}

async function save(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const discover = (commandArguments: readonly string[], environment: Record<string, string> = {}) =>
  runCommand(["message", "discover-layout", ...commandArguments], environment);

/** A message of the service's, in hex. */
const messageOf = async () => (await latest(service, "sales")).items[0].message as string;

describe("message discover-layout", () => {
  test("finds the layout in a saved answer, and it is what the configuration takes", async () => {
    const run = await discover(["--from", sales, "--json"]);
    expect(run.exitCode).toBe(0);
    const document = run.document();
    expect(document).toMatchObject({
      ok: true,
      layout: EXPONENT_LAYOUT,
      ambiguous: false,
      usedRawMessage: true,
      publicKey: service.publicKey,
    });
    const feedIds = document.verified.map(({ feedId }: { feedId: string }) => feedId);
    expect(feedIds.toSorted()).toEqual(MARKETS.sales.map(String).toSorted());

    const message = await messageOf();
    const wrong = await runCommand(["message", "decode", message, "--json"]);
    expect(wrong.exitCode).toBe(1);
    const decoded = await runCommand(["message", "decode", message, "--json"], {
      HOMEPRICE_LAYOUT: JSON.stringify(document.layout),
    });
    expect(decoded.document()).toMatchObject({ ok: true, kind: "sales" });
  });

  test("prints it for the configuration file and for the environment", async () => {
    const { stdout, exitCode } = await discover(["--from", sales, "--from", rental]);
    expect(exitCode).toBe(0);
    const block = /^layout:\n(?: {2}.*\n)+/m.exec(stdout)?.[0] ?? "";
    expect(parseYaml(block)).toEqual({ layout: EXPONENT_LAYOUT });
    const variable = /^HOMEPRICE_LAYOUT='(.*)'$/m.exec(stdout)?.[1] ?? "";
    expect(JSON.parse(variable)).toEqual(EXPONENT_LAYOUT);
    expect(stdout).toContain("5 of 5 items verified");
    expect(stdout).toContain("feed 2005372594");

    const config = await save("found.yaml", block);
    const decoded = await runCommand(["message", "decode", await messageOf(), "--config", config, "--json"]);
    expect(decoded.document()).toMatchObject({ ok: true });
  });

  test("asks the service when there is no file", async () => {
    const run = await discover(["--json"], {
      HOMEPRICE_API_URL: service.url,
      HOMEPRICE_API_KEY: service.apiKey,
      HOMEPRICE_SIGNER_PUBLIC_KEY: service.publicKey,
      HOMEPRICE_MARKETS: "5826765,5822447:sales,5372594:rental",
    });
    expect(run.document()).toMatchObject({ ok: true, layout: EXPONENT_LAYOUT });
    const feedIds = run.document().verified.map(({ feedId }: { feedId: string }) => feedId);
    expect(feedIds).toEqual(["5826765", "5822447", "2005826765", "2005372594"]);
    expect(run.stdout + run.stderr).not.toContain(service.apiKey);
  });

  test.each<[string, (answer: JsonDocument) => unknown]>([
    ["a list of items", ({ items }) => items],
    ["one item", ({ items }) => items[0]],
    ["a list of answers", (answer) => [answer, answer]],
  ])("takes %s", async (_name, change) => {
    const path = await save("changed.json", change(await latest(service, "sales")));
    const document = (await discover(["--from", path, "--json"])).document();
    // One item shows that zeros are zero, not what they are for.
    expect(document).toMatchObject({ ok: true, layout: { price: EXPONENT_LAYOUT.price, date: EXPONENT_LAYOUT.date } });
  });

  test("finds a layout by signatures alone, with the domain given", async () => {
    const layout: MessageLayout = {
      ...DEFAULT_LAYOUT,
      feedId: { ...DEFAULT_LAYOUT.feedId, byteOrder: "big" },
      price: { ...DEFAULT_LAYOUT.price, byteOrder: "big", decimals: 6 },
      publishTime: { ...DEFAULT_LAYOUT.publishTime, byteOrder: "big" },
      expiry: { ...DEFAULT_LAYOUT.expiry, byteOrder: "big" },
    };
    const other = await startPriceService({ prices: BUILT_IN_PRICES, layout });
    const { items } = await latest(other, "sales").finally(() => other.close());
    const path = await save("unsaid.json", { items: items.map(({ message: _, ...item }: JsonDocument) => item) });

    const domain = layout.constants[0]?.bytes ?? "";
    const run = await discover(["--from", path, "--domain", domain, "--json"]);
    expect(run.document()).toMatchObject({ ok: true, layout, usedRawMessage: false });
    expect(run.document().verified).toHaveLength(3);
    expect(run.document().candidates).toBeLessThan(2_000_000);
    expect(run.stderr).toMatch(/trying [\d,]+ layouts/);
  });
});

describe("where nothing is found", () => {
  test("exits with 1, says why, and what was covered", async () => {
    const answer = await latest(service, "sales");
    for (const item of answer.items) item.signature = item.signature.replace(/^../, "00");
    const path = await save("unsigned.json", answer);

    const json = await discover(["--from", path, "--json"]);
    expect(json.exitCode).toBe(1);
    expect(json.document()).toMatchObject({
      ok: false,
      error: { code: "LAYOUT_NOT_FOUND", message: expect.stringMatching(/does not verify.*whatever the layout/) },
      usedRawMessage: true,
    });
    expect(json.document().setAside).toHaveLength(3);
    expect(json.document().error.hint).not.toBe("");

    const text = await discover(["--from", path]);
    expect(text.exitCode).toBe(1);
    expect(text.stdout).toBe("");
    expect(text.stderr).toMatch(/no layout found/);
  });

  test("lists the arrangements that were tried", async () => {
    const { items } = await latest(service, "sales");
    const path = await save("short.json", { items: items.map(({ message: _, ...item }: JsonDocument) => item) });
    const domain = "c0".repeat(48);
    const { stderr, exitCode } = await discover(["--from", path, "--kind", "sales", "--domain", domain]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/verifies under none of [\d,]+ layouts/);
    expect(stderr).toMatch(/fixed decimals, constant bytes first, no version byte: [\d,]+ layouts/);
    expect(stderr).toMatch(/Not covered:/);
  });

  test("says which items could not be read when none could", async () => {
    const path = await save("nameless.json", { items: [{ id: 5 }, { svc_id: 7 }] });
    const run = await discover(["--from", path, "--json"]);
    expect(run.exitCode).toBe(1);
    expect(run.document().error).toMatchObject({
      code: "NO_SIGNED_ITEMS",
      message: expect.stringMatching(/no market id in svc_id.*market 7.*no signature/),
    });
  });
});

describe("a call that cannot work exits with 2", () => {
  test.each<[string, () => Promise<readonly string[]>, string]>([
    ["a file that is not there", async () => ["--from", join(folder, "absent.json")], "INPUT_UNREADABLE"],
    ["a file that is no JSON", async () => ["--from", await save("broken.json", "{")], "INPUT_INVALID"],
    [
      "an answer without items",
      async () => ["--from", await save("empty.json", { account: { est_credits_used: 0 } })],
      "INPUT_INVALID",
    ],
    ["a domain that is no hex", async () => ["--from", sales, "--domain", "domain"], "USAGE"],
    ["a key that is no hex", async () => ["--from", sales, "--public-key", "key"], "USAGE"],
    ["a kind that there is not", async () => ["--from", sales, "--kind", "lease"], "USAGE"],
    ["neither file nor service", async () => [], "NO_API_URL"],
  ])("%s", async (_name, call, code) => {
    const run = await discover([...(await call()), "--json"]);
    expect(run.document()).toMatchObject({ ok: false, error: { code } });
    expect(run.exitCode).toBe(2);
  });

  test("items without a key, or with different ones", async () => {
    const { items } = await latest(service, "sales");
    const keyless = await save(
      "keyless.json",
      items.map(({ public_key: _, ...item }: JsonDocument) => item),
    );
    const without = await discover(["--from", keyless, "--json"]);
    expect(without.document().error).toMatchObject({ code: "NO_SIGNER_PUBLIC_KEY" });
    const given = await discover(["--from", keyless, "--public-key", service.publicKey, "--json"]);
    expect(given.document()).toMatchObject({ ok: true, layout: EXPONENT_LAYOUT });

    const [first, second] = items;
    const other = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";
    const differing = await save("differing.json", [first, { ...second, public_key: other }]);
    const run = await discover(["--from", differing, "--json"]);
    expect(run.document().error).toMatchObject({ message: expect.stringMatching(/different public keys/) });
    expect(run.exitCode).toBe(2);
  });
});
