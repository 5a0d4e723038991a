/** S·B - h·A by the comb, in EVM instructions: see comb.ts for the method, pointFormulas.ts for the points. */
import type { Assembler, Expression } from "./assembler.ts";
import { type Comb, SIGNED_ENTRY_LENGTH } from "./comb.ts";
import { P } from "./edwards25519.ts";
import { ADDITION, DOUBLING, FIRST_ADDITION, LAST_ADDITION, POINT_ON_STACK } from "./pointFormulas.ts";
import { type Block, emitBlock } from "./schedule.ts";

/** The comb as a program has it: where the tables are, and how their entries are read. */
export interface CombInProgram {
  readonly comb: Comb;
  /** Columns that a turn of the loop takes; if it takes all but the first, there is no loop. */
  readonly columnsATurn: number;
  /** The instruction that copies an entry to memory, and the positions at which it finds the tables. */
  readonly copy: "CODECOPY" | "MCOPY";
  readonly tableAt: (point: PointName, table: number) => Expression;
  /** Where the corrections are found, by the same instruction: for B, for -A and for both, one behind the other. */
  readonly correctionsAt?: Expression;
  /** The address in memory to which the four entries of a column are copied. */
  readonly entries: bigint;
}

export type PointName = "B" | "-A";
const POINTS: readonly PointName[] = ["B", "-A"];

/** The slots of the points' folded scalars, and of what is left of them below the current columns. */
const SCALARS = { B: { whole: "cOfB", shifted: "shiftedB" }, "-A": { whole: "cOfA", shifted: "shiftedA" } } as const;

const WORD = 32n;
const LENGTH = BigInt(SIGNED_ENTRY_LENGTH);

/**
 * Computes the sum from the folded scalars in the slots `cOfB` and `cOfA`, and leaves it on the stack as a point before a
 * doubling, thus with E negated, above other things of which p, in the slot `p`, is the uppermost.
 */
export function emitMultiplication(a: Assembler, program: CombInProgram): void {
  const { comb, columnsATurn } = program;
  const first = comb.columns - 1;
  const isLoop = columnsATurn < first;
  comb.gatherings.forEach(({ rows, factor }, index) => {
    a.push(rows, `rows${index}`).push(factor, `factor${index}`);
  });
  if (isLoop) {
    a.push(BigInt(first), "column");
    for (const { whole, shifted } of Object.values(SCALARS)) a.evaluate(["SHR", "column", whole], shifted);
  }
  a.push(P, "p");

  // The first entry is where the sum starts: x = E/G and y = H/F with F = G = 1.
  readColumn(a, program, isLoop ? 0 : first);
  const [yMinusX, , yPlusX] = wordsOf(program, 0);
  const start: Readonly<Record<string, Expression>> = {
    E: ["ADD", ["MLOAD", yPlusX], ["SUB", "p", ["MLOAD", yMinusX]]],
    F: 1n,
    G: 1n,
    H: ["ADD", ["MLOAD", yPlusX], ["MLOAD", yMinusX]],
  };
  for (const name of POINT_ON_STACK) a.evaluate(start[name] ?? 0n, name);
  addEntries(a, program, 1, [ADDITION, ADDITION, LAST_ADDITION]);

  if (isLoop) {
    a.label("turn");
    a.assign("column", ["SUB", "column", BigInt(columnsATurn)]);
    for (const { whole, shifted } of Object.values(SCALARS)) a.assign(shifted, ["SHR", "column", whole]);
  }
  for (let column = columnsATurn - 1; column >= 0; column--) {
    readColumn(a, program, column);
    emitBlock(a, DOUBLING);
    addEntries(a, program, 0, [FIRST_ADDITION, ADDITION, ADDITION, LAST_ADDITION]);
  }
  if (isLoop) a.evaluate("column").jumpIf("turn");

  if (!comb.overflows) return;
  a.evaluate(["SHR", comb.bits, ["OR", "cOfB", "cOfA"]]).jumpIf("correct");
  a.label("corrected");
}

/**
 * One or both scalars overflowed the comb: adds the correction for B, for -A, or for both, which stand in this order. It
 * is negated as the sum is.
 */
export function emitCorrection(a: Assembler, program: CombInProgram, sum: readonly string[]): void {
  const { comb, copy, correctionsAt = 0n, entries } = program;
  a.label("correct", sum);
  const which: Expression = ["ADD", ["SHR", comb.bits, "cOfB"], ["SHL", 1n, ["SHR", comb.bits, "cOfA"]]];
  a.push(LENGTH).evaluate(["ADD", correctionsAt, ["MUL", LENGTH, ["SUB", which, 1n]]]);
  a.push(entries).op(copy);
  // The additions' order of the point differs from the doubling's by G and F.
  a.swap("G");
  addEntries(a, program, 0, [ADDITION]);
  a.swap("F");
  a.jump("corrected");
}

/** Copies the four entries that a column selects, counted from the one that the scalars are shifted to. */
function readColumn(a: Assembler, program: CombInProgram, column: number): void {
  const { comb, columnsATurn, copy, tableAt, entries } = program;
  let address = entries;
  for (const point of POINTS) {
    const { whole, shifted } = SCALARS[point];
    const scalar = columnsATurn < comb.columns - 1 ? shifted : whole;
    const bits: Expression = column === 0 ? scalar : ["SHR", BigInt(column), scalar];
    comb.gatherings.forEach(({ offsets }, index) => {
      a.push(LENGTH).evaluate(["MUL", `factor${index}`, ["AND", `rows${index}`, bits]], "product");
      offsets.forEach(({ table, shift, mask }, position) => {
        // The last offset uses the product up.
        if (position < offsets.length - 1) a.push(LENGTH).dup("product");
        a.push(shift).op("SHR");
        if (mask !== undefined) a.push(mask).op("AND");
        a.evaluate(tableAt(point, table)).op("ADD");
        a.push(address).op(copy);
        address += LENGTH;
      });
    });
  }
}

/** Adds the entries that have been read, from the given one on: as many as there are blocks. */
function addEntries(a: Assembler, program: CombInProgram, first: number, blocks: readonly Block[]): void {
  blocks.forEach((block, index) => {
    const [yMinusX, dxy, yPlusX] = wordsOf(program, first + index);
    emitBlock(a, block, { "(y-x)/2": yMinusX, dxy, "(y+x)/2": yPlusX });
  });
}

/** The addresses of an entry's (y-x)/2, d·x·y and (y+x)/2. */
function wordsOf({ entries }: CombInProgram, entry: number): readonly [bigint, bigint, bigint] {
  const address = entries + BigInt(entry) * LENGTH;
  return [address, address + WORD, address + 2n * WORD];
}
