import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import FakeTimers from "@sinonjs/fake-timers";
import { currentActor } from "./actor.ts";
import type { Randomness } from "./randomness.ts";

/** What the platform has of time. What runs "as soon as possible" stays as it is: it takes no time. */
const FAKED = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] as const;

/**
 * The time of a simulated world. While it is in force, `Date`, timers, `node:timers`, `node:timers/promises`,
 * `performance.now`, `AbortSignal.timeout` and `Math.random` of this process follow the simulation: time stands still
 * until {@link VirtualTime.advance} moves it to the next timer, and chance follows the seed.
 *
 * A timer belongs to the actor that set it, and does nothing once that actor has ended.
 */
export class VirtualTime {
  readonly #clock: FakeTimers.Clock;
  readonly #restore: () => void;

  /** @param startMs Unix milliseconds. */
  constructor(startMs: number, randomness: Randomness) {
    const clock = FakeTimers.install({ now: startMs, toFake: [...FAKED] });
    const faked = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval };
    const timeoutOfSignals = AbortSignal.timeout;
    const random = Math.random;

    const inItsActor = (set: typeof setTimeout | typeof setInterval) =>
      Object.assign(
        (callback: (...values: unknown[]) => void, delayMs?: number, ...values: unknown[]) =>
          set(ofItsActor(callback), delayMs, ...values),
        // `promisify(setTimeout)` is a way of sleeping.
        { [promisify.custom]: Reflect.get(set, promisify.custom) },
      );
    Object.assign(globalThis, {
      setTimeout: inItsActor(faked.setTimeout),
      setInterval: inItsActor(faked.setInterval),
    });
    AbortSignal.timeout = (delayMs) => {
      const controller = new AbortController();
      // The reason that the platform's own gives.
      const reason = () => new DOMException("The operation was aborted due to timeout", "TimeoutError");
      globalThis.setTimeout(() => controller.abort(reason()), delayMs);
      return controller.signal;
    };
    Math.random = () => randomness.fraction();
    // So that what was imported by name from node:timers and node:timers/promises follows, too.
    syncBuiltinESMExports();

    this.#clock = clock;
    this.#restore = () => {
      Object.assign(globalThis, faked);
      clock.uninstall();
      AbortSignal.timeout = timeoutOfSignals;
      Math.random = random;
      syncBuiltinESMExports();
    };
  }

  /** Unix milliseconds. */
  nowMs(): number {
    return this.#clock.now;
  }

  /** Moves on to the next timer and runs it. Answers whether there was one. */
  advance(): boolean {
    if (this.#clock.countTimers() === 0) return false;
    this.#clock.next();
    return true;
  }

  /** Gives the process its own time back. */
  stop(): void {
    this.#restore();
  }
}

/** A callback runs in the context that it was set in, and not at all once its actor has ended. */
function ofItsActor(callback: (...values: unknown[]) => void): (...values: unknown[]) => void {
  const actor = currentActor();
  if (!actor) return callback;
  const inContext = AsyncLocalStorage.bind(callback);
  return (...values) => {
    if (actor.isAlive) inContext(...values);
  };
}
