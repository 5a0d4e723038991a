import { formatEther } from "viem";
import type { Condition } from "../watch/condition.ts";
import type { ChainContext } from "./chainContext.ts";

const DAY_MS = 86_400_000n;

/** What a sender has spent today (UTC) and may still spend. */
export type DailyBudget = {
  readonly spentWei: bigint;
  /** What is not set aside for transactions that may still be mined; `undefined` without a bound. */
  readonly leftWei: bigint | undefined;
};

/**
 * What is left of a day's budget. A transaction that is not mined yet counts with all that it can cost, until it is
 * mined: also past midnight. So what is mined in a day never costs more than the budget, whenever it was sent.
 */
export async function readDailyBudget({
  journal,
  access,
  signer,
  settings,
  nowMs,
}: ChainContext): Promise<DailyBudget> {
  if (!signer) return { spentWei: 0n, leftWei: undefined };
  const midnightMs = (nowMs() / DAY_MS) * DAY_MS;
  const { spentWei, reservedWei } = await journal.spending(access.chain.id, signer.address, midnightMs);
  const { dailyBudgetWei } = settings;
  const leftWei = dailyBudgetWei === undefined ? undefined : dailyBudgetWei - spentWei - reservedWei;
  return { spentWei, leftWei: leftWei !== undefined && leftWei < 0n ? 0n : leftWei };
}

/** What a person is told when the budget does not allow a transaction. */
export function budgetSpent({ settings }: ChainContext, { spentWei }: DailyBudget): Condition {
  return {
    kind: "budget-spent",
    subject: "",
    severity: "critical",
    message: `the budget of ${formatEther(settings.dailyBudgetWei ?? 0n)} a day does not allow the next transaction (spent today: ${formatEther(spentWei)})`,
    hint: "Nothing more is sent until 00:00 UTC; raise dailyBudget if that is what you want.",
  };
}
