import type { Plan } from "./plan.ts";

const DAY_MS = 24n * 3_600_000n;

/** The credits of the account that the API key belongs to. */
export class CreditAccount {
  #plan: Pick<Plan, "credits" | "cycleDays" | "rollsOver">;
  #cycleStartMs: bigint;
  #remaining: number;

  /** Begins a first cycle at `nowMs` (Unix milliseconds). */
  constructor(plan: Pick<Plan, "credits" | "cycleDays" | "rollsOver">, nowMs: bigint) {
    this.#plan = plan;
    this.#cycleStartMs = nowMs;
    this.#remaining = plan.credits;
  }

  /** Credits left at `nowMs` (Unix milliseconds). A clock that is put back takes nothing away. */
  remaining(nowMs: bigint): number {
    const { credits, rollsOver } = this.#plan;
    const cycles = (nowMs - this.#cycleStartMs) / this.#cycleMs;
    if (cycles > 0n) {
      this.#cycleStartMs += cycles * this.#cycleMs;
      this.#remaining = rollsOver ? this.#remaining + Number(cycles) * credits : credits;
    }
    return this.#remaining;
  }

  /** Whether a request of this cost may run: one that would exceed the credits is refused before it does. */
  canSpend(credits: number, nowMs: bigint): boolean {
    return credits <= this.remaining(nowMs);
  }

  /**
   * Takes the cost of an answer and returns what is left.
   * @throws RangeError when there are fewer: ask {@link canSpend} first.
   */
  spend(credits: number, nowMs: bigint): number {
    if (!this.canSpend(credits, nowMs)) throw new RangeError(`${credits} credits are more than are left`);
    this.#remaining -= credits;
    return this.#remaining;
  }

  /** When the next cycle begins, Unix milliseconds. */
  cycleEndMs(nowMs: bigint): bigint {
    this.remaining(nowMs);
    return this.#cycleStartMs + this.#cycleMs;
  }

  /** Changes what is left of the present cycle. */
  setRemaining(credits: number, nowMs: bigint): void {
    this.remaining(nowMs);
    this.#remaining = credits;
  }

  /** Begins the first cycle of another plan. */
  change(plan: Pick<Plan, "credits" | "cycleDays" | "rollsOver">, nowMs: bigint): void {
    this.#plan = plan;
    this.#cycleStartMs = nowMs;
    this.#remaining = plan.credits;
  }

  get #cycleMs(): bigint {
    return BigInt(this.#plan.cycleDays) * DAY_MS;
  }
}
