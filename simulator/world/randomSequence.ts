import type { Randomness } from "./randomness.ts";

/** Random numbers taken one after the other, for what is played step by step from its beginning. */
export class RandomSequence {
  readonly #random: Randomness;
  #index: number;

  constructor(random: Randomness, firstIndex: number) {
    this.#random = random;
    this.#index = firstIndex;
  }

  /** A number from 0, included, to 1, excluded. */
  next(): number {
    return this.#random.uniform(this.#index++);
  }

  between(low: number, high: number): number {
    return this.#random.between(this.#index++, low, high);
  }

  integer(low: number, high: number): number {
    return this.#random.integer(this.#index++, low, high);
  }

  happens(probability: number): boolean {
    return this.#random.happens(this.#index++, probability);
  }
}
