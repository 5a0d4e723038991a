import type { Randomness } from "../kernel/randomness.ts";

/** Fees stay the same for so long. */
const STEP_MS = 300_000;

export type FeeSpike = { readonly fromMs: number; readonly toMs: number; readonly baseFeePerGas: bigint };

/** What a chain's blocks cost, as a function of time and seed: a usual fee that wavers, and spikes that others decide on. */
export class FeeCourse {
  /** Wei that senders usually give a unit of gas beside the base fee. */
  readonly priorityFeePerGas: bigint;
  readonly #usualBaseFeePerGas: bigint;
  readonly #randomness: Randomness;
  #spikes: readonly FeeSpike[] = [];

  constructor(
    { baseFeePerGas, priorityFeePerGas }: { readonly baseFeePerGas: bigint; readonly priorityFeePerGas: bigint },
    randomness: Randomness,
  ) {
    this.#usualBaseFeePerGas = baseFeePerGas;
    this.priorityFeePerGas = priorityFeePerGas;
    this.#randomness = randomness;
  }

  /** Spikes of long ago are forgotten. */
  addSpike(spike: FeeSpike): void {
    this.#spikes = [...this.#spikes.filter(({ toMs }) => toMs > spike.fromMs - 86_400_000), spike];
  }

  isSpikeAt(timeMs: number): boolean {
    return this.#spikes.some(({ fromMs, toMs }) => fromMs <= timeMs && timeMs < toMs);
  }

  baseFeePerGasAt(timeMs: number): bigint {
    const spike = this.#spikes.findLast(({ fromMs, toMs }) => fromMs <= timeMs && timeMs < toMs);
    if (spike) return spike.baseFeePerGas;
    const step = Math.floor(timeMs / STEP_MS);
    // From three quarters to five quarters of the usual fee.
    const thousandths = 750 + Math.floor(this.#randomness.stream(`fee ${step}`).fraction() * 500);
    return (this.#usualBaseFeePerGas * BigInt(thousandths)) / 1000n;
  }

  /** The first instant after this one at which the fee may be another. */
  nextChangeAfter(timeMs: number): number {
    const step = (Math.floor(timeMs / STEP_MS) + 1) * STEP_MS;
    const edges = this.#spikes.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).filter((edge) => edge > timeMs);
    return Math.min(step, ...edges);
  }
}
