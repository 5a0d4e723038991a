/**
 * Loaded into a process (`node --import`) whose clock a test moves: `Date` is ahead of the machine's clock by as many
 * milliseconds as the file says that CLOCK_FILE names. The file is looked at again and again. Timers are not touched:
 * for the process, a move of the clock is what a machine that slept finds when it wakes.
 */
import { readFileSync } from "node:fs";

const LOOK_EVERY_MS = 20;

const file = process.env["CLOCK_FILE"];
if (file === undefined) throw new Error("CLOCK_FILE is not set");

let aheadMs = readAheadMs(file);
setInterval(() => {
  aheadMs = readAheadMs(file);
}, LOOK_EVERY_MS).unref();

const SystemDate = Date;
const now = () => SystemDate.now() + aheadMs;
globalThis.Date = new Proxy(SystemDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: (target) => new target(now()).toString(),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});

function readAheadMs(path: string): number {
  return Number(readFileSync(path, "utf8"));
}
