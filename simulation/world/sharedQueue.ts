import type { CollectTurn } from "../../relayer/engine/engine.ts";
import { type Actor, outsideActors } from "../kernel/actor.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { FaultCounts } from "../report/faultCounts.ts";

/** A process that takes jobs. */
export type QueueWorker = {
  readonly actor: Actor;
  /** Does a job; rejects when it failed. */
  readonly work: (queue: string, turn: CollectTurn) => Promise<void>;
};

type Waiting = { readonly turn: CollectTurn; readonly atMs: number };
type Running = { readonly worker: QueueWorker; readonly turn: CollectTurn };
type Queue = { waiting: Waiting | undefined; running: Running | undefined; failures: number };

/** A process that has not been heard of for so long has lost its job: see relayer/engine/postgresEngine.ts. */
const SILENCE_MS = 20_000;
const POLLING_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** How likely a job is given to a second process although the first still works on it, as when a machine was paused. */
const LOST_LEASE_CHANCE = 0.004;

/**
 * The jobs that several processes share, as the database has them: for each queue at most one that runs and one that
 * waits. It outlives every process.
 */
export class SharedQueue {
  takeovers = 0;
  readonly #kernel: Kernel;
  readonly #randomness: Randomness;
  readonly #counts: FaultCounts;
  readonly #queues = new Map<string, Queue>();
  readonly #ticks = new Set<bigint>();
  #workers: QueueWorker[] = [];

  constructor(kernel: Kernel, randomness: Randomness, counts: FaultCounts) {
    this.#kernel = kernel;
    this.#randomness = randomness;
    this.#counts = counts;
  }

  join(worker: QueueWorker): void {
    this.#workers = [...this.#workers.filter(({ actor }) => actor.isAlive), worker];
    for (const name of this.#queues.keys()) this.#review(name);
  }

  /** An instant of the schedule; answers whether nobody has said it before. */
  tick(instantMs: bigint): boolean {
    if (this.#ticks.has(instantMs)) return false;
    this.#ticks.add(instantMs);
    return true;
  }

  /** To be done now; what waits is moved forward. */
  wake(name: string, turn: CollectTurn): void {
    this.#queue(name).waiting = { turn, atMs: this.#kernel.time.nowMs() };
    this.#review(name);
  }

  /** To be done later, unless something waits already. */
  later(name: string, turn: CollectTurn, atMs: number): void {
    this.#queue(name).waiting ??= { turn, atMs };
    this.#review(name);
  }

  #queue(name: string): Queue {
    const queue = this.#queues.get(name) ?? { waiting: undefined, running: undefined, failures: 0 };
    this.#queues.set(name, queue);
    return queue;
  }

  /** Gives out what is due as soon as a process looks for it. */
  #review(name: string): void {
    const { waiting } = this.#queue(name);
    if (!waiting) return;
    const delayMs = Math.max(0, waiting.atMs - this.#kernel.time.nowMs()) + this.#randomness.between(1, POLLING_MS);
    outsideActors(() => setTimeout(() => this.#giveOut(name), delayMs));
  }

  #giveOut(name: string): void {
    const queue = this.#queue(name);
    const { waiting, running } = queue;
    if (!waiting || running || waiting.atMs > this.#kernel.time.nowMs()) return;
    const alive = this.#workers.filter(({ actor }) => actor.isAlive);
    if (alive.length === 0) return;
    queue.waiting = undefined;
    this.#run(name, this.#randomness.pick(alive), waiting.turn);
  }

  #run(name: string, worker: QueueWorker, turn: CollectTurn): void {
    const queue = this.#queue(name);
    const running = { worker, turn };
    queue.running = running;
    const ended = (hasFailed: boolean) => {
      // Whoever has lost its job does not end that of another.
      if (queue.running !== running) return;
      queue.running = undefined;
      queue.failures = hasFailed ? queue.failures + 1 : 0;
      const pauseMs = Math.min(LONGEST_RETRY_MS, 1_000 * 2 ** Math.min(queue.failures, 10));
      if (hasFailed) queue.waiting ??= { turn, atMs: this.#kernel.time.nowMs() + pauseMs };
      this.#review(name);
    };
    worker.actor
      .run(() => worker.work(name, turn))
      .then(
        () => ended(false),
        () => ended(true),
      );
    this.#watch(name, running);
    if (this.#randomness.chance(LOST_LEASE_CHANCE)) {
      this.#counts.begun("job given to two processes");
      outsideActors(() => setTimeout(() => this.#loseLease(name, running), this.#randomness.between(50, 5_000)));
    }
  }

  /** Looks whether the process that has a job is still there. */
  #watch(name: string, running: Running): void {
    outsideActors(() =>
      setTimeout(() => {
        const queue = this.#queue(name);
        if (queue.running !== running) return;
        if (running.worker.actor.isAlive) return this.#watch(name, running);
        this.takeovers += 1;
        this.#kernel.note(`${name} is taken over from ${running.worker.actor.name}`, "queue");
        queue.running = undefined;
        queue.waiting ??= { turn: running.turn, atMs: this.#kernel.time.nowMs() };
        this.#review(name);
      }, SILENCE_MS),
    );
  }

  #loseLease(name: string, running: Running): void {
    const queue = this.#queue(name);
    const others = this.#workers.filter(({ actor }) => actor.isAlive && actor !== running.worker.actor);
    if (queue.running !== running || others.length === 0) return;
    this.#counts.struck("job given to two processes");
    this.#kernel.note(`${name} is given to a second process`, "queue");
    this.#run(name, this.#randomness.pick(others), running.turn);
  }
}
