import { formatEther } from "viem";
import type { AuditedTransaction } from "./chainAudit.ts";

const DAY_MS = 86_400_000;

/** What the relayer's transactions of one day (UTC, by the time of their blocks) cost is more than its budget. */
export class OverBudget {
  readonly #spentWei = new Map<number, bigint>();
  readonly #budgetWei: bigint;

  constructor(budgetWei: bigint) {
    this.#budgetWei = budgetWei;
  }

  find(ours: readonly AuditedTransaction[]): string[] {
    return ours.flatMap(({ hash, blockTimeMs, costWei }) => {
      const day = Math.floor(blockTimeMs / DAY_MS);
      const before = this.spentOn(blockTimeMs);
      const after = before + costWei;
      this.#spentWei.set(day, after);
      if (before > this.#budgetWei || after <= this.#budgetWei) return [];
      return [`with ${hash} the day has cost ${formatEther(after)}, and ${formatEther(this.#budgetWei)} was allowed`];
    });
  }

  /** Wei that was spent on the day of an instant. */
  spentOn(timeMs: number): bigint {
    return this.#spentWei.get(Math.floor(timeMs / DAY_MS)) ?? 0n;
  }
}
