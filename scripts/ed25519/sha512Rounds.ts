/**
 * The eighty rounds of SHA-512 on the EVM's stack, for one message or, in two lanes, for two at once.
 *
 * **Words stand twice.** The 64-bit words a and e are held as x·(2^64 + 1), that is x in bits 0-63 and again in bits
 * 64-127. Then a rotation to the right is one SHR: bits 0-63 of `shr(n, twice)` are ROTR^n(x). Ch and Maj work on each
 * bit apart. Above bit 63, shifts and sums have garbage. It stays harmless, for no instruction used carries anything
 * downwards, until one AND and one multiplication make the sum a word that stands twice.
 *
 * **One lane.** Whatever becomes of the bits above bit 63, it is garbage. The mask is the one of the schedule, which has
 * a second lane (see sha512Schedule.ts): so a and e have garbage above bit 127 as well, and no rotation gets there.
 *
 * **Two lanes.** A word of the second lane stands from bit 131 on, and each instruction works for both lanes. Now the
 * low lane, bits 0-130, must not carry into the high one. So large can its parts get:
 *
 *     a … h                     at most 2^128 + 2^64: standing twice, or that and a word of the initial hash value
 *     Ch, Maj                   below 2^129: bits of such
 *     W_t, K_t                  below 2^66: they stand once, and the last sums of the schedule are not masked
 *     Σ0, Σ1                    any bits, as a shift moves the lowest bits of the high lane into the top of the low one;
 *                               therefore masked, and below 2^64
 *     e = h + Ch + d + (W_t + K_t + Σ1)              less than 3·2^129 + 2^68
 *     a = h + Ch + Maj + (W_t + K_t + Σ1 + Σ0)       less than 3·2^129 + 2^68
 *     one of these and a word of the hash value      less than 4·2^129 = 2^131
 *
 * The high lane has 125 bits: the word, and 61 bits of its second copy. Σ uses 41 of these, and σ1 (see
 * sha512Schedule.ts) all 61. The bits that are missing are never used, and a carry out of bit 255 is gone.
 *
 * **The stack** has slots with the standard's names. That b becomes a and so on moves nothing: the names move. Only the
 * new e takes the slot of d, and the new a that of h, when these two have been used.
 */
import type { Assembler, Expression } from "./assembler.ts";
import {
  BIG_SIGMA_0,
  BIG_SIGMA_1,
  type BigSigma,
  bigSigma,
  choose,
  INITIAL_HASH_VALUE,
  majority,
  ROUNDS,
  roundConstant,
  VARIABLES,
  type Variable,
  WORD,
} from "./sha512Functions.ts";

/** A word times this number stands twice. */
const TWICE = 2n ** 64n + 1n;

/** The lowest bit of the second lane. */
export const HIGH_LANE = 131n;

/** A word times this number stands in each lane. */
export const ONE_LANE = 1n;
export const TWO_LANES = 2n ** HIGH_LANE + 1n;
export type Lanes = typeof ONE_LANE | typeof TWO_LANES;

/** What a round's names are called in the next one. */
const NEXT_NAME: ReadonlyMap<string, string> = new Map([
  ["new a", "a"],
  ["a", "b"],
  ["b", "c"],
  ["c", "d"],
  ["new e", "e"],
  ["e", "f"],
  ["f", "g"],
  ["g", "h"],
  ["a ^ b", "b ^ c"],
]);

/** Pushes two numbers that are used so often that they stay on the stack, where a copy of them takes one byte of code. */
export function pushNumbers(program: Assembler, mask: bigint): void {
  program.push(mask, "mask").push(TWICE, "twice");
}

/** Makes the sum at the top a word that stands twice. */
function keepTwice(program: Assembler): void {
  program.dup("mask").op("AND").dup("twice").op("MUL");
}

function evaluateBigSigma(program: Assembler, lanes: Lanes, x: string, [first, second, third]: BigSigma): void {
  const sigma: Expression = ["XOR", ["SHR", first, x], ["XOR", ["SHR", second, x], ["SHR", third, x]]];
  program.evaluate(lanes === TWO_LANES ? ["AND", "mask", sigma] : sigma);
}

/**
 * Section 6.4.2, step 3: the rounds from one to the last. Before them h is at the top of the stack, and after them a.
 * @param addWordAndConstant Emits what adds W_t + K_t to the top.
 */
export function emitRounds(
  program: Assembler,
  lanes: Lanes,
  firstRound: number,
  addWordAndConstant: (t: number) => void,
): void {
  for (let t = firstRound; t < ROUNDS; t++) {
    // Out of the last round come sums, of which only the lowest 64 bits count.
    const finish = t < ROUNDS - 1 ? keepTwice : () => {};

    // T1 = h + Σ1(e) + Ch(e, f, g) + K_t + W_t, in place of h.
    addWordAndConstant(t);
    evaluateBigSigma(program, lanes, "e", BIG_SIGMA_1);
    program.op("ADD");
    program.evaluate(["XOR", "g", ["AND", "e", ["XOR", "f", "g"]]]).op("ADD", "T1");

    // e = d + T1. While d is at the top, T1 waits in its slot.
    program.dup("T1", "waiting T1").swap("d").op("ADD");
    finish(program);
    program.name("new e").swap("waiting T1");

    // a = T1 + Σ0(a) + Maj(a, b, c), in place of T1. Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and what is a ^ b in a
    // round is b ^ c in the next: it has a slot.
    evaluateBigSigma(program, lanes, "a", BIG_SIGMA_0);
    program.op("ADD");
    program.evaluate(["XOR", "a", "b"], "a ^ b").swap("b ^ c");
    program.dup("a ^ b").op("AND").dup("b").op("XOR").op("ADD");
    finish(program);
    program.name("new a");

    program.stack = program.stack.map((name) => NEXT_NAME.get(name) ?? name);
    // h comes to the top for the next round, and a goes to its slot.
    if (t < ROUNDS - 1) program.swap("h");
  }
}

/**
 * Round 0 of the first block, in which W_0 alone is unknown: the new a and e are sums of W_0 and a constant. Before it
 * W_0 is at the top of the stack, and after it h.
 */
export function emitFirstRound(program: Assembler, lanes: Lanes): void {
  const { a, b, c, d, e, f, g, h } = INITIAL_HASH_VALUE;
  const t1 = h + bigSigma(e, BIG_SIGMA_1) + choose(e, f, g) + roundConstant(0);
  const t2 = bigSigma(a, BIG_SIGMA_0) + majority(a, b, c);
  const constants = [d + t1, t1 + t2].map((sum) => (sum & WORD) * lanes) as [bigint, bigint];

  program.name("W_0").dup("W_0").push(constants[0]).op("ADD");
  keepTwice(program);
  program.name("e").swap("W_0").push(constants[1]).op("ADD");
  keepTwice(program);
  program.name("a");
  const others = { b: a, c: b, d: c, f: e, g: f, "b ^ c": a ^ b, h: g };
  for (const [name, word] of Object.entries(others)) program.push(word * lanes, name);
}

/**
 * Section 6.4.2, step 4, between two blocks: the variables and the initial hash value added up, which are kept in memory
 * as well, a word of 32 bytes each. Before it a is at the top of the stack, and after it h.
 */
export function emitIntermediateHashValue(
  program: Assembler,
  lanes: Lanes,
  address: (variable: Variable) => bigint,
): void {
  for (const variable of VARIABLES) {
    // The variable comes to the top, and the one before it goes to its slot.
    if (variable !== "a") program.swap(variable);
    program.push(INITIAL_HASH_VALUE[variable] * lanes).op("ADD");
    // The others are not rotated any more.
    if (variable === "a" || variable === "e") keepTwice(program);
    program.name(variable).dup(variable).push(address(variable)).op("MSTORE");
  }
  program.assign("b ^ c", ["XOR", "b", "c"]);
}
