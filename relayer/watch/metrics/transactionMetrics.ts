import { Counter, type Registry } from "prom-client";
import type { DeliveredTransaction, DeliveryReport } from "../../deliver/deliveryReport.ts";

/** What has been counted of one nonce. */
type CountedNonce = { readonly hashes: Set<string>; mined: boolean; final: boolean };

/** Nonces a chain whose counts are remembered: many more than can be under way at once. */
const REMEMBERED_NONCES = 1_000;

const STATES = ["sent", "replaced", "mined", "final"] as const;

/**
 * Transactions and what they cost. Reports name a transaction as often as something has happened to it; each thing that
 * happens is counted once. One that was under way at a restart may be counted by both processes.
 */
export class TransactionMetrics {
  readonly #counted = new Map<string, Map<number, CountedNonce>>();
  readonly #transactions: Counter<"chain" | "state">;
  readonly #gasUsed: Counter<"chain">;
  readonly #spent: Counter<"chain">;

  constructor(registry: Registry, chains: readonly string[]) {
    const registers = [registry];
    this.#transactions = new Counter({
      name: "homeprice_transactions_total",
      help: "Transactions sent, sent in the place of another (replaced), mined and final.",
      labelNames: ["chain", "state"],
      registers,
    });
    this.#gasUsed = new Counter({
      name: "homeprice_gas_used_total",
      help: "Gas used by mined transactions.",
      labelNames: ["chain"],
      registers,
    });
    this.#spent = new Counter({
      name: "homeprice_spent_wei_total",
      help: "What mined transactions cost, in wei of the chain's native currency.",
      labelNames: ["chain"],
      registers,
    });
    for (const chain of chains) {
      for (const state of STATES) this.#transactions.inc({ chain, state }, 0);
      this.#gasUsed.inc({ chain }, 0);
      this.#spent.inc({ chain }, 0);
    }
  }

  record({ name: chain, transactions }: DeliveryReport): void {
    const nonces = this.#counted.get(chain) ?? new Map<number, CountedNonce>();
    this.#counted.set(chain, nonces);
    for (const transaction of transactions) this.#count(chain, nonces, transaction);
    for (const nonce of [...nonces.keys()].slice(0, -REMEMBERED_NONCES)) nonces.delete(nonce);
  }

  #count(chain: string, nonces: Map<number, CountedNonce>, transaction: DeliveredTransaction): void {
    const { hash, nonce, gasUsed, costWei, isFinal } = transaction;
    const counted = nonces.get(nonce) ?? { hashes: new Set(), mined: false, final: false };
    nonces.set(nonce, counted);
    if (!counted.hashes.has(hash)) {
      this.#transactions.inc({ chain, state: counted.hashes.size === 0 ? "sent" : "replaced" });
      counted.hashes.add(hash);
    }
    if (gasUsed !== undefined && !counted.mined) {
      counted.mined = true;
      this.#transactions.inc({ chain, state: "mined" });
      this.#gasUsed.inc({ chain }, Number(gasUsed));
      this.#spent.inc({ chain }, Number(costWei ?? 0n));
    }
    if (isFinal && !counted.final) {
      counted.final = true;
      this.#transactions.inc({ chain, state: "final" });
    }
  }
}
