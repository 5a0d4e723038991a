import { errorIn } from "../consumer/errorIn.ts";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, MARKET } from "../oracle/signedUpdate.ts";

const gas = 16_000_000n;

export const STAGE = { Funding: 0, Running: 1, Settled: 2, Refunded: 3 } as const;

/** Agreed on: 200 USD a square foot; 1 whole token (of 6 decimals) for each cent of difference. */
export const TERMS = {
  agreedPrice: 20_000_000_000n,
  amountPerUsd: 100_000_000n,
  longMargin: 1_000_000_000n,
  shortMargin: 2_000_000_000n,
  fallbackDays: 2,
};

/** A future on tomorrow's price; both parties have approved it and hold exactly their margins. */
export async function deployFuture(
  chain: TestChain,
  oracle: TestOracle,
  { tokenFee = 0n, ...changes }: Partial<typeof TERMS> & { feedId?: bigint; tokenFee?: bigint } = {},
) {
  const { viem, mined, clock, accounts } = chain;
  const { stranger: long, other: short } = accounts;
  await clock.hold();
  const token = await viem.deployContract("TestToken", [6, tokenFee]);
  const day = dayOf(clock.now()) + 1;
  const terms = {
    feedId: MARKET,
    day,
    fundUntil: BigInt(day) * DAY,
    marginToken: token.address,
    long: long.account.address,
    short: short.account.address,
    ...TERMS,
    ...changes,
  };
  await clock.hold();
  const future = await viem.deployContract("HomePriceFuture", [oracle.address, terms]);
  for (const [{ account }, margin] of [
    [long, terms.longMargin],
    [short, terms.shortMargin],
  ] as const) {
    await mined(() => token.write.mint([account.address, margin]));
    await mined(() => token.write.approve([future.address, margin], { account }));
  }
  const as = ({ account }: typeof long) => ({
    address: account.address,
    fund: () => mined(() => future.write.fund({ account, gas })),
    takePayout: () => mined(() => future.write.takePayout({ account, gas })),
    balance: () => token.read.balanceOf([account.address]),
  });
  return {
    future,
    token,
    terms,
    day,
    long: as(long),
    short: as(short),
    stranger: as(accounts.relayer),
    settle: () => mined(() => future.write.settle({ gas })),
    cancel: () => mined(() => future.write.cancel({ gas })),
    stage: () => future.read.stage(),
    payouts: async () => [
      await future.read.payoutOf([long.account.address]),
      await future.read.payoutOf([short.account.address]),
    ],
    failure: (call: Promise<unknown>) => errorIn(future.abi, call),
    /** Half an hour after the prices of a date come out. */
    goTo: (date: number) => clock.set(BigInt(date) * DAY + 13n * HOUR),
    /** From when on a date's price does not change. */
    finalFrom: (date: number) => BigInt(date) * DAY + 72n * HOUR,
  };
}

export type TestFuture = Awaited<ReturnType<typeof deployFuture>>;
