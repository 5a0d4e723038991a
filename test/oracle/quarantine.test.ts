import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import {
  DAY,
  dayOf,
  HOUR,
  HOUR_MS,
  MARKET,
  SECOND_MS,
  SIGNER,
  testSigner,
  type UpdateOptions,
} from "./signedUpdate.ts";

/** 10 % a day. */
const BAND = 1_000n;
const DELAY = 6n * HOUR;
const FRESHNESS = ["Fresh", "UnknownFeed", "Paused", "SignerRevoked", "NoPrice", "Expired", "Quarantined"];

const second = testSigner("second");

const withEvent = (eventName: string) => ({
  stored: [true],
  events: expect.arrayContaining([expect.objectContaining({ eventName })]),
});
const SERVED = withEvent("PriceUpdated");
const WAITS = withEvent("PriceQuarantined");

let chain: TestChain;
let oracle: TestOracle;
let today: number;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

/** Every test begins with 1,000 of yesterday, at 13:00 UTC. */
beforeEach(async () => {
  today = dayOf(chain.clock.now()) + 2;
  await chain.clock.set(BigInt(today - 1) * DAY + 13n * HOUR);
  oracle = await chain.deployOracle({ signers: [SIGNER, second], defaultBand: BAND, quarantineDelay: DELAY });
  await bring({ price: 1_000n, expiryMs: chain.clock.nowMs() + 25n * HOUR_MS });
  await chain.clock.advance(DAY);
});

/** Brings a price that is published now. */
const bring = (options: UpdateOptions = {}) =>
  oracle.update(oracle.signed({ publishTimeMs: chain.clock.nowMs(), signer: SIGNER, hintedAs: 1, ...options }));
/** The same by the second signer. */
const bringBySecond = (options: UpdateOptions = {}) => bring({ signer: second, hintedAs: 2, ...options });

const latest = () => oracle.contract.read.priceUnsafe([MARKET]);
const served = () => oracle.contract.read.latestPrice([MARKET]);
const pending = () => oracle.contract.read.pendingPrice([MARKET]);
const priceOn = (day: number) => oracle.contract.read.priceOnUnsafe([MARKET, day]);
const freshness = async () => FRESHNESS[await oracle.contract.read.freshness([MARKET])];

const NOTHING_PENDING = {
  price: { price: 0n, publishTime: 0n, expiry: 0n, day: 0 },
  signer: 0,
  waitingSince: 0n,
  servedFrom: 0n,
};

describe("a price inside the band", () => {
  it.each([900n, 1_100n])("is served at once: %i after 1,000", async (price) => {
    expect(await bring({ price })).toMatchObject(SERVED);
    expect(await latest()).toMatchObject({ price, day: today });
  });

  it.each([899n, 1_101n])("by one it is not: %i after 1,000", async (price) => {
    expect(await bring({ price })).toMatchObject(WAITS);
    expect(await latest()).toMatchObject({ price: 1_000n, day: today - 1 });
  });

  it.each([
    [2n, 1_200n],
    [6n, 1_600n],
    [7n, 1_700n],
    [8n, 1_700n],
    [20n, 1_700n],
  ])("of a date %i days later may be up to %i", async (days, highest) => {
    await chain.clock.advance((days - 1n) * DAY);
    expect(await bring({ price: highest + 1n })).toMatchObject(WAITS);
    expect(await bringBySecond({ price: highest, publishTimeMs: chain.clock.nowMs() + 1n })).toMatchObject(SERVED);
  });

  it("is one whose feed had no price before, and its revisions on the same date", async () => {
    const feedId = MARKET + 1n;
    for (const [index, price] of [1n, 2n ** 60n - 1n, 500n].entries()) {
      const publishTimeMs = chain.clock.nowMs() + BigInt(index);
      expect(await bring({ feedId, price, publishTimeMs })).toMatchObject(SERVED);
    }
  });

  it("of the same date is compared with the price of the date before, not with the one it revises", async () => {
    await bring({ price: 1_100n });
    await chain.clock.advance(60n);
    expect(await bring({ price: 1_101n })).toMatchObject(WAITS);
    await chain.clock.advance(60n);
    expect(await bring({ price: 900n })).toMatchObject(SERVED);
    await chain.clock.advance(60n);
    expect(await bring({ price: 1_100n })).toMatchObject(SERVED);
  });

  it("is the first after everything of a revoked signer", async () => {
    await oracle.owner.revokeSigner(1);
    expect(await bringBySecond({ price: 5n })).toMatchObject(SERVED);
  });

  it("is every one where the feed has no band", async () => {
    oracle = await chain.deployOracle();
    await bring({ price: 1n });
    await chain.clock.advance(DAY);
    expect(await bring({ price: 2n ** 60n - 1n })).toMatchObject(SERVED);
  });
});

describe("a price outside the band", () => {
  it("waits, and says so, with all that it is", async () => {
    const expiryMs = chain.clock.nowMs() + 20n * HOUR_MS;
    const { events } = await bring({ price: 2_000n, expiryMs });
    const servedFrom = chain.clock.now() + DELAY;
    expect(events).toEqual([
      {
        eventName: "PriceQuarantined",
        args: {
          feedId: MARKET,
          day: today,
          price: 2_000n,
          publishTimeMs: chain.clock.nowMs(),
          expiryMs,
          signer: 1,
          servedFrom,
        },
      },
    ]);
    expect(await pending()).toEqual({
      price: { price: 2_000n, publishTime: chain.clock.now(), expiry: expiryMs / SECOND_MS, day: today },
      signer: 1,
      waitingSince: chain.clock.now(),
      servedFrom,
    });
    expect(await priceOn(today)).toMatchObject({ price: 0n });
  });

  it("leaves the old price served until its own expiry; then the feed is quarantined", async () => {
    await bring({ price: 2_000n });
    expect(await served()).toMatchObject({ price: 1_000n });
    expect(await freshness()).toBe("Fresh");
    await chain.clock.advance(HOUR);
    const args = [MARKET, chain.clock.now() - HOUR + DELAY];
    expect(await freshness()).toBe("Quarantined");
    expect(await errorOf(served())).toEqual({ name: "FeedQuarantined", args });
    const read = oracle.contract.read;
    expect(await errorOf(read.salesPrice([MARKET]))).toEqual({ name: "FeedQuarantined", args });
    expect(await errorOf(read.priceNoOlderThan([MARKET, 24n * HOUR]))).toEqual({ name: "FeedQuarantined", args });
    expect(await read.priceNoOlderThan([MARKET, 25n * HOUR])).toMatchObject({ price: 1_000n });
  });

  it("is skipped, without a look at its signature, when it is brought again", async () => {
    const options = { price: 2_000n, publishTimeMs: chain.clock.nowMs() };
    await bring(options);
    expect(await bring(options)).toMatchObject({ stored: [false], events: [] });
    const forged = oracle.signed({ ...options, forge: (_, signature) => signature.fill(1) });
    expect(await oracle.update(forged)).toMatchObject({ stored: [false], events: [] });
  });

  it("is served when it has waited, to the second, without anybody doing anything", async () => {
    await bring({ price: 2_000n });
    const publishTime = chain.clock.now();
    await chain.clock.advance(DELAY - 1n);
    expect(await latest()).toMatchObject({ price: 1_000n });
    await chain.clock.advance(1n);
    expect(await served()).toMatchObject({ price: 2_000n, publishTime, day: today });
    expect(await latest()).toMatchObject({ price: 2_000n });
    expect(await oracle.contract.read.priceNoOlderThan([MARKET, DELAY])).toMatchObject({ price: 2_000n });
    expect(await freshness()).toBe("Fresh");
    expect(await pending()).toEqual(NOTHING_PENDING);
    expect(await priceOn(today)).toEqual({ price: 2_000n, publishTime, day: today, signer: 1, isRevised: false });
    expect(await oracle.contract.read.pricesBetween([MARKET, today - 1, today])).toEqual([1_000n, 2_000n]);
  });

  it("is written down by the next update of the feed, and is the reference of it", async () => {
    await bring({ price: 2_000n });
    const publishTimeMs = chain.clock.nowMs();
    await chain.clock.advance(DELAY + 1n);
    const { stored, events } = await bring({ price: 2_199n });
    expect(stored).toEqual([true]);
    expect(events).toMatchObject([
      { eventName: "PriceUpdated", args: { price: 2_000n, publishTimeMs } },
      { eventName: "PriceUpdated", args: { price: 2_199n } },
      { eventName: "PriceRevised", args: { previousPrice: 2_000n, price: 2_199n } },
    ]);
    expect(await priceOn(today)).toMatchObject({ price: 2_199n, isRevised: true });
    await chain.clock.advance(DAY);
    expect(await bring({ price: 2_418n })).toMatchObject(SERVED);
  });

  it("may be refreshed once it is served", async () => {
    await bring({ price: 2_000n });
    await chain.clock.advance(DELAY);
    expect(await bring({ price: 2_000n })).toMatchObject(SERVED);
  });

  it("is the reference even when it has expired by then: a true jump cannot freeze a feed", async () => {
    await bring({ price: 2_000n, expiryMs: chain.clock.nowMs() + HOUR_MS });
    await chain.clock.advance(DELAY);
    expect(await freshness()).toBe("Expired");
    expect(await errorOf(served())).toMatchObject({ name: "PriceExpired" });
    await chain.clock.advance(DAY - DELAY);
    expect(await bring({ price: 1_000n })).toMatchObject(WAITS);
    await chain.clock.advance(1n);
    expect(await bring({ price: 2_100n })).toMatchObject(SERVED);
    expect(await served()).toMatchObject({ price: 2_100n });
  });

  it("revises the price of its own date", async () => {
    await bring({ price: 1_050n });
    await chain.clock.advance(60n);
    await bring({ price: 2_000n });
    await chain.clock.advance(DELAY);
    expect(await priceOn(today)).toMatchObject({ price: 2_000n, isRevised: true });
    const { events } = await bring({ price: 2_000n });
    expect(events).toMatchObject([
      { eventName: "PriceUpdated", args: { price: 2_000n } },
      { eventName: "PriceRevised", args: { previousPrice: 1_050n, price: 2_000n } },
      { eventName: "PriceUpdated", args: { price: 2_000n } },
    ]);
  });

  it.each([
    { what: "does not revise", when: "a second before it is served", early: 1n, isRevised: false },
    { what: "revises", when: "in the second from which it is served", early: 0n, isRevised: true },
  ])("$what the price of its date whose signer is revoked $when", async ({ early, isRevised }) => {
    await bring({ price: 1_050n });
    await chain.clock.advance(60n);
    await bringBySecond({ price: 2_000n });
    await chain.clock.advance(DELAY - early);
    await oracle.owner.revokeSigner(1, today);
    await chain.clock.advance(early);
    expect(await priceOn(today)).toMatchObject({ price: 2_000n, signer: 2, isRevised });
    await chain.clock.advance(DAY);
    await bringBySecond({ price: 2_000n });
    expect(await priceOn(today)).toMatchObject({ price: 2_000n, signer: 2, isRevised });
  });

  it("does not enter the history of a date that is final before it is served", async () => {
    // The last six hours of a date's 72.
    await chain.clock.set(BigInt(today) * DAY + 67n * HOUR);
    const late = { date: dateOfDay(today), expiryMs: BigInt(today) * DAY * SECOND_MS + 72n * HOUR_MS };
    await bring({ ...late, price: 2_000n });
    await chain.clock.advance(DELAY);
    expect(await latest()).toMatchObject({ price: 2_000n, day: today });
    expect(await priceOn(today)).toMatchObject({ price: 0n });
    await bring({ price: 2_100n });
    expect(await priceOn(today)).toMatchObject({ price: 0n });
  });

  it("enters the history as of when it was served, however much later that is written", async () => {
    await bring({ price: 2_000n });
    await chain.clock.set(BigInt(today) * DAY + 72n * HOUR);
    const settled = await oracle.contract.read.settlementPrice([MARKET, today]);
    expect(settled).toMatchObject({ price: 2_000n });
    await chain.clock.advance(12n * HOUR);
    await bring({ price: 2_100n });
    expect(await oracle.contract.read.settlementPrice([MARKET, today])).toEqual(settled);
  });

  it("keeps the feed paused, and waits all the same", async () => {
    await oracle.guardian.pauseFeed(MARKET);
    await bring({ price: 2_000n });
    await chain.clock.advance(DELAY);
    expect(await errorOf(served())).toEqual({ name: "FeedPaused", args: [MARKET] });
    await oracle.owner.unpauseFeed(MARKET);
    expect(await served()).toMatchObject({ price: 2_000n });
    await chain.clock.advance(60n);
    await oracle.guardian.pauseFeed(MARKET);
    await bring({ price: 2_050n });
    expect(await freshness()).toBe("Paused");
  });
});

describe("a level that waits", () => {
  it("goes on waiting when newer prices inside the band around it take its place, step by step", async () => {
    await bring({ price: 2_000n });
    const since = chain.clock.now();
    for (const price of [2_200n, 2_420n, 2_178n]) {
      await chain.clock.advance(HOUR);
      expect(await bring({ price })).toMatchObject(WAITS);
      expect(await pending()).toMatchObject({ price: { price }, waitingSince: since, servedFrom: since + DELAY });
    }
    await chain.clock.advance(3n * HOUR);
    expect(await latest()).toMatchObject({ price: 2_178n });
  });

  it("begins to wait anew at another level", async () => {
    await bring({ price: 2_000n });
    for (const price of [2_201n, 1_980n, 500n]) {
      await chain.clock.advance(HOUR);
      await bring({ price });
      expect(await pending()).toMatchObject({ price: { price }, waitingSince: chain.clock.now() });
    }
  });

  it("may differ by the band for each day between its dates", async () => {
    oracle = await chain.deployOracle({ defaultBand: BAND, quarantineDelay: 48n * HOUR });
    await bring({ price: 1_000n });
    await chain.clock.advance(DAY);
    await bring({ price: 2_000n });
    await chain.clock.advance(46n * HOUR);
    await bring({ price: 2_401n });
    expect(await pending()).toMatchObject({ waitingSince: chain.clock.now() });

    oracle = await chain.deployOracle({ defaultBand: BAND, quarantineDelay: 48n * HOUR });
    await bring({ price: 1_000n });
    await chain.clock.advance(DAY);
    await bring({ price: 2_000n });
    await chain.clock.advance(46n * HOUR);
    await bring({ price: 2_400n });
    expect(await pending()).toMatchObject({ waitingSince: chain.clock.now() - 46n * HOUR });
  });

  it("ends when a newer price inside the band comes", async () => {
    await bring({ price: 2_000n });
    await chain.clock.advance(60n);
    expect(await bring({ price: 1_010n })).toMatchObject(SERVED);
    expect(await pending()).toEqual(NOTHING_PENDING);
    await chain.clock.advance(DELAY);
    expect(await latest()).toMatchObject({ price: 1_010n });
    await chain.clock.advance(60n);
    await bring({ price: 2_000n });
    expect(await pending()).toMatchObject({ waitingSince: chain.clock.now() });
  });

  it("is not ended by an older price, which is served nevertheless", async () => {
    const publishTimeMs = chain.clock.nowMs();
    await chain.clock.advance(60n);
    await bring({ price: 2_000n });
    const before = await pending();
    expect(await bring({ price: 1_010n, publishTimeMs })).toMatchObject(SERVED);
    expect(await latest()).toMatchObject({ price: 1_010n, day: today });
    expect(await pending()).toEqual(before);
    await chain.clock.advance(DELAY);
    expect(await latest()).toMatchObject({ price: 2_000n });
  });

  it("is not replaced by an older price outside the band", async () => {
    await bring({ price: 2_000n });
    const before = await pending();
    const older = { price: 3_000n, publishTimeMs: chain.clock.nowMs() - 1n };
    expect(await bring(older)).toMatchObject({ stored: [false], events: [] });
    expect(await pending()).toEqual(before);
  });
});

describe("the guardian", () => {
  it("confirms what waits: it is served at once, and the reference", async () => {
    await bring({ price: 2_000n });
    const { waitingSince } = await pending();
    await chain.clock.advance(60n);
    const receipt = await oracle.guardian.confirmPrice(MARKET, waitingSince);
    expect(oracle.eventsOf(receipt)).toMatchObject([
      { eventName: "PriceUpdated", args: { feedId: MARKET, price: 2_000n } },
      { eventName: "PendingPriceConfirmed", args: { feedId: MARKET, publishTimeMs: waitingSince * SECOND_MS } },
    ]);
    expect(await served()).toMatchObject({ price: 2_000n });
    expect(await priceOn(today)).toMatchObject({ price: 2_000n });
    expect(await pending()).toEqual(NOTHING_PENDING);
    expect(await bring({ price: 2_200n })).toMatchObject(SERVED);
  });

  it("confirms the newest of a level", async () => {
    await bring({ price: 2_000n });
    const { waitingSince } = await pending();
    await chain.clock.advance(60n);
    await bring({ price: 2_100n });
    await oracle.guardian.confirmPrice(MARKET, waitingSince);
    expect(await served()).toMatchObject({ price: 2_100n });
  });

  it("confirms one that has expired: it is the reference", async () => {
    await bring({ price: 2_000n, expiryMs: chain.clock.nowMs() + HOUR_MS });
    const { waitingSince } = await pending();
    await chain.clock.advance(2n * HOUR);
    await oracle.guardian.confirmPrice(MARKET, waitingSince);
    expect(await freshness()).toBe("Expired");
    expect(await bring({ price: 2_150n })).toMatchObject(SERVED);
    expect(await freshness()).toBe("Fresh");
  });

  it("vetoes what waits: nothing published then or before is taken any more", async () => {
    const publishTimeMs = chain.clock.nowMs();
    await bring({ price: 2_000n });
    const { waitingSince } = await pending();
    const receipt = await oracle.guardian.vetoPrice(MARKET, waitingSince);
    expect(oracle.eventsOf(receipt)).toEqual([
      { eventName: "PendingPriceVetoed", args: { feedId: MARKET, publishTimeMs } },
    ]);
    expect(await pending()).toEqual(NOTHING_PENDING);
    for (const price of [2_000n, 1_000n]) {
      for (const age of [0n, 1n, 60_000n]) {
        const again = { price, publishTimeMs: publishTimeMs - age };
        expect(await bring(again)).toMatchObject({ stored: [false], events: [] });
      }
    }
    await chain.clock.advance(DELAY);
    expect(await latest()).toMatchObject({ price: 1_000n });
    expect(await bring({ price: 1_050n, publishTimeMs: publishTimeMs + 1n })).toMatchObject(SERVED);
  });

  it("vetoes for good: a price that waits later, or the revocation of one that was served, opens no way around", async () => {
    const publishTimeMs = chain.clock.nowMs();
    const vetoed = [
      { price: 1_050n, publishTimeMs },
      { price: 1_050n, publishTimeMs: publishTimeMs - 1n },
      { price: 3_000n, publishTimeMs },
    ];
    const expectVetoed = async () => {
      for (const old of vetoed) expect(await bring(old)).toMatchObject({ stored: [false], events: [] });
    };
    await bring({ price: 2_000n });
    await oracle.guardian.vetoPrice(MARKET, (await pending()).waitingSince);
    await chain.clock.advance(60n);
    expect(await bring({ price: 3_000n })).toMatchObject(WAITS);
    await expectVetoed();
    await chain.clock.advance(60n);
    expect(await bringBySecond({ price: 1_060n })).toMatchObject(SERVED);
    await expectVetoed();
    await chain.clock.advance(60n);
    expect(await bring({ price: 3_000n })).toMatchObject(WAITS);
    await oracle.owner.revokeSigner(2);
    await expectVetoed();
    expect(await bring({ price: 1_050n, publishTimeMs: publishTimeMs + 1n })).toMatchObject(SERVED);
    await expectVetoed();
  });

  it("vetoes whatever is wrong with it: it is skipped, also when the latest price is of a revoked signer", async () => {
    const publishTimeMs = chain.clock.nowMs();
    const expectSkipped = async () => {
      for (const fault of [{ date: dateOfDay(today + 1) }, { price: 0n }, { signer: SIGNER, hintedAs: 2 }]) {
        const update = { price: 1_050n, publishTimeMs, ...fault };
        expect(await bringBySecond(update)).toMatchObject({ stored: [false], events: [] });
      }
    };
    await bring({ price: 2_000n });
    await oracle.guardian.vetoPrice(MARKET, (await pending()).waitingSince);
    await expectSkipped();
    await chain.clock.advance(60n);
    expect(await bring({ price: 1_060n })).toMatchObject(SERVED);
    await oracle.owner.revokeSigner(1);
    await expectSkipped();
  });

  it("lets the same level wait anew when it comes again after a veto", async () => {
    await bring({ price: 2_000n });
    await oracle.guardian.vetoPrice(MARKET, (await pending()).waitingSince);
    await chain.clock.advance(60n);
    await bring({ price: 2_000n });
    expect(await pending()).toMatchObject({ waitingSince: chain.clock.now() });
    await chain.clock.advance(DELAY);
    expect(await latest()).toMatchObject({ price: 2_000n });
  });

  it("means a level: nothing happens to another one", async () => {
    await bring({ price: 2_000n });
    const { waitingSince } = await pending();
    await chain.clock.advance(60n);
    await bring({ price: 3_000n });
    const expected = { name: "PendingPriceChanged", args: [MARKET, chain.clock.now()] };
    expect(await errorOf(oracle.guardian.confirmPrice(MARKET, waitingSince))).toEqual(expected);
    expect(await errorOf(oracle.guardian.vetoPrice(MARKET, waitingSince))).toEqual(expected);
  });

  it("has nothing to decide when nothing waits, or no longer does", async () => {
    const expected = { name: "NoPendingPrice", args: [MARKET] };
    expect(await errorOf(oracle.guardian.confirmPrice(MARKET, 0n))).toEqual(expected);
    await bring({ price: 2_000n });
    const { waitingSince } = await pending();
    await chain.clock.advance(DELAY);
    expect(await errorOf(oracle.guardian.vetoPrice(MARKET, waitingSince))).toEqual(expected);
    expect(await errorOf(oracle.guardian.confirmPrice(MARKET, waitingSince))).toEqual(expected);
  });

  it("alone confirms and vetoes", async () => {
    await bring({ price: 2_000n });
    const { waitingSince } = await pending();
    for (const account of [chain.accounts.owner, chain.accounts.stranger]) {
      const expected = { name: "NotGuardian" };
      expect(await errorOf(oracle.as(account).confirmPrice(MARKET, waitingSince))).toMatchObject(expected);
      expect(await errorOf(oracle.as(account).vetoPrice(MARKET, waitingSince))).toMatchObject(expected);
    }
  });
});

describe("a price that waits, of a signer that is revoked", () => {
  it("before it is served, is dropped", async () => {
    await bringBySecond({ price: 2_000n });
    await chain.clock.advance(DELAY - 1n);
    await oracle.owner.revokeSigner(2);
    expect(await pending()).toEqual(NOTHING_PENDING);
    await chain.clock.advance(1n);
    expect(await latest()).toMatchObject({ price: 1_000n });
    const older = { price: 1_050n, publishTimeMs: chain.clock.nowMs() - DELAY * SECOND_MS - HOUR_MS };
    expect(await bring(older)).toMatchObject(SERVED);
  });

  it("after it was served, has been the latest price like any other", async () => {
    await bringBySecond({ price: 2_000n });
    await chain.clock.advance(DELAY);
    await oracle.owner.revokeSigner(2, today + 1);
    expect(await freshness()).toBe("SignerRevoked");
    expect(await latest()).toMatchObject({ price: 0n });
    expect(await priceOn(today)).toMatchObject({ price: 2_000n, signer: 2 });
    expect(await bring({ price: 5n })).toMatchObject(SERVED);
  });

  it("after it was vetoed, does not undo the veto", async () => {
    const publishTimeMs = chain.clock.nowMs() + HOUR_MS;
    await bringBySecond({ price: 2_000n, publishTimeMs });
    await oracle.guardian.vetoPrice(MARKET, (await pending()).waitingSince);
    await oracle.owner.revokeSigner(2);
    expect(await bring({ price: 1_050n, publishTimeMs })).toMatchObject({ stored: [false], events: [] });
    await chain.clock.advance(1n);
    expect(await bring({ price: 1_050n, publishTimeMs: publishTimeMs + 1n })).toMatchObject(SERVED);
  });
});

describe("an update of the publish time of what waits", () => {
  /** What one call stores; that of a call for each is the same, and leaves the same behind. */
  const storedTogether = async (...updates: Hex[]) => {
    const snapshot = await chain.connection.networkHelpers.takeSnapshot();
    const apart: boolean[] = [];
    for (const update of updates) apart.push(...(await oracle.update(update)).stored);
    const left = [await latest(), await pending(), await priceOn(today)];
    await snapshot.restore();
    const { stored } = await oracle.update(...updates);
    expect(stored).toEqual(apart);
    expect([await latest(), await pending(), await priceOn(today)]).toEqual(left);
    return stored;
  };

  let publishTimeMs: bigint;
  let signed: (options: UpdateOptions) => Hex;
  beforeEach(() => {
    publishTimeMs = chain.clock.nowMs();
    signed = (options) => oracle.signed({ publishTimeMs, signer: second, hintedAs: 2, ...options });
  });

  it("is skipped while that waits, whatever it says", async () => {
    await oracle.update(signed({ price: 2_000n }));
    expect(await storedTogether(signed({ price: 1_010n }), signed({ price: 0n }))).toEqual([false, false]);
  });

  it("is skipped when that waits only since the same call", async () => {
    expect(await storedTogether(signed({ price: 2_000n }), signed({ price: 1_010n }))).toEqual([true, false]);
    expect(await pending()).toMatchObject({ price: { price: 2_000n } });
    expect(await latest()).toMatchObject({ price: 1_000n });
  });

  it("is looked at when the same call has let another wait in its place", async () => {
    await oracle.update(signed({ price: 2_000n }));
    const newer = signed({ price: 2_010n, publishTimeMs: publishTimeMs + 1n });
    expect(await storedTogether(newer, signed({ price: 1_010n }), signed({ price: 2_000n }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(await latest()).toMatchObject({ price: 1_010n });
    expect(await pending()).toMatchObject({ price: { price: 2_010n } });
  });

  it("is refused for what is wrong with it when the same call has let another wait in its place", async () => {
    await oracle.update(signed({ price: 2_000n }));
    const newer = signed({ price: 2_010n, publishTimeMs: publishTimeMs + 1n });
    const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33);
    for (const [fault, name] of [
      [{ price: 0n }, "ZeroPrice"],
      [{ forge }, "InvalidSignature"],
    ] as const) {
      expect(await oracle.refusalOf([newer, signed(fault)])).toMatchObject({ index: 1, name });
    }
  });

  it.each([{ hintedAs: 2 }, { hintedAs: undefined }])(
    "is taken when the same call has ended the wait with the first price after a revocation: %o",
    async (form) => {
      const waiting = signed({ price: 2_000n, ...form });
      await oracle.update(waiting);
      await oracle.owner.revokeSigner(1);
      const older = signed({ price: 1_010n, publishTimeMs: publishTimeMs - 1n, ...form });
      expect(await storedTogether(older, waiting)).toEqual([true, true]);
    },
  );
});

describe("a correction of an earlier date", () => {
  it("is compared with the last price of the week before it", async () => {
    await bring({ price: 1_090n });
    await chain.clock.advance(DAY);
    await bring({ price: 1_199n });
    const past = { date: dateOfDay(today), expiryMs: chain.clock.nowMs() };
    await chain.clock.advance(1n);
    const outside = await bring({ ...past, price: 1_101n, expiryMs: chain.clock.nowMs() });
    expect(outside).toMatchObject({
      stored: [false],
      events: [{ eventName: "PastPriceOutOfBand", args: { day: today, price: 1_101n } }],
    });
    expect(await pending()).toEqual(NOTHING_PENDING);
    expect(await bring({ ...past, price: 1_100n, expiryMs: chain.clock.nowMs() })).toMatchObject({ stored: [true] });
    expect(await priceOn(today)).toMatchObject({ price: 1_100n, isRevised: true });
  });

  it("with nothing in the week before it is compared with the latest price", async () => {
    await bring({ price: 1_050n });
    const past = { date: dateOfDay(today - 2), expiryMs: chain.clock.nowMs() };
    await chain.clock.advance(1n);
    expect(await bring({ ...past, price: 839n, expiryMs: chain.clock.nowMs() })).toMatchObject({ stored: [false] });
    expect(await bring({ ...past, price: 840n, expiryMs: chain.clock.nowMs() })).toMatchObject({ stored: [true] });
  });
});
