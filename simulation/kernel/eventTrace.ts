import { createHash } from "node:crypto";

/** Lines kept for whoever wants to know what came before a violation. */
const KEPT_LINES = 400;

/**
 * Everything that happens in a run, line by line, and one hash over all of it: two runs with the same hash did the same,
 * to the byte.
 */
export class EventTrace {
  readonly #hash = createHash("sha256");
  readonly #recent: string[] = [];
  readonly #print: ((line: string) => void) | undefined;
  #events = 0;

  /** @param print Gets every line as it happens. */
  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  note(atMs: number, who: string, what: string): void {
    const line = `${new Date(atMs).toISOString()} ${who} ${what}`;
    this.#hash.update(line).update("\n");
    this.#events += 1;
    this.#recent.push(line);
    if (this.#recent.length > 2 * KEPT_LINES) this.#recent.splice(0, KEPT_LINES);
    this.#print?.(line);
  }

  get events(): number {
    return this.#events;
  }

  /** Hash over every line so far. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** The last lines, oldest first. */
  recent(count: number): readonly string[] {
    return this.#recent.slice(-Math.min(count, KEPT_LINES));
  }
}
