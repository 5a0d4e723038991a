import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, dayOf, HOUR, MARKET, RENTAL_OFFSET, SECOND_MS } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
let now: bigint;
let nowMs: bigint;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle();
  now = chain.clock.now();
  nowMs = chain.clock.nowMs();
});

/** The contract's enum, in its order. */
const FRESHNESS = { Fresh: 0, UnknownFeed: 1, Paused: 2, SignerRevoked: 3, NoPrice: 4, Expired: 5 } as const;
const NOTHING = { price: 0n, publishTime: 0n, expiry: 0n, day: 0 };

describe("a price is served", () => {
  it("while now is before its expiry, to the second", async () => {
    const { read } = oracle.contract;
    const expiry = now + HOUR;
    await oracle.update(oracle.signed({ expiryMs: expiry * SECOND_MS }));
    await chain.clock.set(expiry - 1n);
    expect(await read.salesPrice([MARKET])).toMatchObject({ expiry });
    expect(await read.freshness([MARKET])).toBe(FRESHNESS.Fresh);
    await chain.clock.set(expiry);
    const expected = { name: "PriceExpired", args: [MARKET, expiry] };
    expect(await errorOf(read.salesPrice([MARKET]))).toEqual(expected);
    expect(await errorOf(read.latestPrice([MARKET]))).toEqual(expected);
    expect(await errorOf(read.latestPrices([[MARKET]]))).toEqual(expected);
    expect(await read.freshness([MARKET])).toBe(FRESHNESS.Expired);
    expect(await read.priceUnsafe([MARKET])).toMatchObject({ expiry });
  });

  it("while now is before its expiry, in milliseconds where it is between seconds", async () => {
    const { read } = oracle.contract;
    const expiry = now + HOUR;
    await oracle.update(oracle.signed({ expiryMs: expiry * SECOND_MS + 1n }));
    await chain.clock.set(expiry);
    expect(await read.latestPrice([MARKET])).toMatchObject({ expiry });
    await chain.clock.set(expiry + 1n);
    expect(await errorOf(read.latestPrice([MARKET]))).toMatchObject({ name: "PriceExpired" });
  });

  it("never, when it is brought in the second of its expiry", async () => {
    await oracle.update(oracle.signed({ expiryMs: nowMs }));
    expect(await errorOf(oracle.contract.read.latestPrice([MARKET]))).toMatchObject({ name: "PriceExpired" });
    expect(await oracle.contract.read.freshness([MARKET])).toBe(FRESHNESS.Expired);
  });

  it("with times in seconds, rounded down, and 8 decimals", async () => {
    await oracle.update(oracle.signed({ price: 3n, publishTimeMs: nowMs - 1n, expiryMs: nowMs + 1_999n }));
    const expected = { price: 3n, publishTime: now - 1n, expiry: now + 1n, day: dayOf(now) };
    expect(await oracle.contract.read.salesPrice([MARKET])).toEqual(expected);
    expect(await oracle.contract.read.priceUnsafe([MARKET])).toEqual(expected);
    expect(await oracle.contract.read.decimals()).toBe(8);
  });
});

describe("priceNoOlderThan", () => {
  const read = (maxAge: bigint) => oracle.contract.read.priceNoOlderThan([MARKET, maxAge]);

  it("bounds the age, inclusive", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs - 100n * SECOND_MS }));
    expect(await read(100n)).toMatchObject({ publishTime: now - 100n });
    expect(await read(101n)).toMatchObject({ publishTime: now - 100n });
    expect(await errorOf(read(99n))).toEqual({ name: "PriceTooOld", args: [MARKET, 100n, 99n] });
    expect(await errorOf(read(0n))).toEqual({ name: "PriceTooOld", args: [MARKET, 100n, 0n] });
  });

  it("does not round an age down to the bound", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs - 100n * SECOND_MS - 1n }));
    expect(await errorOf(read(100n))).toEqual({ name: "PriceTooOld", args: [MARKET, 101n, 100n] });
    expect(await read(101n)).toMatchObject({ price: 21_694_000_000n });
  });

  it("takes a price published ahead of the block as of age 0", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs + HOUR * SECOND_MS }));
    expect(await read(0n)).toMatchObject({ publishTime: now + HOUR });
    await chain.clock.set(now + HOUR);
    expect(await read(0n)).toMatchObject({ publishTime: now + HOUR });
    await chain.clock.set(now + HOUR + 1n);
    expect(await errorOf(read(0n))).toMatchObject({ name: "PriceTooOld" });
  });

  it("ignores expiry, under a bound as large as can be", async () => {
    await oracle.update(oracle.signed({ expiryMs: nowMs + 1n }));
    await chain.clock.set(now + 30n * DAY);
    expect(await errorOf(oracle.contract.read.latestPrice([MARKET]))).toMatchObject({ name: "PriceExpired" });
    for (const maxAge of [30n * DAY + 60n, 2n ** 64n, 2n ** 256n - 1n]) {
      expect(await read(maxAge)).toMatchObject({ price: 21_694_000_000n });
    }
  });

  it("reverts when there is no price", async () => {
    expect(await errorOf(read(2n ** 256n - 1n))).toEqual({ name: "NoPrice", args: [MARKET] });
  });
});

describe("priceUnsafe and freshness", () => {
  it("answer for every id and never revert", async () => {
    for (const feedId of [0n, 1n, RENTAL_OFFSET, MARKET, 2n * RENTAL_OFFSET, 2n ** 64n - 1n]) {
      expect(await oracle.contract.read.priceUnsafe([feedId])).toEqual(NOTHING);
      expect(await oracle.contract.read.pricesUnsafe([[feedId, feedId]])).toEqual([NOTHING, NOTHING]);
      expect([FRESHNESS.UnknownFeed, FRESHNESS.NoPrice]).toContain(await oracle.contract.read.freshness([feedId]));
    }
  });

  it("name the first of several reasons: unknown, paused, revoked or none, expired", async () => {
    const { read } = oracle.contract;
    await oracle.update(oracle.signed({ expiryMs: nowMs + 1n }));
    await chain.clock.set(now + 1n);
    expect(await read.freshness([MARKET])).toBe(FRESHNESS.Expired);
    await oracle.owner.revokeSigner(1);
    expect(await read.freshness([MARKET])).toBe(FRESHNESS.SignerRevoked);
    expect(await read.freshness([MARKET + 1n])).toBe(FRESHNESS.NoPrice);
    await oracle.guardian.pauseFeed(MARKET);
    expect(await read.freshness([MARKET])).toBe(FRESHNESS.Paused);
    await oracle.owner.unpauseFeed(MARKET);
    await oracle.guardian.pause();
    for (const feedId of [MARKET, MARKET + 1n]) expect(await read.freshness([feedId])).toBe(FRESHNESS.Paused);
    expect(await read.freshness([RENTAL_OFFSET])).toBe(FRESHNESS.UnknownFeed);
    expect(await read.priceUnsafe([MARKET])).toEqual(NOTHING);
  });

  it("agree with the reads that revert", async () => {
    const { read } = oracle.contract;
    const date = dateOfDay(dayOf(now));
    await oracle.update(oracle.signed({ feedId: 1n, date }), oracle.signed({ feedId: 2n, expiryMs: nowMs + 1n }));
    await chain.clock.set(now + HOUR);
    const names = { 1: undefined, 2: "PriceExpired", 3: "NoPrice" };
    for (const [id, name] of Object.entries(names)) {
      const feedId = BigInt(id);
      const served = (await read.freshness([feedId])) === FRESHNESS.Fresh;
      expect(served).toBe(name === undefined);
      if (!served) expect(await errorOf(read.latestPrice([feedId]))).toMatchObject({ name });
    }
  });
});

describe("latestPrices", () => {
  it("answers in the order of the ids, repeated ones too", async () => {
    for (const feedId of [3n, 1n, 2n]) await oracle.update(oracle.signed({ feedId, price: feedId * 10n }));
    const prices = await oracle.contract.read.latestPrices([[2n, 3n, 1n, 2n]]);
    expect(prices.map(({ price }) => price)).toEqual([20n, 30n, 10n, 20n]);
    const unsafe = await oracle.contract.read.pricesUnsafe([[2n, 9n, 1n]]);
    expect(unsafe.map(({ price }) => price)).toEqual([20n, 0n, 10n]);
    expect(await oracle.contract.read.latestPrices([[]])).toEqual([]);
  });

  it("reverts when one of them is not served, and names it", async () => {
    await oracle.update(oracle.signed({ feedId: 1n }));
    expect(await errorOf(oracle.contract.read.latestPrices([[1n, 2n, 3n]]))).toEqual({ name: "NoPrice", args: [2n] });
  });
});
