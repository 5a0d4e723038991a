/**
 * Moves the clock of this process: from here on `Date` begins at an instant of our choice and runs on at its usual speed.
 *
 * On a local network the chain, the price service, the relayer's checks and node-cron must share one clock, and node-cron
 * has no other than `Date`. So the clock is moved once, for all of them, before any of them starts.
 *
 * @param startMs Unix milliseconds that it is to be now.
 */
export function moveProcessClock(startMs: bigint): void {
  const SystemDate = Date;
  const offsetMs = Number(startMs) - SystemDate.now();
  const movedNow = () => SystemDate.now() + offsetMs;
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [movedNow()] : values, newTarget),
    apply: (target) => new target(movedNow()).toString(),
    get: (target, key) => (key === "now" ? movedNow : Reflect.get(target, key)),
  });
}
