import { formatEther } from "viem";
import { spendingRules } from "../../configuration/chainSettings.ts";
import { keyInHint } from "../../configuration/keyInHint.ts";
import type { ChainCheck } from "../check.ts";
import { costPerDay } from "../costPerDay.ts";
import { failed, ok, skipped } from "../finding.ts";

export const budgetCheck: ChainCheck = {
  scope: "chain",
  name: "budget",
  about: "the daily budget is enough for a day's updates",
  needs: ["rpc", "markets"],
  keys: ["dailyBudget", "maxUpdatesPerTransaction", "maxGasPerTransaction"],
  run: async (examination) => {
    const { chain } = examination;
    const cost = await costPerDay(examination);
    if (!cost) return skipped("no RPC endpoint answers");
    const { dailyBudgetWei } = spendingRules(chain, cost.chainId);
    const found = `${cost.feeds} feeds cost about ${formatEther(cost.wei)} a day in native currency`;
    if (dailyBudgetWei === undefined) return ok(`${found}; there is no daily budget`);
    const compared = `${found}; the daily budget is ${formatEther(dailyBudgetWei)}`;
    if (cost.wei <= dailyBudgetWei) return ok(compared);
    return failed(
      compared,
      `What the budget does not cover is not sent. Raise ${keyInHint(chain, "dailyBudget")}, or carry fewer markets.`,
    );
  },
};
