/** Credits come back at the start of each cycle of thirty days, as on the service's free plan. Roll-over is not simulated. */
const CYCLE_MS = 30n * 24n * 3_600_000n;

/** The credits of the account that the API key belongs to. */
export class CreditAccount {
  readonly #perCycle: number;
  #cycleStartMs: bigint;
  #spent = 0;

  constructor(perCycle: number, nowMs: bigint) {
    this.#perCycle = perCycle;
    this.#cycleStartMs = nowMs;
  }

  remaining(nowMs: bigint): number {
    const cycles = (nowMs - this.#cycleStartMs) / CYCLE_MS;
    if (cycles > 0n) {
      this.#cycleStartMs += cycles * CYCLE_MS;
      this.#spent = 0;
    }
    return this.#perCycle - this.#spent;
  }

  spend(credits: number): void {
    this.#spent += credits;
  }
}
