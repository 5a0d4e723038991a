import { hexToBytes } from "viem";
import { describe, expect, onTestFinished, test } from "vitest";
import { findSignedPrices, signedFeeds, signersOf } from "../../relayer/markets/findSignedPrices.ts";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import { DEFAULT_RENTAL_OFFSET, FEED_KINDS, type FeedKind } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { createServiceClient } from "../../relayer/service/serviceClient.ts";
import { type Fault, parseFault } from "../../simulator/faults.ts";
import { startPriceService } from "../../simulator/priceService.ts";
import { latestAnswer, manyMarkets, startServer, testClient } from "../service/priceServer.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";

const RENTAL = 2_000_000_000;

const PRICES = priceTable(
  "sales 11 2024-06-05 100.5",
  "rental 11 2024-06-05 1.25",
  "sales 12 2024-06-05 200",
  "rental 13 2024-06-05 3",
  "sales 14 2024-06-05 400",
  "rental 14 2024-06-05 4",
);

const EXPECTATIONS = {
  layout: DEFAULT_LAYOUT,
  rentalOffset: DEFAULT_RENTAL_OFFSET,
  maxExpiryAfterDateMs: 259_200_000n,
  timeZone: "America/New_York",
};

type Options = { faults?: readonly string[]; kinds?: readonly FeedKind[]; key?: "present" | "rotated" | "none" };

async function find(marketIds: readonly number[], { faults = [], kinds = FEED_KINDS, key = "present" }: Options = {}) {
  const parsed: Fault[] = faults.map((fault) => parseFault(fault));
  const service = await startPriceService({ prices: PRICES, faults: parsed });
  onTestFinished(() => service.close());
  const client = createServiceClient({ apiUrl: service.url, apiKey: service.apiKey, minRetryDelayMs: 1 });
  const hex = { present: service.publicKey, rotated: service.rotatedPublicKey, none: undefined }[key];
  const findings = await findSignedPrices(client, {
    marketIds: marketIds.map(BigInt),
    kinds,
    expectations: { ...EXPECTATIONS, publicKey: hex && decodePublicKey(hexToBytes(hex)) },
    nowMs: () => BigInt(Date.now()),
  });
  const outcomes = [...findings].map(([marketId, byKind]) => [
    Number(marketId),
    Object.fromEntries(Object.entries(byKind).map(([kind, { outcome }]) => [kind, outcome])),
  ]);
  return { service, client, findings, outcomes: Object.fromEntries(outcomes) };
}

test("a market has a price for each kind in which one comes back", async () => {
  const { outcomes, findings, service, client } = await find([11, 12, 13, 99]);
  expect(outcomes).toEqual({
    11: { sales: "signed", rental: "signed" },
    12: { sales: "signed", rental: "missing" },
    13: { sales: "missing", rental: "signed" },
    99: { sales: "missing", rental: "missing" },
  });
  expect(signedFeeds(findings)).toEqual([
    { marketId: 11n, kind: "sales" },
    { marketId: 11n, kind: "rental" },
    { marketId: 12n, kind: "sales" },
    { marketId: 13n, kind: "rental" },
  ]);
  expect([...signersOf(findings)]).toEqual([[service.publicKey, 4]]);
  expect(client.creditUse().used).toBe(4);
});

test("only the kinds that are asked for are asked for", async () => {
  const { outcomes, service } = await find([11, 12], { kinds: ["rental"] });
  expect(outcomes).toEqual({ 11: { rental: "signed" }, 12: { rental: "missing" } });
  expect(service.requests["/v1/price_feed/latest"] ?? 0).toBe(0);
});

describe("a price that comes and is not right is refused", () => {
  test.each([
    ["bad-signature", "InvalidSignature"],
    ["unknown-signer", "UnknownSigner"],
    ["wrong-kind", "WrongFeed"],
    ["mismatch", "MessageMismatch"],
    ["short-message", "InvalidMessageLength"],
    ["expired", "ExpiryPassed"],
    ["zero-price", "ZeroPrice"],
    ["invalid-date", "InvalidDate"],
    ["changed-layout", "UnexpectedConstantBytes"],
  ])("%s", async (fault, code) => {
    const { outcomes, findings } = await find([11, 14], { faults: [`${fault}:11`] });
    expect(outcomes).toEqual({
      11: { sales: "refused", rental: "signed" },
      14: { sales: "signed", rental: "signed" },
    });
    expect(findings.get(11n)?.sales).toMatchObject({ refusal: { code } });
  });

  test("under another key than the configured one", async () => {
    const { outcomes } = await find([11], { key: "rotated" });
    expect(outcomes).toEqual({ 11: { sales: "refused", rental: "refused" } });
  });
});

describe("without a configured key", () => {
  test("each price is checked under the key that it names", async () => {
    const { outcomes, findings, service } = await find([11, 12, 14], {
      key: "none",
      faults: ["rotated-key:12", `bad-signature:${RENTAL + 11}`],
    });
    expect(outcomes).toEqual({
      11: { sales: "signed", rental: "refused" },
      12: { sales: "signed", rental: "missing" },
      14: { sales: "signed", rental: "signed" },
    });
    expect([...signersOf(findings)]).toEqual([
      [service.publicKey, 3],
      [service.rotatedPublicKey, 1],
    ]);
  });

  test("one that names none is refused", async () => {
    const { findings } = await find([12], { key: "none", kinds: ["sales"], faults: ["no-public-key"] });
    expect(findings.get(12n)?.sales).toMatchObject({ outcome: "refused", refusal: { code: "UnknownSigner" } });
  });
});

describe("what the service does not answer", () => {
  test("for a market that it refuses to sign for is missing", async () => {
    const { outcomes, findings } = await find([11, 12, 13, 14], { faults: ["refuse:12"], kinds: ["sales"] });
    expect(outcomes).toEqual({
      11: { sales: "signed" },
      12: { sales: "missing" },
      13: { sales: "missing" },
      14: { sales: "signed" },
    });
    expect(findings.get(12n)?.sales).toMatchObject({ reason: expect.stringMatching(/422/) });
  });

  test("for a market that breaks it is no finding", async () => {
    const { outcomes } = await find([11, 12, 14], { faults: ["server-error:12"], kinds: ["sales"] });
    expect(outcomes).toEqual({ 11: { sales: "signed" }, 12: { sales: "failed" }, 14: { sales: "signed" } });
  });

  test("for markets that were refused only together with others is no finding", async () => {
    const server = await startServer(({ marketIds }) =>
      marketIds.some((id) => id % 2 === 0) ? { status: 422, body: { detail: "no" } } : latestAnswer(marketIds),
    );
    const marketIds = manyMarkets(300);
    const findings = await findSignedPrices(testClient(server.url), {
      marketIds,
      kinds: ["sales"],
      expectations: { ...EXPECTATIONS, publicKey: undefined },
      nowMs: () => BigInt(Date.now()),
    });
    const alone = new Set(
      server.requests.flatMap(({ marketIds: [id, ...others] }) => (others.length === 0 ? [id] : [])),
    );
    const outcomes = marketIds.map((id) => [Number(id), findings.get(id)?.sales?.outcome] as const);
    const missing = outcomes.filter(([, outcome]) => outcome === "missing").map(([id]) => id);
    const failed = outcomes.filter(([, outcome]) => outcome === "failed").map(([id]) => id);
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.filter((id) => !alone.has(id) || id % 2 !== 0)).toEqual([]);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.filter((id) => alone.has(id))).toEqual([]);
  });

  test("for one kind says nothing about it, and does not stop the other", async () => {
    const { outcomes, findings } = await find([11], { faults: ["forbidden@/v1/price_feed_rentals/latest"] });
    expect(outcomes).toEqual({ 11: { sales: "signed", rental: "failed" } });
    expect(findings.get(11n)?.rental).toMatchObject({ reason: expect.stringMatching(/plan does not include/) });
  });

  test("at all is the service's error", async () => {
    await expect(find([11], { faults: ["unauthorized"] })).rejects.toMatchObject({ code: "API_UNAUTHORIZED" });
  });
});
