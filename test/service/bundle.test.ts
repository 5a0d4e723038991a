import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { makeBrowserBundle, sizesOf } from "../../scripts/bundleSdk.ts";
import { SERVICE_CLIENT_USES } from "../../scripts/bundleService.ts";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { API_KEY, startServer } from "./priceServer.ts";

const [everything] = SERVICE_CLIENT_USES;
if (!everything) throw new Error("no use of the client is named");
const { source } = everything;

/** What the client may import: itself, the bottom layers that it stands on, and three packages. */
const ALLOWED = [
  /^relayer\/(service|message|errors)\//,
  /^node_modules\/(zod|p-retry|is-network-error)\//, // the last is p-retry's own
];

test("importing the client imports nothing but itself, the message folder, zod and p-retry", async () => {
  const { inputs } = await makeBrowserBundle(source);
  expect(inputs).toEqual(expect.arrayContaining(["relayer/service/index.ts", "relayer/service/sendRequest.ts"]));
  expect(inputs.filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))).toEqual([]);
  // Signatures are verified by those who hold a layout and a key: the client only hands them on.
  expect(inputs.filter((path) => path.includes("ed25519"))).toEqual([]);
});

test("weighs what docs/service.md says", async () => {
  const { text } = await makeBrowserBundle(source);
  process.stdout.write(`service client for browsers: ${sizesOf(text).trim()}\n`);
  const document = readFileSync(join(CHECKOUT, "docs/service.md"), "utf8");
  const [, kilobytes = ""] = /weighs about (\d+) kB gzipped/.exec(document) ?? [];
  expect(Number(kilobytes)).toBeGreaterThan(0);
  const measured = gzipSync(text, { level: 9 }).length / 1000;
  expect(measured).toBeGreaterThan(0.9 * Number(kilobytes));
  expect(measured).toBeLessThan(1.1 * Number(kilobytes));
});

test("the bundle asks a service", async () => {
  const { text } = await makeBrowserBundle(source);
  const server = await startServer(() => ({ body: { items: [{ date: "2026-10-01", price_feed: 216.94 }] } }));
  const bundled = (await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`
  )) as typeof import("../../relayer/service/index.ts");
  const client = bundled.createServiceClient({ apiUrl: server.url, apiKey: API_KEY });
  const [day] = await bundled.fetchAll(client, "price_feed/sales", { svc_id: 5_826_765n });
  expect(day?.price_feed).toBe("216.94");
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/price_feed/5826765/price_feed"]);
});
