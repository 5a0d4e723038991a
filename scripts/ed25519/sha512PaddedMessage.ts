/**
 * A message of 138 bytes as SHA-512 pads it (FIPS 180-4, section 5.1.2): 32 words in two blocks. Words 0 to 16 are full
 * of the message, word 17 has its last two bytes and the bit 1, then come zeros, and word 31 is the length in bits.
 *
 * The 138 bytes are R and A of an Ed25519 signature, 32 bytes each, and a message of 74.
 */
import type { KnownWords } from "./sha512Schedule.ts";

export const MESSAGE_LENGTH = 138;

/** Bytes of a word, and words of a block. */
export const WORD_LENGTH = 8;
export const BLOCK_WORDS = 16;

/** How many bytes of the message its last word has, and the bit 1 behind them. */
export const LAST_BYTES = MESSAGE_LENGTH % WORD_LENGTH;
export const BIT_AFTER_MESSAGE = 1n << BigInt(8 * (WORD_LENGTH - LAST_BYTES) - 1);

/** The words, by their index in the block, that are the same in all messages: none in the first block. */
export const LENGTH_IN_BITS = BigInt(8 * MESSAGE_LENGTH);
export const KNOWN_IN_FIRST_BLOCK: KnownWords = new Map();
export const KNOWN_IN_SECOND_BLOCK: KnownWords = new Map(
  Array.from({ length: 14 }, (_, index) => [2 + index, index === 13 ? LENGTH_IN_BITS : 0n]),
);
