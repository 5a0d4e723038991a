import type { Hex } from "viem";
import { errorIn } from "../consumer/errorIn.ts";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";
import { HOUR, MARKET } from "../oracle/signedUpdate.ts";

const gas = 16_000_000n;

/** Most that is borrowed, where loans are liquidated, and what liquidators get; basis points. */
export const LIMITS = { borrowing: 7_000, liquidating: 8_500, bonus: 500 };

/** Seconds for which a price is good enough to liquidate by. */
export const MAX_AGE = 72n * HOUR;

/** What the market has to lend, in whole tokens. */
export const FUNDS = 1_000_000n;

export type MarketOptions = {
  readonly contract?: "HomeLendingMarket" | "NaiveLendingMarket";
  readonly collateralDecimals?: number;
  readonly debtDecimals?: number;
  readonly limits?: typeof LIMITS;
  /** What the collateral token keeps of a transfer. */
  readonly collateralFee?: bigint;
};

/** A lending market that has {@link FUNDS} to lend; accounts have approved it and hold more than they need. */
export async function deployMarket(
  chain: TestChain,
  oracle: TestOracle,
  {
    contract = "HomeLendingMarket",
    collateralDecimals = 18,
    debtDecimals = 6,
    limits = LIMITS,
    collateralFee = 0n,
  }: MarketOptions = {},
) {
  const { viem, mined, clock, accounts } = chain;
  const deployToken = async (decimals: number, fee: bigint) => {
    await clock.hold();
    return await viem.deployContract("TestToken", [decimals, fee]);
  };
  const collateralToken = await deployToken(collateralDecimals, collateralFee);
  const debtToken = await deployToken(debtDecimals, 0n);
  const terms = {
    marketId: MARKET,
    collateralToken: collateralToken.address,
    debtToken: debtToken.address,
    lender: accounts.owner.account.address,
    limits,
    editionLag: 14n * HOUR,
    maxAge: MAX_AGE,
  };
  await clock.hold();
  const market = await viem.deployContract(contract as "HomeLendingMarket", [oracle.address, terms]);
  const square = 10n ** BigInt(collateralDecimals);
  const dollar = 10n ** BigInt(debtDecimals);
  await mined(() => debtToken.write.mint([market.address, FUNDS * dollar]));

  const borrowers = [accounts.relayer, accounts.stranger, accounts.other];
  for (const { account } of borrowers) {
    for (const token of [collateralToken, debtToken]) {
      await mined(() => token.write.mint([account.address, 10n ** 60n]));
      await mined(() => token.write.approve([market.address, 2n ** 256n - 1n], { account }));
    }
  }

  /** What one account does; each sends one transaction. */
  const as = ({ account }: (typeof accounts)["other"]) => {
    const from = { account, gas };
    return {
      address: account.address,
      deposit: (amount: bigint) => mined(() => market.write.deposit([amount], from)),
      withdraw: (amount: bigint, ...updates: Hex[]) => mined(() => market.write.withdraw([updates, amount], from)),
      borrow: (amount: bigint, ...updates: Hex[]) => mined(() => market.write.borrow([updates, amount], from)),
      repay: (amount: bigint, borrower: Hex = account.address) =>
        mined(() => market.write.repay([borrower, amount], from)),
      liquidate: async (borrower: Hex, amount: bigint, ...updates: Hex[]) => {
        const args = [updates, borrower, amount] as const;
        // A call runs in the latest block: not in one in which the borrower has acted.
        await clock.advance(0n);
        const { result } = await market.simulate.liquidate(args, { ...from, account: account.address });
        await mined(() => market.write.liquidate(args, from));
        return { repaid: result[0], seized: result[1] };
      },
      balances: async () => ({
        collateral: await collateralToken.read.balanceOf([account.address]),
        cash: await debtToken.read.balanceOf([account.address]),
      }),
    };
  };

  return {
    market,
    collateralToken,
    debtToken,
    terms,
    /** Base units of a whole token. */
    square,
    dollar,
    as,
    borrower: as(accounts.stranger),
    liquidator: as(accounts.other),
    third: as(accounts.relayer),
    position: (borrower: Hex) => market.read.positionOf([borrower]),
    failure: (call: Promise<unknown>) => errorIn(market.abi, call),
  };
}

export type TestMarket = Awaited<ReturnType<typeof deployMarket>>;
