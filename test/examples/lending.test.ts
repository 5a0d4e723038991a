import { getAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorIn } from "../consumer/errorIn.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, HOUR_MS, MARKET, RENTAL_OFFSET, SECOND_MS } from "../oracle/signedUpdate.ts";
import { deployMarket, FUNDS, LIMITS, MAX_AGE, type TestMarket } from "./lendingMarket.ts";

/** 200 USD a square foot. */
const PRICE = 20_000_000_000n;

let chain: TestChain;
let oracle: TestOracle;
let lending: TestMarket;
let borrower: TestMarket["borrower"];
let liquidator: TestMarket["liquidator"];
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle();
  lending = await deployMarket(chain, oracle);
  ({ borrower, liquidator } = lending);
});

const at = (price: bigint, publishedAgo = 60n) =>
  oracle.signed({ price, publishTimeMs: chain.clock.nowMs() - publishedAgo * SECOND_MS });

/** 1,000 square feet at 200 USD carry 140,000 USD. */
async function openLoan(dollars: bigint) {
  await borrower.deposit(1_000n * lending.square);
  await borrower.borrow(dollars * lending.dollar, at(PRICE, 600n));
}

describe("a loan", () => {
  it("is drawn at the price that the call brings, up to the limit", async () => {
    const before = await borrower.balances();
    await openLoan(140_000n);
    const { collateral, debt } = await lending.position(borrower.address);
    expect([collateral, debt]).toEqual([1_000n * lending.square, 140_000n * lending.dollar]);
    const after = await borrower.balances();
    expect(after.cash - before.cash).toBe(140_000n * lending.dollar);
    expect(before.collateral - after.collateral).toBe(1_000n * lending.square);
    const args = [140_000n * lending.dollar + 1n, 140_000n * lending.dollar];
    expect(await lending.failure(borrower.borrow(1n))).toEqual({ name: "BorrowLimitExceeded", args });
  });

  it("is repaid by anybody, in part or at most in whole, with the oracle paused", async () => {
    await openLoan(100_000n);
    await oracle.guardian.pause();
    await liquidator.repay(30_000n * lending.dollar, borrower.address);
    expect((await lending.position(borrower.address)).debt).toBe(70_000n * lending.dollar);
    const before = await borrower.balances();
    await borrower.repay(2n ** 256n - 1n);
    expect((await lending.position(borrower.address)).debt).toBe(0n);
    expect(before.cash - (await borrower.balances()).cash).toBe(70_000n * lending.dollar);
    await borrower.withdraw(1_000n * lending.square);
    expect((await lending.position(borrower.address)).collateral).toBe(0n);
  });

  it("keeps as much collateral as it needs", async () => {
    await openLoan(70_000n);
    await borrower.withdraw(500n * lending.square);
    expect(await lending.failure(borrower.withdraw(1n))).toMatchObject({ name: "BorrowLimitExceeded" });
    const args = [500n * lending.square, 500n * lending.square + 1n];
    const tooMuch = lending.failure(borrower.withdraw(500n * lending.square + 1n));
    expect(await tooMuch).toEqual({ name: "NotEnoughCollateral", args });
  });

  it("is not drawn on nothing", async () => {
    expect(await lending.failure(borrower.borrow(1n, at(PRICE)))).toEqual({
      name: "BorrowLimitExceeded",
      args: [1n, 0n],
    });
  });

  it("does not take what a token keeps for itself", async () => {
    const taxed = await deployMarket(chain, oracle, { collateralFee: 3n });
    const { name, args } = await taxed.failure(taxed.borrower.deposit(1_000n));
    expect([name, args.slice(1)]).toEqual(["TransferTaxed", [1_000n, 997n]]);
  });

  it("leaves the lender what is not lent, and nobody else", async () => {
    await openLoan(140_000n);
    const { owner } = chain.accounts;
    const { returnFunds } = lending.market.write;
    const rest = FUNDS * lending.dollar - 140_000n * lending.dollar;
    await chain.mined(() => returnFunds([rest], { account: owner.account }));
    expect(await lending.debtToken.read.balanceOf([owner.account.address])).toBe(rest);
    const call = lending.market.simulate.returnFunds([0n], { account: liquidator.address });
    expect(await lending.failure(call)).toEqual({ name: "NotLender", args: [getAddress(liquidator.address)] });
    await expect(chain.mined(() => returnFunds([1n], { account: owner.account }))).rejects.toThrow();
  });
});

describe("a liquidation", () => {
  it("pays the bonus, from the first price at which the debt is above the limit", async () => {
    await openLoan(140_000n);
    // 85 % of 1,000 · 164.70588235… is 140,000; prices have 8 decimals.
    const highestLiquidatable = 16_470_588_235n;
    const healthy = lending.failure(liquidator.liquidate(borrower.address, 1n, at(highestLiquidatable + 1n, 300n)));
    expect(await healthy).toMatchObject({ name: "NotLiquidatable", args: [140_000_000_000n, 140_000_000_006n] });
    const before = await liquidator.balances();
    const { repaid, seized } = await liquidator.liquidate(borrower.address, 10_500_000_000n, at(highestLiquidatable));
    expect(repaid).toBe(10_500_000_000n);
    // Worth 5 % more than what has been paid, rounded down.
    expect(seized).toBe((repaid * 10_500n * 10n ** 26n) / (highestLiquidatable * 10n ** 6n * 10_000n));
    const after = await liquidator.balances();
    expect([before.cash - after.cash, after.collateral - before.collateral]).toEqual([repaid, seized]);
    const { collateral, debt } = await lending.position(borrower.address);
    expect([collateral, debt]).toEqual([1_000n * lending.square - seized, 140_000_000_000n - repaid]);
  });

  it("takes no more than the debt", async () => {
    await openLoan(140_000n);
    const { repaid } = await liquidator.liquidate(borrower.address, 2n ** 255n, at(16_000_000_000n));
    expect(repaid).toBe(140_000n * lending.dollar);
    expect((await lending.position(borrower.address)).debt).toBe(0n);
    await borrower.withdraw((await lending.position(borrower.address)).collateral);
    expect(await lending.collateralToken.read.balanceOf([lending.market.address])).toBe(0n);
  });

  it("takes all collateral when it covers less, for what it is worth, and leaves the rest owed", async () => {
    await openLoan(140_000n);
    const { repaid, seized } = await liquidator.liquidate(borrower.address, 2n ** 255n, at(7_000_000_000n));
    expect(seized).toBe(1_000n * lending.square);
    // 70,000 / 1.05 = 66,666.666… rounded up.
    expect(repaid).toBe(66_666_666_667n);
    expect(await lending.position(borrower.address)).toMatchObject({ collateral: 0n, debt: 140_000_000_000n - repaid });
    expect(await liquidator.liquidate(borrower.address, 5n)).toEqual({ repaid: 0n, seized: 0n });
  });

  it("goes on when the service misses a day, as long as the price is young enough", async () => {
    await openLoan(140_000n);
    const publishTime = chain.clock.now();
    await oracle.update(at(15_000_000_000n, 0n));
    await chain.clock.set(publishTime + MAX_AGE);
    expect(await lending.failure(borrower.borrow(0n))).toMatchObject({ name: "PriceExpired" });
    await liquidator.liquidate(borrower.address, 1_000n);
    await chain.clock.advance(1n);
    const args = [MARKET, MAX_AGE + 1n, MAX_AGE];
    expect(await lending.failure(liquidator.liquidate(borrower.address, 1n))).toEqual({ name: "PriceTooOld", args });
    await borrower.repay(1n);
  });

  it("stops while the feed is paused and when its price is void", async () => {
    await openLoan(140_000n);
    await oracle.update(at(15_000_000_000n));
    await oracle.guardian.pauseFeed(MARKET);
    expect(await lending.failure(liquidator.liquidate(borrower.address, 1n))).toMatchObject({ name: "FeedPaused" });
    await oracle.owner.unpauseFeed(MARKET);
    await oracle.owner.revokeSigner(1);
    expect(await lending.failure(liquidator.liquidate(borrower.address, 1n))).toMatchObject({
      name: "PriceSignerRevoked",
    });
    expect(await lending.failure(borrower.borrow(0n))).toMatchObject({ name: "PriceSignerRevoked" });
    await borrower.repay(140_000n * lending.dollar);
    await borrower.withdraw(1_000n * lending.square);
  });
});

describe("value is given out", () => {
  it("only at the price of the day that everybody can have", async () => {
    await borrower.deposit(1_000n * lending.square);
    const midnight = (chain.clock.now() / DAY + 1n) * DAY;
    await chain.clock.set(midnight + 13n * HOUR);
    const yesterday = dayOf(midnight) - 1;
    // Unexpired for two hours more.
    const older = oracle.signed({
      price: PRICE,
      date: dateOfDay(yesterday),
      publishTimeMs: chain.clock.nowMs() - 24n * HOUR_MS,
      expiryMs: chain.clock.nowMs() + 2n * HOUR_MS,
    });
    await borrower.borrow(lending.dollar, older);
    await chain.clock.set(midnight + 14n * HOUR - 1n);
    await borrower.borrow(lending.dollar);
    await chain.clock.set(midnight + 14n * HOUR);
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ day: yesterday });
    const expected = { name: "PriceDayTooEarly", args: [MARKET, yesterday, yesterday + 1] };
    expect(await lending.failure(borrower.borrow(lending.dollar))).toEqual(expected);
    expect(await lending.failure(borrower.withdraw(1n))).toEqual(expected);
    expect(await lending.market.read.minDay()).toBe(yesterday + 1);
    await borrower.borrow(lending.dollar, at(PRICE));
  });

  it("not while a lower price waits in quarantine", async () => {
    oracle = await chain.deployOracle({ defaultBand: 500n });
    lending = await deployMarket(chain, oracle);
    ({ borrower, liquidator } = lending);
    await borrower.deposit(1_000n * lending.square);
    await borrower.borrow(lending.dollar, at(PRICE, 2n * HOUR));
    const today = dayOf(chain.clock.now());
    await chain.clock.advance(DAY);
    await borrower.borrow(lending.dollar, at(PRICE, 3n * HOUR));
    const crash = at(10_000_000_000n, HOUR);
    const waits = { name: "LowerPriceWaits", args: [PRICE, 10_000_000_000n] };
    expect(await lending.failure(borrower.borrow(lending.dollar, crash))).toEqual(waits);
    await oracle.update(crash);
    expect(await lending.failure(borrower.withdraw(1n))).toEqual(waits);
    const { waitingSince } = await oracle.contract.read.pendingPrice([MARKET]);
    await oracle.guardian.vetoPrice(MARKET, waitingSince);
    await borrower.borrow(lending.dollar);
    await oracle.update(at(40_000_000_000n));
    await borrower.borrow(lending.dollar);
    expect(dayOf(chain.clock.now())).toBe(today + 1);
  });
});

describe("amounts of any decimals", () => {
  it.each([
    [18, 6],
    [6, 18],
    [0, 6],
    [8, 0],
    [0, 0],
    [36, 36],
  ])("are worth the same: %i for the collateral, %i for the debt", async (collateralDecimals, debtDecimals) => {
    lending = await deployMarket(chain, oracle, { collateralDecimals, debtDecimals });
    ({ borrower, liquidator } = lending);
    await openLoan(140_000n);
    expect(await lending.failure(borrower.borrow(1n))).toMatchObject({ name: "BorrowLimitExceeded" });
    const paid = 52_500n * lending.dollar;
    const { repaid, seized } = await liquidator.liquidate(borrower.address, paid, at(15_750_000_000n));
    expect([repaid, seized]).toEqual([paid, 350n * lending.square]);
  });
});

describe("terms", () => {
  const deploy = async (change: object) => {
    await chain.clock.hold();
    const terms = { ...lending.terms, ...change };
    return await chain.viem.deployContract("HomeLendingMarket", [oracle.address, terms]);
  };
  const zero = "0x0000000000000000000000000000000000000000";

  it.each([
    ["a rental feed", { marketId: MARKET + RENTAL_OFFSET }, "InvalidMarketId"],
    ["no market", { marketId: 0n }, "InvalidMarketId"],
    ["no lender", { lender: zero }, "NoLender"],
    ["a lag above 48 hours", { editionLag: 48n * HOUR + 1n }, "InvalidEditionLag"],
    ["no age", { maxAge: 0n }, "InvalidMaxAge"],
    ["an age above 31 days", { maxAge: 31n * DAY + 1n }, "InvalidMaxAge"],
    ["no loans", { limits: { ...LIMITS, borrowing: 0 } }, "InvalidLoanLimits"],
    ["limits that do not rise", { limits: { ...LIMITS, borrowing: 8_500 } }, "InvalidLoanLimits"],
    ["a bonus that is not covered", { limits: { borrowing: 1, liquidating: 9_524, bonus: 500 } }, "InvalidLoanLimits"],
  ])("are refused with %s", async (_, change, name) => {
    expect(await errorIn(lending.market.abi, deploy(change))).toMatchObject({ name });
  });

  it("are refused with one token for both, or with too many decimals", async () => {
    const { abi } = lending.market;
    const debtToken = lending.terms.collateralToken;
    expect(await errorIn(abi, deploy({ debtToken }))).toMatchObject({ name: "SameToken" });
    await chain.clock.hold();
    const token = await chain.viem.deployContract("TestToken", [37, 0n]);
    const tooMany = await errorIn(abi, deploy({ debtToken: token.address }));
    expect([tooMany.name, tooMany.args[1]]).toEqual(["TooManyDecimals", 37]);
  });

  it("are what has been agreed", async () => {
    await deploy({
      limits: { borrowing: 1, liquidating: 9_523, bonus: 500 },
      editionLag: 48n * HOUR,
      maxAge: 31n * DAY,
    });
    expect(await lending.market.read.limits()).toEqual(LIMITS);
    expect(await lending.market.read.FEED_ID()).toBe(MARKET);
  });
});
