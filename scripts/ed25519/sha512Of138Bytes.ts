/**
 * The contract that hashes a message of 138 bytes with SHA-512: the message in, as calldata and without a selector, the
 * digest of 64 bytes out. Whoever calls it answers for the length. All rounds are written out, without a jump, so that
 * the only ways out are the digest and an exceptional halt.
 *
 * Words of the message schedule stand in memory 16 bytes apart. One MLOAD then has W_t and W_t+1 in two lanes of 128
 * bits, also for an odd t, so that the schedule computes the two at once.
 */
import { Assembler } from "./assembler.ts";
import { ROUNDS, roundConstant, VARIABLES, type Variable, WORD } from "./sha512Functions.ts";
import * as padded from "./sha512PaddedMessage.ts";
import { emitFirstRound, emitIntermediateHashValue, emitRounds, ONE_LANE, pushNumbers } from "./sha512Rounds.ts";
import { emitWords, inLanes, type KnownWords, type ScheduleLayout } from "./sha512Schedule.ts";

/** A word in memory and 8 bytes of zeros before it. */
const LANE_LENGTH = 16;

/** In memory: an empty lane, W_0 … W_79, and the intermediate hash value. */
const LAYOUT: ScheduleLayout = {
  highLane: 128n,
  address: (t) => BigInt(LANE_LENGTH * (1 + t)),
  lowWord: (t) => t + 1,
};
const hashValueAddress = (variable: Variable) => LAYOUT.address(ROUNDS) + 32n * BigInt(VARIABLES.indexOf(variable));

/** The digest's words are written with MSTORE, to the last 8 of 32 bytes: the first word to bytes 24-31. */
const DIGEST = 24n;

export function sha512Of138Bytes(): Uint8Array {
  const program = new Assembler();
  pushNumbers(program, inLanes(LAYOUT, WORD, WORD));

  for (let index = 0; index < padded.BLOCK_WORDS; index++) copyWord(program, index, padded.WORD_LENGTH);
  loadWord(program, 0);
  emitFirstRound(program, ONE_LANE);
  emitRounds(program, ONE_LANE, 1, (t) => addWordAndConstant(program, t, padded.KNOWN_IN_FIRST_BLOCK));
  emitIntermediateHashValue(program, ONE_LANE, hashValueAddress);

  // Of the known words, memory has to have only two, which are read beside W_1 and W_16: W_2, that is 0, and W_15.
  program
    .push(inLanes(LAYOUT, padded.BIT_AFTER_MESSAGE, 0n))
    .push(LAYOUT.address(1))
    .op("MSTORE");
  program
    .push(inLanes(LAYOUT, 0n, padded.LENGTH_IN_BITS))
    .push(LAYOUT.address(14))
    .op("MSTORE");
  copyWord(program, padded.BLOCK_WORDS, padded.WORD_LENGTH);
  copyWord(program, padded.BLOCK_WORDS + 1, padded.LAST_BYTES);
  emitRounds(program, ONE_LANE, 0, (t) => addWordAndConstant(program, t, padded.KNOWN_IN_SECOND_BLOCK));

  // Section 6.4.2, step 4. The last word comes first: garbage above a sum's 64 bits goes where the words before it will
  // be written, or before the digest.
  for (const [index, variable] of [...VARIABLES.entries()].reverse()) {
    program.evaluate(["ADD", variable, ["MLOAD", hashValueAddress(variable)]]);
    program.push(BigInt(padded.WORD_LENGTH * index)).op("MSTORE");
  }
  return program.push(64n).push(DIGEST).op("RETURN").assemble();
}

/** Copies the first bytes of a word of the message to its lane in memory, which keeps its other bytes. */
function copyWord(program: Assembler, index: number, length: number): void {
  const address = LAYOUT.address(index % padded.BLOCK_WORDS) + BigInt(LANE_LENGTH - padded.WORD_LENGTH);
  program
    .push(BigInt(length))
    .push(BigInt(padded.WORD_LENGTH * index))
    .push(address)
    .op("CALLDATACOPY");
}

/** Puts W_t on the top, with the word before it as garbage above: the 32 bytes that end where the lane of W_t ends. */
function loadWord(program: Assembler, t: number): void {
  program.push(LAYOUT.address(t - 1)).op("MLOAD");
}

/** Adds W_t + K_t to h, which is at the top. From W_16 on, an even round computes a pair, and the odd one finds it. */
function addWordAndConstant(program: Assembler, t: number, known: KnownWords): void {
  const constant = roundConstant(t);
  const word = known.get(t);
  if (word !== undefined) {
    program.push((word + constant) & WORD).op("ADD");
  } else if (t < padded.BLOCK_WORDS) {
    loadWord(program, t);
    program.op("ADD").push(constant).op("ADD");
  } else if (t % 2 === 0) {
    emitWords(program, LAYOUT, t, known);
    // W_t + K_t in the high lane, W_t+1 + K_t+1 in the low one. They stay below h until the next round.
    program
      .push(inLanes(LAYOUT, constant, roundConstant(t + 1)))
      .op("ADD", "pair")
      .swap("h");
    program.dup("pair").push(LAYOUT.highLane).op("SHR").op("ADD");
  } else {
    // The pair is right below h. Its high lane becomes garbage.
    program.op("ADD");
  }
}
