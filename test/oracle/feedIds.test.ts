import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain } from "./oracleFixture.ts";
import { MARKET, RENTAL_OFFSET, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

const LARGEST_UINT64 = 2n ** 64n - 1n;

/** A field of 32 bytes, in which ids fit that no uint64 holds. */
const wideSigner = testSigner("wide", {
  ...DEFAULT_LAYOUT,
  feedId: { offset: 0, width: 32, byteOrder: "big" },
  constants: [],
  padding: [{ offset: 32, length: 8 }],
});

const VALID_FEED_IDS = [1n, RENTAL_OFFSET - 1n, RENTAL_OFFSET + 1n, 2n * RENTAL_OFFSET - 1n];
const INVALID_FEED_IDS = [0n, RENTAL_OFFSET, 2n * RENTAL_OFFSET, 2n * RENTAL_OFFSET + 1n, 2n ** 63n, LARGEST_UINT64];

describe("feed ids", () => {
  it("are accepted from 1 to offset − 1 and from offset + 1 to 2·offset − 1", async () => {
    const oracle = await chain.deployOracle();
    for (const feedId of VALID_FEED_IDS) {
      const { stored, events } = await oracle.update(oracle.signed({ feedId }));
      expect(stored).toEqual([true]);
      expect(events).toMatchObject([{ eventName: "PriceUpdated", args: { feedId } }]);
      expect(await oracle.contract.read.freshness([feedId])).toBe(0);
    }
  });

  it("are refused in updates everywhere else", async () => {
    const oracle = await chain.deployOracle({ signers: [wideSigner] });
    const tooWide = [2n ** 64n, 2n ** 64n + MARKET, 2n ** 64n + RENTAL_OFFSET + MARKET, 2n ** 256n - 1n];
    for (const feedId of [...INVALID_FEED_IDS, ...tooWide]) {
      const expected = { index: 0, name: "InvalidFeedId", args: [feedId] };
      expect(await oracle.refusalOf(oracle.signed({ feedId, signer: wideSigner }))).toEqual(expected);
      expect(await oracle.refusalOf(oracle.signed({ feedId, signer: wideSigner, hintedAs: 1 }))).toEqual(expected);
      expect(await oracle.refusalOf(oracle.signed({ feedId, signer: wideSigner }), "parsePrices")).toEqual(expected);
    }
    expect(await oracle.wouldStore(oracle.signed({ signer: wideSigner }))).toEqual([true]);
  });

  it("are refused by every read that reverts, and unknown to those that do not", async () => {
    const { contract, guardian, owner } = await chain.deployOracle();
    for (const feedId of INVALID_FEED_IDS) {
      const expected = { name: "UnknownFeed", args: [feedId] };
      expect(await errorOf(contract.read.latestPrice([feedId]))).toEqual(expected);
      expect(await errorOf(contract.read.latestPrices([[feedId]]))).toEqual(expected);
      expect(await errorOf(contract.read.priceNoOlderThan([feedId, 2n ** 256n - 1n]))).toEqual(expected);
      expect(await errorOf(guardian.pauseFeed(feedId))).toEqual(expected);
      expect(await errorOf(owner.unpauseFeed(feedId))).toEqual(expected);
      expect(await contract.read.freshness([feedId])).toBe(1);
      expect(await contract.read.priceUnsafe([feedId])).toMatchObject({ price: 0n, publishTime: 0n });
    }
  });

  it("follow an offset other than two billion", async () => {
    const rentalOffset = 10n;
    const oracle = await chain.deployOracle({ rentalOffset });
    expect(await oracle.contract.read.RENTAL_OFFSET()).toBe(rentalOffset);
    for (const feedId of [1n, 9n, 11n, 19n]) expect(await oracle.wouldStore(oracle.signed({ feedId }))).toEqual([true]);
    for (const feedId of [0n, 10n, 20n, MARKET]) {
      expect(await oracle.refusalOf(oracle.signed({ feedId }))).toMatchObject({ name: "InvalidFeedId" });
    }
  });

  it("reach as far as the offset may: 2 to 2^62", async () => {
    for (const rentalOffset of [0n, 1n, 2n ** 62n + 1n, 2n ** 64n, 2n ** 256n - 1n]) {
      const expected = { name: "InvalidRentalOffset", args: [rentalOffset] };
      expect(await errorOf(chain.deployOracle({ rentalOffset }))).toEqual(expected);
    }
    const smallest = await chain.deployOracle({ rentalOffset: 2n });
    expect(await smallest.update(smallest.signed({ feedId: 3n }))).toMatchObject({ stored: [true] });
    expect(await smallest.contract.read.rentalPrice([1n])).toMatchObject({ price: 21_694_000_000n });
    const largest = await chain.deployOracle({ rentalOffset: 2n ** 62n });
    const feedId = 2n ** 63n - 1n;
    expect(await largest.update(largest.signed({ feedId }))).toMatchObject({ stored: [true] });
    expect(await largest.contract.read.rentalPrice([2n ** 62n - 1n])).toMatchObject({ price: 21_694_000_000n });
    expect(await largest.refusalOf(largest.signed({ feedId: feedId + 1n }))).toMatchObject({ name: "InvalidFeedId" });
  });
});

describe("market ids", () => {
  it("are refused by salesPrice and rentalPrice outside 1 … offset − 1", async () => {
    const { contract } = await chain.deployOracle();
    for (const marketId of [...INVALID_FEED_IDS, RENTAL_OFFSET + 1n, 2_005_826_765n, LARGEST_UINT64 - MARKET]) {
      const expected = { name: "InvalidMarketId", args: [marketId] };
      expect(await errorOf(contract.read.salesPrice([marketId]))).toEqual(expected);
      expect(await errorOf(contract.read.rentalPrice([marketId]))).toEqual(expected);
    }
  });

  it("have a sales and a rental price that never pass for each other", async () => {
    const oracle = await chain.deployOracle();
    const { read } = oracle.contract;
    await oracle.update(oracle.signed({ feedId: MARKET, price: 21_694_000_000n }));
    expect(await errorOf(read.rentalPrice([MARKET]))).toEqual({ name: "NoPrice", args: [MARKET + RENTAL_OFFSET] });
    await oracle.update(oracle.signed({ feedId: MARKET + RENTAL_OFFSET, price: 154_000_000n }));
    expect(await read.salesPrice([MARKET])).toMatchObject({ price: 21_694_000_000n });
    expect(await read.rentalPrice([MARKET])).toMatchObject({ price: 154_000_000n });
    expect(await read.latestPrice([MARKET])).toEqual(await read.salesPrice([MARKET]));
    expect(await read.latestPrice([MARKET + RENTAL_OFFSET])).toEqual(await read.rentalPrice([MARKET]));
  });
});
