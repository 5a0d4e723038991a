import { encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { decodeReason } from "../oracle/decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { dayOf, HOUR, HOUR_MS, MARKET, RENTAL_OFFSET, SECOND_MS, testSigner } from "../oracle/signedUpdate.ts";
import { errorIn } from "./errorIn.ts";

const gas = 16_000_000n;
const RENTAL = MARKET + RENTAL_OFFSET;

let chain: TestChain;
let oracle: TestOracle;
let consumer: Awaited<ReturnType<typeof deployConsumer>>;
let today: number;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle();
  consumer = await deployConsumer();
  today = dayOf(chain.clock.now());
});

async function deployConsumer() {
  await chain.clock.hold();
  return await chain.viem.deployContract("ConsumerHarness", [oracle.address]);
}

/** An unexpired price of the day before, as the service published it at about this hour. */
const yesterdays = (fields: Parameters<TestOracle["signed"]>[0] = {}) =>
  oracle.signed({
    date: dateOfDay(today - 1),
    publishTimeMs: chain.clock.nowMs() - 24n * HOUR_MS,
    expiryMs: chain.clock.nowMs() + HOUR_MS,
    price: 20_000_000_000n,
    ...fields,
  });

/** The call as it would be in the next block, and the transaction. */
const pulls = async (updates: readonly Hex[], minDay: number, feedId = MARKET) => {
  const args = [updates, feedId, minDay] as const;
  const { result } = await consumer.simulate.pull(args, { gas });
  const receipt = await chain.mined(() => consumer.write.pull(args, { gas }));
  return { price: result, events: oracle.eventsOf(receipt).map(({ eventName }) => eventName) };
};
const failure = (updates: readonly Hex[], minDay: number, feedId = MARKET) =>
  errorIn(consumer.abi, consumer.simulate.pull([updates, feedId, minDay], { gas }));

/** Every way of getting the price of MARKET's sales feed. */
const WAYS = {
  pull: (updates: readonly Hex[], minDay: number) => consumer.simulate.pull([updates, MARKET, minDay], { gas }),
  pullSales: (updates: readonly Hex[], minDay: number) =>
    consumer.simulate.pullSales([updates, MARKET, minDay], { gas }),
  pullSeveral: async (updates: readonly Hex[], minDay: number) => {
    const { result } = await consumer.simulate.pullSeveral([updates, [MARKET], minDay], { gas });
    return { result: result[0] };
  },
  pullNoOlderThan: (updates: readonly Hex[], minDay: number) =>
    consumer.simulate.pullNoOlderThan([updates, MARKET, minDay, 25n * HOUR], { gas }),
  bring: (updates: readonly Hex[], minDay: number) => consumer.simulate.bring([updates, MARKET, minDay], { gas }),
  bringNoOlderThan: (updates: readonly Hex[], minDay: number) =>
    consumer.simulate.bringNoOlderThan([updates, MARKET, minDay, 25n * HOUR], { gas }),
} as const;
const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];

describe.each(ways)("%s", (way) => {
  it("gives the price that the call has brought", async () => {
    const { result } = await WAYS[way]([oracle.signed({ price: 21_000_000_000n })], today);
    expect(result).toMatchObject({ price: 21_000_000_000n, day: today });
  });

  it("gives the oracle's price when the call has brought none", async () => {
    await oracle.update(oracle.signed());
    expect((await WAYS[way]([], today)).result).toMatchObject({ price: 21_694_000_000n, day: today });
  });

  it("reverts with the day there is and the day wanted", async () => {
    await oracle.update(yesterdays());
    const expected = { name: "PriceDayTooEarly", args: [MARKET, today - 1, today] };
    expect(await errorIn(consumer.abi, WAYS[way]([], today))).toEqual(expected);
    expect(await errorIn(consumer.abi, WAYS[way]([yesterdays()], today))).toEqual(expected);
    expect((await WAYS[way]([], today - 1)).result).toMatchObject({ day: today - 1 });
  });

  it("replaces yesterday's price by the one that is brought", async () => {
    await oracle.update(yesterdays());
    const { result } = await WAYS[way]([oracle.signed({ price: 19_000_000_000n })], today);
    expect(result).toMatchObject({ price: 19_000_000_000n, day: today });
  });

  it("reverts with the oracle's reason when there is no price", async () => {
    expect(await errorIn(consumer.abi, WAYS[way]([], 0))).toEqual({ name: "NoPrice", args: [MARKET] });
  });

  it("names the invalid update and its reason", async () => {
    const forged = oracle.signed({ forge: (_, signature) => signature.fill(1, 40, 50) });
    const other = oracle.signed({ feedId: 7n });
    const { name, args } = await errorIn(consumer.abi, WAYS[way]([other, forged], today));
    expect(name).toBe("InvalidUpdate");
    expect(decodeReason(args[0] as bigint, args[1] as Hex)).toEqual({ index: 1, name: "InvalidSignature", args: [1] });
  });

  it("goes on when somebody else was faster, with the same price or a newer one", async () => {
    const mine = oracle.signed({ publishTimeMs: chain.clock.nowMs() - HOUR_MS });
    await oracle.update(mine);
    expect((await WAYS[way]([mine], today)).result).toMatchObject({ price: 21_694_000_000n });
    await oracle.update(oracle.signed({ price: 5n }));
    expect((await WAYS[way]([mine], today)).result).toMatchObject({ price: 5n });
  });

  it("reverts while the feed is paused, whatever is brought", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: chain.clock.nowMs() - HOUR_MS }));
    await oracle.guardian.pauseFeed(MARKET);
    expect(await errorIn(consumer.abi, WAYS[way]([oracle.signed()], 0))).toEqual({
      name: "FeedPaused",
      args: [MARKET],
    });
  });
});

describe("a price that is needed only in part", () => {
  it("is not looked at when the oracle's is of the day that is wanted", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: chain.clock.nowMs() - HOUR_MS }));
    expect(await pulls(["0x1234", oracle.signed({ price: 5n })], today)).toMatchObject({
      price: { price: 21_694_000_000n },
      events: [],
    });
  });

  it("is brought nevertheless by those who always bring, a correction within the day too", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: chain.clock.nowMs() - HOUR_MS }));
    const correction = oracle.signed({ price: 5n });
    expect((await WAYS.bring([correction], today)).result).toMatchObject({ price: 5n });
    expect((await WAYS.bringNoOlderThan([correction], 0)).result).toMatchObject({ price: 5n });
    const { name } = await errorIn(consumer.abi, WAYS.bring(["0x1234"], today));
    expect(name).toBe("InvalidUpdate");
  });

  it("stays on the oracle", async () => {
    await oracle.update(yesterdays());
    expect(await pulls([oracle.signed()], today)).toMatchObject({ events: ["PriceUpdated"] });
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ day: today });
  });

  it("is brought when the oracle's has expired, and not taken when it is brought too late", async () => {
    const update = oracle.signed({
      publishTimeMs: chain.clock.nowMs() - HOUR_MS,
      expiryMs: chain.clock.nowMs() + HOUR_MS,
    });
    const later = oracle.signed({ expiryMs: chain.clock.nowMs() + 2n * HOUR_MS });
    await oracle.update(update);
    await chain.clock.advance(HOUR);
    expect(await failure([update], today)).toMatchObject({ name: "PriceExpired" });
    expect(await pulls([later], today)).toMatchObject({ events: ["PriceUpdated"] });
    await chain.clock.advance(2n * HOUR);
    expect(await failure([], today)).toMatchObject({ name: "PriceExpired" });
    const aged = consumer.simulate.pullNoOlderThan([[], MARKET, today, 4n * HOUR], { gas });
    expect((await aged).result).toMatchObject({ day: today });
  });

  it("is too old by its age where the age is bounded", async () => {
    await oracle.update(yesterdays());
    const call = consumer.simulate.pullNoOlderThan([[], MARKET, 0, 23n * HOUR], { gas });
    expect(await errorIn(consumer.abi, call)).toEqual({ name: "PriceTooOld", args: [MARKET, 24n * HOUR, 23n * HOUR] });
    const brought = consumer.simulate.pullNoOlderThan([[oracle.signed()], MARKET, 0, 23n * HOUR], { gas });
    expect((await brought).result).toMatchObject({ day: today });
  });

  it("waits in quarantine like any other, and the call with it", async () => {
    oracle = await chain.deployOracle({ defaultBand: 100n });
    consumer = await deployConsumer();
    await oracle.update(yesterdays());
    const jump = oracle.signed({ price: 30_000_000_000n });
    expect(await failure([jump], today)).toEqual({ name: "PriceDayTooEarly", args: [MARKET, today - 1, today] });
    expect(await pulls([jump], today - 1)).toMatchObject({ price: { price: 20_000_000_000n }, events: [] });
  });

  it("replaces one whose signer is revoked", async () => {
    const second = testSigner("second");
    oracle = await chain.deployOracle({ signers: [testSigner("first"), second] });
    consumer = await deployConsumer();
    await oracle.update(oracle.signed());
    await oracle.owner.revokeSigner(1);
    expect(await failure([], today)).toMatchObject({ name: "PriceSignerRevoked" });
    expect(await pulls([oracle.signed({ signer: second, price: 3n })], today)).toMatchObject({ price: { price: 3n } });
  });
});

describe("sales and rental", () => {
  it("are told apart", async () => {
    const rent = oracle.signed({ feedId: RENTAL, price: 150_000_000n });
    const { result } = await consumer.simulate.pullRental([[rent], MARKET, today], { gas });
    expect(result).toMatchObject({ price: 150_000_000n });
    const sales = consumer.simulate.pullSales([[rent], MARKET, today], { gas });
    expect(await errorIn(consumer.abi, sales)).toEqual({ name: "NoPrice", args: [MARKET] });
    await oracle.update(yesterdays({ feedId: RENTAL }));
    const rental = consumer.simulate.pullRental([[], MARKET, today], { gas });
    expect(await errorIn(consumer.abi, rental)).toEqual({ name: "PriceDayTooEarly", args: [RENTAL, today - 1, today] });
  });

  it.each([0n, RENTAL_OFFSET, RENTAL, 2n ** 64n - 1n])("refuse a market id that is none: %s", async (marketId) => {
    const expected = { name: "InvalidMarketId", args: [marketId] };
    const sales = consumer.simulate.pullSales([[], marketId, 0], { gas });
    expect(await errorIn(consumer.abi, sales)).toEqual(expected);
    const rental = consumer.simulate.pullRental([[], marketId, 0], { gas });
    expect(await errorIn(consumer.abi, rental)).toEqual(expected);
  });
});

describe("several feeds", () => {
  const FEEDS = [MARKET, RENTAL, 7n];
  const pullSeveral = async (updates: readonly Hex[], minDay: number) =>
    (await consumer.simulate.pullSeveral([updates, FEEDS, minDay], { gas })).result.map(({ price }) => price);

  it("come in the order of the ids, some brought, some there", async () => {
    await oracle.update(oracle.signed({ feedId: RENTAL, price: 2n }));
    const updates = [oracle.signed({ feedId: 7n, price: 3n }), oracle.signed({ price: 1n })];
    expect(await pullSeveral(updates, today)).toEqual([1n, 2n, 3n]);
  });

  it("all have to be of the day that is wanted", async () => {
    await oracle.update(oracle.signed(), oracle.signed({ feedId: RENTAL }), yesterdays({ feedId: 7n }));
    const expected = { name: "PriceDayTooEarly", args: [7n, today - 1, today] };
    expect(await errorIn(consumer.abi, pullSeveral([], today))).toEqual(expected);
    expect(await errorIn(consumer.abi, pullSeveral([oracle.signed()], today))).toEqual(expected);
    expect(await pullSeveral([oracle.signed({ feedId: 7n, price: 9n })], today)).toMatchObject([{}, {}, 9n]);
  });

  it("may be none", async () => {
    const { result } = await consumer.simulate.pullSeveral([[], [], today], { gas });
    expect(result).toEqual([]);
  });
});

describe("a multicall", () => {
  it("gets several prices in one transaction, brought in its course", async () => {
    const encode = (updates: readonly Hex[], feedId: bigint) =>
      encodeFunctionData({ abi: consumer.abi, functionName: "pull", args: [updates, feedId, today] });
    const update = oracle.signed();
    const rent = oracle.signed({ feedId: RENTAL });
    const calls = [encode([update, rent], MARKET), encode([rent], RENTAL), encode([update], MARKET)];
    const receipt = await chain.mined(() => consumer.write.multicall([calls], { gas }));
    expect(oracle.eventsOf(receipt).map(({ eventName }) => eventName)).toEqual(["PriceUpdated", "PriceUpdated"]);
  });

  it("reverts as a whole with the reason of one call", async () => {
    const encode = (minDay: number) =>
      encodeFunctionData({ abi: consumer.abi, functionName: "pull", args: [[oracle.signed()], MARKET, minDay] });
    const call = consumer.simulate.multicall([[encode(today), encode(today + 1)]], { gas });
    expect(await errorIn(consumer.abi, call)).toEqual({ name: "PriceDayTooEarly", args: [MARKET, today, today + 1] });
  });
});

describe("a front-runner", () => {
  it("in the same block makes nobody revert", async () => {
    const provider = chain.connection.provider;
    const update = oracle.signed();
    const newer = oracle.signed({ price: 9n, publishTimeMs: chain.clock.nowMs() - SECOND_MS });
    await provider.request({ method: "evm_setAutomine", params: [false] });
    const { other, stranger } = chain.accounts;
    const fees = { gas: 2_000_000n, maxPriorityFeePerGas: 3_000_000_000n, maxFeePerGas: 30_000_000_000n };
    const slow = { account: other.account, ...fees, maxPriorityFeePerGas: 1_000_000_000n };
    const victims = [
      await consumer.write.pull([[update], MARKET, today], slow),
      await consumer.write.bring([[update], MARKET, today], slow),
    ];
    const attack = await oracle.contract.write.updatePrices([[update, newer]], { account: stranger.account, ...fees });
    await chain.clock.hold();
    await provider.request({ method: "evm_mine", params: [] });
    await provider.request({ method: "evm_setAutomine", params: [true] });
    const first = await chain.publicClient.getTransactionReceipt({ hash: attack });
    for (const hash of victims) {
      const receipt = await chain.publicClient.getTransactionReceipt({ hash });
      expect(receipt.blockNumber).toBe(first.blockNumber);
      expect(receipt.transactionIndex).toBeGreaterThan(first.transactionIndex);
      expect(receipt.status).toBe("success");
      expect(oracle.eventsOf(receipt)).toEqual([]);
    }
  });
});

describe("yesterday's price and today's", () => {
  it("are both served within one block's time, the older one to whoever asks for no later day", async () => {
    await oracle.update(yesterdays());
    expect(await pulls([], today - 1)).toMatchObject({ price: { day: today - 1 } });
    expect(await pulls([oracle.signed()], today)).toMatchObject({ price: { day: today } });
    expect(await pulls([yesterdays()], today - 1)).toMatchObject({ price: { day: today } });
  });
});

describe("a contract that is no oracle", () => {
  it("is refused when a consumer is deployed", async () => {
    await chain.clock.hold();
    await expect(
      chain.viem.deployContract("ConsumerHarness", [chain.accounts.other.account.address]),
    ).rejects.toThrow();
  });
});
