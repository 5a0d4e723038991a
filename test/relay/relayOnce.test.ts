import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { UnfundedSenderError } from "../../relayer/chain/unfundedSender.ts";
import { targetOf } from "../../relayer/deliver/chainContext.ts";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import type { Journal } from "../../relayer/journal/journal.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { privateKeySigner } from "../../relayer/keys/privateKeySigner.ts";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import { relayOnce } from "../../relayer/relay/relayOnce.ts";
import { startOracleChain } from "../chain/oracleChain.ts";
import { RPC_KEY } from "../chain/rpcProxy.ts";
import { newSenderKey } from "../deliver/senderKey.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { NOW, PUBLIC_KEY, priceMessage, receivedPrice, STRANGER, timeMs } from "../message/signedPrices.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";
import { recordingLog } from "./recordingLog.ts";
import {
  clientOf,
  feedOfReport,
  type RelayFixture,
  scriptedClient,
  startRelayFixture,
  statusesOf,
  toItem,
} from "./relayFixture.ts";

const HASH = /^0x[0-9a-f]{64}$/;
const SALES = [{ marketId: 5_826_765n, kind: "sales" as const }];
const SALES_FEED = 5_826_765n;

let fixture: RelayFixture;
let snapshot: unknown;
beforeAll(async () => {
  fixture = await startRelayFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  vi.setSystemTime(NOW);
  snapshot = await fixture.request("evm_snapshot");
});
afterEach(async () => {
  await fixture.request("evm_revert", [snapshot]);
});

/** An empty journal, before which something happens whenever a transaction is about to be written down. */
async function beforeEachAttempt(happen: () => Promise<unknown>): Promise<Journal> {
  const journal = await openJournal(":memory:");
  return {
    ...journal,
    openAttempt: async (attempt) => {
      await happen();
      return journal.openAttempt(attempt);
    },
  };
}

/** The service's word on one feed. */
function saying(...changes: Parameters<typeof priceMessage>) {
  return scriptedClient((kind) => (kind === "sales" ? [receivedPrice(priceMessage(...changes))] : []));
}

describe("a run", () => {
  test("carries every wanted feed, and reports it in the agreed form", async () => {
    const service = await fixture.serve();
    const report = await relayOnce(await fixture.context(clientOf(service)));
    const hash = report.transactions[0]?.hash;
    const line = (feedId: string, marketId: string, kind: string, price: string) => ({
      feedId,
      marketId,
      kind,
      status: "updated",
      reason: expect.any(String),
      price,
      date: "2026-03-04",
      publishTime: "2026-03-04T12:30:00.000Z",
      transaction: hash,
    });
    expect(report).toEqual({
      ok: true,
      chainId: 31_337,
      oracle: fixture.oracle,
      feeds: [
        line("5826765", "5826765", "sales", "216.94"),
        line("5822447", "5822447", "sales", "601.89"),
        line("2005826765", "5826765", "rental", "1.474"),
        line("2005822447", "5822447", "rental", "4.517"),
      ],
      transactions: [
        {
          hash: expect.stringMatching(HASH),
          chainId: 31_337,
          gasUsed: expect.stringMatching(/^\d+$/),
          feeds: ["5826765", "5822447", "2005826765", "2005822447"],
        },
      ],
      durationsMs: {
        fetch: expect.any(Number),
        verify: expect.any(Number),
        plan: expect.any(Number),
        send: expect.any(Number),
        confirm: expect.any(Number),
      },
    });
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(await fixture.stored(2_005_822_447n)).toEqual({
      price: 451_700_000n,
      publishTime: timeMs("2026-03-04T12:30:00Z") / 1000n,
      expiry: timeMs("2026-03-05T13:25:00Z") / 1000n,
      day: 20_516,
    });
  });

  test("after another sends nothing", async () => {
    const service = await fixture.serve();
    const context = await fixture.context(clientOf(service));
    await relayOnce(context);
    const nonce = () =>
      fixture.connection.publicClient.getTransactionCount({ address: context.chain.signer?.address ?? "0x" });
    const before = await nonce();
    const report = await relayOnce(context);
    expect(report).toMatchObject({ ok: true, transactions: [] });
    expect(report.feeds).toHaveLength(4);
    for (const feed of report.feeds) {
      expect(feed).toMatchObject({ status: "current", reason: "the chain holds the same price", date: "2026-03-04" });
      expect(feed).not.toHaveProperty("transaction");
    }
    expect(await nonce()).toBe(before);
  });

  test("without anything to send needs neither money nor key", async () => {
    const service = await fixture.serve();
    await relayOnce(await fixture.context(clientOf(service)));
    const report = await relayOnce(await fixture.context(clientOf(service), { chain: { signer: undefined } }));
    expect(report.ok).toBe(true);
  });

  test("with something to send needs a key, and says so", async () => {
    const service = await fixture.serve();
    const context = await fixture.context(clientOf(service), { chain: { signer: undefined } });
    await expect(relayOnce(context)).rejects.toMatchObject({ code: "NO_PRIVATE_KEY", kind: "configuration" });
  });

  test("with an empty purse says so", async () => {
    const service = await fixture.serve();
    const context = await fixture.context(clientOf(service), { ether: "0" });
    await expect(relayOnce(context)).rejects.toThrow(UnfundedSenderError);
  });

  test("that is dry sends nothing and leaves nothing behind, and says what it would do", async () => {
    const service = await fixture.serve({ faults: [{ kind: "bad-signature", feedId: 5_822_447n }] });
    const context = await fixture.context(clientOf(service), { chain: { signer: undefined } });
    const report = await relayOnce(context, { dryRun: true });
    expect(report).toMatchObject({ ok: false, transactions: [] });
    expect(statusesOf(report)).toEqual(["planned", "refused", "planned", "planned"]);
    expect(feedOfReport(report, SALES_FEED)).toMatchObject({
      reason: "the chain holds no price of this feed",
      price: "216.94",
    });
    expect((await fixture.stored(SALES_FEED))?.price).toBe(0n);
    expect(await context.journal.newestDeliveries(targetOf(context.chain))).toEqual([]);
  });

  test("comes in as many transactions as the limits ask for, each on record before it leaves", async () => {
    const service = await fixture.serve();
    const { log, lines } = recordingLog();
    const limits = { maxUpdatesPerTransaction: 1, maxGasPerTransaction: 16_000_000n };
    const context = await fixture.context(clientOf(service), { settings: { limits }, log });
    const report = await relayOnce(context);
    expect(report.ok).toBe(true);
    expect(report.transactions.map(({ feeds }) => feeds)).toEqual(report.feeds.map(({ feedId }) => [feedId]));
    expect(new Set(report.feeds.map(({ transaction }) => transaction)).size).toBe(4);
    expect(lines.filter(({ msg }) => msg === "sending a transaction")).toHaveLength(4);
    const deliveries = await context.journal.newestDeliveries(targetOf(context.chain));
    expect(deliveries.map(({ state }) => state)).toEqual(["final", "final", "final", "final"]);
  });

  test("that is stopped before it asks does nothing", async () => {
    const service = await fixture.serve();
    const context = await fixture.context(clientOf(service));
    await expect(relayOnce(context, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(Object.values(service.requests).every((count) => count === 0)).toBe(true);
  });

  test("that is stopped midway waits for what it has sent, and tells the rest", async () => {
    const service = await fixture.serve();
    const stop = new AbortController();
    const limits = { maxUpdatesPerTransaction: 1, maxGasPerTransaction: 16_000_000n };
    const journal = await beforeEachAttempt(async () => stop.abort());
    const context = await fixture.context(clientOf(service), { journal, settings: { limits } });
    const report = await relayOnce(context, { signal: stop.signal });
    expect(report.ok).toBe(false);
    expect(statusesOf(report)).toEqual(["updated", "failed", "failed", "failed"]);
    expect(report.feeds[1]?.reason).toBe("not sent: the run was stopped");
  });
});

describe("the next edition", () => {
  test("replaces the one before", async () => {
    const service = await fixture.serve();
    const context = await fixture.context(clientOf(service));
    await relayOnce(context);
    const tomorrow = "2026-03-05T12:31:00Z";
    vi.setSystemTime(tomorrow);
    await fixture.request("evm_mine", [Number(timeMs(tomorrow) / 1000n)]);
    const report = await relayOnce(context);
    expect(report.ok).toBe(true);
    for (const feed of report.feeds) expect(feed).toMatchObject({ status: "updated", date: "2026-03-05" });
    expect((await fixture.stored(SALES_FEED))?.day).toBe(20_517);
  });

  test("does not bring back a date that is over", async () => {
    const context = await fixture.context(saying(), { wanted: SALES });
    await relayOnce(context);
    const yesterday = saying({
      date: "2026-03-03",
      publishTimeMs: timeMs("2026-03-04T14:00:00Z"),
      expiryMs: timeMs("2026-03-05T13:25:00Z"),
      price: "215",
    });
    const report = await relayOnce({ ...context, client: yesterday });
    expect(report).toMatchObject({ ok: true, transactions: [] });
    expect(report.feeds[0]).toMatchObject({ status: "current", date: "2026-03-04" });
  });

  test("dated tomorrow is refused", async () => {
    vi.setSystemTime("2026-03-05T01:30:00Z");
    const client = saying({
      date: "2026-03-05",
      publishTimeMs: timeMs("2026-03-05T01:00:00Z"),
      expiryMs: timeMs("2026-03-06T01:00:00Z"),
    });
    const report = await relayOnce(await fixture.context(client, { wanted: SALES }), { dryRun: true });
    expect(report).toMatchObject({ ok: false });
    expect(report.feeds[0]).toMatchObject({
      status: "refused",
      reason: "FutureDate: the price is for 2026-03-05, and today is 2026-03-04 (America/New_York)",
    });
  });
});

describe("another word on the same date", () => {
  test("with another price is a revision", async () => {
    const context = await fixture.context(saying(), { wanted: SALES });
    await relayOnce(context);
    const revised = saying({ price: "217.5", publishTimeMs: timeMs("2026-03-04T14:00:00Z") });
    const report = await relayOnce({ ...context, client: revised });
    expect(report.ok).toBe(true);
    expect(report.feeds[0]).toMatchObject({ status: "updated", price: "217.5", date: "2026-03-04" });
    expect((await fixture.stored(SALES_FEED))?.price).toBe(21_750_000_000n);
  });

  test("with another price and no later publish time cannot land, and is not called current", async () => {
    const context = await fixture.context(saying(), { wanted: SALES });
    await relayOnce(context);
    const report = await relayOnce({ ...context, client: saying({ price: "217.5" }) });
    expect((await fixture.stored(SALES_FEED))?.price).toBe(21_694_000_000n);
    expect(report.feeds[0]).toMatchObject({ status: "failed" });
    expect(report.ok).toBe(false);
  });

  test("that is older than the chain's is left alone", async () => {
    const context = await fixture.context(saying({ price: "217.5", publishTimeMs: timeMs("2026-03-04T14:00:00Z") }), {
      wanted: SALES,
    });
    await relayOnce(context);
    const report = await relayOnce({ ...context, client: saying() });
    expect(report.feeds[0]).toMatchObject({ status: "current", price: "217.5" });
  });

  test("with the same price is sent only if the stored one would lapse before the next run", async () => {
    const signedAnew = saying({
      publishTimeMs: timeMs("2026-03-04T14:00:00Z"),
      expiryMs: timeMs("2026-03-05T14:00:00Z"),
    });
    const lasting = await fixture.context(saying({ expiryMs: timeMs("2026-03-05T12:30:00Z") }), { wanted: SALES });
    await relayOnce(lasting);
    expect((await relayOnce({ ...lasting, client: signedAnew })).transactions).toEqual([]);

    await fixture.request("evm_revert", [snapshot]);
    snapshot = await fixture.request("evm_snapshot");
    const lapsing = await fixture.context(saying({ expiryMs: timeMs("2026-03-05T12:29:59Z") }), { wanted: SALES });
    await relayOnce(lapsing);
    const report = await relayOnce({ ...lapsing, client: signedAnew });
    expect(report.feeds[0]).toMatchObject({ status: "updated" });
    expect((await fixture.stored(SALES_FEED))?.expiry).toBe(timeMs("2026-03-05T14:00:00Z") / 1000n);
  });
});

describe("what the service gives", () => {
  test("one kind that the plan does not include does not stop the other", async () => {
    const service = await fixture.serve({ plan: { withoutEndpoints: ["/v1/price_feed_rentals/latest"] } });
    const report = await relayOnce(await fixture.context(clientOf(service)));
    expect(report.ok).toBe(false);
    expect(statusesOf(report)).toEqual(["updated", "updated", "failed", "failed"]);
    expect(feedOfReport(report, 2_005_826_765n)).toMatchObject({
      price: null,
      date: null,
      reason: expect.stringContaining("403"),
    });
  });

  test("a wanted market that it does not know is missing", async () => {
    const service = await fixture.serve();
    const wanted = [...SALES, { marketId: 7n, kind: "rental" as const }];
    const report = await relayOnce(await fixture.context(clientOf(service), { wanted }));
    expect(report.ok).toBe(false);
    expect(report.feeds).toMatchObject([
      { feedId: "5826765", status: "updated" },
      { feedId: "2000000007", marketId: "7", kind: "rental", status: "missing", price: null, date: null },
    ]);
    expect(report.feeds[1]).not.toHaveProperty("publishTime");
  });

  test("an item that nobody asked for makes the run fail, and is told of", async () => {
    const asked = receivedPrice();
    const unasked = receivedPrice(priceMessage({ feedId: 7n }));
    const { svc_id: _, ...nameless } = toItem(asked);
    const client = scriptedClient((kind) => (kind === "sales" ? [asked, unasked, nameless] : []));
    const report = await relayOnce(await fixture.context(client, { wanted: SALES }));
    expect(statusesOf(report)).toEqual(["updated"]);
    expect(report.ok).toBe(false);
    expect(report.strayItems).toEqual([
      { kind: "sales", marketId: "7", reason: "WrongFeed: the answer holds market 7, which was not asked for" },
      { kind: "sales", marketId: null, reason: "MalformedItem: item 2 has no market id in svc_id" },
    ]);
  });

  test("a market with two different prices is refused", async () => {
    const client = scriptedClient(() => [receivedPrice(), receivedPrice(priceMessage({ price: "300" }))]);
    const report = await relayOnce(await fixture.context(client, { wanted: SALES }));
    expect(report.feeds[0]).toMatchObject({ status: "refused", price: null });
    expect(report.feeds[0]?.reason).toContain("more than once, with different contents");
  });

  test("a price that is refused is shown neither price nor date, because nothing of it is certain", async () => {
    const service = await fixture.serve({ faults: [{ kind: "bad-signature", feedId: SALES_FEED }] });
    const report = await relayOnce(await fixture.context(clientOf(service), { wanted: SALES }));
    expect(report.feeds[0]).toEqual({
      feedId: "5826765",
      marketId: "5826765",
      kind: "sales",
      status: "refused",
      reason: expect.stringMatching(/^InvalidSignature: /),
      price: null,
      date: null,
    });
  });

  test("a price is written plainly, however many digits it has", async () => {
    const prices = priceTable("sales 5826765 2026-03-01 0.00000001", "sales 5822447 2026-03-01 11529215046.06846975");
    const wanted = [...SALES, { marketId: 5_822_447n, kind: "sales" as const }];
    const report = await relayOnce(await fixture.context(clientOf(await fixture.serve({ prices })), { wanted }));
    expect(report.feeds.map(({ status, price }) => [status, price])).toEqual([
      ["updated", "0.00000001"],
      ["updated", "11529215046.06846975"],
    ]);
  });
});

describe("signer and layout", () => {
  test("of another key stop the run before the service is asked", async () => {
    const service = await fixture.serve();
    const signerPublicKey = decodePublicKey(STRANGER.publicKey);
    const run = relayOnce(await fixture.context(clientOf(service), { chain: { signerPublicKey } }));
    await expect(run).rejects.toMatchObject({ code: "SIGNER_NOT_ACCEPTED" });
    expect(Object.values(service.requests).every((count) => count === 0)).toBe(true);
  });

  test("of another format stop the run before the service is asked", async () => {
    const service = await fixture.serve();
    const changes = { chain: { signerPublicKey: PUBLIC_KEY }, layout: EXPONENT_LAYOUT };
    const run = relayOnce(await fixture.context(clientOf(service), changes));
    await expect(run).rejects.toMatchObject({ code: "LAYOUT_DIFFERS_FROM_ORACLE", kind: "configuration" });
    expect(Object.values(service.requests).every((count) => count === 0)).toBe(true);
  });
});

describe("a schedule or time zone that is none", () => {
  test.each([
    ["schedule", { expression: "at half past seven", timeZone: "America/New_York" }],
    ["time zone", { expression: "30 7 * * *", timeZone: "America/Gotham" }],
  ])("(%s) is told as such, before the service is paid", async (_, schedule) => {
    const service = await fixture.serve();
    const run = relayOnce(await fixture.context(clientOf(service), { schedule }));
    await expect(run).rejects.toMatchObject({ code: "INVALID_SCHEDULE", kind: "configuration" });
    expect(Object.values(service.requests).every((count) => count === 0)).toBe(true);
  });
});

describe("somebody else", () => {
  test("who brings the same price meanwhile does no harm", async () => {
    const rival = await fixture.context(saying(), { wanted: SALES });
    const journal = await beforeEachAttempt(() => relayOnce(rival));
    const report = await relayOnce(await fixture.context(saying(), { wanted: SALES, journal }));
    expect(report.ok).toBe(true);
    expect(statusesOf(report)).toEqual(["current"]);
  });

  test.each([
    ["the same price, signed anew", {}],
    ["a revised price", { price: "217.5" }],
  ])("who brings something newer meanwhile (%s) makes ours current", async (_, changes) => {
    const newer = { publishTimeMs: timeMs("2026-03-04T14:00:00Z"), expiryMs: timeMs("2026-03-05T14:00:00Z") };
    const rival = await fixture.context(saying({ ...newer, ...changes }), { wanted: SALES });
    const journal = await beforeEachAttempt(() => relayOnce(rival));
    const report = await relayOnce(await fixture.context(saying(), { wanted: SALES, journal }));
    expect(report.feeds[0]).toMatchObject({ status: "current", reason: "the chain holds a newer price of this date" });
    expect(report.ok).toBe(true);
  });
});

describe("several chains", () => {
  test("get the same edition, which is fetched once; each feed is reported for each", async () => {
    const service = await fixture.serve();
    const other = await startOracleChain({ chainId: 31_338 });
    onTestFinished(() => other.close());
    const context = await fixture.context(clientOf(service));
    const onOther = await fixture.delivery({
      journal: context.journal,
      wanted: context.chain.wanted,
      settings: { name: "other", rpcUrls: [other.rpcUrl], expectedChainId: 31_338, oracleAddress: other.oracle },
      context: { oracle: other.oracle, signer: privateKeySigner(await newSenderKey(other, "1")) },
    });
    const chains = [...context.chains, { name: "other", open: async () => onOther.context }];
    const report = await relayOnce({ ...context, chains });
    expect(report).toMatchObject({
      ok: true,
      chains: [
        { name: "local", ok: true },
        { name: "other", ok: true },
      ],
    });
    expect(report.feeds).toHaveLength(8);
    expect(report.transactions).toHaveLength(2);
    expect(Object.values(service.requests).filter((count) => count > 0)).toEqual([1, 1]);
    expect((await other.stored(SALES_FEED))?.price).toBe(21_694_000_000n);
  });

  test("of which one cannot be reached do not keep each other waiting, and the report names it", async () => {
    const service = await fixture.serve();
    const context = await fixture.context(clientOf(service));
    const dead = await fixture.delivery({
      journal: context.journal,
      settings: { name: "dead", rpcUrls: ["http://127.0.0.1:9"] },
    });
    const chains = [{ name: "dead", open: async () => dead.context }, ...context.chains];
    const report = await relayOnce({ ...context, chains });
    expect(report).toMatchObject({
      ok: false,
      chains: [
        { name: "dead", ok: false, error: { code: "RPC_UNREACHABLE" } },
        { name: "local", ok: true },
      ],
    });
    expect(statusesOf(report)).toEqual(["updated", "updated", "updated", "updated"]);
  });
});

describe("a node that fails", () => {
  /** A run through a node on which a method fails from some call on. */
  async function runWith(method: string, from = 1) {
    const proxy = await fixture.proxy();
    const settings = { rpcUrls: [proxy.url] };
    const context = await fixture.context(saying(), { wanted: SALES, settings, receiptTimeoutMs: 300 });
    let calls = 0;
    proxy.onCall = (call) => {
      if (call.method !== method) return undefined;
      calls += 1;
      return calls >= from ? { status: 400 } : undefined;
    };
    const outcome = await relayOnce(context).then(
      (report) => ({ report, error: undefined }),
      (error: unknown) => ({ report: undefined, error }),
    );
    return { ...outcome, proxy, context };
  }

  test.each([
    "eth_call",
    "eth_getBalance",
    "eth_getTransactionCount",
    "eth_getBlockByNumber",
    "eth_sendRawTransaction",
  ])("at %s is an error of ours, without the key in its URL", async (method) => {
    const { error, report } = await runWith(method);
    if (report) {
      expect(report.ok).toBe(false);
      expect(JSON.stringify(report)).not.toContain(RPC_KEY);
      return;
    }
    if (!(error instanceof HomePriceError)) throw new Error(`${error instanceof Error ? error.name : error}`);
    expect(error.kind).toBe("failure");
    expect(`${error.message} ${error.hint}`).not.toContain(RPC_KEY);
  });

  test("after a transaction was sent: it is on record, and the next run settles it and sends nothing", async () => {
    const { proxy, context } = await runWith("eth_getTransactionReceipt");
    const sender = context.chain.signer?.address ?? "0x";
    const [attempt] = await context.journal.openAttempts(31_337, sender);
    expect(attempt).toMatchObject({ state: "sent", nonce: 0, updates: [{ feedId: SALES_FEED }] });

    proxy.onCall = () => undefined;
    vi.setSystemTime(Number(timeMs(NOW)) + 1_000);
    const report = await relayOnce(context);
    expect(report).toMatchObject({ ok: true, feeds: [{ status: "current" }] });
    expect(await fixture.connection.publicClient.getTransactionCount({ address: sender })).toBe(1);
    expect(await context.journal.openAttempts(31_337, sender)).toEqual([]);
  });
});
