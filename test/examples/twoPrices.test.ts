import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorIn } from "../consumer/errorIn.ts";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, HOUR_MS, MARKET } from "../oracle/signedUpdate.ts";
import { deployMarket, type MarketOptions, type TestMarket } from "./lendingMarket.ts";

const gas = 16_000_000n;

/** Yesterday 200 USD a square foot, today 100. */
const OLDER = 20_000_000_000n;
const NEWER = 10_000_000_000n;

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

/** Just after today's price has come out: yesterday's is on the oracle and served, today's nobody has brought yet. */
beforeEach(async () => {
  oracle = await chain.deployOracle();
  await chain.clock.set((chain.clock.now() / DAY + 1n) * DAY + 13n * HOUR);
  const date = dateOfDay(dayOf(chain.clock.now()) - 1);
  const [publishTimeMs, expiryMs] = [chain.clock.nowMs() - 24n * HOUR_MS, chain.clock.nowMs() + HOUR_MS];
  await oracle.update(oracle.signed({ price: OLDER, date, publishTimeMs, expiryMs }));
});

/** An attacker without money, and somebody who lends 1,000 square feet for the length of a call. */
async function prepareAttack(contract: MarketOptions["contract"] & string) {
  const lending = await deployMarket(chain, oracle, { contract });
  const { market, collateralToken, debtToken, square, dollar } = lending;
  await chain.clock.hold();
  const flashLender = await chain.viem.deployContract("FlashLender", [collateralToken.address, debtToken.address]);
  await chain.mined(() => collateralToken.write.mint([flashLender.address, 1_000n * square]));
  await chain.clock.hold();
  const attack = await chain.viem.deployContract("TwoPriceAttack", [market.address, flashLender.address]);
  return {
    lending,
    attack,
    flashLender,
    /** Area, and what can be borrowed on it at yesterday's price. */
    args: [[oracle.signed({ price: NEWER })], 1_000n * square, 140_000n * dollar] as const,
  };
}

describe("a loan at yesterday's price, liquidated at today's in the same transaction", () => {
  it("drains a market that does without the rule", async () => {
    const { lending, attack, args } = await prepareAttack("NaiveLendingMarket");
    const { market, debtToken, collateralToken, dollar } = lending;
    const { result: profit } = await attack.simulate.attack(args, { gas });
    const before = await debtToken.read.balanceOf([market.address]);
    await chain.mined(() => attack.write.attack(args, { gas }));
    // Borrowed 140,000, and paid 100,000 / 1.05 for getting all of the collateral back.
    expect(profit).toBe(140_000n * dollar - 95_238_095_239n);
    expect(before - (await debtToken.read.balanceOf([market.address]))).toBe(profit);
    expect(await collateralToken.read.balanceOf([market.address])).toBe(0n);
  });

  it("comes to nothing in the market of the example", async () => {
    const { lending, attack, flashLender, args } = await prepareAttack("HomeLendingMarket");
    const call = attack.simulate.attack(args, { gas });
    // The collateral cannot be got back in the same transaction.
    const { name, args: missing } = await errorIn(flashLender.abi, call);
    expect([name, missing]).toEqual(["LoanNotReturned", [1_000n * lending.square, 0n]]);
  });
});

describe("a liquidation in the block in which its borrower has acted at another price", () => {
  /** Transactions in one block, in this order. */
  const inOneBlock = async (...sends: ((fees: object) => Promise<`0x${string}`>)[]) => {
    const { provider } = chain.connection;
    await provider.request({ method: "evm_setAutomine", params: [false] });
    const hashes: `0x${string}`[] = [];
    for (const [index, send] of sends.entries()) {
      const maxPriorityFeePerGas = 5_000_000_000n - BigInt(index) * 1_000_000_000n;
      hashes.push(await send({ gas: 3_000_000n, maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas }));
    }
    await chain.clock.hold();
    await provider.request({ method: "evm_mine", params: [] });
    await provider.request({ method: "evm_setAutomine", params: [true] });
    const receipts = await Promise.all(hashes.map((hash) => chain.publicClient.getTransactionReceipt({ hash })));
    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(1);
    return receipts.map(({ status }) => status);
  };

  let lending: TestMarket;
  let borrower: TestMarket["borrower"];
  let liquidator: TestMarket["liquidator"];
  beforeEach(async () => {
    lending = await deployMarket(chain, oracle);
    ({ borrower, liquidator } = lending);
    await borrower.deposit(1_000n * lending.square);
    await borrower.borrow(139_000n * lending.dollar);
  });

  it("is put off by one block, and no longer", async () => {
    const updates = [oracle.signed({ price: NEWER })];
    const { write } = lending.market;
    const { stranger, other } = chain.accounts;
    const status = await inOneBlock(
      (fees) => write.borrow([[], 1n], { account: stranger.account, ...fees }),
      (fees) => write.liquidate([updates, borrower.address, 10n ** 12n], { account: other.account, ...fees }),
    );
    expect(status).toEqual(["success", "success"]);
    expect((await lending.position(borrower.address)).debt).toBe(139_000n * lending.dollar + 1n);
    expect(await lending.market.getEvents.LiquidationPutOff()).toMatchObject([
      { args: { borrower: expect.any(String), takenAtPrice: OLDER, price: NEWER } },
    ]);

    // The price has stayed: the borrower is over the limit, and cannot act any more.
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: NEWER });
    expect(await lending.failure(borrower.borrow(1n))).toMatchObject({ name: "BorrowLimitExceeded" });
    expect(await liquidator.liquidate(borrower.address, 2n ** 255n)).toMatchObject({
      seized: 1_000n * lending.square,
    });
  });

  it("is not put off by anybody else, nor at the same price", async () => {
    const { write } = lending.market;
    const { relayer, stranger, other } = chain.accounts;
    await lending.third.deposit(1_000n * lending.square);
    const updates = [oracle.signed({ price: NEWER })];
    const status = await inOneBlock(
      (fees) => write.borrow([[], 1n], { account: relayer.account, ...fees }),
      (fees) => write.repay([borrower.address, 5n], { account: stranger.account, ...fees }),
      (fees) => write.liquidate([updates, borrower.address, 10n ** 9n], { account: other.account, ...fees }),
    );
    expect(status).toEqual(["success", "success", "success"]);
    expect((await lending.position(borrower.address)).debt).toBe(138_000n * lending.dollar - 5n);
  });
});
