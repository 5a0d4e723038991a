/** How often a kind of fault was put in, and how often it changed what happened. */
export type FaultCount = { readonly begun: number; readonly struck: number };

/** Counts faults by their kind. */
export class FaultCounts {
  readonly #counts = new Map<string, { begun: number; struck: number }>();

  begun(kind: string): void {
    this.#of(kind).begun += 1;
  }

  struck(kind: string, times = 1): void {
    this.#of(kind).struck += times;
  }

  /** By kind, in the order of their names. */
  all(): Readonly<Record<string, FaultCount>> {
    const sorted = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([kind, count]) => [kind, { ...count }]));
  }

  #of(kind: string): { begun: number; struck: number } {
    const count = this.#counts.get(kind) ?? { begun: 0, struck: 0 };
    this.#counts.set(kind, count);
    return count;
  }
}
