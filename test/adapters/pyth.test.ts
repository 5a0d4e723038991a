import { type Hex, parseEventLogs, toFunctionSelector, zeroAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decodeReason } from "../oracle/decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, HOUR, HOUR_MS, MARKET, RENTAL_OFFSET, SECOND_MS, testSigner } from "../oracle/signedUpdate.ts";
import { startNextDay } from "./faults.ts";
import { deployPythAdapter, deployPythAggregator, priceIdOf } from "./pythUnderTest.ts";
import { refusalOf } from "./refusal.ts";

const SALES = priceIdOf(MARKET);
const RENTAL = priceIdOf(MARKET + RENTAL_OFFSET);
/** No feed of any oracle: too large, or somebody else's id. */
const FOREIGN_IDS = [priceIdOf(2n ** 64n + MARKET), priceIdOf(2n ** 256n - 1n), priceIdOf(MARKET << 192n)];
const UNKNOWN_IDS = [...FOREIGN_IDS, priceIdOf(0n), priceIdOf(RENTAL_OFFSET), priceIdOf(2n ** 64n - 1n)];
const NOT_FOUND = { name: "PriceFeedNotFound", args: [] };
const NOT_FOUND_WITHIN_RANGE = { name: "PriceFeedNotFoundWithinRange", args: [] };
const INVALID_ARGUMENT = { name: "InvalidArgument", args: [] };
const NO_FRESH_UPDATE = { name: "NoFreshUpdate", args: [] };
const NOT_GIVEN = { price: 0n, conf: 0n, expo: 0, publishTime: 0n };
const ANY_TIME = [0n, 2n ** 64n - 1n] as const;

let chain: TestChain;
let oracle: TestOracle;
let adapter: Awaited<ReturnType<typeof deployPythAdapter>>;
let now: bigint;
let nowMs: bigint;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  await startNextDay(chain);
  [now, nowMs] = [chain.clock.now(), chain.clock.nowMs()];
  oracle = await chain.deployOracle();
  adapter = await deployPythAdapter(chain, oracle);
});

const refused = (call: Promise<unknown>) => refusalOf(call, adapter.abi);
const priceOf = (price: bigint, publishTime: bigint) => ({ price, conf: 0n, expo: -8, publishTime });
const storedPrice = async (feedId = MARKET) => (await oracle.contract.read.priceUnsafe([feedId])).price;

describe("reads", () => {
  it("know a feed by its id as a number, and no other id", async () => {
    await oracle.update(oracle.signed({ price: 5n }), oracle.signed({ feedId: MARKET + RENTAL_OFFSET, price: 6n }));
    expect(await adapter.read.getPriceUnsafe([SALES])).toEqual(priceOf(5n, now - 60n));
    expect(await adapter.read.getPriceUnsafe([RENTAL])).toEqual(priceOf(6n, now - 60n));
    for (const id of [...UNKNOWN_IDS, priceIdOf(1n)]) {
      expect(await refused(adapter.read.getPriceUnsafe([id]))).toEqual(NOT_FOUND);
      expect(await refused(adapter.read.getPriceNoOlderThan([id, 2n ** 256n - 1n]))).toEqual(NOT_FOUND);
    }
  });

  it("allow any age, down to none", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: nowMs }));
    const read = (age: bigint) => adapter.read.getPriceNoOlderThan([SALES, age]);
    expect(await read(0n)).toEqual(await adapter.read.getPriceUnsafe([SALES]));
    await chain.clock.set(now + 1n);
    expect(await refused(read(0n))).toEqual({ name: "StalePrice", args: [] });
    await chain.clock.set(now + 400n * DAY);
    expect(await read(2n ** 256n - 1n)).toEqual(await adapter.read.getPriceUnsafe([SALES]));
  });

  it("give the block's time for a price published after it, until that is past", async () => {
    await oracle.update(oracle.signed({ price: 5n, publishTimeMs: nowMs + HOUR_MS }));
    for (const later of [0n, HOUR - 1n, HOUR, HOUR + 1n]) {
      await chain.clock.set(now + later);
      const publishTime = later < HOUR ? now + later : now + HOUR;
      expect(await adapter.read.getPriceUnsafe([SALES])).toEqual(priceOf(5n, publishTime));
      expect(await adapter.read.getPriceNoOlderThan([SALES, 1n])).toEqual(priceOf(5n, publishTime));
    }
  });

  it("need an oracle", async () => {
    const stranger = chain.accounts.stranger.account.address;
    for (const address of [zeroAddress, stranger]) {
      const deployment = chain.viem.deployContract("PythAdapter", [address]);
      expect(await refused(deployment)).toMatchObject({ name: "NoOracle", args: [expect.stringMatching(/^0x/)] });
    }
  });
});

describe("updatePriceFeeds", () => {
  it("brings prices to the oracle, skips older ones, and emits nothing of its own", async () => {
    const updates = [oracle.signed({ price: 5n }), oracle.signed({ feedId: 7n, price: 6n, hintedAs: 1 })];
    const receipt = await chain.mined(() => adapter.write.updatePriceFeeds([updates]));
    expect(oracle.eventsOf(receipt).map(({ eventName }) => eventName)).toEqual(["PriceUpdated", "PriceUpdated"]);
    expect(receipt.logs.every(({ address }) => address === oracle.address)).toBe(true);
    expect([await storedPrice(), await storedPrice(7n)]).toEqual([5n, 6n]);

    const older = oracle.signed({ price: 9n, publishTimeMs: nowMs - HOUR_MS });
    expect((await chain.mined(() => adapter.write.updatePriceFeeds([[older, ...updates]]))).logs).toEqual([]);
    await chain.mined(() => adapter.write.updatePriceFeeds([[]]));
    expect(await storedPrice()).toBe(5n);
  });

  it("reverts as a whole for an invalid one, with its index and the reason", async () => {
    const forged = oracle.signed({ feedId: 8n, signer: testSigner("stranger"), hintedAs: 1 });
    for (const [invalid, name] of [
      [forged, "InvalidSignature"],
      ["0x1234", "InvalidUpdateLength"],
      [oracle.signed({ expiryMs: nowMs - 1n }), "ExpiryPassed"],
    ] as const) {
      const call = adapter.simulate.updatePriceFeeds([[oracle.signed({ feedId: 7n }), invalid]]);
      const { name: outer, args } = await refused(call);
      expect(outer).toBe("InvalidUpdate");
      expect(decodeReason(args[0] as bigint, args[1] as Hex)).toMatchObject({ index: 1, name });
    }
  });

  it("costs no fee", async () => {
    expect(await adapter.read.getUpdateFee([[]])).toBe(0n);
    expect(await adapter.read.getUpdateFee([[oracle.signed({}), "0x"]])).toBe(0n);
  });
});

describe("updatePriceFeedsIfNecessary", () => {
  const publishTime = () => now - 60n;
  const ifNecessary = (ids: readonly Hex[], times: readonly bigint[]) =>
    adapter.simulate.updatePriceFeedsIfNecessary([[oracle.signed({ price: 9n, publishTimeMs: nowMs })], ids, times]);

  it("goes on if one of the feeds has an older price than known, or none", async () => {
    await oracle.update(oracle.signed({ price: 5n }));
    for (const [ids, times] of [
      [[SALES], [publishTime() + 1n]],
      [[SALES], [2n ** 64n - 1n]],
      [[RENTAL], [0n]],
      [
        [SALES, RENTAL],
        [0n, 1n],
      ],
      [
        [SALES, SALES],
        [publishTime(), publishTime() + 1n],
      ],
      ...UNKNOWN_IDS.map((id) => [[id], [0n]] as const),
    ] as const) {
      await expect(ifNecessary(ids, times)).resolves.toBeDefined();
    }
    const updates = [oracle.signed({ price: 9n, publishTimeMs: nowMs })];
    await chain.mined(() => adapter.write.updatePriceFeedsIfNecessary([updates, [SALES], [now]]));
    expect(await storedPrice()).toBe(9n);
  });

  it("goes on if the price's signer has been revoked", async () => {
    oracle = await chain.deployOracle({ signers: [testSigner("leaked"), testSigner("second")] });
    adapter = await deployPythAdapter(chain, oracle);
    await oracle.update(oracle.signed({ signer: testSigner("leaked") }));
    const update = oracle.signed({ signer: testSigner("second"), price: 8n });
    const args = [[update], [SALES], [publishTime()]] as const;
    expect(await refused(adapter.simulate.updatePriceFeedsIfNecessary(args))).toEqual(NO_FRESH_UPDATE);
    await oracle.owner.revokeSigner(1);
    await chain.mined(() => adapter.write.updatePriceFeedsIfNecessary(args));
    expect(await storedPrice()).toBe(8n);
  });

  it("refuses otherwise, without looking at the updates", async () => {
    await oracle.update(oracle.signed({}), oracle.signed({ feedId: MARKET + RENTAL_OFFSET }));
    const both = [SALES, RENTAL] as const;
    expect(await refused(ifNecessary(both, [publishTime(), publishTime()]))).toEqual(NO_FRESH_UPDATE);
    expect(await refused(ifNecessary([SALES], [0n]))).toEqual(NO_FRESH_UPDATE);
    expect(await refused(ifNecessary([], []))).toEqual(NO_FRESH_UPDATE);
    const garbage = adapter.simulate.updatePriceFeedsIfNecessary([["0x00"], [SALES], [publishTime()]]);
    expect(await refused(garbage)).toEqual(NO_FRESH_UPDATE);
  });

  it("refuses lists of different lengths", async () => {
    expect(await refused(ifNecessary([SALES], []))).toEqual(INVALID_ARGUMENT);
    expect(await refused(ifNecessary([], [1n]))).toEqual(INVALID_ARGUMENT);
  });
});

describe("parsePriceFeedUpdates", () => {
  const parse = async (
    updates: readonly Hex[],
    ids: readonly Hex[],
    [min, max]: readonly [bigint, bigint] = ANY_TIME,
  ) => (await adapter.simulate.parsePriceFeedUpdates([updates, ids, min, max])).result;
  const at = (publishTime: bigint, price: bigint, feedId = MARKET) =>
    oracle.signed({ feedId, price, publishTimeMs: publishTime * SECOND_MS + 999n });

  it("answers in the order of the ids, leaves out other updates, and stores nothing", async () => {
    const updates = [at(now - 9n, 5n), at(now - 8n, 6n, MARKET + RENTAL_OFFSET), at(now - 7n, 7n, 7n)];
    const feed = (id: Hex, price: bigint, publishTime: bigint) => ({
      id,
      price: priceOf(price, publishTime),
      emaPrice: NOT_GIVEN,
    });
    const [sales, rental] = [feed(SALES, 5n, now - 9n), feed(RENTAL, 6n, now - 8n)];
    expect(await parse(updates, [RENTAL, SALES])).toEqual([rental, sales]);
    expect(await parse(updates, [SALES, RENTAL, SALES])).toEqual([sales, rental, sales]);
    expect(await parse(updates, [])).toEqual([]);
    await chain.mined(() => adapter.write.parsePriceFeedUpdates([updates, [SALES], ...ANY_TIME]));
    expect(await storedPrice()).toBe(0n);
  });

  it("takes the first update of an id whose time is in the range, to the second", async () => {
    const updates = [at(now - 9n, 5n), at(now - 7n, 6n), at(now - 8n, 7n)];
    const priceWithin = async (min: bigint, max: bigint) => (await parse(updates, [SALES], [min, max]))[0]?.price.price;
    expect(await priceWithin(0n, now)).toBe(5n);
    expect(await priceWithin(now - 9n, now - 9n)).toBe(5n);
    expect(await priceWithin(now - 8n, now)).toBe(6n);
    expect(await priceWithin(now - 8n, now - 8n)).toBe(7n);
    for (const [min, max] of [
      [0n, now - 10n],
      [now - 6n, 2n ** 64n - 1n],
      [now - 7n, now - 9n],
    ] as const) {
      expect(await refused(priceWithin(min, max))).toEqual(NOT_FOUND_WITHIN_RANGE);
    }
  });

  it("refuses if one id has no update", async () => {
    const updates = [at(now - 9n, 5n)];
    for (const id of [RENTAL, priceIdOf(1n), ...UNKNOWN_IDS]) {
      expect(await refused(parse(updates, [SALES, id]))).toEqual(NOT_FOUND_WITHIN_RANGE);
    }
    expect(await refused(parse([], [SALES]))).toEqual(NOT_FOUND_WITHIN_RANGE);
  });

  it("gives the times that were signed, ahead of the block too, and looks at no window or pause", async () => {
    await oracle.guardian.pause();
    const expired = oracle.signed({ price: 5n, publishTimeMs: nowMs + HOUR_MS, expiryMs: nowMs - HOUR_MS });
    expect((await parse([expired], [SALES]))[0]?.price).toEqual(priceOf(5n, now + HOUR));
  });

  it("refuses an update that the service did not sign", async () => {
    const forged = oracle.signed({ signer: testSigner("stranger") });
    expect(await refused(parse([at(now, 5n, 7n), forged], [priceIdOf(7n)]))).toMatchObject({ name: "InvalidUpdate" });
  });

  describe("WithConfig", () => {
    const configured = (updates: readonly Hex[], ids: readonly Hex[], ...flags: readonly [boolean, boolean, boolean]) =>
      [updates, ids, ...ANY_TIME, ...flags] as const;

    it("answers the same, with slots that are not given", async () => {
      const updates = [at(now - 9n, 5n), at(now - 8n, 6n, 7n)];
      const args = configured(updates, [priceIdOf(7n), SALES], false, true, false);
      const [feeds, slots] = (await adapter.simulate.parsePriceFeedUpdatesWithConfig(args)).result;
      expect(feeds).toEqual(await parse(updates, [priceIdOf(7n), SALES]));
      expect(slots).toEqual([0n, 0n]);
    });

    it("cannot prove that an update is the first", async () => {
      const args = configured([at(now, 5n)], [SALES], true, false, false);
      expect(await refused(adapter.simulate.parsePriceFeedUpdatesWithConfig(args))).toEqual({
        name: "NotSupported",
        args: [selectorOf("parsePriceFeedUpdatesUnique")],
      });
    });

    it("refuses more or fewer updates than ids, if asked to", async () => {
      const updates = [at(now - 9n, 5n), at(now - 8n, 6n, 7n)];
      for (const ids of [[SALES], [SALES, SALES, SALES]]) {
        const minimal = configured(updates, ids, false, true, false);
        expect(await refused(adapter.simulate.parsePriceFeedUpdatesWithConfig(minimal))).toEqual(INVALID_ARGUMENT);
        const any = configured(updates, ids, false, false, false);
        await expect(adapter.simulate.parsePriceFeedUpdatesWithConfig(any)).resolves.toBeDefined();
      }
    });

    it("brings what is fresh, if asked to, and answers for the rest all the same", async () => {
      const expired = oracle.signed({ feedId: 7n, price: 6n, expiryMs: nowMs - 1n });
      const updates = [expired, at(now - 9n, 5n)];
      const bring = (isStoring: boolean) => {
        const args = configured(updates, [SALES, priceIdOf(7n)], false, true, isStoring);
        return chain.mined(() => adapter.write.parsePriceFeedUpdatesWithConfig(args));
      };
      await bring(false);
      expect(await storedPrice()).toBe(0n);
      await bring(true);
      expect([await storedPrice(), await storedPrice(7n)]).toEqual([5n, 0n]);
      await bring(true);
      expect(await storedPrice()).toBe(5n);
    });
  });
});

describe("what the service does not publish", () => {
  it("is refused by the name of the function", async () => {
    const updates = [oracle.signed({})];
    const calls = {
      getEmaPriceUnsafe: () => adapter.read.getEmaPriceUnsafe([SALES]),
      getEmaPriceNoOlderThan: () => adapter.read.getEmaPriceNoOlderThan([SALES, DAY]),
      getTwapUpdateFee: () => adapter.read.getTwapUpdateFee([updates]),
      parseTwapPriceFeedUpdates: () => adapter.simulate.parseTwapPriceFeedUpdates([updates, [SALES]]),
      parsePriceFeedUpdatesUnique: () =>
        adapter.simulate.parsePriceFeedUpdatesUnique([updates, [SALES], ...ANY_TIME], { value: 1n }),
    } as const;
    await oracle.update(...updates);
    for (const [name, call] of Object.entries(calls)) {
      expect(await refused(call())).toEqual({ name: "NotSupported", args: [selectorOf(name)] });
    }
  });
});

it("a value sent is refused by every payable function", async () => {
  const value = 1n;
  const updates = [oracle.signed({})];
  const { simulate } = adapter;
  for (const call of [
    simulate.updatePriceFeeds([updates], { value }),
    simulate.updatePriceFeedsIfNecessary([updates, [SALES], [now]], { value }),
    simulate.parsePriceFeedUpdates([updates, [SALES], ...ANY_TIME], { value }),
    simulate.parsePriceFeedUpdatesWithConfig([updates, [SALES], ...ANY_TIME, false, false, false], { value }),
  ]) {
    expect(await refused(call)).toEqual({ name: "ValueNotAccepted", args: [value] });
  }
});

describe("Pyth's PythAggregatorV3", () => {
  it("brings prices through the adapter, and gives back the value that it was sent", async () => {
    const aggregator = await deployPythAggregator(chain, oracle, MARKET);
    const updates = [oracle.signed({ price: 5n }), oracle.signed({ feedId: 7n, price: 6n })];
    const receipt = await chain.mined(() => aggregator.write.updateFeeds([updates], { value: 10n ** 18n }));
    expect(parseEventLogs({ abi: oracle.contract.abi, logs: receipt.logs, eventName: "PriceUpdated" })).toHaveLength(2);
    expect(await storedPrice(7n)).toBe(6n);
    const { getBalance } = chain.publicClient;
    for (const { address } of [aggregator, adapter]) expect(await getBalance({ address })).toBe(0n);
  });

  it("reads a sales and a rental feed through the adapter", async () => {
    for (const [feedId, price] of [
      [MARKET, 21_694_000_000n],
      [MARKET + RENTAL_OFFSET, 1n],
    ] as const) {
      const { read, write } = await deployPythAggregator(chain, oracle, feedId);
      await chain.mined(() => write.updateFeeds([[oracle.signed({ feedId, price })]]));
      const time = now - 60n;
      expect(await read.latestRoundData()).toEqual([time, price, time, time, time]);
      expect(await read.decimals()).toBe(8);
      expect(await read.latestAnswer()).toBe(price);
      expect(await read.latestTimestamp()).toBe(time);
    }
  });
});

function selectorOf(name: string): Hex {
  const item = adapter.abi.find((entry) => entry.type === "function" && entry.name === name);
  if (item?.type !== "function") throw new Error(`no function ${name}`);
  return toFunctionSelector(item);
}
