import { Counter, Gauge, type Registry } from "prom-client";
import type { EndpointHealth } from "../../chain/chainAccess.ts";
import type { DeliveryReport } from "../../deliver/deliveryReport.ts";

const STATES: readonly EndpointHealth["state"][] = ["usable", "unreachable", "wrong-chain", "lagging"];

/** RPC endpoints, by scheme and host; several at one host are counted together. */
export class EndpointMetrics {
  /** Totals as reported last, by chain and host: the counters grow by what is more. */
  readonly #before = new Map<string, { readonly calls: number; readonly failures: number }>();
  readonly #calls: Counter<"chain" | "host">;
  readonly #failures: Counter<"chain" | "host">;
  readonly #state: Gauge<"chain" | "host" | "state">;
  readonly #headBlock: Gauge<"chain" | "host">;
  readonly #headTime: Gauge<"chain" | "host">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#calls = new Counter({
      name: "homeprice_rpc_calls_total",
      help: "Calls of an RPC endpoint.",
      labelNames: ["chain", "host"],
      registers,
    });
    this.#failures = new Counter({
      name: "homeprice_rpc_failures_total",
      help: "Calls of an RPC endpoint that failed.",
      labelNames: ["chain", "host"],
      registers,
    });
    this.#state = new Gauge({
      name: "homeprice_endpoint_state",
      help: "1 for the state that an RPC endpoint is in: usable, unreachable, wrong-chain or lagging.",
      labelNames: ["chain", "host", "state"],
      registers,
    });
    this.#headBlock = new Gauge({
      name: "homeprice_endpoint_head_block",
      help: "Newest block of an RPC endpoint.",
      labelNames: ["chain", "host"],
      registers,
    });
    this.#headTime = new Gauge({
      name: "homeprice_endpoint_head_timestamp_seconds",
      help: "Time of the newest block of an RPC endpoint, Unix seconds.",
      labelNames: ["chain", "host"],
      registers,
    });
  }

  record({ name: chain, endpoints }: DeliveryReport): void {
    for (const [host, ofHost] of Map.groupBy(endpoints, (endpoint) => endpoint.host)) {
      const calls = sum(ofHost.map((endpoint) => endpoint.calls));
      const failures = sum(ofHost.map((endpoint) => endpoint.failures));
      const key = JSON.stringify([chain, host]);
      const before = this.#before.get(key);
      // Fewer than before: they are counted from the beginning again.
      const known = before && before.calls <= calls && before.failures <= failures ? before : { calls: 0, failures: 0 };
      this.#before.set(key, { calls, failures });
      this.#calls.inc({ chain, host }, calls - known.calls);
      this.#failures.inc({ chain, host }, failures - known.failures);
      for (const state of STATES) {
        this.#state.set({ chain, host, state }, ofHost.some((endpoint) => endpoint.state === state) ? 1 : 0);
      }
      for (const { headBlock, headTime } of ofHost) {
        if (headBlock !== undefined) this.#headBlock.set({ chain, host }, Number(headBlock));
        if (headTime !== undefined) this.#headTime.set({ chain, host }, Number(headTime));
      }
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
