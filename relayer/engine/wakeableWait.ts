/** A machine that slept wakes up with its timers late: the clock is looked at this often. */
const LONGEST_TIMER_MS = 30_000;

/** Waits for an instant of the wall clock, or until woken. */
export class WakeableWait {
  readonly #nowMs: () => bigint;
  readonly #signal: AbortSignal;
  #wake: (() => void) | undefined;
  #isWoken = false;

  constructor(nowMs: () => bigint, signal: AbortSignal) {
    this.#nowMs = nowMs;
    this.#signal = signal;
  }

  /** Ends the wait under way, or the next one before it begins. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /**
   * @param untilMs Unix milliseconds; `undefined`: until woken.
   * @returns Whether it was woken.
   */
  async until(untilMs: bigint | undefined): Promise<boolean> {
    while (!this.#isWoken && !this.#signal.aborted) {
      const leftMs = untilMs === undefined ? undefined : Number(untilMs - this.#nowMs());
      if (leftMs !== undefined && leftMs <= 0) return false;
      await this.#pause(leftMs === undefined ? undefined : Math.min(leftMs, LONGEST_TIMER_MS));
    }
    const wasWoken = this.#isWoken;
    this.#isWoken = false;
    return wasWoken;
  }

  async #pause(milliseconds: number | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
    this.#wake = resolve;
    const end = () => resolve();
    this.#signal.addEventListener("abort", end);
    await promise;
    this.#signal.removeEventListener("abort", end);
    clearTimeout(timer);
    this.#wake = undefined;
  }
}
