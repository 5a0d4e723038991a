import { createHash } from "node:crypto";

/** 48 bits at a time: the most that a number holds exactly and a buffer reads at once. */
const BITS = 48;
const RANGE = 2 ** BITS;

/**
 * Numbers that look random and follow from a seed and a name alone.
 *
 * Each purpose has a stream of its own ({@link Randomness.stream}), so that one that draws more numbers than before does
 * not change what the others draw: a run that is looked at more closely stays the same run.
 */
export class Randomness {
  readonly #seed: string;
  #block = Buffer.alloc(0);
  #position = 0;
  #blocks = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Another, independent sequence. */
  stream(name: string): Randomness {
    return new Randomness(`${this.#seed}/${name}`);
  }

  /** From 0 to below 1. */
  fraction(): number {
    if (this.#position + BITS / 8 > this.#block.length) {
      this.#block = createHash("sha512").update(`${this.#seed}#${this.#blocks}`).digest();
      this.#blocks += 1;
      this.#position = 0;
    }
    const value = this.#block.readUIntBE(this.#position, BITS / 8);
    this.#position += BITS / 8;
    return value / RANGE;
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** A whole number, both bounds included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** @throws RangeError when there is nothing to pick from. */
  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError("there is nothing to pick from");
    return choice;
  }

  /** One of the choices, each as likely as its weight says. */
  pickWeighted<T>(choices: readonly (readonly [choice: T, weight: number])[]): T {
    const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
    let point = this.fraction() * total;
    for (const [choice, weight] of choices) {
      point -= weight;
      if (point < 0) return choice;
    }
    throw new RangeError("there is nothing to pick from");
  }

  /** The same values in another order. */
  shuffle<T>(values: readonly T[]): T[] {
    const keyed = values.map((value) => ({ value, key: this.fraction() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
  }
}
