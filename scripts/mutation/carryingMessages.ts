/**
 * Messages for which bits that SHA-512 in two lanes leaves above a word would carry into the other lane, if they were not
 * masked: see sha512Schedule.ts and sha512Rounds.ts. Chance never shows that; the words have to be made for it.
 */
import {
  BIG_SIGMA_0,
  BIG_SIGMA_1,
  bigSigma,
  choose,
  INITIAL_HASH_VALUE,
  majority,
  ROUNDS,
  roundConstant,
  SMALL_SIGMA_0,
  SMALL_SIGMA_1,
  smallSigma,
  WORD,
} from "../ed25519/sha512Functions.ts";

/** Of the messages here. */
const LENGTH = 138;

export type Words = readonly [high: bigint, low: bigint];

/** For σ0 and for σ1, the words of the two lanes from whose garbage a sum would carry. */
export function scheduleWordsThatCarry(highLane: bigint): readonly Words[] {
  return [SMALL_SIGMA_0, SMALL_SIGMA_1].map(({ rotations, shift }) =>
    wordsWithCarryingGarbage(rotations, shift, highLane),
  );
}

/**
 * For Σ0 and for Σ1, the W_0 of the two lanes. In round 1 the other terms of the sum are below 2^64, and a and e are W_0
 * and a constant each; later the other terms are so large that any message would show the fault.
 */
export function firstWordsThatCarry(highLane: bigint): readonly Words[] {
  const { a, b, c, d, e, f, g, h } = INITIAL_HASH_VALUE;
  const t1 = h + bigSigma(e, BIG_SIGMA_1) + choose(e, f, g) + roundConstant(0);
  const t2 = bigSigma(a, BIG_SIGMA_0) + majority(a, b, c);
  return (
    [
      [BIG_SIGMA_1, d + t1],
      [BIG_SIGMA_0, t1 + t2],
    ] as const
  ).map(([rotations, constant]) => {
    const [high, low] = wordsWithCarryingGarbage(rotations, undefined, highLane);
    return [(high - constant) & WORD, (low - constant) & WORD];
  });
}

/**
 * A message in whose first block's schedule W_t, and the words after it, are the given ones, and those around them are
 * the rest. W_t = σ1(W_t-2) + W_t-7 + σ0(W_t-15) + W_t-16 yields what comes before 16 words in a row.
 */
export function messageWithWords(rest: bigint, t: number, words: readonly bigint[]): Uint8Array {
  const first = Math.min(Math.max(t - 7, 0), ROUNDS - 16);
  const schedule = Array.from({ length: first + 16 }, (_, index) => words[index - t] ?? rest);
  const word = (index: number) => schedule[index] ?? 0n;
  for (let index = first - 1; index >= 0; index -= 1) {
    const others =
      smallSigma(word(index + 14), SMALL_SIGMA_1) + word(index + 9) + smallSigma(word(index + 1), SMALL_SIGMA_0);
    schedule[index] = (word(index + 16) - others) & WORD;
  }
  const hex = [...schedule.slice(0, 16), rest, rest].map((each) => each.toString(16).padStart(16, "0")).join("");
  return Uint8Array.from(Buffer.from(hex, "hex").subarray(0, LENGTH));
}

/**
 * The words of the high and the low lane for which the shifts of σ or Σ leave nothing but ones between the low lane's word
 * and the high lane: whatever is carried out of the word would run through them.
 *
 * The shifts are linear over the bits, so Gaussian elimination finds the words. Each row has the bits of some input and
 * the garbage that it makes, and no two rows' garbage has the same highest bit.
 */
function wordsWithCarryingGarbage(rotations: readonly bigint[], shift: bigint | undefined, highLane: bigint): Words {
  const ones = 2n ** (highLane - 64n) - 1n;
  const garbageOf = (input: bigint) => {
    const words = ((input >> 64n) << highLane) | (input & WORD);
    const twice = (words * (2n ** 64n + 1n)) % 2n ** 256n;
    const shifted = shift === undefined ? 0n : words >> shift;
    return (rotations.reduce((sum, count) => sum ^ (twice >> count), shifted) >> 64n) & ones;
  };
  const rows: { input: bigint; garbage: bigint }[] = [];
  const reduced = (input: bigint, garbage: bigint) =>
    rows.reduce(
      (left, row) =>
        (left.garbage ^ row.garbage) < left.garbage
          ? { input: left.input ^ row.input, garbage: left.garbage ^ row.garbage }
          : left,
      { input, garbage },
    );
  for (let bit = 0n; bit < 128n; bit += 1n) {
    const row = reduced(1n << bit, garbageOf(1n << bit));
    if (row.garbage !== 0n) rows.push(row);
  }
  const { input } = reduced(0n, ones);
  if (garbageOf(input) !== ones) throw new Error("no words leave nothing but ones");
  return [input >> 64n, input & WORD];
}
