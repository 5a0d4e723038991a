/**
 * The fixed-base signed comb: which table entries a scalar selects.
 *
 * With 2^252 - 1 = Σ 2^i over i = 0 … 251, every odd number k = 2c - (2^252 - 1), 0 ≤ c < 2^252, is a sum of 252 terms
 * ±2^i, the sign of each being a bit of c. As B and A are of order L, k need only equal the scalar s modulo L, and so
 *
 *     c = (s + 2^252 - 1)/2 mod L.
 *
 * L is a little above 2^252, and so may c be. Then c's lower 252 bits miss 2·2^252 of k, and 2^253 times the point is
 * added in the end. Chance shows this case once in 2^127 scalars, but the rule of RFC 8032 has no exceptions.
 *
 * The bits are laid out as a matrix of 12 rows of 21 columns: bit 21·m + j is in row m, column j. In each column, the
 * bits of rows 0 … 5 select an entry of one table, those of rows 6 … 11 an entry of another: see `tableOf`. Column by
 * column from the left, the sum so far is doubled and the entries are added (Lim and Lee, "More flexible exponentiation
 * with precomputation", 1994; with digits that are never 0: Hamburg, "Fast and compact elliptic-curve cryptography", 2012).
 */
import { add, D, modulo, multiply, NEUTRAL, negate, ORDER, P, type Point } from "./edwards25519.ts";

/** Columns of the matrix. */
export const COLUMNS = 21;
/** Rows that one table serves. */
const TEETH = 6;
/** Tables of a point: the lower serves rows 0 … 5, the upper rows 6 … 11. */
const TABLES = 2;

const BITS = BigInt(COLUMNS * TEETH * TABLES);
const ROWS = TEETH * TABLES;

const WORD_LENGTH = 32;
/** Bytes of a table entry: five words. */
const ENTRY_LENGTH = 5 * WORD_LENGTH;
/** Bytes that are read of an entry: three words, from the first or from the third on. */
export const SIGNED_ENTRY_LENGTH = 3 * WORD_LENGTH;
/** Bytes of a table. */
export const TABLE_LENGTH = ENTRY_LENGTH * 2 ** (TEETH - 1);

/** 1/2 mod p. */
const HALF = (P + 1n) / 2n;

/** 2^252 - 1, and 1/2 mod L: c is their product with the sum of s and the first. */
export const OFFSET = 2n ** BITS - 1n;
export const HALF_MOD_ORDER = (ORDER + 1n) / 2n;

/** For a scalar of 512 bits: what its upper half is multiplied by, 2^256/2 mod L, and what the offset adds to c. */
export const HALF_OF_2_256_MOD_ORDER = modulo(2n ** 255n, ORDER);
export const HALF_OFFSET = modulo(OFFSET * HALF_MOD_ORDER, ORDER);

/** Column 0: a bit in each row. */
export const ROW_BITS = sumOf(ROWS, startOfRow);

/**
 * The highest row of each table holds the sign of the whole entry: the other bits are folded so that they count in
 * relation to it. c is folded by XOR with ((c & SIGN_ROWS) >> SIGN_SHIFT)·SPREAD, which inverts the bits below a 1.
 */
export const SIGN_ROWS = sumOf(TABLES, (table) => (startOfRow(1) - 1n) * startOfRow(TEETH * table + TEETH - 1));
export const SIGN_SHIFT = BigInt(COLUMNS * (TEETH - 1));
export const SPREAD = sumOf(TEETH - 1, startOfRow);

/**
 * One multiplication by GATHER brings a column's bits together: bits 248 … 255 of the product are the offset of the upper
 * table's entry, bits 235 … 242 that of the lower one's, in words of 32 bytes: 5·index + 2·sign, at most 157.
 *
 * GATHER has, for each row m of a table, the row's weight at bit (place - 21·m), so that the bit 2^(21·m) of the column
 * brings the weight to the place. What other pairs of row and weight make lands whole multiples of 21 bits from the
 * place: sums of different weights of one table, each below 2^8, so eight bits wide as well. Those of the upper
 * table lie at 248 - 21·k … 255 - 21·k, those of the lower at 235 ± 21·k … 242 ± 21·k: none of them overlap, none
 * carries, and what is above bit 255 is gone. Bits 243 … 247 stay zero, so that the upper offset, shifted down by 243, is
 * a number of bytes. Of the lower one, shifted down by 230, the five lowest bits are masked off.
 */
const UPPER_PLACE = 248;
const LOWER_PLACE = 235;
export const GATHER = sumOf(ROWS, (row) => {
  const tooth = row % TEETH;
  const weight = tooth === TEETH - 1 ? 2n : 5n << BigInt(tooth);
  return weight << BigInt((row < TEETH ? LOWER_PLACE : UPPER_PLACE) - COLUMNS * row);
});
export const UPPER_SHIFT = BigInt(UPPER_PLACE - 5);
export const LOWER_SHIFT = BigInt(LOWER_PLACE - 5);
export const LOWER_MASK = 0xffn << 5n;

/** c shifted down by this is 1 if the matrix has no room for it. */
export const OVERFLOW_SHIFT = BITS;

/**
 * One of a point's tables: with Q = 2^(126·table)·point, entry i, of bits i_0 … i_4, is
 *
 *     2^105·Q + Σ (1 - 2·i_t)·2^(21·t)·Q over t = 0 … 4.
 */
export function tableOf(point: Point, table: number): Uint8Array {
  const base = multiply(1n << BigInt(COLUMNS * TEETH * table), point);
  const teeth = Array.from({ length: TEETH }, (_, tooth) => multiply(1n << BigInt(COLUMNS * tooth), base));
  const entries = Array.from({ length: 2 ** (TEETH - 1) }, (_, index) =>
    teeth.map((tooth, t) => ((index >> t) & 1 ? negate(tooth) : tooth)).reduce(add, NEUTRAL),
  );
  return joined(entries.map(entryOf));
}

/** What is added when a point's scalar overflows the matrix, -2^253 times the point, as addition takes it. */
export function correctionOf(point: Point): Uint8Array {
  return entryOf(multiply(2n * 2n ** BITS, point)).subarray(0, SIGNED_ENTRY_LENGTH);
}

/**
 * (y+x)/2, -d·x·y, (y-x)/2, d·x·y, (y+x)/2: the last three words are what addition takes for the point, the first three what
 * it takes for the negated point. So a sign is 64 bytes of offset.
 */
function entryOf({ x, y }: Point): Uint8Array {
  const t = D * x * y;
  return joined([HALF * (y + x), -t, HALF * (y - x), t, HALF * (y + x)].map(wordOf));
}

function wordOf(number: bigint): Uint8Array {
  return Buffer.from(
    modulo(number)
      .toString(16)
      .padStart(2 * WORD_LENGTH, "0"),
    "hex",
  );
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function startOfRow(row: number): bigint {
  return 1n << BigInt(COLUMNS * row);
}

function sumOf(count: number, term: (index: number) => bigint): bigint {
  return Array.from({ length: count }, (_, index) => term(index)).reduce((sum, value) => sum + value, 0n);
}
