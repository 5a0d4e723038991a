import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorIn } from "../consumer/errorIn.ts";
import { LONG, startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR_MS, MARKET, RENTAL_OFFSET } from "../oracle/signedUpdate.ts";

const numRuns = LONG ? 10_000 : 64;
const TIMEOUT = 1_800_000;
const ONE = 10n ** 18n;
const HIGHEST = 2n ** 64n - 1n;
const MOST_DAYS = 366;

const anyPrice = fc.oneof(
  fc.bigInt({ min: 1n, max: HIGHEST }),
  fc.bigInt({ min: 1n, max: 1_000n }),
  fc.constantFrom(1n, 2n ** 60n - 1n, HIGHEST),
);
const anyDays = fc.array(fc.oneof(fc.constant(0n), anyPrice), { maxLength: MOST_DAYS });

let chain: TestChain;
let derived: Awaited<ReturnType<typeof deployDerived>>;
beforeAll(async () => {
  chain = await startChain();
  derived = await deployDerived();
});
afterAll(() => chain.close());

async function deployDerived() {
  await chain.clock.hold();
  return await chain.viem.deployContract("DerivedHarness");
}

const failure = (call: Promise<unknown>) => errorIn(derived.abi, call);

describe("gross rental yield", () => {
  it(
    "is 12 · rent / price with 18 decimals, rounded down",
    () =>
      fc.assert(
        fc.asyncProperty(anyPrice, anyPrice, async (sales, rental) => {
          const grossYield = await derived.read.gross([sales, rental]);
          // The largest number of 1e-18 that is not above the quotient.
          expect(grossYield * sales <= 12n * rental * ONE).toBe(true);
          expect((grossYield + 1n) * sales > 12n * rental * ONE).toBe(true);
        }),
        { numRuns },
      ),
    TIMEOUT,
  );

  it("of 216.94 a square foot and 1.30 a month is 7.19 %", async () => {
    expect(await derived.read.gross([21_694_000_000n, 130_000_000n])).toBe(71_909_283_672_904_950n);
  });

  it.each([
    [0n, 5n],
    [5n, 0n],
    [0n, 0n],
  ])("of %s and %s is none", async (sales, rental) => {
    const expected = { name: "NoPriceToCompare", args: [sales, rental] };
    expect(await failure(derived.read.gross([sales, rental]))).toEqual(expected);
  });
});

describe("change", () => {
  it(
    "is (later − earlier) / earlier with 18 decimals, rounded towards zero",
    () =>
      fc.assert(
        fc.asyncProperty(anyPrice, anyPrice, async (earlier, later) => {
          const difference = later - earlier;
          const size = ((difference < 0n ? -difference : difference) * ONE) / earlier;
          expect(await derived.read.relative([earlier, later])).toBe(difference < 0n ? -size : size);
        }),
        { numRuns },
      ),
    TIMEOUT,
  );

  it("is the same size up and down where it is exact, and never below −100 %", async () => {
    expect(await derived.read.relative([100n, 105n])).toBe(5n * 10n ** 16n);
    expect(await derived.read.relative([100n, 95n])).toBe(-5n * 10n ** 16n);
    expect(await derived.read.relative([3n, 2n])).toBe(-333_333_333_333_333_333n);
    expect(await derived.read.relative([HIGHEST, 1n])).toBe(-(ONE - 1n));
    expect(await derived.read.relative([1n, HIGHEST])).toBe((HIGHEST - 1n) * ONE);
  });

  it.each([
    [0n, 5n],
    [5n, 0n],
  ])("from %s to %s is none", async (earlier, later) => {
    const expected = { name: "NoPriceToCompareWith", args: [earlier, later] };
    expect(await failure(derived.read.relative([earlier, later]))).toEqual(expected);
  });
});

describe("average", () => {
  it(
    "is that of the prices there are, rounded down, with the gaps counted",
    () =>
      fc.assert(
        fc.asyncProperty(anyDays, fc.nat({ max: MOST_DAYS }), async (days, minimum) => {
          const prices = days.filter((price) => price !== 0n);
          const call = derived.read.mean([days, BigInt(minimum)]);
          if (prices.length === 0 || prices.length < minimum) {
            const args = [BigInt(prices.length), BigInt(minimum)];
            expect(await failure(call)).toEqual({ name: "TooFewPrices", args });
            return;
          }
          const sum = prices.reduce((total, price) => total + price, 0n);
          expect(await call).toEqual([sum / BigInt(prices.length), BigInt(days.length - prices.length)]);
        }),
        { numRuns },
      ),
    TIMEOUT,
  );

  it("needs one price even when none is asked for", async () => {
    expect(await failure(derived.read.mean([[0n, 0n], 0n]))).toEqual({ name: "TooFewPrices", args: [0n, 0n] });
    expect(await failure(derived.read.mean([[], 0n]))).toEqual({ name: "TooFewPrices", args: [0n, 0n] });
  });

  it("reverts at one below the minimum", async () => {
    expect(await derived.read.mean([[4n, 0n, 6n], 2n])).toEqual([5n, 1n]);
    expect(await failure(derived.read.mean([[4n, 0n, 6n], 3n]))).toEqual({ name: "TooFewPrices", args: [2n, 3n] });
  });
});

describe("read from the oracle", () => {
  const RENTAL = MARKET + RENTAL_OFFSET;
  let oracle: TestOracle;
  let firstDay: number;
  /** What the service has published from `firstDay` on; on the third and fourth day it has not. */
  const PRICES = [20_000_000_001n, 21_000_000_000n, 0n, 0n, 22_000_000_000n, 19_000_000_000n];

  beforeAll(async () => {
    oracle = await chain.deployOracle();
    firstDay = dayOf(chain.clock.now());
    for (const [index, price] of PRICES.entries()) {
      if (index > 0) await chain.clock.advance(DAY);
      if (price === 0n) continue;
      await oracle.update(oracle.signed({ price }), oracle.signed({ feedId: RENTAL, price: 100_000_000n }));
    }
  });

  const average = (lastDay: number, dayCount: bigint, minimum = 1n) =>
    derived.read.averageOver([oracle.address, MARKET, lastDay, dayCount, minimum]);

  it("the yield is that of the current prices, of the earlier one's day", async () => {
    const lastDay = firstDay + PRICES.length - 1;
    const expected = (12n * 100_000_000n * ONE) / 19_000_000_000n;
    expect(await derived.read.grossRentalYield([oracle.address, MARKET])).toEqual([expected, lastDay]);
    const other = await chain.deployOracle();
    await other.update(other.signed({ price: 19_000_000_000n }));
    const noRent = { name: "NoPrice", args: [RENTAL] };
    expect(await failure(derived.read.grossRentalYield([other.address, MARKET]))).toEqual(noRent);
    const date = dateOfDay(lastDay - 1);
    const publishTimeMs = chain.clock.nowMs() - 12n * HOUR_MS;
    await other.update(
      other.signed({ feedId: RENTAL, price: 100_000_000n, date, publishTimeMs: publishTimeMs - 12n * HOUR_MS }),
    );
    expect(await derived.read.grossRentalYield([other.address, MARKET])).toEqual([expected, lastDay - 1]);
    await other.update(other.signed({ feedId: 8n, date, publishTimeMs }));
    await other.update(other.signed({ feedId: 8n + RENTAL_OFFSET, price: 4n }));
    expect((await derived.read.grossRentalYield([other.address, 8n]))[1]).toBe(lastDay - 1);
  });

  it("the change is that between two dates", async () => {
    const change = (from: number, to: number) =>
      derived.read.changeBetween([oracle.address, MARKET, firstDay + from, firstDay + to]);
    expect(await change(1, 4)).toBe(((22n - 21n) * ONE) / 21n);
    expect(await change(4, 5)).toBe(-((3n * ONE) / 22n));
    expect(await failure(change(1, 2))).toEqual({ name: "NoPriceOn", args: [MARKET, firstDay + 2] });
    expect(await failure(change(2, 4))).toEqual({ name: "NoPriceOn", args: [MARKET, firstDay + 2] });
    const empty = { name: "InvalidPeriod", args: [firstDay + 1, firstDay + 1] };
    expect(await failure(change(1, 1))).toEqual(empty);
    expect(await failure(change(1, 0))).toMatchObject({ name: "InvalidPeriod" });
  });

  it("the average is that of as many dates as are asked for, the last one included", async () => {
    const lastDay = firstDay + PRICES.length - 1;
    expect(await average(lastDay, 1n)).toEqual([19_000_000_000n, 0n]);
    expect(await average(lastDay, 2n)).toEqual([20_500_000_000n, 0n]);
    expect(await average(lastDay, 6n, 4n)).toEqual([82_000_000_001n / 4n, 2n]);
    expect(await average(lastDay, 366n)).toEqual([82_000_000_001n / 4n, 362n]);
    expect(await average(lastDay + 3, 4n)).toEqual([19_000_000_000n, 3n]);
    expect(await failure(average(lastDay, 6n, 5n))).toEqual({ name: "TooFewPrices", args: [4n, 5n] });
    expect(await failure(average(firstDay + 3, 2n))).toEqual({ name: "TooFewPrices", args: [0n, 1n] });
  });

  it.each([
    [20_000, 0n],
    [20_000, 367n],
    [20_000, 2n ** 256n - 1n],
    [5, 7n],
  ])("there is no average up to day %i over %s days", async (lastDay, dayCount) => {
    expect(await failure(average(lastDay, dayCount))).toEqual({ name: "InvalidDayCount", args: [dayCount] });
  });

  it("an average can begin with day 0 and end with the last day there is", async () => {
    expect(await failure(average(5, 6n))).toEqual({ name: "TooFewPrices", args: [0n, 1n] });
    expect(await failure(average(2 ** 32 - 1, 366n))).toEqual({ name: "TooFewPrices", args: [0n, 1n] });
  });
});
