import { type Actor, currentActor, outsideActors } from "./actor.ts";
import type { EventTrace } from "./eventTrace.ts";
import type { Randomness } from "./randomness.ts";
import type { VirtualTime } from "./virtualTime.ts";

/** Something that a simulated process asks of the world outside: a call of the journal, an RPC request, an HTTP request. */
export type Operation<T> = {
  /** What it is asked of: `journal`, `rpc`, `service`. */
  readonly kind: string;
  /** What is asked, for the trace. */
  readonly what: string;
  /** How long the question is on its way, and how long the answer, in milliseconds. */
  readonly askingMs?: number;
  readonly answeringMs?: number;
  /** Does it for real. */
  readonly perform: () => T | Promise<T>;
  /** The answer, for the trace. */
  readonly describe?: (answer: T) => string;
};

/** Where a process may be killed: before what it asked for was done, or after that and before it heard of it. */
export type CrashPoint = "before" | "after";

/** Whether the process that has asked for something is killed at this point of it. */
export type CrashDecision = (actor: Actor, operation: OperationName, point: CrashPoint) => boolean;

/** Which operation it is. */
export type OperationName = Pick<Operation<unknown>, "kind" | "what">;

/** A simulation that has nothing left to do although it is not at its end: somebody waits for what will never come. */
export class StalledError extends Error {
  constructor(atMs: number) {
    super(`nothing is left to happen at ${new Date(atMs).toISOString()}, and the run is not at its end`);
  }
}

type Waiting = {
  readonly actor: Actor | undefined;
  readonly operation: OperationName;
  readonly perform: () => Promise<void>;
};

/** How often the event loop goes round before everything that does not wait for the world counts as having run. */
const ROUNDS_UNTIL_DRY = 4;

/**
 * Decides what happens next in a simulated world: one thing at a time, in an order that follows from the seed alone.
 *
 * Everything that a process asks of the world goes through {@link Kernel.ask}. The kernel lets all code run until nobody
 * can go on without an answer; then it takes one of the questions that wait, answers it for real, and so on; only when no
 * question is left does time move to the next timer. So nothing depends on how long anything really takes.
 */
export class Kernel {
  readonly time: VirtualTime;
  readonly trace: EventTrace;
  readonly #order: Randomness;
  readonly #ready: Waiting[] = [];
  /** Asked before and after every operation of an actor. */
  crashes: CrashDecision = () => false;
  /** Called with an actor that was killed by {@link Kernel.crashes}. */
  onCrash: (actor: Actor, operation: OperationName, point: CrashPoint) => void = () => undefined;

  constructor(time: VirtualTime, trace: EventTrace, randomness: Randomness) {
    this.time = time;
    this.trace = trace;
    this.#order = randomness.stream("order of operations");
  }

  /** A line of the trace, at this instant, by whoever is running. */
  note(what: string, who: string = currentActor()?.name ?? "world"): void {
    this.trace.note(this.time.nowMs(), who, what);
  }

  /**
   * Asks something of the world. The promise stays open for ever when the asking process ends before it is answered.
   */
  ask<T>(operation: Operation<T>): Promise<T> {
    const actor = currentActor();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (actor && !actor.isAlive) return promise;

    const answer = (settle: () => void) => {
      const { answeringMs = 0 } = operation;
      const deliver = () => {
        if (!actor || actor.isAlive) settle();
      };
      if (answeringMs > 0) outsideActors(() => setTimeout(deliver, answeringMs));
      else deliver();
    };
    const perform = async () => {
      let settle: () => void;
      let outcome: string;
      try {
        const result = await operation.perform();
        outcome = operation.describe?.(result) ?? "done";
        settle = () => resolve(result);
      } catch (error) {
        outcome = `failed: ${firstLineOf(error)}`;
        settle = () => reject(error);
      }
      this.note(`${operation.kind} ${operation.what} -> ${outcome}`, actor?.name ?? "world");
      if (this.#isKilled(actor, operation, "after")) return;
      answer(settle);
    };

    const waiting: Waiting = { actor, operation, perform };
    const { askingMs = 0 } = operation;
    if (askingMs > 0) outsideActors(() => setTimeout(() => this.#ready.push(waiting), askingMs));
    else this.#ready.push(waiting);
    return promise;
  }

  /**
   * Makes everything happen, one after the other, until a promise is settled.
   * @throws StalledError, or what the promise is rejected with.
   */
  async runUntil<T>(end: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    end.then(settled, settled);
    for (;;) {
      await runDry();
      if (isSettled) return end;
      if (await this.#performOne()) continue;
      if (!this.time.advance()) throw new StalledError(this.time.nowMs());
    }
  }

  /** Answers whether there was one to perform. */
  async #performOne(): Promise<boolean> {
    if (this.#ready.length === 0) return false;
    const [next] = this.#ready.splice(this.#order.below(this.#ready.length), 1);
    if (!next || (next.actor && !next.actor.isAlive)) return true;
    if (this.#isKilled(next.actor, next.operation, "before")) return true;
    await outsideActors(next.perform);
    return true;
  }

  #isKilled(actor: Actor | undefined, operation: OperationName, point: CrashPoint): boolean {
    if (!actor) return false;
    if (!actor.isAlive) return true;
    if (!this.crashes(actor, operation, point)) return false;
    this.note(`is killed ${point} ${operation.kind} ${operation.what}`, actor.name);
    actor.end();
    this.onCrash(actor, operation, point);
    return true;
  }
}

/** Lets all code run that does not wait for the world or for time. */
async function runDry(): Promise<void> {
  for (let round = 0; round < ROUNDS_UNTIL_DRY; round += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function firstLineOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n", 1)[0] ?? "";
}
