import { Counter, Gauge, type Registry } from "prom-client";
import type { DeliveryReport } from "../../deliver/deliveryReport.ts";

/** A chain as far as its figures need it. */
export type MeasuredChain = { readonly name: string; readonly dailyBudgetWei?: bigint | undefined };

const SECONDS_PER_DAY = 86_400;

/** When a chain was looked at, what is under way there, and what is left to pay with. */
export class ChainMetrics {
  readonly #budgets: ReadonlyMap<string, bigint | undefined>;
  readonly #passes: Counter<"chain">;
  readonly #passTime: Gauge<"chain">;
  readonly #unmined: Gauge<"chain">;
  readonly #unfinal: Gauge<"chain">;
  readonly #balance: Gauge<"chain">;
  readonly #runway: Gauge<"chain">;
  readonly #spentToday: Gauge<"chain">;
  readonly #budgetUsed: Gauge<"chain">;

  constructor(registry: Registry, chains: readonly MeasuredChain[]) {
    this.#budgets = new Map(chains.map(({ name, dailyBudgetWei }) => [name, dailyBudgetWei]));
    const gauge = (name: string, help: string) =>
      new Gauge({ name, help, labelNames: ["chain"], registers: [registry] });
    this.#passes = new Counter({
      name: "homeprice_passes_total",
      help: "Passes over the chain: looks at what is under way and what is to be sent.",
      labelNames: ["chain"],
      registers: [registry],
    });
    this.#passTime = gauge(
      "homeprice_pass_timestamp_seconds",
      "When this process looked at the chain last, Unix seconds.",
    );
    this.#unmined = gauge("homeprice_unmined_attempts", "Attempts to send whose transactions are not mined.");
    this.#unfinal = gauge("homeprice_unfinal_attempts", "Attempts to send whose transactions are not final.");
    this.#balance = gauge("homeprice_balance_wei", "Balance of the sender, in wei of the chain's native currency.");
    this.#runway = gauge(
      "homeprice_balance_runway_seconds",
      "How long the balance lasts at what the last days cost; absent when nothing was spent.",
    );
    this.#spentToday = gauge("homeprice_spent_today_wei", "What was spent today (UTC), in wei.");
    this.#budgetUsed = gauge("homeprice_budget_used_ratio", "Part of the daily budget that is spent, 0 to 1.");
    const budget = gauge(
      "homeprice_daily_budget_wei",
      "What may be spent in a day (UTC), in wei; absent without bound.",
    );
    for (const { name: chain, dailyBudgetWei } of chains) {
      this.#passes.inc({ chain }, 0);
      if (dailyBudgetWei !== undefined) budget.set({ chain }, Number(dailyBudgetWei));
    }
  }

  record(report: DeliveryReport, nowMs: bigint): void {
    const { name: chain, balanceWei, runwayDays, spentTodayWei } = report;
    this.#passes.inc({ chain });
    this.#passTime.set({ chain }, Number(nowMs) / 1000);
    this.#unmined.set({ chain }, report.unmined);
    this.#unfinal.set({ chain }, report.unfinal);
    this.#spentToday.set({ chain }, Number(spentTodayWei));
    if (balanceWei !== undefined) this.#balance.set({ chain }, Number(balanceWei));
    if (runwayDays === undefined) this.#runway.remove({ chain });
    else this.#runway.set({ chain }, runwayDays * SECONDS_PER_DAY);
    const budget = this.#budgets.get(chain);
    if (budget !== undefined && budget > 0n) {
      this.#budgetUsed.set({ chain }, Number(spentTodayWei) / Number(budget));
    }
  }
}
