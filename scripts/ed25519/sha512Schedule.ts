/**
 * The message schedule of SHA-512 on the EVM, two words at a time.
 *
 * Two words are held in two lanes: one in bits 0-63, the other in 64 bits from bit 128 or 131 on, and all other bits are
 * 0. Which two go together is up to the program. All four terms of
 *
 *     W_t = σ1(W_t-2) + W_t-7 + σ0(W_t-15) + W_t-16      (section 6.4.2, step 1)
 *
 * are computed for both at once. σ takes its rotations from the words written twice, as the rounds do (see
 * sha512Rounds.ts), and its plain shift from the words as they are. The largest rotation is 61, so that 125 bits are
 * enough for the high lane: it may begin at bit 131.
 *
 * Shifted words leave garbage above bit 63 of the low lane, as high as to the lowest bit of the high one. There are
 * messages for which a sum with that garbage would carry into the high lane, so σ is masked. Then the four terms are
 * below 2^64 each, and their sum is below 2^66 until it is masked too.
 */
import type { Assembler } from "./assembler.ts";
import { SMALL_SIGMA_0, SMALL_SIGMA_1, type SmallSigma, smallSigma, WORD } from "./sha512Functions.ts";

export interface ScheduleLayout {
  /** The lowest bit of the high lane. */
  readonly highLane: bigint;
  /** Where in memory the two words are of which the high lane's is W_t. */
  readonly address: (t: number) => bigint;
  /** Which word the low lane's is, if the high lane's is W_t: W_t of another message, or another word of the same. */
  readonly lowWord: (t: number) => number;
}

/** The words, by t, that are the same in all messages. */
export type KnownWords = ReadonlyMap<number, bigint>;

export function inLanes({ highLane }: ScheduleLayout, high: bigint, low: bigint): bigint {
  return (high << highLane) | low;
}

/** W_t is the sum of these: of the word so many before it, or of σ of that word. */
const TERMS: readonly { readonly distance: number; readonly sigma?: SmallSigma }[] = [
  { distance: 2, sigma: SMALL_SIGMA_1 },
  { distance: 7 },
  { distance: 15, sigma: SMALL_SIGMA_0 },
  { distance: 16 },
];

/** The last word of which another one is made. */
const LAST_WORD_NEEDED = 77;

/** Computes W_t and the word beside it onto the top, and stores them if other words are made of them. */
export function emitWords(program: Assembler, layout: ScheduleLayout, t: number, known: KnownWords): void {
  let terms = 0;
  let [constantHigh, constantLow] = [0n, 0n];
  for (const { distance, sigma } of TERMS) {
    const high = known.get(t - distance);
    const low = known.get(layout.lowWord(t - distance));
    if (high !== undefined && low !== undefined) {
      // Terms that are known make one constant.
      constantHigh += sigma === undefined ? high : smallSigma(high, sigma);
      constantLow += sigma === undefined ? low : smallSigma(low, sigma);
    } else {
      program.push(layout.address(t - distance)).op("MLOAD");
      if (sigma !== undefined) emitSmallSigma(program, sigma);
      if (terms > 0) program.op("ADD");
      terms += 1;
    }
  }
  const constant = inLanes(layout, constantHigh & WORD, constantLow & WORD);
  if (constant !== 0n) program.push(constant).op("ADD");
  if (t > LAST_WORD_NEEDED) return;
  // A term alone is masked.
  if (terms > 1 || constant !== 0n) program.dup("mask").op("AND");
  program.dup(1).push(layout.address(t)).op("MSTORE");
}

/**
 * Makes the words at the top σ0 or σ1 of them. As ROTR^m ^ ROTR^n = ROTR^m(x ^ ROTR^(n - m)(x)), the copy that is
 * written twice is used up by its last shift.
 */
function emitSmallSigma(program: Assembler, { rotations: [first, second], shift }: SmallSigma): void {
  const difference = second - first;
  program.name("words").dup("words").dup("twice").op("MUL");
  program.dup(1).push(difference).op("SHR").op("XOR").push(first).op("SHR");
  program.swap("words").push(shift).op("SHR").op("XOR");
  program.dup("mask").op("AND");
}
