/**
 * The contract that hashes two messages of 138 bytes at once with SHA-512: the messages in, one after the other, as
 * calldata and without a selector, their digests of 64 bytes out. Whoever calls it answers for the length. All rounds
 * are written out, without a jump, so that the only ways out are the digests and an exceptional halt.
 *
 * Each slot of the stack and each word of memory has the first message in its high lane, and the second in the low one.
 */
import { Assembler, type Expression } from "./assembler.ts";
import { roundConstant, VARIABLES, type Variable, WORD } from "./sha512Functions.ts";
import * as padded from "./sha512PaddedMessage.ts";
import {
  emitFirstRound,
  emitIntermediateHashValue,
  emitRounds,
  HIGH_LANE,
  pushNumbers,
  TWO_LANES,
} from "./sha512Rounds.ts";
import { emitWords, inLanes, type KnownWords, type ScheduleLayout } from "./sha512Schedule.ts";

/** In memory: the last 16 words of the schedule, as W_t takes the place of W_t-16, and the intermediate hash value. */
const LAYOUT: ScheduleLayout = {
  highLane: HIGH_LANE,
  address: (t) => 32n * BigInt(t % 16),
  lowWord: (t) => t,
};
const hashValueAddress = (variable: Variable) => 32n * BigInt(16 + VARIABLES.indexOf(variable));

/** The digests' words are written with MSTORE, to the last 8 of 32 bytes: the first word to bytes 24-31. */
const DIGESTS = 24n;
const DIGEST_LENGTH = 64;

export function sha512OfTwo138Bytes(): Uint8Array {
  const program = new Assembler();
  pushNumbers(program, inLanes(LAYOUT, WORD, WORD));

  emitWordOfMessages(program, 0);
  emitFirstRound(program, TWO_LANES);
  emitRounds(program, TWO_LANES, 1, (t) => addWordAndConstant(program, 0, t, padded.KNOWN_IN_FIRST_BLOCK));
  emitIntermediateHashValue(program, TWO_LANES, hashValueAddress);
  const secondBlock = padded.BLOCK_WORDS;
  emitRounds(program, TWO_LANES, 0, (t) => addWordAndConstant(program, secondBlock, t, padded.KNOWN_IN_SECOND_BLOCK));

  // Section 6.4.2, step 4.
  const sumOf = (variable: Variable) => `sum of ${variable}`;
  for (const variable of VARIABLES) {
    program.evaluate(["ADD", variable, ["MLOAD", hashValueAddress(variable)]], sumOf(variable));
  }
  // The last words come first: garbage above a sum's 64 bits goes where the words before it will be written, or before
  // the first digest. That digest is in the high lane.
  const writeDigest = (position: number, word: (variable: Variable) => Expression) => {
    for (const [index, variable] of [...VARIABLES.entries()].reverse()) {
      program
        .evaluate(word(variable))
        .push(BigInt(position + padded.WORD_LENGTH * index))
        .op("MSTORE");
    }
  };
  writeDigest(DIGEST_LENGTH, sumOf);
  writeDigest(0, (variable) => ["SHR", HIGH_LANE, sumOf(variable)]);
  return program
    .push(BigInt(2 * DIGEST_LENGTH))
    .push(DIGESTS)
    .op("RETURN")
    .assemble();
}

/** Puts a word of both messages on the top, and into memory. */
function emitWordOfMessages(program: Assembler, index: number): void {
  const isLast = index === padded.BLOCK_WORDS + 1;
  const length = isLast ? padded.LAST_BYTES : padded.WORD_LENGTH;
  const padding = BigInt(8 * (padded.WORD_LENGTH - length));
  const bytesOf = (message: number): Expression => {
    const position = padded.MESSAGE_LENGTH * message + padded.WORD_LENGTH * index;
    return ["SHR", BigInt(256 - 8 * length), ["CALLDATALOAD", BigInt(position)]];
  };
  const low: Expression = isLast ? ["SHL", padding, bytesOf(1)] : bytesOf(1);
  program.evaluate(["OR", ["SHL", HIGH_LANE + padding, bytesOf(0)], low]);
  if (isLast) program.push(padded.BIT_AFTER_MESSAGE * TWO_LANES).op("OR");
  program.dup(1).push(LAYOUT.address(index)).op("MSTORE");
}

/** Adds W_t + K_t of a block, which begins with a word of the messages, to the top. */
function addWordAndConstant(program: Assembler, firstWord: number, t: number, known: KnownWords): void {
  const word = known.get(t);
  if (word === undefined) {
    if (t < padded.BLOCK_WORDS) emitWordOfMessages(program, firstWord + t);
    else emitWords(program, LAYOUT, t, known);
    program.op("ADD");
  }
  program.push(((roundConstant(t) + (word ?? 0n)) & WORD) * TWO_LANES).op("ADD");
}
