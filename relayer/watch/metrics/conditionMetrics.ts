import { Gauge, type Registry } from "prom-client";
import { CONDITION_KINDS, type Condition } from "../condition.ts";

const SEVERITIES = ["warning", "critical"] as const;

/** What stands, by scope. Of a scope that was recorded once, every kind has a series: 0 is known, not merely absent. */
export class ConditionMetrics {
  readonly #condition: Gauge<"scope" | "kind" | "severity">;

  constructor(registry: Registry) {
    this.#condition = new Gauge({
      name: "homeprice_condition",
      help: "1 while a condition of the kind stands in the scope, 0 otherwise.",
      labelNames: ["scope", "kind", "severity"],
      registers: [registry],
    });
  }

  record(scope: string, conditions: readonly Pick<Condition, "kind" | "severity">[]): void {
    const standing = new Set(conditions.map(({ kind, severity }) => `${kind} ${severity}`));
    for (const kind of CONDITION_KINDS) {
      for (const severity of SEVERITIES) {
        this.#condition.set({ scope, kind, severity }, standing.has(`${kind} ${severity}`) ? 1 : 0);
      }
    }
  }
}
