import { Histogram, type Registry } from "prom-client";

/** How long the stages of a run take: fetch and verify once for all chains, settle, plan and send for each. */
export class StageDurations {
  readonly #histogram: Histogram<"stage" | "chain">;

  constructor(registry: Registry) {
    this.#histogram = new Histogram({
      name: "homeprice_stage_duration_seconds",
      help: "How long a stage took; fetch and verify serve all chains, and their chain is empty.",
      labelNames: ["stage", "chain"],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900],
      registers: [registry],
    });
  }

  /** @param chain Empty for stages that serve all chains. */
  observe(chain: string, durationsMs: Readonly<Record<string, number>>): void {
    for (const [stage, milliseconds] of Object.entries(durationsMs)) {
      this.#histogram.observe({ stage, chain }, milliseconds / 1000);
    }
  }
}
