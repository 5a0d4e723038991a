import { AsyncLocalStorage } from "node:async_hooks";

/**
 * One run of a simulated process, from its start to its end. After its end nothing that it asked for is performed any
 * more, no answer reaches it, and its timers do nothing, as it is with a process that was killed.
 */
export class Actor {
  /** With the number of the run, such as `relayer-1#3`. */
  readonly name: string;
  #isAlive = true;

  constructor(name: string) {
    this.name = name;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  end(): void {
    this.#isAlive = false;
  }

  /** Runs something as this process; whatever follows from it, however late, belongs to the process too. */
  run<T>(work: () => T): T {
    return running.run(this, work);
  }
}

const running = new AsyncLocalStorage<Actor>();

/** The process whose code is running. */
export function currentActor(): Actor | undefined {
  return running.getStore();
}

/** Runs something that belongs to no process. */
export function outsideActors<T>(work: () => T): T {
  return running.exit(work);
}
