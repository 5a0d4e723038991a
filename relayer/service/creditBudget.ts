import { HomePriceError } from "../errors/HomePriceError.ts";

/** Remembers credits by month, beyond the process if it can. */
export type CreditLedger = {
  /** Credits recorded in a month `YYYY-MM`. */
  usedIn(month: string): Promise<number>;
  /** Records credits; a negative number gives some back. */
  add(month: string, credits: number): Promise<void>;
};

export type CreditBudgetOptions = {
  /** Most credits of this run. Default: no bound. */
  readonly perRun?: number | undefined;
  /** Most credits of a calendar month (UTC). Default: no bound. */
  readonly perMonth?: number | undefined;
  /** Where months are remembered. Default: in this process alone. */
  readonly ledger?: CreditLedger | undefined;
  readonly nowMs?: (() => number) | undefined;
};

/** Credits that a request may use, set aside before it is sent. */
export type CreditReservation = {
  /** Says what the request really cost, once that is known. */
  settle(credits: number): Promise<void>;
};

/** Keeps what requests cost within bounds. */
export type CreditBudget = {
  /**
   * Sets credits aside.
   * @throws CreditBudgetError when the request could exceed the budget.
   */
  reserve(credits: number): Promise<CreditReservation>;
};

/** A request that could have cost more than is left of the budget. It has not been sent. */
export class CreditBudgetError extends HomePriceError {
  readonly budget: number;
  readonly used: number;
  readonly needed: number;

  constructor(span: "run" | "month", { budget, used, needed }: { budget: number; used: number; needed: number }) {
    const key = span === "run" ? "creditsPerRun" : "creditsPerMonth";
    super(
      "CREDIT_BUDGET",
      `the request was not sent: it may cost ${needed} credits, and of the ${budget} of this ${span} ${used} are used`,
      { hint: `Ask for less (fewer markets, a shorter span, a limit), or raise ${key}.` },
    );
    this.budget = budget;
    this.used = used;
    this.needed = needed;
  }
}

/**
 * A budget of credits. What a request may cost at most is set aside before it is sent and corrected by what the answer
 * says. Of a request whose answer did not arrive nobody knows what it cost: its reservation stays.
 */
export function createCreditBudget({
  perRun,
  perMonth,
  ledger = createMemoryLedger(),
  nowMs = Date.now,
}: CreditBudgetOptions): CreditBudget {
  let usedThisRun = 0;

  const reserveOfMonth = async (month: string, needed: number): Promise<void> => {
    if (perMonth === undefined) return;
    // Recorded first and looked at after, so that two that reserve at once cannot both fit into what is left for one.
    await ledger.add(month, needed);
    const used = (await ledger.usedIn(month)) - needed;
    if (used + needed <= perMonth) return;
    await ledger.add(month, -needed);
    throw new CreditBudgetError("month", { budget: perMonth, used, needed });
  };

  return {
    async reserve(needed) {
      const month = new Date(nowMs()).toISOString().slice(0, 7);
      if (perRun !== undefined && usedThisRun + needed > perRun) {
        throw new CreditBudgetError("run", { budget: perRun, used: usedThisRun, needed });
      }
      usedThisRun += needed;
      try {
        if (needed > 0) await reserveOfMonth(month, needed);
      } catch (error) {
        usedThisRun -= needed;
        throw error;
      }
      return {
        async settle(credits) {
          usedThisRun += credits - needed;
          if (perMonth !== undefined && credits !== needed) await ledger.add(month, credits - needed);
        },
      };
    },
  };
}

function createMemoryLedger(): CreditLedger {
  const months = new Map<string, number>();
  return {
    usedIn: async (month) => months.get(month) ?? 0,
    add: async (month, credits) => void months.set(month, (months.get(month) ?? 0) + credits),
  };
}
