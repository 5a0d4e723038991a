import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, HOUR, MARKET, RENTAL_OFFSET } from "./signedUpdate.ts";

const DELAY = DAY;

const withEvent = (eventName: string) => ({
  stored: [true],
  events: expect.arrayContaining([expect.objectContaining({ eventName })]),
});
const SERVED = withEvent("PriceUpdated");
const WAITS = withEvent("PriceQuarantined");

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle({ defaultBand: 500n, signerDelay: DELAY });
});

const bandOf = (feedId = MARKET) => oracle.contract.read.bandOf([feedId]);
const UNCHANGING = [0, 0n];

describe("the band of a feed", () => {
  it("is the oracle's default until it is set", async () => {
    expect(await bandOf()).toEqual([500, ...UNCHANGING]);
    expect(await oracle.contract.read.DEFAULT_BAND()).toBe(500);
    oracle = await chain.deployOracle();
    expect(await bandOf()).toEqual([0, ...UNCHANGING]);
  });

  it("gets tighter at once, for several feeds together", async () => {
    const feedIds = [1n, MARKET, MARKET + RENTAL_OFFSET];
    const receipt = await oracle.owner.setBands(499, ...feedIds);
    expect(oracle.eventsOf(receipt)).toEqual(
      feedIds.map((feedId) => ({
        eventName: "BandSet",
        args: { feedId, band: 499, effectiveFrom: chain.clock.now() },
      })),
    );
    for (const feedId of feedIds) expect(await bandOf(feedId)).toEqual([499, ...UNCHANGING]);
    expect(await bandOf(2n)).toEqual([500, ...UNCHANGING]);
  });

  it.each([
    ["wider", 501],
    ["10,000, the widest", 10_000],
    ["none", 0],
  ])("gets %s after the delay", async (_, band) => {
    const receipt = await oracle.owner.setBands(band, MARKET);
    const effectiveFrom = chain.clock.now() + DELAY;
    expect(oracle.eventsOf(receipt)).toMatchObject([{ args: { band, effectiveFrom } }]);
    expect(await bandOf()).toEqual([500, band, effectiveFrom]);
    await chain.clock.advance(DELAY - 1n);
    expect(await bandOf()).toEqual([500, band, effectiveFrom]);
    await chain.clock.advance(1n);
    expect(await bandOf()).toEqual([band, ...UNCHANGING]);
  });

  it("judges prices by what it is when they come", async () => {
    await oracle.update(oracle.signed({ price: 1_000n }));
    await oracle.owner.setBands(2_000, MARKET);
    await chain.clock.advance(DELAY - 60n);
    expect(await oracle.update(oracle.signed({ price: 1_200n }))).toMatchObject(WAITS);
    await chain.clock.advance(60n);
    expect(await oracle.update(oracle.signed({ price: 1_201n }))).toMatchObject(WAITS);
    await chain.clock.advance(60n);
    expect(await oracle.update(oracle.signed({ price: 1_200n }))).toMatchObject(SERVED);
    await oracle.owner.setBands(100, MARKET);
    await chain.clock.advance(DAY);
    expect(await oracle.update(oracle.signed({ price: 1_213n }))).toMatchObject(WAITS);
    await chain.clock.advance(60n);
    expect(await oracle.update(oracle.signed({ price: 1_212n }))).toMatchObject(SERVED);
  });

  it("can have its change replaced: a tighter one holds at once, a wider one waits anew", async () => {
    await oracle.owner.setBands(900, MARKET);
    await chain.clock.advance(HOUR);
    await oracle.owner.setBands(800, MARKET);
    expect(await bandOf()).toEqual([500, 800, chain.clock.now() + DELAY]);
    await oracle.owner.setBands(500, MARKET);
    expect(await bandOf()).toEqual([500, ...UNCHANGING]);
    await chain.clock.advance(2n * DELAY);
    expect(await bandOf()).toEqual([500, ...UNCHANGING]);
  });

  it("is compared with a change that has arrived", async () => {
    await oracle.owner.setBands(900, MARKET);
    await chain.clock.advance(DELAY);
    await oracle.owner.setBands(1_000, MARKET);
    expect(await bandOf()).toEqual([900, 1_000, chain.clock.now() + DELAY]);
    await oracle.owner.setBands(800, MARKET);
    expect(await bandOf()).toEqual([800, ...UNCHANGING]);
    await oracle.owner.setBands(0, MARKET);
    await chain.clock.advance(DELAY);
    await oracle.owner.setBands(10_000, MARKET);
    expect(await bandOf()).toEqual([10_000, ...UNCHANGING]);
  });

  it("stays when prices come, pauses are set and prices are revoked", async () => {
    await oracle.owner.setBands(499, MARKET);
    await oracle.guardian.pauseFeed(MARKET);
    await oracle.update(oracle.signed());
    await chain.clock.advance(60n);
    await oracle.update(oracle.signed());
    await oracle.owner.unpauseFeed(MARKET);
    await oracle.owner.revokeSigner(1);
    expect(await bandOf()).toEqual([499, ...UNCHANGING]);
  });

  it("is set by the owner alone, up to 10,000 basis points, for feeds", async () => {
    for (const account of [chain.accounts.guardian, chain.accounts.stranger]) {
      expect(await errorOf(oracle.as(account).setBands(1, MARKET))).toMatchObject({
        name: "OwnableUnauthorizedAccount",
      });
    }
    expect(await errorOf(oracle.owner.setBands(10_001, MARKET))).toEqual({ name: "InvalidBand", args: [10_001n] });
    for (const feedId of [0n, RENTAL_OFFSET, 2n * RENTAL_OFFSET]) {
      const expected = { name: "UnknownFeed", args: [feedId] };
      expect(await errorOf(oracle.owner.setBands(1, MARKET, feedId))).toEqual(expected);
      expect(await errorOf(bandOf(feedId))).toEqual(expected);
    }
    expect(await bandOf()).toEqual([500, ...UNCHANGING]);
  });
});

describe("an oracle is not deployed with", () => {
  it("a quarantine of less than 1 or more than 48 hours", async () => {
    for (const quarantineDelay of [0n, HOUR - 1n, 48n * HOUR + 1n, 2n ** 256n - 1n]) {
      const expected = { name: "InvalidQuarantineDelay", args: [quarantineDelay] };
      expect(await errorOf(chain.deployOracle({ quarantineDelay }))).toEqual(expected);
    }
    for (const quarantineDelay of [HOUR, 48n * HOUR]) {
      const { contract } = await chain.deployOracle({ quarantineDelay });
      expect(await contract.read.QUARANTINE_DELAY()).toBe(quarantineDelay);
    }
  });

  it("a default band above 10,000 basis points", async () => {
    for (const defaultBand of [10_001n, 2n ** 16n, 2n ** 256n - 1n]) {
      const expected = { name: "InvalidBand", args: [defaultBand] };
      expect(await errorOf(chain.deployOracle({ defaultBand }))).toEqual(expected);
    }
  });
});
