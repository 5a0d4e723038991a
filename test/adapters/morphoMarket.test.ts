import { type Address, maxUint256, zeroAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChain, type TestChain, type TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, HOUR, MARKET } from "../oracle/signedUpdate.ts";
import { refusalOf } from "./refusal.ts";

/** The published Morpho Blue contract reads its collateral's price from our adapter. */
const MAX_AGE = 3n * DAY;
const WAD = 10n ** 18n;
const ORACLE_PRICE_SCALE = 10n ** 36n;
const LLTV = 625_000_000_000_000_000n;
/** A whole collateral token is 1,000 square feet: 216,940 USD. */
const UNITS = 1_000n * WAD;
const PRICE = 21_694_000_000n;
const NOTHING = "0x";

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

async function deployToken(decimals: number) {
  await chain.clock.hold();
  return chain.viem.deployContract("TokenOfDecimals", [decimals]);
}

async function openMarket(oracle: TestOracle, collateralDecimals: number, loanDecimals: number) {
  const { owner, relayer, stranger, other } = chain.accounts;
  const [lender, borrower, liquidator] = [relayer, stranger, other].map(({ account }) => account.address) as [
    Address,
    Address,
    Address,
  ];
  const collateralToken = await deployToken(collateralDecimals);
  const loanToken = await deployToken(loanDecimals);
  await chain.clock.hold();
  const morpho = await chain.viem.deployContract("Morpho", [owner.account.address]);
  await chain.clock.hold();
  const adapter = await chain.viem.deployContract("MorphoAdapter", [
    {
      oracle: oracle.address,
      feedId: MARKET,
      maxAge: MAX_AGE,
      collateralToken: collateralToken.address,
      loanToken: loanToken.address,
      unitsPerToken: UNITS,
      loanTokenFeed: zeroAddress,
      loanTokenFeedMaxAge: 0n,
    },
  ]);
  const market = {
    loanToken: loanToken.address,
    collateralToken: collateralToken.address,
    oracle: adapter.address,
    irm: zeroAddress as Address,
    lltv: LLTV,
  };
  const { write, simulate } = morpho;
  await chain.mined(() => write.enableIrm([zeroAddress], { account: owner.account.address }));
  await chain.mined(() => write.enableLltv([LLTV], { account: owner.account.address }));
  await chain.mined(() => write.createMarket([market], { account: owner.account.address }));

  const fund = async (token: typeof loanToken, account: Address, amount: bigint) => {
    await chain.mined(() => token.write.mint([account, amount], { account }));
    await chain.mined(() => token.write.approve([morpho.address, maxUint256], { account }));
  };
  const homes = 10n ** BigInt(collateralDecimals);
  const dollars = 10n ** BigInt(loanDecimals);
  await fund(loanToken, lender, 10_000_000n * dollars);
  await fund(loanToken, liquidator, 10_000_000n * dollars);
  await fund(loanToken, borrower, 10_000_000n * dollars);
  await fund(collateralToken, borrower, 10n * homes);
  await chain.mined(() => write.supply([market, 5_000_000n * dollars, 0n, lender, NOTHING], { account: lender }));
  await chain.mined(() => write.supplyCollateral([market, 2n * homes, borrower, NOTHING], { account: borrower }));

  const borrow = (assets: bigint) => [[market, assets, 0n, borrower, borrower], { account: borrower }] as const;
  const withdrawCollateral = (assets: bigint) => [[market, assets, borrower, borrower], { account: borrower }] as const;
  const liquidation = (seized: bigint) => [[market, borrower, seized, 0n, NOTHING], { account: liquidator }] as const;
  return {
    ...{ morpho, adapter, collateralToken, loanToken, homes, dollars, borrower, liquidator, lender, market },
    borrow: (assets: bigint) => chain.mined(() => write.borrow(...borrow(assets))),
    refusedBorrow: (assets: bigint) => refusalOf(simulate.borrow(...borrow(assets)), adapter.abi),
    withdrawCollateral: (assets: bigint) => chain.mined(() => write.withdrawCollateral(...withdrawCollateral(assets))),
    refusedWithdrawal: (assets: bigint) =>
      refusalOf(simulate.withdrawCollateral(...withdrawCollateral(assets)), adapter.abi),
    liquidate: (seized: bigint) => chain.mined(() => write.liquidate(...liquidation(seized))),
    refusedLiquidation: (seized: bigint) => refusalOf(simulate.liquidate(...liquidation(seized)), adapter.abi),
  };
}

/** Loan units that can be borrowed on so many whole homes at a price of 8 decimals, by hand. */
function limitOf(homes: bigint, price: bigint, loanDecimals: number): bigint {
  const value = (homes * 1_000n * price * 10n ** BigInt(loanDecimals)) / 10n ** 8n;
  return (value * LLTV) / WAD;
}

const insufficient = { name: "Error", args: ["insufficient collateral"] };
const healthy = { name: "Error", args: ["position is healthy"] };

describe.each([
  { collateralDecimals: 18, loanDecimals: 6 },
  { collateralDecimals: 18, loanDecimals: 18 },
  { collateralDecimals: 8, loanDecimals: 18 },
  { collateralDecimals: 0, loanDecimals: 6 },
  { collateralDecimals: 6, loanDecimals: 2 },
])("a market of $collateralDecimals and $loanDecimals decimals", ({ collateralDecimals, loanDecimals }) => {
  let oracle: TestOracle;
  let market: Awaited<ReturnType<typeof openMarket>>;
  beforeEach(async () => {
    oracle = await chain.deployOracle();
    await oracle.update(oracle.signed({ price: PRICE }));
    market = await openMarket(oracle, collateralDecimals, loanDecimals);
  });

  it("lends to the limit, and not one unit more", async () => {
    const limit = limitOf(2n, PRICE, loanDecimals);
    expect(await market.refusedBorrow(limit + 1n)).toEqual(insufficient);
    await market.borrow(limit);
    expect(await market.refusedBorrow(1n)).toEqual(insufficient);
    expect(await market.refusedWithdrawal(1n)).toEqual(insufficient);
    expect(await market.refusedLiquidation(1n)).toEqual(healthy);
  });

  it("liquidates when a newer signed price is lower, at that price", async () => {
    await market.borrow(limitOf(2n, PRICE, loanDecimals));
    await chain.clock.advance(DAY);
    const lower = (PRICE * 9n) / 10n;
    expect(await market.refusedLiquidation(market.homes)).toEqual(healthy);
    await oracle.update(oracle.signed({ price: lower }));
    const balance = () => market.loanToken.read.balanceOf([market.liquidator]);
    const before = await balance();
    await market.liquidate(market.homes);
    expect(await market.collateralToken.read.balanceOf([market.liquidator])).toBe(market.homes);
    // The liquidator pays the value of one home, less the incentive of 1 / (1 - 0.3 · (1 - LLTV)).
    const value = (1_000n * lower * market.dollars) / 10n ** 8n;
    const incentive = (WAD * WAD) / (WAD - (3n * (WAD - LLTV)) / 10n);
    const paid = before - (await balance());
    const expected = (value * WAD + incentive - 1n) / incentive;
    expect(paid - expected).toBeGreaterThanOrEqual(0n);
    expect(paid - expected).toBeLessThanOrEqual(1n);
  });

  it("values collateral as the adapter of quotes does", async () => {
    await chain.clock.hold();
    const quotes = await chain.viem.deployContract("QuoteAdapter", [
      {
        oracle: oracle.address,
        feedId: MARKET,
        maxAge: MAX_AGE,
        base: market.collateralToken.address,
        quote: market.loanToken.address,
        unitsPerToken: UNITS,
      },
    ]);
    const price = await market.adapter.read.price();
    for (const amount of [1n, market.homes, 123_456_789n * market.homes + 7n]) {
      const quote = await quotes.read.getQuote([amount, market.collateralToken.address, market.loanToken.address]);
      expect((amount * price) / ORACLE_PRICE_SCALE).toBe(quote);
    }
  });
});

describe("a price that is not served", () => {
  let oracle: TestOracle;
  let market: Awaited<ReturnType<typeof openMarket>>;
  const lower = (PRICE * 9n) / 10n;
  beforeEach(async () => {
    oracle = await chain.deployOracle();
    await oracle.update(oracle.signed({ price: PRICE }));
    market = await openMarket(oracle, 18, 6);
    await market.borrow(limitOf(2n, PRICE, 6));
    await chain.clock.advance(DAY);
    await oracle.update(oracle.signed({ price: lower }));
  });

  const blocked = async (expected: { name: string; args: unknown[] }) => {
    expect(await market.refusedLiquidation(market.homes)).toEqual(expected);
    expect(await market.refusedBorrow(1n)).toEqual(expected);
    expect(await market.refusedWithdrawal(1n)).toEqual(expected);
  };

  it("blocks liquidation when it is too old, until anybody brings a newer one; the rest goes on", async () => {
    const { morpho, market: params, lender, borrower, homes, dollars } = market;
    await chain.clock.advance(MAX_AGE);
    await blocked({ name: "PriceTooOld", args: [MARKET, MAX_AGE + 60n, MAX_AGE] });
    const { write } = morpho;
    await chain.mined(() => write.supply([params, dollars, 0n, lender, NOTHING], { account: lender }));
    await chain.mined(() => write.withdraw([params, dollars, 0n, lender, lender], { account: lender }));
    await chain.mined(() => write.supplyCollateral([params, 1n, borrower, NOTHING], { account: borrower }));
    await chain.mined(() => write.repay([params, dollars, 0n, borrower, NOTHING], { account: borrower }));
    await oracle.update(oracle.signed({ price: lower }));
    await market.liquidate(homes);
  });

  it("blocks liquidation while the guardian has paused it", async () => {
    await oracle.guardian.pauseFeed(MARKET);
    await blocked({ name: "FeedPaused", args: [MARKET] });
    await oracle.owner.unpauseFeed(MARKET);
    await market.liquidate(market.homes);
  });

  it("does not when it is merely expired", async () => {
    await chain.clock.advance(DAY + HOUR);
    const expired = refusalOf(oracle.contract.read.latestPrice([MARKET]), []);
    expect(await expired).toMatchObject({ name: "PriceExpired" });
    await market.liquidate(market.homes);
  });

  it("does not keep a borrower from repaying all and leaving", async () => {
    const { morpho, market: params, borrower, homes } = market;
    await chain.clock.advance(30n * DAY);
    const shares = limitOf(2n, PRICE, 6) * 1_000_000n;
    await chain.mined(() => morpho.write.repay([params, 0n, shares, borrower, NOTHING], { account: borrower }));
    await market.withdrawCollateral(2n * homes);
  });
});
