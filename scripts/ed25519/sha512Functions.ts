/**
 * SHA-512 on plain numbers, as FIPS 180-4 defines it: the constants, and the functions with which the generators of
 * bytecode compute beforehand what is the same for all messages.
 */

/** All bits of a 64-bit word. */
export const WORD = 2n ** 64n - 1n;

/** The number of rounds, and of words in a message schedule. */
export const ROUNDS = 80;

/** The working variables. */
export const VARIABLES = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
export type Variable = (typeof VARIABLES)[number];

/** Σ0 and Σ1 (4.10, 4.11): how far each of three copies of the word is rotated to the right. */
export const BIG_SIGMA_0 = [28n, 34n, 39n] as const;
export const BIG_SIGMA_1 = [14n, 18n, 41n] as const;
export type BigSigma = typeof BIG_SIGMA_0 | typeof BIG_SIGMA_1;

/** σ0 and σ1 (4.12, 4.13): how far two copies of the word are rotated to the right, and a third one is shifted. */
export const SMALL_SIGMA_0 = { rotations: [1n, 8n], shift: 7n } as const;
export const SMALL_SIGMA_1 = { rotations: [19n, 61n], shift: 6n } as const;
export type SmallSigma = typeof SMALL_SIGMA_0 | typeof SMALL_SIGMA_1;

export function bigSigma(x: bigint, rotations: BigSigma): bigint {
  return rotations.reduce((sum, count) => sum ^ rotateRight(x, count), 0n);
}

export function smallSigma(x: bigint, { rotations, shift }: SmallSigma): bigint {
  return rotations.reduce((sum, count) => sum ^ rotateRight(x, count), x >> shift);
}

function rotateRight(x: bigint, count: bigint): bigint {
  return ((x >> count) | (x << (64n - count))) & WORD;
}

/** Ch (4.8). */
export function choose(x: bigint, y: bigint, z: bigint): bigint {
  return z ^ (x & (y ^ z));
}

/** Maj (4.9). */
export function majority(x: bigint, y: bigint, z: bigint): bigint {
  return y ^ ((x ^ y) & (y ^ z));
}

/** K_t (section 4.2.3): the first 64 bits of the fractional part of the cube root of a prime. */
export function roundConstant(t: number): bigint {
  return fractionOfRoot(prime(t), 3n);
}

/** H_0 … H_7 (section 5.3.5), with which the variables begin: the same of the square roots of the first primes. */
export const INITIAL_HASH_VALUE = Object.fromEntries(
  VARIABLES.map((variable, index) => [variable, fractionOfRoot(prime(index), 2n)]),
) as Readonly<Record<Variable, bigint>>;

/** The prime with the index, 2 being the one with index 0. */
function prime(index: number): bigint {
  let candidate = 2n;
  for (const smaller: bigint[] = []; smaller.length <= index; candidate++) {
    if (smaller.every((divisor) => candidate % divisor !== 0n)) smaller.push(candidate);
  }
  return candidate - 1n;
}

/** The largest integer whose power is at most value·2^(64·degree) is the root's beginning, with 64 fractional bits. */
function fractionOfRoot(value: bigint, degree: bigint): bigint {
  let root = 0n;
  for (let bit = 2n ** 68n; bit > 0n; bit >>= 1n) {
    if ((root | bit) ** degree <= value << (64n * degree)) root |= bit;
  }
  return root & WORD;
}
