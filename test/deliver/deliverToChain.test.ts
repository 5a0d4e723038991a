import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { targetOf } from "../../relayer/deliver/chainContext.ts";
import { deliverToChain } from "../../relayer/deliver/deliverToChain.ts";
import { NOW, timeMs } from "../message/signedPrices.ts";
import { type DeliverFixture, RENTAL, SALES, startDeliverFixture, type TestDelivery } from "./deliverFixture.ts";

let fixture: DeliverFixture;
let snapshot: unknown;
beforeAll(async () => {
  fixture = await startDeliverFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  vi.setSystemTime(NOW);
  snapshot = await fixture.request("evm_snapshot");
});
afterEach(async () => {
  await fixture.request("evm_revert", [snapshot]);
});

const nonceOf = ({ context }: TestDelivery) =>
  fixture.connection.publicClient.getTransactionCount({ address: context.signer?.address ?? "0x" });
const statesOf = async ({ journal, context }: TestDelivery) =>
  (await journal.newestDeliveries(targetOf(context))).map(({ state }) => state);

describe("a pass", () => {
  it("sends what was received and the chain lacks, and the next one finds it final", async () => {
    const delivery = await fixture.delivery({ wanted: [SALES, RENTAL] });
    await delivery.receive({}, { feedId: RENTAL.feedId, price: "1.474" });
    const sinceMs = BigInt(Date.now());
    const first = await deliverToChain(delivery.context, { sinceMs });
    expect(first).toMatchObject({ unmined: 1, unfinal: 1, lookAgainAtMs: expect.any(BigInt) });
    expect(first.feeds.map(({ status }) => status)).toEqual(["sent", "sent"]);
    expect(await statesOf(delivery)).toEqual(["sent", "sent"]);

    const second = await deliverToChain(delivery.context, { sinceMs });
    expect(second).toMatchObject({ unmined: 0, unfinal: 0, conditions: [] });
    // When the prices expire, somebody has to be told, should there be no newer ones.
    expect(second.lookAgainAtMs).toBe(timeMs("2026-03-05T13:25:01Z"));
    expect(second.feeds).toMatchObject([
      { status: "updated", transaction: first.transactions[0]?.hash, onChain: { price: 21_694_000_000n } },
      { status: "updated", onChain: { price: 147_400_000n } },
    ]);
    expect(await statesOf(delivery)).toEqual(["final", "final"]);
    expect(second.spentTodayWei).toBe(second.transactions[0]?.costWei);
    expect(second.runwayDays).toBeGreaterThan(0);

    const third = await deliverToChain(delivery.context);
    expect(third).toMatchObject({ transactions: [], feeds: [{ status: "current" }, { status: "current" }] });
    expect(await nonceOf(delivery)).toBe(1);
  });

  it("that is dry sends nothing and leaves no trace", async () => {
    const delivery = await fixture.delivery();
    await delivery.receive({});
    const report = await deliverToChain(delivery.context, { dryRun: true });
    expect(report.feeds).toMatchObject([{ status: "planned", reason: "the chain holds no price of this feed" }]);
    expect(await nonceOf(delivery)).toBe(0);
    expect(await statesOf(delivery)).toEqual([]);
  });

  it("without a price of a feed says so, and goes on with the others", async () => {
    const delivery = await fixture.delivery({ wanted: [SALES, RENTAL] });
    await delivery.receive({});
    const report = await deliverToChain(delivery.context);
    expect(report.feeds).toMatchObject([{ status: "sent" }, { status: "none", reason: "there is no price to bring" }]);
  });

  it("takes what another has brought for current, and spends nothing", async () => {
    const rival = await fixture.delivery();
    await rival.receive({});
    await deliverToChain(rival.context);
    const delivery = await fixture.delivery();
    await delivery.receive({});
    const report = await deliverToChain(delivery.context);
    expect(report.feeds).toMatchObject([{ status: "current", reason: "the chain holds the same price" }]);
    expect(await nonceOf(delivery)).toBe(0);
    expect(await statesOf(delivery)).toEqual(["current"]);
  });

  it("brings a revised price of the same date", async () => {
    const delivery = await fixture.delivery();
    await delivery.receive({});
    await deliverToChain(delivery.context);
    await deliverToChain(delivery.context);
    await delivery.receive({ price: "217.5", publishTimeMs: timeMs("2026-03-04T14:00:00Z") });
    await deliverToChain(delivery.context);
    const report = await deliverToChain(delivery.context, { sinceMs: 0n });
    expect(report.feeds).toMatchObject([{ status: "updated", onChain: { price: 21_750_000_000n } }]);
    expect(await nonceOf(delivery)).toBe(2);
  });

  it("brings an earlier date's price before the newest one's, while it can", async () => {
    const delivery = await fixture.delivery();
    const earlier = {
      date: "2026-03-03",
      publishTimeMs: timeMs("2026-03-03T12:30:00Z"),
      expiryMs: timeMs("2026-03-04T15:10:00Z"),
      price: "215",
    };
    vi.setSystemTime("2026-03-04T14:30:00Z");
    await delivery.receive(earlier, {});
    vi.setSystemTime(NOW);
    await deliverToChain(delivery.context);
    await deliverToChain(delivery.context);
    const { publicClient } = fixture.connection;
    const abi = (await import("../../relayer/chain/abi/homePriceOracleAbi.ts")).homePriceOracleAbi;
    const read = (day: number) =>
      publicClient.readContract({ address: fixture.oracle, abi, functionName: "priceOn", args: [SALES.feedId, day] });
    expect(await read(20_515)).toMatchObject({ price: 21_500_000_000n });
    expect(await read(20_516)).toMatchObject({ price: 21_694_000_000n });
    expect(await nonceOf(delivery)).toBe(1);
  });

  it("records as missed what was planned and has expired", async () => {
    const delivery = await fixture.delivery({ ether: "0" });
    await delivery.receive({});
    expect((await deliverToChain(delivery.context)).conditions).toMatchObject([
      { kind: "balance-empty" },
      { kind: "feed-not-current" },
    ]);
    expect(await statesOf(delivery)).toEqual(["planned"]);
    vi.setSystemTime("2026-03-05T13:25:00Z");
    await deliverToChain(delivery.context);
    const [missed] = await delivery.journal.newestDeliveries(targetOf(delivery.context));
    expect(missed).toMatchObject({
      state: "missed",
      reason: "expired at 2026-03-05T13:25:00.000Z before it could be brought",
    });
  });
});

describe("what keeps a price from being sent", () => {
  it("is a fee above the cap: nothing is sent, it is told, and it goes on by itself when fees fall", async () => {
    const delivery = await fixture.delivery({ settings: { maxFeePerGas: 20_000_000_000n } });
    await delivery.receive({});
    await fixture.request("hardhat_setNextBlockBaseFeePerGas", ["0x1000000000"]);
    await fixture.mine();
    const blocked = await deliverToChain(delivery.context);
    expect(blocked.conditions).toContainEqual(
      expect.objectContaining({ kind: "fees-above-cap", severity: "critical" }),
    );
    expect(blocked.feeds).toMatchObject([{ status: "planned", reason: "fees are above the cap" }]);
    expect(blocked.lookAgainAtMs).toBeDefined();
    expect(await nonceOf(delivery)).toBe(0);

    await fixture.request("hardhat_setNextBlockBaseFeePerGas", ["0x3b9aca00"]);
    await fixture.mine();
    await deliverToChain(delivery.context);
    expect((await deliverToChain(delivery.context, { sinceMs: 0n })).feeds).toMatchObject([{ status: "updated" }]);
  });

  it("is a budget that does not cover it, until the next day (UTC)", async () => {
    const delivery = await fixture.delivery({ settings: { dailyBudgetWei: 10n ** 13n } });
    await delivery.receive({});
    const report = await deliverToChain(delivery.context);
    expect(report.conditions).toContainEqual(expect.objectContaining({ kind: "budget-spent" }));
    expect(report.feeds).toMatchObject([{ status: "planned", reason: "the day's budget is spent" }]);
    expect(await nonceOf(delivery)).toBe(0);
  });
});

describe("a transaction that is not mined", () => {
  it("is left alone while it is young, and replaced with higher fees when it is not: one attempt, paid once", async () => {
    const delivery = await fixture.delivery();
    await delivery.receive({});
    await fixture.stopMining();
    const { transactions } = await deliverToChain(delivery.context);
    expect((await deliverToChain(delivery.context)).transactions).toEqual(transactions);
    vi.setSystemTime(Number(timeMs(NOW)) + 90_000);
    const replaced = await deliverToChain(delivery.context);
    expect(replaced.transactions).toHaveLength(1);
    expect(replaced.transactions[0]?.hash).not.toBe(transactions[0]?.hash);
    const [attempt] = await delivery.journal.openAttempts(31_337, delivery.context.signer?.address ?? "0x");
    const [first, second] = attempt?.transactions ?? [];
    expect((second?.maxFeePerGas ?? 0n) * 8n).toBeGreaterThanOrEqual((first?.maxFeePerGas ?? 0n) * 9n);
    await fixture.mine();
    expect((await deliverToChain(delivery.context, { sinceMs: 0n })).feeds).toMatchObject([{ status: "updated" }]);
    expect(await nonceOf(delivery)).toBe(1);
  });

  it("is handed over again when no node knows it, and never signed anew", async () => {
    const delivery = await fixture.delivery();
    await delivery.receive({});
    await fixture.stopMining();
    const { transactions } = await deliverToChain(delivery.context);
    await fixture.request("hardhat_dropTransaction", [transactions[0]?.hash]);
    await deliverToChain(delivery.context);
    await fixture.mine();
    const report = await deliverToChain(delivery.context, { sinceMs: 0n });
    expect(report.transactions).toMatchObject([{ hash: transactions[0]?.hash, isFinal: true }]);
    expect(delivery.lines).toContainEqual(
      expect.objectContaining({ msg: "handed a transaction over again, which no endpoint knew" }),
    );
  });

  it("is called off when its price has expired meanwhile", async () => {
    const delivery = await fixture.delivery();
    await delivery.receive({ expiryMs: timeMs("2026-03-04T15:05:00Z") });
    await fixture.stopMining();
    await deliverToChain(delivery.context);
    vi.setSystemTime("2026-03-04T15:06:00Z");
    const { transactions } = await deliverToChain(delivery.context);
    await fixture.mine();
    const report = await deliverToChain(delivery.context);
    expect(report.transactions).toMatchObject([{ hash: transactions[0]?.hash, gasUsed: 21_000n }]);
    expect(report.feeds).toMatchObject([{ status: "none" }]);
  });
});

describe("a reorganisation", () => {
  it("takes back what was mined, and the same transaction is handed over again", async () => {
    const delivery = await fixture.delivery({ settings: { finality: 3 } });
    await delivery.receive({});
    const before = await fixture.request("evm_snapshot");
    await deliverToChain(delivery.context);
    expect(await deliverToChain(delivery.context)).toMatchObject({ unmined: 0, unfinal: 1 });
    expect(await statesOf(delivery)).toEqual(["mined"]);

    await fixture.request("evm_revert", [before]);
    await fixture.mine();
    const report = await deliverToChain(delivery.context);
    expect(report.conditions).toContainEqual(expect.objectContaining({ kind: "reorganised" }));
    const after = await deliverToChain(delivery.context);
    expect(after).toMatchObject({ unmined: 0, feeds: [{ onChain: { price: 21_694_000_000n } }] });
    expect(await nonceOf(delivery)).toBe(1);
    for (let block = 0; block < 3; block += 1) await fixture.mine();
    expect(await deliverToChain(delivery.context)).toMatchObject({ unfinal: 0 });
    expect(await statesOf(delivery)).toEqual(["final"]);
  });
});

describe("endpoints", () => {
  it("of which one is dead and one of another chain do not keep a price from its chain", async () => {
    const dead = "http://127.0.0.1:9";
    const other = await fixture.proxy();
    other.onCall = () => ({ status: 503 });
    const delivery = await fixture.delivery({ settings: { rpcUrls: [dead, other.url, fixture.rpcUrl] } });
    await delivery.receive({});
    await deliverToChain(delivery.context);
    const report = await deliverToChain(delivery.context, { sinceMs: 0n });
    expect(report.feeds).toMatchObject([{ status: "updated" }]);
    expect(report.endpoints.map(({ state }) => state)).toEqual(["unreachable", "unreachable", "usable"]);
  });
});

describe("two processes with one journal and one key", () => {
  it("that pass at once send a price once", async () => {
    const one = await fixture.delivery();
    const other = await fixture.delivery({ journal: one.journal, context: { signer: one.context.signer } });
    await one.receive({});
    await Promise.all([deliverToChain(one.context), deliverToChain(other.context)]);
    await deliverToChain(one.context);
    expect((await deliverToChain(other.context)).feeds).toMatchObject([{ status: "current" }]);
    expect(await nonceOf(one)).toBe(1);
  });
});

describe("a local chain that has begun anew", () => {
  it("gets everything again", async () => {
    const before = await fixture.request("evm_snapshot");
    const delivery = await fixture.delivery();
    await delivery.receive({});
    await deliverToChain(delivery.context);
    await deliverToChain(delivery.context);
    await fixture.request("evm_revert", [before]);
    await fixture.request("hardhat_setBalance", [delivery.context.signer?.address, "0xde0b6b3a7640000"]);
    await deliverToChain(delivery.context);
    const report = await deliverToChain(delivery.context, { sinceMs: 0n });
    expect(report.feeds).toMatchObject([{ status: "updated" }]);
  });
});
