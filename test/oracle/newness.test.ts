import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, dayOf, HOUR_MS, MARKET, SIGNER, signedUpdate, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
let nowMs: bigint;
let today: number;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle();
  nowMs = chain.clock.nowMs();
  today = dayOf(chain.clock.now());
});

const NOTHING = { stored: [false], events: [] };

describe("an accepted update", () => {
  it("stores the price and says so in PriceUpdated, times in milliseconds", async () => {
    const [publishTimeMs, expiryMs] = [nowMs - 1_234n, nowMs + HOUR_MS + 567n];
    const { stored, events } = await oracle.update(oracle.signed({ price: 12_345n, publishTimeMs, expiryMs }));
    expect(stored).toEqual([true]);
    expect(events).toEqual([
      {
        eventName: "PriceUpdated",
        args: { feedId: MARKET, day: today, price: 12_345n, publishTimeMs, expiryMs, signer: 1 },
      },
    ]);
    expect(await oracle.contract.read.latestPrice([MARKET])).toEqual({
      price: 12_345n,
      publishTime: publishTimeMs / 1_000n,
      expiry: expiryMs / 1_000n,
      day: today,
    });
  });
});

describe("an update that is not newer", () => {
  it("is skipped without an event, whatever else it says", async () => {
    const publishTimeMs = nowMs - HOUR_MS;
    await oracle.update(oracle.signed({ publishTimeMs, price: 5n }));
    for (const hintedAs of [undefined, 1]) {
      expect(await oracle.update(oracle.signed({ publishTimeMs, price: 5n, hintedAs }))).toMatchObject(NOTHING);
      expect(await oracle.update(oracle.signed({ publishTimeMs, price: 6n, hintedAs }))).toMatchObject(NOTHING);
      const older = oracle.signed({ publishTimeMs: publishTimeMs - 1n, price: 7n, hintedAs });
      expect(await oracle.update(older)).toMatchObject(NOTHING);
      expect(await oracle.tryUpdate(older)).toMatchObject(NOTHING);
    }
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: 5n });
  });

  it("is skipped even when there is nobody left to sign anything", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs }));
    const older = { publishTimeMs: nowMs - 1n };
    const updates = [oracle.signed(older), oracle.signed({ ...older, hintedAs: 1 })];
    const newer = oracle.signed({ publishTimeMs: nowMs + 1n });
    await oracle.owner.retireSigner(1, chain.clock.now());
    await chain.clock.advance(2n * DAY);
    expect(await oracle.contract.read.usableSigners()).toEqual([]);
    for (const update of updates) expect(await oracle.update(update)).toMatchObject(NOTHING);
    expect(await oracle.refusalOf(newer)).toMatchObject({ name: "NoUsableSigner" });
  });

  it("is of its own feed only", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs }));
    const other = oracle.signed({ feedId: MARKET + 1n, publishTimeMs: nowMs - HOUR_MS });
    expect(await oracle.update(other)).toMatchObject({ stored: [true] });
  });

  it("does not keep the others of its batch from being stored", async () => {
    await oracle.update(oracle.signed({ feedId: 2n }));
    const batch = [1n, 2n, 3n].map((feedId) => oracle.signed({ feedId }));
    const { stored, events } = await oracle.update(...batch);
    expect(stored).toEqual([true, false, true]);
    expect(events).toMatchObject([{ args: { feedId: 1n } }, { args: { feedId: 3n } }]);
  });

  it("is the second of two same ones in a batch, and the older of two, in any form", async () => {
    const plain = oracle.signed();
    const hinted = oracle.signed({ hintedAs: 1 });
    const older = oracle.signed({ publishTimeMs: nowMs - HOUR_MS });
    const { stored, events } = await oracle.update(plain, plain, hinted, older);
    expect(stored).toEqual([true, false, false, false]);
    expect(events).toHaveLength(1);
    const second = await chain.deployOracle();
    expect(await second.update(older, hinted, plain)).toMatchObject({ stored: [true, true, false] });
  });

  it("lets a call that somebody else was faster than succeed", async () => {
    const batch = [1n, 2n].map((feedId) => oracle.signed({ feedId, hintedAs: 1 }));
    await oracle.tryUpdate(...batch);
    expect(await oracle.update(...batch)).toMatchObject({ stored: [false, false], events: [] });
  });
});

describe("a newer update", () => {
  it("of the same day and price is a refresh: PriceUpdated alone", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs - 2n, expiryMs: nowMs + HOUR_MS }));
    const { stored, events } = await oracle.update(oracle.signed({ publishTimeMs: nowMs - 1n }));
    expect(stored).toEqual([true]);
    expect(events).toMatchObject([{ eventName: "PriceUpdated", args: { publishTimeMs: nowMs - 1n } }]);
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ expiry: chain.clock.now() + DAY });
  });

  it("of the same day and another price is a revision: PriceUpdated, then PriceRevised", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs - 2n, price: 100n }));
    const { stored, events } = await oracle.update(oracle.signed({ publishTimeMs: nowMs - 1n, price: 90n }));
    expect(stored).toEqual([true]);
    expect(events).toMatchObject([{ eventName: "PriceUpdated", args: { price: 90n } }, {}]);
    expect(events[1]).toEqual({
      eventName: "PriceRevised",
      args: { feedId: MARKET, day: today, previousPrice: 100n, price: 90n },
    });
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: 90n });
  });

  it("of a later day is no revision", async () => {
    const yesterday = { date: dateOfDay(today - 1), publishTimeMs: nowMs - 24n * HOUR_MS, price: 100n };
    await oracle.update(oracle.signed(yesterday));
    const { events } = await oracle.update(oracle.signed({ price: 90n }));
    expect(events.map(({ eventName }) => eventName)).toEqual(["PriceUpdated"]);
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: 90n, day: today });
  });

  it("of an earlier day does not change the latest price", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs - 10n, price: 100n }));
    const before = await oracle.contract.read.latestPrice([MARKET]);
    const correction = oracle.signed({ date: dateOfDay(today - 1), publishTimeMs: nowMs - 5n, price: 90n });
    for (const update of [correction, correction]) await oracle.update(update);
    expect(await oracle.contract.read.latestPrice([MARKET])).toEqual(before);
    // Nor does it count for what is newer than the latest.
    const between = oracle.signed({ publishTimeMs: nowMs - 7n, price: 101n });
    expect(await oracle.update(between)).toMatchObject({ stored: [true] });
  });

  it("by one millisecond is newer", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs - 1n }));
    expect(await oracle.update(oracle.signed({ publishTimeMs: nowMs }))).toMatchObject({ stored: [true] });
  });
});

describe("what is stored from a revoked signer", () => {
  const second = testSigner("second");

  it("counts as absent: an older price of another signer replaces it, and revises nothing", async () => {
    oracle = await chain.deployOracle({ signers: [SIGNER, second] });
    await oracle.update(oracle.signed({ publishTimeMs: nowMs, price: 666n }));
    const older = { signer: second, publishTimeMs: nowMs - HOUR_MS, price: 100n };
    expect(await oracle.update(oracle.signed(older))).toMatchObject(NOTHING);
    await oracle.owner.revokeSigner(1);
    const { stored, events } = await oracle.update(oracle.signed(older));
    expect(stored).toEqual([true]);
    expect(events).toMatchObject([{ eventName: "PriceUpdated", args: { price: 100n, signer: 2 } }]);
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: 100n });
  });

  it("counts as absent for a price of an earlier day, too", async () => {
    oracle = await chain.deployOracle({ signers: [SIGNER, second] });
    await oracle.update(oracle.signed({ publishTimeMs: nowMs, price: 666n }));
    await oracle.owner.revokeSigner(1);
    const yesterday = { date: dateOfDay(today - 1), publishTimeMs: nowMs - 24n * HOUR_MS };
    expect(await oracle.update(oracle.signed({ ...yesterday, signer: second, price: 100n }))).toMatchObject({
      stored: [true],
    });
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: 100n, day: today - 1 });
  });

  it("is not brought back by its own signer", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs - 1n }));
    await oracle.owner.revokeSigner(1);
    const update = { signer: SIGNER, publishTimeMs: nowMs };
    expect(await oracle.refusalOf(signedUpdate(update, chain.clock.now()))).toMatchObject({ name: "NoUsableSigner" });
    expect(await oracle.refusalOf(signedUpdate({ ...update, hintedAs: 1 }, chain.clock.now()))).toMatchObject({
      name: "SignerNotUsable",
      args: [1, 4],
    });
  });
});
