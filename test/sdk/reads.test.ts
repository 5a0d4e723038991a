import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  type FeedPrice,
  getFreshness,
  getPendingPrice,
  getPrice,
  getPriceHistory,
  getPriceOn,
  getPrices,
  getSettlementPrice,
  InvalidDayError,
  OracleRevertError,
  rentalFeedId,
  salesFeedId,
  toFeedId,
} from "../../sdk/index.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, HOUR_MS, MARKET } from "../oracle/signedUpdate.ts";

const SALES = salesFeedId(MARKET);
const RENTAL = rentalFeedId(MARKET);
const NEVER = salesFeedId(1n);
const PRICE = 21_694_000_000n;

let chain: TestChain;
let oracle: TestOracle;
let address: Address;
let client: TestChain["publicClient"];
let firstDay: number;

beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle({ defaultBand: 500n });
  ({ address } = oracle);
  client = chain.publicClient;
  firstDay = dayOf(chain.clock.now());
  await oracle.update(oracle.signed({}), oracle.signed({ feedId: RENTAL, price: 150_000_000n }));
});
afterAll(() => chain.close());

const failureOf = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OracleRevertError)) throw new Error(`not an OracleRevertError: ${error}`);
  return error.decoded;
};

describe("on the day that prices were brought", () => {
  test("getPrice gives the price with its times", async () => {
    const price = await getPrice(client, { oracle: address, feedId: SALES });
    const now = chain.clock.now();
    expect(price).toEqual({
      feedId: SALES,
      price: { value: PRICE, decimals: 8 },
      publishTime: now - 60n,
      expiry: now + 24n * HOUR,
      day: 20_514,
      date: "2026-03-02",
    });
    expectTypeOf(price).toEqualTypeOf<FeedPrice<"sales">>();
  });

  test("getPrices gives several in the order of the ids, however old they may be", async () => {
    const both = await getPrices(client, { oracle: address, feedIds: [RENTAL, SALES] });
    expect(both.map(({ feedId, price }) => [feedId, price.value])).toEqual([
      [RENTAL, 150_000_000n],
      [SALES, PRICE],
    ]);
    expect(await getPrices(client, { oracle: address, feedIds: [RENTAL, SALES], maxAge: 60n })).toEqual(both);
    expect(await getPrices(client, { oracle: address, feedIds: [] })).toEqual([]);
  });

  test("more feeds than one call takes are of one block", async () => {
    const feedIds = Array.from({ length: 501 }, (_, index) => (index % 2 === 0 ? SALES : RENTAL));
    const prices = await getPrices(client, { oracle: address, feedIds });
    expect(prices.map(({ feedId }) => feedId)).toEqual(feedIds);
  });

  test("a price that is not served is an error with its values and what to do", async () => {
    expect(await failureOf(getPrice(client, { oracle: address, feedId: NEVER }))).toMatchObject({
      name: "NoPrice",
      args: [1n],
      message: "NoPrice (feedId 1)",
      hint: "Bring a price first (updatePrices).",
    });
    expect(await failureOf(getPrice(client, { oracle: address, feedId: SALES, maxAge: 59n }))).toMatchObject({
      name: "PriceTooOld",
      args: [MARKET, 60n, 59n],
    });
    expect(await failureOf(getPrices(client, { oracle: address, feedIds: [SALES, NEVER] }))).toMatchObject({
      name: "NoPrice",
    });
  });

  test("what is no oracle is not taken for one that has no price", async () => {
    const nobody = "0x00000000000000000000000000000000000000aa";
    const error = await getPrice(client, { oracle: nobody, feedId: SALES }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(OracleRevertError);
  });

  test("getFreshness tells states apart", async () => {
    const freshness = (feedId: bigint) =>
      getFreshness(client, { oracle: address, feedId: toFeedId(feedId, { rentalOffset: 2n ** 60n }) });
    expect(await freshness(SALES)).toBe("fresh");
    expect(await freshness(NEVER)).toBe("noPrice");
    expect(await freshness(2_000_000_000n)).toBe("unknownFeed");
    await oracle.guardian.pauseFeed(RENTAL);
    expect(await freshness(RENTAL)).toBe("paused");
    await oracle.owner.unpauseFeed(RENTAL);
  });

  test("getPriceOn gives the date's price, which is not final", async () => {
    const expected = {
      feedId: SALES,
      price: { value: PRICE, decimals: 8 },
      day: firstDay,
      date: "2026-03-02",
      signer: 1,
      isRevised: false,
    };
    expect(await getPriceOn(client, { oracle: address, feedId: SALES, day: "2026-03-02" })).toMatchObject(expected);
    expect(await getPriceOn(client, { oracle: address, feedId: SALES, day: firstDay })).toMatchObject(expected);
    expect(
      await failureOf(getSettlementPrice(client, { oracle: address, feedId: SALES, day: firstDay })),
    ).toMatchObject({ name: "DayNotFinal", args: [MARKET, firstDay, BigInt(firstDay) * DAY + 72n * HOUR] });
    const absent = getPriceOn(client, { oracle: address, feedId: SALES, day: "2026-03-01" });
    expect(await failureOf(absent)).toMatchObject({ name: "NoPriceOn" });
    await expect(getPriceOn(client, { oracle: address, feedId: SALES, day: "2026-02-30" })).rejects.toThrow(
      InvalidDayError,
    );
  });

  test("nothing waits", async () => {
    expect(await getPendingPrice(client, { oracle: address, feedId: SALES })).toBeUndefined();
  });
});

describe("four days later", () => {
  let earlier: bigint;

  beforeAll(async () => {
    earlier = await client.getBlockNumber();
    await chain.clock.advance(4n * DAY);
    await oracle.update(oracle.signed({ price: 3n * PRICE }), oracle.signed({ feedId: RENTAL, price: 151_000_000n }));
  });

  test("a price outside the band waits", async () => {
    const now = chain.clock.now();
    const pending = await getPendingPrice(client, { oracle: address, feedId: SALES });
    expect(pending).toMatchObject({
      feedId: SALES,
      price: { value: 3n * PRICE, decimals: 8 },
      date: "2026-03-06",
      signer: 1,
      waitingSince: now,
      servedFrom: now + 6n * HOUR,
    });
    expect(await getFreshness(client, { oracle: address, feedId: SALES })).toBe("quarantined");
    expect(await failureOf(getPrice(client, { oracle: address, feedId: SALES }))).toMatchObject({
      name: "FeedQuarantined",
    });
  });

  test("the first day's price is final", async () => {
    const settled = await getSettlementPrice(client, { oracle: address, feedId: SALES, day: "2026-03-02" });
    expect(settled).toMatchObject({ feedId: SALES, price: { value: PRICE, decimals: 8 }, date: "2026-03-02" });
  });

  test("history has an entry for every date, gaps included, over any span", async () => {
    const history = await getPriceHistory(client, {
      oracle: address,
      feedId: RENTAL,
      fromDay: "2025-01-01",
      toDay: "2026-03-06",
    });
    expect(history).toHaveLength(365 + 31 + 28 + 6);
    expect(history[0]).toEqual({ day: 20_089, date: "2025-01-01", price: undefined });
    const brought = history.filter(({ price }) => price !== undefined);
    expect(brought).toEqual([
      { day: firstDay, date: "2026-03-02", price: { value: 150_000_000n, decimals: 8 } },
      { day: firstDay + 4, date: "2026-03-06", price: { value: 151_000_000n, decimals: 8 } },
    ]);
    const backwards = getPriceHistory(client, { oracle: address, feedId: RENTAL, fromDay: 9, toDay: 8 });
    expect(await failureOf(backwards)).toMatchObject({ name: "InvalidDaySpan", args: [9, 8] });
  });

  test("an earlier block is read as it was", async () => {
    const at = { oracle: address, feedId: RENTAL, blockNumber: earlier };
    expect((await getPrice(client, at)).price.value).toBe(150_000_000n);
    expect((await getPrices(client, { ...at, feedIds: [SALES] }))[0]?.price.value).toBe(PRICE);
    expect(await getFreshness(client, { ...at, feedId: SALES })).toBe("fresh");
  });
});

test("a feed whose price has expired", async () => {
  const feedId = salesFeedId(77n);
  await oracle.update(oracle.signed({ feedId, expiryMs: chain.clock.nowMs() + HOUR_MS }));
  await chain.clock.advance(HOUR);
  expect(await getFreshness(client, { oracle: address, feedId })).toBe("expired");
  expect((await getPrice(client, { oracle: address, feedId, maxAge: 2n * HOUR })).feedId).toBe(feedId);
});
