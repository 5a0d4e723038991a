import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { MARKET, RENTAL_OFFSET, SIGNER, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

const RENTAL = MARKET + RENTAL_OFFSET;
const second = testSigner("second");
beforeEach(async () => {
  oracle = await chain.deployOracle({ signers: [SIGNER, second] });
  await oracle.update(oracle.signed({ price: 1n }), oracle.signed({ feedId: RENTAL, price: 2n }));
});

async function expectStopped(feedId: bigint) {
  const { read } = oracle.contract;
  const expected = { name: "FeedPaused", args: [feedId] };
  const byMarket = feedId < RENTAL_OFFSET ? read.salesPrice([feedId]) : read.rentalPrice([feedId - RENTAL_OFFSET]);
  expect(await errorOf(byMarket)).toEqual(expected);
  expect(await errorOf(read.latestPrice([feedId]))).toEqual(expected);
  expect(await errorOf(read.latestPrices([[feedId]]))).toEqual(expected);
  expect(await errorOf(read.priceNoOlderThan([feedId, 10n ** 9n]))).toEqual(expected);
  expect(await read.freshness([feedId])).toBe(2);
}

async function expectServed(feedId: bigint, price: bigint) {
  const { read } = oracle.contract;
  expect(await read.latestPrice([feedId])).toMatchObject({ price });
  expect(await read.priceNoOlderThan([feedId, 10n ** 9n])).toMatchObject({ price });
  expect(await read.freshness([feedId])).toBe(0);
}

/** What a pause leaves alone: unsafe reads, parsing, updates, the signers. */
async function expectTheRestGoesOn(feedId: bigint) {
  const { read } = oracle.contract;
  const { price } = await read.priceUnsafe([feedId]);
  expect(await oracle.parse(oracle.signed({ feedId }))).toHaveLength(1);
  const publishTimeMs = chain.clock.nowMs();
  expect(await oracle.update(oracle.signed({ feedId, publishTimeMs, price: price + 7n }))).toMatchObject({
    stored: [true],
  });
  expect(await read.priceUnsafe([feedId])).toMatchObject({ price: price + 7n });
  expect(await read.pricesUnsafe([[feedId]])).toMatchObject([{ price: price + 7n }]);
  const again = oracle.signed({ feedId, publishTimeMs: publishTimeMs + 1n, price, hintedAs: 1 });
  expect(await oracle.tryUpdate(again)).toMatchObject({ stored: [true] });
}

describe("pausing everything", () => {
  it("stops every served read and nothing else, until the owner ends it", async () => {
    const paused = await oracle.guardian.pause();
    expect(oracle.eventsOf(paused)).toEqual([{ eventName: "PausedSet", args: { paused: true } }]);
    expect(await oracle.contract.read.paused()).toBe(true);
    for (const feedId of [MARKET, RENTAL]) {
      await expectStopped(feedId);
      await expectTheRestGoesOn(feedId);
      await expectStopped(feedId);
    }
    const unpaused = await oracle.owner.unpause();
    expect(oracle.eventsOf(unpaused)).toEqual([{ eventName: "PausedSet", args: { paused: false } }]);
    await expectServed(MARKET, 1n);
    await expectServed(RENTAL, 2n);
  });

  it("survives changes of signers, which survive it", async () => {
    await oracle.guardian.pause();
    await oracle.owner.proposeSigner(testSigner("third"));
    await oracle.guardian.cancelSigner(3);
    await oracle.owner.revokeSigner(2);
    expect(await oracle.contract.read.paused()).toBe(true);
    await oracle.owner.unpause();
    expect(await oracle.contract.read.signerCount()).toBe(3);
    expect(await oracle.contract.read.usableSigners()).toEqual([1]);
    await expectServed(MARKET, 1n);
  });
});

describe("pausing a feed", () => {
  it("stops its served reads and nothing else, until the owner ends it", async () => {
    const paused = await oracle.guardian.pauseFeed(MARKET);
    expect(oracle.eventsOf(paused)).toEqual([{ eventName: "FeedPausedSet", args: { feedId: MARKET, paused: true } }]);
    await expectStopped(MARKET);
    await expectServed(RENTAL, 2n);
    expect(await errorOf(oracle.contract.read.latestPrices([[RENTAL, MARKET]]))).toMatchObject({ args: [MARKET] });
    await expectTheRestGoesOn(MARKET);
    await expectStopped(MARKET);
    const unpaused = await oracle.owner.unpauseFeed(MARKET);
    expect(oracle.eventsOf(unpaused)).toEqual([
      { eventName: "FeedPausedSet", args: { feedId: MARKET, paused: false } },
    ]);
    await expectServed(MARKET, 1n);
  });

  it("holds for a feed that has no price yet, and for its first one", async () => {
    await oracle.guardian.pauseFeed(7n);
    await expectStopped(7n);
    await oracle.update(oracle.signed({ feedId: 7n, price: 70n }));
    await expectStopped(7n);
    await oracle.owner.unpauseFeed(7n);
    await expectServed(7n, 70n);
  });

  it("survives a price that replaces one of a revoked signer", async () => {
    await oracle.guardian.pauseFeed(MARKET);
    await oracle.owner.revokeSigner(1);
    await oracle.update(oracle.signed({ signer: second, price: 3n }));
    await expectStopped(MARKET);
    await oracle.owner.unpauseFeed(MARKET);
    await expectServed(MARKET, 3n);
  });

  it("is not ended with the pause of everything", async () => {
    await oracle.guardian.pause();
    await oracle.guardian.pauseFeed(MARKET);
    await oracle.owner.unpause();
    await expectStopped(MARKET);
    await expectServed(RENTAL, 2n);
  });
});
