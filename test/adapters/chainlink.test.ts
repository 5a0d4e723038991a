import { encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, HOUR_MS, MARKET, RENTAL_OFFSET, SECOND_MS } from "../oracle/signedUpdate.ts";
import { deployChainlinkAdapter, deployFunctionsCoordinator } from "./chainlinkUnderTest.ts";
import { dateAt, startNextDay } from "./faults.ts";
import { outcomeOf, refusalOf } from "./refusal.ts";

/** What reading through the adapter may cost more than reading the oracle. */
const COLD_GAS_LIMIT = 4_000n;
const WARM_GAS_LIMIT = 1_500n;

const MAX_AGE = 25n * HOUR;
const NO_DATA = { name: "Error", args: ["No data present"] };

let chain: TestChain;
let oracle: TestOracle;
let adapter: Awaited<ReturnType<typeof deployChainlinkAdapter>>;
let now: bigint;
let today: bigint;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  await startNextDay(chain);
  now = chain.clock.now();
  today = BigInt(dayOf(now));
  oracle = await chain.deployOracle({ defaultBand: 1_000n });
  adapter = await deployChainlinkAdapter(chain, oracle, { feedId: MARKET, maxAge: MAX_AGE });
});

const round = (day: bigint) => adapter.read.getRoundData([day]);
const refusedRound = (day: bigint) => refusalOf(round(day), adapter.abi);

describe("rounds are dates", () => {
  it("each of which keeps its price, when it began and when its price was published", async () => {
    const prices = [100n, 101n, 102n];
    for (const [index, price] of prices.entries()) {
      if (index > 0) await chain.clock.advance(DAY);
      await oracle.update(oracle.signed({ price, publishTimeMs: chain.clock.nowMs() - HOUR_MS - 1n }));
    }
    for (const [index, price] of prices.entries()) {
      const later = BigInt(index);
      const day = today + later;
      expect(await round(day)).toEqual([day, price, day * DAY, now + later * DAY - HOUR - 1n, day]);
    }
    expect(await adapter.read.latestRoundData()).toEqual(await round(today + 2n));
  });

  it("without one for a date without a price", async () => {
    await oracle.update(oracle.signed({}));
    await chain.clock.advance(2n * DAY);
    await oracle.update(oracle.signed({}));
    for (const day of [0n, today - 1n, today + 1n, today + 3n, 2n ** 32n - 1n]) {
      expect(await refusedRound(day)).toEqual(NO_DATA);
    }
    // None of these is taken for the date that its last 32 bits name.
    for (const beyond of [2n ** 32n, 2n ** 32n + today, 2n ** 64n + today, 2n ** 80n - 1n]) {
      expect(await refusedRound(beyond)).toEqual(NO_DATA);
    }
  });

  it("which do not claim to have been updated after the block", async () => {
    await oracle.update(oracle.signed({ publishTimeMs: (now + HOUR) * SECOND_MS }));
    for (const [time, updatedAt] of [
      [now, now],
      [now + HOUR - 1n, now + HOUR - 1n],
      [now + HOUR, now + HOUR],
      [now + HOUR + 1n, now + HOUR],
    ] as const) {
      await chain.clock.set(time);
      expect((await round(today))[3]).toBe(updatedAt);
      expect((await adapter.read.latestRoundData())[3]).toBe(updatedAt);
      expect(await adapter.read.latestTimestamp()).toBe(updatedAt);
    }
  });

  it("that follow a revised price", async () => {
    const yesterday = dateAt(now - DAY);
    const publishTimeMs = chain.clock.nowMs() - HOUR_MS;
    await oracle.update(oracle.signed({ price: 100n, publishTimeMs }));
    await oracle.update(oracle.signed({ price: 103n, publishTimeMs: publishTimeMs + SECOND_MS }));
    await oracle.update(oracle.signed({ price: 99n, date: yesterday, expiryMs: chain.clock.nowMs() + HOUR_MS }));
    expect(await round(today)).toEqual([today, 103n, today * DAY, now - HOUR + 1n, today]);
    expect(await round(today - 1n)).toEqual([today - 1n, 99n, (today - 1n) * DAY, now - 60n, today - 1n]);
    expect((await adapter.read.latestRoundData())[0]).toBe(today);
  });

  it("that are there whatever their age, and while the latest price is paused", async () => {
    await oracle.update(oracle.signed({ price: 100n }));
    await oracle.guardian.pause();
    await chain.clock.advance(40n * DAY);
    expect((await round(today))[1]).toBe(100n);
    const feedPaused = { name: "FeedPaused", args: [MARKET] };
    expect(await refusalOf(adapter.read.latestRoundData(), adapter.abi)).toEqual(feedPaused);
    await oracle.owner.unpause();
    expect(await refusalOf(adapter.read.latestTimestamp(), adapter.abi)).toMatchObject({ name: "PriceTooOld" });
    expect(await refusalOf(adapter.read.latestAnswer(), adapter.abi)).toMatchObject({ name: "PriceTooOld" });
  });

  it("of which those that a leaked key may have signed are gone, and the earlier ones stay", async () => {
    await oracle.update(oracle.signed({ price: 100n }));
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 101n }));
    await oracle.owner.revokeSigner(1, Number(today + 1n));
    expect((await round(today))[1]).toBe(100n);
    expect(await refusedRound(today + 1n)).toEqual(NO_DATA);
  });

  it("and have no price that waits outside the band", async () => {
    await oracle.update(oracle.signed({ price: 100n }));
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: 200n }));
    expect((await adapter.read.latestRoundData()).slice(0, 2)).toEqual([today, 100n]);
    expect(await refusedRound(today + 1n)).toEqual(NO_DATA);
    await chain.clock.advance(6n * HOUR);
    expect((await round(today + 1n))[1]).toBe(200n);
    expect((await adapter.read.latestRoundData()).slice(0, 2)).toEqual([today + 1n, 200n]);
  });

  it("and are not called missing for want of gas", async () => {
    await oracle.update(oracle.signed({ price: 100n }));
    const harness = await deployHarness();
    const data = encodeFunctionData({ abi: adapter.abi, functionName: "getRoundData", args: [today] });
    const ends = new Set<string>();
    for (let gas = 1_000n; gas < 20_000n; gas += 50n) {
      const outcome = await outcomeOf(harness.read.readWithGas([adapter.address, data, gas]), harness.abi);
      if ("answer" in outcome) expect(BigInt(`0x${outcome.answer.slice(66, 130)}`)).toBe(100n);
      else expect(outcome.refusal).toEqual({ name: "ReadFailed", args: ["0x"] });
      ends.add("answer" in outcome ? "answer" : "failure");
    }
    expect(ends).toEqual(new Set(["answer", "failure"]));
  });
});

describe("what the feed is", () => {
  it("is said by the oracle and the feed id, and without a unit", async () => {
    const describe = async (feedId: bigint, rentalOffset?: bigint) => {
      const source = rentalOffset === undefined ? oracle : await chain.deployOracle({ rentalOffset });
      return (await deployChainlinkAdapter(chain, source, { feedId, maxAge: DAY })).read.description();
    };
    expect(await describe(MARKET)).toBe("Home sales price, market 5826765");
    expect(await describe(MARKET + RENTAL_OFFSET)).toBe("Home rental price, market 5826765");
    expect(await describe(RENTAL_OFFSET - 1n)).toBe("Home sales price, market 1999999999");
    expect(await describe(RENTAL_OFFSET + 1n)).toBe("Home rental price, market 1");
    expect(await describe(1_001n, 1_000n)).toBe("Home rental price, market 1");
  });

  it("is a feed of 8 decimals", async () => {
    expect(await adapter.read.decimals()).toBe(8);
    expect(await adapter.read.version()).toBe(1n);
    expect(await adapter.read.FEED_ID()).toBe(MARKET);
    expect(await adapter.read.MAX_AGE()).toBe(MAX_AGE);
    expect((await adapter.read.ORACLE()).toLowerCase()).toBe(oracle.address);
  });

  it.each([0n, RENTAL_OFFSET, 2n * RENTAL_OFFSET, 2n ** 64n - 1n])("is never %i", async (feedId) => {
    const deployment = deployChainlinkAdapter(chain, oracle, { feedId, maxAge: DAY });
    expect(await refusalOf(deployment, adapter.abi)).toEqual({ name: "UnknownFeed", args: [feedId] });
  });

  it.each([0n, 31n * DAY + 1n, 2n ** 256n - 1n])("never has an age bound of %i s", async (maxAge) => {
    const deployment = deployChainlinkAdapter(chain, oracle, { feedId: MARKET, maxAge });
    expect(await refusalOf(deployment, adapter.abi)).toEqual({ name: "InvalidMaxAge", args: [maxAge] });
  });
});

describe("latestRoundData", () => {
  it("costs little more than the oracle's own read", async () => {
    await oracle.update(oracle.signed({}));
    const harness = await deployHarness();
    const gasOf = async (target: Hex, data: Hex) => {
      const [cold, warm] = await harness.read.gasOf([target, data]);
      return { cold, warm };
    };
    const { abi } = oracle.contract;
    const args = [MARKET, MAX_AGE] as const;
    const direct = await gasOf(oracle.address, encodeFunctionData({ abi, functionName: "priceNoOlderThan", args }));
    const data = encodeFunctionData({ abi: adapter.abi, functionName: "latestRoundData" });
    const adapted = await gasOf(adapter.address, data);
    // A call is there at all.
    expect(direct.warm).toBeGreaterThan(100n);
    expect(adapted.cold - direct.cold).toBeLessThanOrEqual(COLD_GAS_LIMIT);
    expect(adapted.warm - direct.warm).toBeLessThanOrEqual(WARM_GAS_LIMIT);
  });
});

describe("Chainlink's Functions coordinator, with our feeds in the place of LINK's", () => {
  const usdPerLink = 21_694_000_000n;
  const weiPerLink = 1_250_000_000n;
  const STALENESS = 6n * HOUR;
  const FALLBACK = {
    fallbackUsdPerUnitLink: 15n,
    fallbackUsdPerUnitLinkDecimals: 1,
    fallbackNativePerUnitLink: 500_000n,
  };

  const deployCoordinator = async () => {
    const rental = { feedId: MARKET + RENTAL_OFFSET, maxAge: MAX_AGE };
    const feeds = {
      linkToUsd: adapter.address,
      linkToNative: (await deployChainlinkAdapter(chain, oracle, rental)).address,
    };
    return deployFunctionsCoordinator(chain, feeds, { feedStalenessSeconds: Number(STALENESS), ...FALLBACK });
  };
  const bringBoth = (publishTimeMs: bigint) =>
    oracle.update(
      oracle.signed({ price: usdPerLink, publishTimeMs }),
      oracle.signed({ feedId: MARKET + RENTAL_OFFSET, price: weiPerLink, publishTimeMs }),
    );
  /** In 10^-18 LINK, from cents; rounded down twice, as there. */
  const feeOf = (cents: bigint, price: bigint, decimals: bigint) => (cents * 10n ** (18n + decimals)) / price / 100n;
  const costOf = ({ usd, decimals, wei }: { usd: bigint; decimals: bigint; wei: bigint }) => {
    // 40 % above 2 gwei, for 105,000 + 80,000 + 300,000 gas.
    const gasFee = (10n ** 18n * (2_800_000_000n * 485_000n)) / wei;
    return gasFee + feeOf(320n, usd, decimals) + feeOf(45n, usd, decimals);
  };

  it("computes its fees from both", async () => {
    await bringBoth(chain.clock.nowMs() - HOUR_MS);
    const { read } = await deployCoordinator();
    expect(await read.getUsdPerUnitLink()).toEqual([usdPerLink, 8]);
    expect(await read.getWeiPerUnitLink()).toBe(weiPerLink);
    expect(await read.getDONFeeJuels(["0x"])).toBe(feeOf(320n, usdPerLink, 8n));
    // 3.20 USD at 216.94 USD a LINK.
    expect(Number(await read.getDONFeeJuels(["0x"])) / 1e18).toBeCloseTo(3.2 / 216.94, 12);
    expect(await read.costEstimate([300_000, 2_000_000_000n])).toBe(
      costOf({ usd: usdPerLink, decimals: 8n, wei: weiPerLink }),
    );
  });

  it("falls back by its own staleness bound, to the second", async () => {
    await bringBoth(chain.clock.nowMs());
    const { read } = await deployCoordinator();
    await chain.clock.set(now + STALENESS);
    expect(await read.getUsdPerUnitLink()).toEqual([usdPerLink, 8]);
    await chain.clock.set(now + STALENESS + 1n);
    expect(await read.getUsdPerUnitLink()).toEqual([15n, 1]);
    expect(await read.costEstimate([300_000, 2_000_000_000n])).toBe(costOf({ usd: 15n, decimals: 1n, wei: 500_000n }));
  });

  it("is told why there is no price beyond the adapter's bound", async () => {
    await bringBoth(chain.clock.nowMs());
    const { read, abi } = await deployCoordinator();
    await chain.clock.set(now + MAX_AGE);
    expect(await read.getUsdPerUnitLink()).toEqual([15n, 1]);
    await chain.clock.set(now + MAX_AGE + 1n);
    const tooOld = { name: "PriceTooOld", args: [MARKET, MAX_AGE + 1n, MAX_AGE] };
    expect(await refusalOf(read.getUsdPerUnitLink(), abi)).toEqual(tooOld);
  });

  it("takes a price from ahead of the block for fresh, where it would fail to subtract its time", async () => {
    await bringBoth(chain.clock.nowMs() + HOUR_MS);
    const { read } = await deployCoordinator();
    expect(await read.getUsdPerUnitLink()).toEqual([usdPerLink, 8]);
    expect(await read.getWeiPerUnitLink()).toBe(weiPerLink);
  });
});

async function deployHarness() {
  await chain.clock.hold();
  return chain.viem.deployContract("ReadGasHarness");
}
