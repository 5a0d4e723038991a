const WINDOW_MS = 60_000n;

/** Counts requests in windows of a minute, each of which begins with its first request. */
export class RateLimit {
  #windowStartMs: bigint | undefined;
  #count = 0;

  /**
   * Counts a request at `nowMs` (Unix milliseconds).
   * @returns Milliseconds until the window ends when there have been `perMinute` in it already, else `undefined`.
   */
  exceededFor(perMinute: number, nowMs: bigint): bigint | undefined {
    const start = this.#windowStartMs;
    // A clock that is put back begins anew, instead of shutting everybody out until it has caught up.
    if (start === undefined || nowMs < start || nowMs >= start + WINDOW_MS) {
      this.#windowStartMs = nowMs;
      this.#count = 0;
    }
    if (this.#count >= perMinute) return (this.#windowStartMs ?? nowMs) + WINDOW_MS - nowMs;
    this.#count += 1;
    return undefined;
  }
}
