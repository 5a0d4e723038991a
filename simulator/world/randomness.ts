import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const UINT32_VALUES = 4_294_967_296;

/**
 * Numbers that belong to a place in the world: the same seed, path and index give the same number, whatever was asked
 * before, in every process and on every platform.
 *
 * A path (`seed / "zip code" / "33139"`) is hashed with SHA-256, once, into the key of a keyed integer hash; each index
 * then costs some integer multiplications. That hash is for variety, not for secrets.
 *
 * What is made of these numbers keeps to `+ - * /` and `Math.sqrt`, whose results IEEE 754 fixes to the last bit;
 * `Math.log`, `Math.sin` and the like are left to each engine.
 */
export class Randomness {
  readonly #key: Uint8Array;
  readonly #first: number;
  readonly #second: number;

  private constructor(key: Uint8Array) {
    this.#key = key;
    const words = new DataView(key.buffer, key.byteOffset);
    this.#first = words.getUint32(0);
    this.#second = words.getUint32(4);
  }

  /** The root of all paths of a world. */
  static ofSeed(seed: string): Randomness {
    return new Randomness(sha256(utf8ToBytes(seed)));
  }

  /** The numbers of a place below this one. */
  branch(name: string | number | bigint): Randomness {
    return new Randomness(sha256(concatBytes(this.#key, utf8ToBytes(String(name)))));
  }

  /** A whole number from 0 to 2^32 − 1; `index` in the same range. */
  uint32(index: number): number {
    return mixed(mixed(index ^ this.#first) + this.#second) >>> 0;
  }

  /** A number from 0, included, to 1, excluded. */
  uniform(index: number): number {
    return this.uint32(index) / UINT32_VALUES;
  }

  /** A number between two bounds. */
  between(index: number, low: number, high: number): number {
    return low + (high - low) * this.uniform(index);
  }

  /** A whole number from `low` to `high`, both included. */
  integer(index: number, low: number, high: number): number {
    return low + Math.floor(this.uniform(index) * (high - low + 1));
  }

  /** Whether something of this probability happens. */
  happens(index: number, probability: number): boolean {
    return this.uniform(index) < probability;
  }

  /** One of several. */
  pick<Item>(index: number, items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.uniform(index) * items.length)] ?? items[0];
  }

  /**
   * One of the two whole numbers around `value`, the nearer the likelier, so that a mean of many is `value`: what turns
   * a share of a small count into a count.
   */
  rounded(index: number, value: number): number {
    return Math.floor(value + this.uniform(index));
  }

  /** A number from −1 to 1 that runs smoothly over `position`, through a random value at each whole one. */
  smooth(position: number): number {
    const start = Math.floor(position);
    const fraction = position - start;
    const [from, to] = [this.between(start, -1, 1), this.between(start + 1, -1, 1)];
    return from + (to - from) * fraction * fraction * (3 - 2 * fraction);
  }
}

/** A bijection of 32-bit words whose every output bit depends on every input bit: xorshift-multiply, three rounds. */
function mixed(word: number): number {
  let x = word | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return x ^ (x >>> 15);
}
