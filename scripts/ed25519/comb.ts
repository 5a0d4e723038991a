/**
 * The fixed-base signed comb: which table entries a scalar selects.
 *
 * Let n be the comb's bits, columns times rows. With 2^n - 1 = Σ 2^i over i = 0 … n - 1, every odd number
 * k = 2c - (2^n - 1), 0 ≤ c < 2^n, is a sum of n terms ±2^i, the sign of each being a bit of c. As B and A are of order L,
 * k need only equal the scalar s modulo L, and so
 *
 *     c = (s + 2^n - 1)/2 mod L.
 *
 * L is a little above 2^252. If n is 252, so may c be. Then c's lower 252 bits miss 2·2^252 of k, and 2^253 times the
 * point is added in the end. Chance shows this case once in 2^127 scalars, but the rule of RFC 8032 has no exceptions.
 *
 * The bits are laid out as a matrix: bit columns·m + j is in row m, column j. Two tables serve half of the rows each,
 * the lower table the lower rows: in each column, the bits of its rows select one of its entries. Column by column from
 * the left, the sum so far is doubled and the entries are added (Lim and Lee, "More flexible exponentiation with
 * precomputation", 1994; with digits that are never 0: Hamburg, "Fast and compact elliptic-curve cryptography", 2012).
 */
import { add, D, modulo, multiply, NEUTRAL, negate, ORDER, P, type Point } from "./edwards25519.ts";

/** Tables of a point. */
export const TABLES = 2;

const WORD_LENGTH = 32;
/** Bytes of a table entry: five words. */
const ENTRY_LENGTH = 5 * WORD_LENGTH;
/** Bytes that are read of an entry: three words, from the first or from the third on. */
export const SIGNED_ENTRY_LENGTH = 3 * WORD_LENGTH;

/** 1/2 mod p, and 1/2 mod L. */
const HALF = (P + 1n) / 2n;
export const HALF_MOD_ORDER = (ORDER + 1n) / 2n;
/** 2^256/2 mod L, for the upper half of a scalar of 512 bits. */
export const HALF_OF_2_256_MOD_ORDER = modulo(2n ** 255n, ORDER);

/** A column's bits in all the rows of one table or of both, brought together by one multiplication. */
export interface Gathering {
  /** Column 0: a bit in each of the rows. */
  readonly rows: bigint;
  readonly factor: bigint;
  /** The product shifted down by this, and masked where there is a mask, is an offset in bytes into the table. */
  readonly offsets: readonly { readonly table: number; readonly shift: bigint; readonly mask?: bigint }[];
}

export class Comb {
  readonly columns: number;
  /** n. */
  readonly bits: bigint;
  /** (2^n - 1)/2 mod L: c is half the scalar plus this. */
  readonly halfOffset: bigint;
  /**
   * The highest row of each table holds the sign of the whole entry: the other bits are folded so that they count in
   * relation to it. c is folded by XOR with ((c & signRows) >> signShift)·spread, which inverts the bits below a 1.
   */
  readonly signRows: bigint;
  readonly signShift: bigint;
  readonly spread: bigint;
  readonly gatherings: readonly Gathering[];
  /** Bytes of a table. */
  readonly tableLength: number;
  /** Rows that one table serves. */
  private readonly teeth: number;

  constructor({ columns, teeth }: { columns: number; teeth: number }) {
    this.columns = columns;
    this.teeth = teeth;
    this.bits = BigInt(columns * teeth * TABLES);
    this.halfOffset = modulo((2n ** this.bits - 1n) * HALF_MOD_ORDER, ORDER);
    this.signRows = sumOf(TABLES, (table) => (this.row(1) - 1n) * this.row(teeth * table + teeth - 1));
    this.signShift = BigInt(columns * (teeth - 1));
    this.spread = sumOf(teeth - 1, (tooth) => this.row(tooth));
    this.gatherings = this.gather();
    this.tableLength = ENTRY_LENGTH * 2 ** (teeth - 1);
  }

  /** Whether c may be too large for the matrix. */
  get overflows(): boolean {
    return ORDER > 2n ** this.bits;
  }

  /**
   * One of a point's tables: with Q = 2^(columns·teeth·table)·point, entry i, of bits i_0, i_1, …, is
   *
   *     2^(columns·(teeth - 1))·Q + Σ (1 - 2·i_t)·2^(columns·t)·Q over t = 0 … teeth - 2.
   */
  tableOf(point: Point, table: number): Uint8Array {
    const base = multiply(this.row(this.teeth * table), point);
    const teeth = Array.from({ length: this.teeth }, (_, tooth) => multiply(this.row(tooth), base));
    const entries = Array.from({ length: 2 ** (this.teeth - 1) }, (_, index) =>
      teeth.map((tooth, t) => ((index >> t) & 1 ? negate(tooth) : tooth)).reduce(add, NEUTRAL),
    );
    return joined(entries.map(entryOf));
  }

  /** What is added when a point's scalar overflows the matrix, -2·2^n times the point, as addition takes it. */
  correctionOf(point: Point): Uint8Array {
    return entryOf(multiply(2n * 2n ** this.bits, point)).subarray(0, SIGNED_ENTRY_LENGTH);
  }

  /**
   * The offset of an entry is 160·index + 64·sign = 32·(5·index + 2·sign). The factor has, for each row m of a table, the
   * row's weight in this sum at bit place - columns·m, so that the bit 2^(columns·m) of the column brings the weight to the
   * place. What other pairs of row and weight make lands whole multiples of `columns` bits from the place: sums of
   * different weights of one table, so as wide at most as the largest offset. With the place at the top, what is above it
   * is gone, past bit 255; and if `columns` is 5 more than the width, the next five bits below are zero. So the product
   * shifted down to five bits below the place is the offset in bytes.
   *
   * If there is room for both tables' sums within `columns` bits, one factor serves both tables: the lower one's place is
   * below those five bits, and its own five are masked off, for there the upper one's next sum begins.
   */
  private gather(): readonly Gathering[] {
    const width = (5 * (2 ** (this.teeth - 1) - 1) + 2).toString(2).length;
    const upper = 256 - width;
    const lower = upper - 5 - width;
    const rowsOf = (table: number) => Array.from({ length: this.teeth }, (_, tooth) => this.teeth * table + tooth);
    const factorOf = (table: number, place: number) =>
      rowsOf(table).reduce((sum, row, tooth) => {
        const weight = tooth === this.teeth - 1 ? 2n : 5n << BigInt(tooth);
        return sum + (weight << BigInt(place - this.columns * row));
      }, 0n);
    const [lowerRows = 0n, upperRows = 0n] = [0, 1].map((table) =>
      rowsOf(table).reduce((sum, row) => sum + this.row(row), 0n),
    );
    if (2 * width + 5 <= this.columns) {
      const mask = ((1n << BigInt(width)) - 1n) << 5n;
      return [
        {
          rows: lowerRows + upperRows,
          factor: factorOf(0, lower) + factorOf(1, upper),
          offsets: [
            { table: 1, shift: BigInt(upper - 5) },
            { table: 0, shift: BigInt(lower - 5), mask },
          ],
        },
      ];
    }
    if (width + 5 > this.columns) throw new Error("the offsets of neighbouring columns overlap");
    return [lowerRows, upperRows].map((rows, table) => ({
      rows,
      factor: factorOf(table, upper),
      offsets: [{ table, shift: BigInt(upper - 5) }],
    }));
  }

  /** The first bit of a row. */
  private row(row: number): bigint {
    return 1n << BigInt(this.columns * row);
  }
}

/** The comb of a verifier: its tables fit into the code of one contract, beside the program (10,240 bytes a point). */
export const VERIFIER_COMB = new Comb({ columns: 21, teeth: 6 });

/** The comb of large batches: its tables are worth their loading from many signatures on (40,960 bytes a point). */
export const BATCH_COMB = new Comb({ columns: 16, teeth: 8 });

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

function sumOf(count: number, term: (index: number) => bigint): bigint {
  return Array.from({ length: count }, (_, index) => term(index)).reduce((sum, value) => sum + value, 0n);
}
