import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import {
  DAY,
  DAY_MS,
  dayOf,
  HOUR,
  HOUR_MS,
  MARKET,
  RENTAL_OFFSET,
  SECOND_MS,
  SIGNER,
  testSigner,
} from "./signedUpdate.ts";

const SETTLEMENT_DELAY = 72n * HOUR;

let chain: TestChain;
let oracle: TestOracle;
/** The day on which each test begins; its number divides by three, so that a slot begins with it. */
let today: number;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  today = 3 * Math.ceil((dayOf(chain.clock.now()) + 1) / 3);
  await chain.clock.set(BigInt(today) * DAY + 13n * HOUR);
  oracle = await chain.deployOracle();
});

const priceOn = (day: number, feedId = MARKET) => oracle.contract.read.priceOn([feedId, day]);
const priceOnUnsafe = (day: number, feedId = MARKET) => oracle.contract.read.priceOnUnsafe([feedId, day]);
const settlementPrice = (day: number) => oracle.contract.read.settlementPrice([MARKET, day]);
const pricesBetween = (from: number, to: number) => oracle.contract.read.pricesBetween([MARKET, from, to]);
const missedDays = (from: number, to: number) => oracle.contract.read.missedDays([MARKET, from, to]);

/** 00:00 UTC of a day in milliseconds. */
const startMs = (day: number) => BigInt(day) * DAY_MS;
/** A correction of a past date, published now. */
const correction = (day: number, price: bigint, more = {}) =>
  oracle.signed({
    date: dateOfDay(day),
    price,
    publishTimeMs: chain.clock.nowMs(),
    expiryMs: chain.clock.nowMs(),
    ...more,
  });

describe("the price of a date", () => {
  it("is the one that was stored for it, its publish time in seconds rounded down", async () => {
    const publishTimeMs = chain.clock.nowMs() - 1_001n;
    await oracle.update(oracle.signed({ price: 12_345n, publishTimeMs }));
    const expected = {
      price: 12_345n,
      publishTime: publishTimeMs / SECOND_MS,
      day: today,
      signer: 1,
      isRevised: false,
    };
    expect(await priceOn(today)).toEqual(expected);
    expect(await priceOnUnsafe(today)).toEqual(expected);
  });

  it("stays when later ones come, and leaves its neighbours alone", async () => {
    const prices = new Map<number, bigint>();
    for (let i = 0n; i < 7n; ++i) {
      const day = dayOf(chain.clock.now());
      // The largest and the smallest price there are, side by side.
      const price = [2n ** 60n - 1n, 1n][Number(i % 2n)] ?? 0n;
      await oracle.update(
        oracle.signed({ price }),
        oracle.signed({ price: price - (price > 1n ? 1n : 0n), feedId: MARKET + RENTAL_OFFSET }),
      );
      prices.set(day, price);
      await chain.clock.advance(DAY);
    }
    for (const [day, price] of prices) {
      expect(await priceOn(day)).toMatchObject({ price, day });
      expect(await priceOn(day, MARKET + RENTAL_OFFSET)).toMatchObject({ price: price > 1n ? price - 1n : 1n, day });
    }
    expect(await pricesBetween(today - 1, today + 7)).toEqual([0n, ...prices.values(), 0n]);
  });

  it("that there is not makes a call revert; the unsafe one gives zeros", async () => {
    await oracle.update(oracle.signed());
    for (const day of [0, today - 1, today + 1, 2 ** 32 - 1]) {
      expect(await errorOf(priceOn(day))).toEqual({ name: "NoPriceOn", args: [MARKET, day] });
      expect(await priceOnUnsafe(day)).toEqual({ price: 0n, publishTime: 0n, day, signer: 0, isRevised: false });
    }
    expect(await errorOf(priceOn(today, RENTAL_OFFSET))).toEqual({ name: "UnknownFeed", args: [RENTAL_OFFSET] });
    expect(await errorOf(priceOn(today, MARKET + 1n))).toMatchObject({ name: "NoPriceOn" });
    expect(await priceOnUnsafe(today, 0n)).toMatchObject({ price: 0n });
  });

  it("follows a refresh, which is no revision", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: chain.clock.nowMs() - HOUR_MS }));
    await oracle.update(oracle.signed({ publishTimeMs: chain.clock.nowMs() }));
    expect(await priceOn(today)).toMatchObject({ publishTime: chain.clock.now(), isRevised: false });
  });

  it("is marked as revised from its second value on", async () => {
    const age = (seconds: bigint) => ({ publishTimeMs: chain.clock.nowMs() - seconds * SECOND_MS });
    await oracle.update(oracle.signed({ ...age(30n), price: 100n }));
    await oracle.update(oracle.signed({ ...age(20n), price: 101n }));
    expect(await priceOn(today)).toMatchObject({ price: 101n, isRevised: true });
    await oracle.update(oracle.signed({ ...age(10n), price: 101n }));
    expect(await priceOn(today)).toMatchObject({ price: 101n, publishTime: chain.clock.now() - 10n, isRevised: true });
  });

  it("can be read while the oracle and the feed are paused", async () => {
    await oracle.guardian.pause();
    await oracle.guardian.pauseFeed(MARKET);
    await oracle.update(oracle.signed({ price: 100n }));
    expect(await priceOn(today)).toMatchObject({ price: 100n });
    await chain.clock.set(BigInt(today) * DAY + SETTLEMENT_DELAY);
    expect(await settlementPrice(today)).toMatchObject({ price: 100n });
  });
});

describe("an update newer than the latest price, but of an earlier date", () => {
  beforeEach(async () => {
    await oracle.update(oracle.signed({ price: 100n }));
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 102n }));
  });

  it("changes that date's price alone", async () => {
    const latest = await oracle.contract.read.latestPrice([MARKET]);
    const { stored, events } = await oracle.update(correction(today, 101n));
    expect(stored).toEqual([true]);
    expect(events).toEqual([
      {
        eventName: "PastPriceRecorded",
        args: { feedId: MARKET, day: today, price: 101n, publishTimeMs: chain.clock.nowMs(), signer: 1 },
      },
      { eventName: "PriceRevised", args: { feedId: MARKET, day: today, previousPrice: 100n, price: 101n } },
    ]);
    expect(await priceOn(today)).toMatchObject({ price: 101n, publishTime: chain.clock.now(), isRevised: true });
    expect(await priceOn(today + 1)).toMatchObject({ price: 102n, isRevised: false });
    expect(await oracle.contract.read.latestPrice([MARKET])).toEqual(latest);
  });

  it("of the same price is no revision", async () => {
    const { events } = await oracle.update(correction(today, 100n));
    expect(events.map(({ eventName }) => eventName)).toEqual(["PastPriceRecorded"]);
    expect(await priceOn(today)).toMatchObject({ publishTime: chain.clock.now(), isRevised: false });
  });

  it("can fill a date that had none", async () => {
    const { stored, events } = await oracle.update(correction(today - 1, 99n));
    expect(stored).toEqual([true]);
    expect(events.map(({ eventName }) => eventName)).toEqual(["PastPriceRecorded"]);
    expect(await priceOn(today - 1)).toMatchObject({ price: 99n, isRevised: false });
  });

  it("is passed over when it is not newer, by seconds, than what the date has", async () => {
    await oracle.update(correction(today, 101n, { publishTimeMs: chain.clock.nowMs() - 400n }));
    for (const age of [0n, 400n, 500n, 1_000n]) {
      const again = correction(today, 103n, { publishTimeMs: chain.clock.nowMs() - 999n + age });
      expect(await oracle.update(again)).toMatchObject({ stored: [age === 1_000n], refused: [] });
    }
  });

  it("is passed over when the date is final", async () => {
    // At this second the price's expiry, 72 hours after its date began, has not passed yet, so the update is valid.
    const finalFrom = BigInt(today) * DAY + SETTLEMENT_DELAY;
    await chain.clock.set(finalFrom);
    const late = correction(today, 101n, {
      expiryMs: finalFrom * SECOND_MS,
      publishTimeMs: chain.clock.nowMs() - HOUR_MS,
    });
    expect(await oracle.update(late)).toMatchObject({ stored: [false], events: [] });
    expect(await settlementPrice(today)).toMatchObject({ price: 100n });
  });
});

describe("the settlement price", () => {
  it("is there from 72 hours after 00:00 UTC of the date, to the second", async () => {
    await oracle.update(oracle.signed({ price: 100n }));
    const finalFrom = BigInt(today) * DAY + SETTLEMENT_DELAY;
    await chain.clock.set(finalFrom - 1n);
    expect(await errorOf(settlementPrice(today))).toEqual({ name: "DayNotFinal", args: [MARKET, today, finalFrom] });
    await chain.clock.set(finalFrom);
    expect(await settlementPrice(today)).toEqual(await priceOn(today));
    expect(await errorOf(settlementPrice(today - 1))).toEqual({ name: "NoPriceOn", args: [MARKET, today - 1] });
  });

  it("is the last that was taken in time: one that comes in the second of finality does not count", async () => {
    const finalFrom = BigInt(today) * DAY + SETTLEMENT_DELAY;
    const valid = { date: dateOfDay(today), expiryMs: finalFrom * SECOND_MS };
    await chain.clock.set(finalFrom - 1n);
    await oracle.update(oracle.signed({ ...valid, price: 100n }));
    await chain.clock.set(finalFrom);
    expect(await settlementPrice(today)).toMatchObject({ price: 100n });
    const { stored } = await oracle.update(
      oracle.signed({ ...valid, price: 200n, publishTimeMs: chain.clock.nowMs() }),
    );
    expect(stored).toEqual([true]);
    expect(await settlementPrice(today)).toMatchObject({ price: 100n, isRevised: false });
  });

  it("is never one that claims to be published when the date is final", async () => {
    const finalMs = startMs(today) + SETTLEMENT_DELAY * SECOND_MS;
    await chain.clock.set(finalMs / SECOND_MS - 60n);
    const valid = { date: dateOfDay(today), expiryMs: finalMs, price: 100n };
    await oracle.update(oracle.signed({ ...valid, publishTimeMs: finalMs - 1n }));
    expect(await priceOn(today)).toMatchObject({ price: 100n, publishTime: finalMs / SECOND_MS - 1n });
    await oracle.update(oracle.signed({ ...valid, publishTimeMs: finalMs, price: 200n }));
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: 200n });
    expect(await priceOn(today)).toMatchObject({ price: 100n });
  });

  it("of the first and of unreachable days says what it is", async () => {
    expect(await errorOf(settlementPrice(0))).toMatchObject({ name: "NoPriceOn" });
    const last = 2 ** 32 - 1;
    const finalFrom = BigInt(last) * DAY + SETTLEMENT_DELAY;
    expect(await errorOf(settlementPrice(last))).toEqual({ name: "DayNotFinal", args: [MARKET, last, finalFrom] });
  });
});

describe("what a revoked signer signed", () => {
  const second = testSigner("second");
  beforeEach(async () => {
    oracle = await chain.deployOracle({ signers: [SIGNER, second] });
    for (const price of [100n, 101n, 102n, 103n]) {
      await oracle.update(oracle.signed({ price }));
      await chain.clock.advance(DAY);
    }
  });

  it("stays for dates before the revocation's first, and counts as absent from there on", async () => {
    await oracle.owner.revokeSigner(1, today + 2);
    for (const [day, price] of [
      [today, 100n],
      [today + 1, 101n],
    ] as const) {
      expect(await priceOn(day)).toMatchObject({ price, signer: 1 });
      expect(await settlementPrice(day)).toMatchObject({ price });
    }
    for (const day of [today + 2, today + 3]) {
      expect(await errorOf(priceOn(day))).toEqual({ name: "PriceSignerRevoked", args: [MARKET, 1] });
      expect(await priceOnUnsafe(day)).toMatchObject({ price: 0n, publishTime: 0n, signer: 0 });
    }
    expect(await pricesBetween(today, today + 3)).toEqual([100n, 101n, 0n, 0n]);
    expect(await missedDays(today, today + 3)).toBe(2n);
  });

  it("can be replaced by another signer's, which revises nothing and may be older", async () => {
    await oracle.owner.revokeSigner(1, today + 3);
    const { stored, events } = await oracle.update(
      oracle.signed({
        signer: second,
        price: 200n,
        date: dateOfDay(today + 3),
        publishTimeMs: chain.clock.nowMs() - DAY_MS - HOUR_MS,
        expiryMs: chain.clock.nowMs() + HOUR_MS,
      }),
    );
    expect(stored).toEqual([true]);
    expect(events.map(({ eventName }) => eventName)).toEqual(["PriceUpdated"]);
    expect(await priceOn(today + 3)).toMatchObject({ price: 200n, signer: 2, isRevised: false });
    expect(await priceOn(today + 2)).toMatchObject({ price: 102n, signer: 1 });
  });
});

describe("a span of dates", () => {
  it("gives prices in order, 0 for gaps, and counts them", async () => {
    const days: number[] = [];
    for (const wait of [0n, 1n, 3n, 2n]) {
      await chain.clock.advance(wait * DAY);
      days.push(dayOf(chain.clock.now()));
      await oracle.update(oracle.signed({ price: BigInt(dayOf(chain.clock.now())) }));
    }
    const last = days.at(-1) ?? 0;
    const expected = Array.from({ length: last - today + 1 }, (_, i) =>
      days.includes(today + i) ? BigInt(today + i) : 0n,
    );
    expect(await pricesBetween(today, last)).toEqual(expected);
    expect(await missedDays(today, last)).toBe(3n);
    for (let from = today - 2; from <= last + 1; ++from) {
      expect(await pricesBetween(from, from)).toEqual([days.includes(from) ? BigInt(from) : 0n]);
      expect(await missedDays(from, last + 2)).toBe(BigInt(last + 3 - from - days.filter((day) => day >= from).length));
    }
  });

  it("has at most 366 dates, and its last is not before its first", async () => {
    expect(await pricesBetween(today - 365, today)).toHaveLength(366);
    expect(await missedDays(today - 365, today)).toBe(366n);
    expect(await missedDays(2 ** 32 - 366, 2 ** 32 - 1)).toBe(366n);
    for (const [from, to] of [
      [today - 366, today],
      [today + 1, today],
      [today + 2, today],
      [0, 2 ** 32 - 1],
      [2 ** 32 - 1, 0],
    ] as const) {
      const expected = { name: "InvalidDaySpan", args: [from, to] };
      expect(await errorOf(pricesBetween(from, to))).toEqual(expected);
      expect(await errorOf(missedDays(from, to))).toEqual(expected);
    }
    const unknown = oracle.contract.read.pricesBetween([0n, today, today]);
    expect(await errorOf(unknown)).toEqual({ name: "UnknownFeed", args: [0n] });
  });
});
