import type { AccountBlock } from "./account.ts";
import type { CreditBudget, CreditReservation } from "./creditBudget.ts";

/** What requests of a client have cost so far. */
export type CreditUse = {
  /** Credits that answers say were used. */
  readonly used: number;
  /** Credits left by the account block of the last answer that had one. */
  readonly remaining: number | undefined;
};

/** Follows the account block of every answer, and keeps requests within a budget where there is one. */
export type CreditMeter = {
  readonly use: () => CreditUse;
  /** @throws CreditBudgetError */
  readonly reserve: (creditsAtMost: number) => Promise<CreditReservation>;
  readonly note: (account: AccountBlock | undefined) => void;
};

export function createCreditMeter(budget: CreditBudget | undefined): CreditMeter {
  let used = 0;
  let remaining: number | undefined;
  return {
    use: () => ({ used, remaining }),
    reserve: (creditsAtMost) => budget?.reserve(creditsAtMost) ?? Promise.resolve({ settle: async () => {} }),
    note(account) {
      used += account?.creditsUsed ?? 0;
      remaining = account?.creditsRemaining ?? remaining;
    },
  };
}
