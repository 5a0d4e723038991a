/**
 * The parts of the generated contracts, by which mutants are spread and reported.
 *
 * Sections of a program are found in the bytecode itself, by landmarks that do not depend on positions: so the check
 * works on what is deployed, and needs no generator.
 */
import { HALF_MOD_ORDER, HALF_OF_2_256_MOD_ORDER } from "../ed25519/comb.ts";
import { INITIAL_HASH_VALUE } from "../ed25519/sha512Functions.ts";
import { TWO_LANES } from "../ed25519/sha512Rounds.ts";
import { type DecodedInstruction, decodeInstructions } from "./instructions.ts";

/** The contracts whose code is generated. */
export const CONTRACTS = [
  "verifier",
  "batchVerifier",
  "lowerTableOfBase",
  "upperTableOfBase",
  "lowerTableOfKey",
  "upperTableOfKey",
  "sha512Of138Bytes",
  "sha512OfTwo138Bytes",
] as const;
export type Contract = (typeof CONTRACTS)[number];

/** A part of a program. */
export interface CodeSection {
  readonly name: string;
  readonly instructions: readonly DecodedInstruction[];
}

/** Words of 32 bytes behind a verifier's program. */
export interface DataSection {
  readonly name: string;
  readonly start: number;
  readonly words: number;
}

/** Whether an instruction is the one that is looked for. */
type Landmark = (instruction: DecodedInstruction) => boolean;

const operation =
  (name: string): Landmark =>
  (instruction) =>
    instruction.name === name;
const push =
  (value: bigint): Landmark =>
  (instruction) =>
    instruction.value === value;
const jumpTarget = operation("JUMPDEST");

/** Column 0 of the combs: a bit in each row of 21 columns; and in each row that one table serves, of 16 columns. */
const ROWS = sumOfPowers(12, 21n);
const ROWS_OF_BATCH_TABLE = sumOfPowers(8, 16n);

function sumOfPowers(count: number, columns: bigint): bigint {
  return Array.from({ length: count }, (_, row) => 1n << (columns * BigInt(row))).reduce((sum, bit) => sum + bit);
}

/** A section and the landmarks on the way to its beginning, counted from the beginning of the section before. */
type SectionByLandmarks = readonly [name: string, ...landmarks: Landmark[]];

const jumpTargets = (count: number) => new Array<Landmark>(count).fill(jumpTarget);

/** What both verifiers have in common: see verdict.ts. */
const VERDICT: readonly SectionByLandmarks[] = [
  ["check of the hint", operation("ISZERO")],
  ["S below L", jumpTarget],
  ["scalar of B", push(HALF_MOD_ORDER)],
  ["scalar of -A, lower half", operation("MLOAD")],
  ["scalar of -A, upper half", operation("MLOAD")],
  ["scalar of -A, sum", push(HALF_OF_2_256_MOD_ORDER)],
];

const SECTIONS: Readonly<Partial<Record<Contract, readonly SectionByLandmarks[]>>> = {
  verifier: [
    ["dispatch"],
    ["public key", ...jumpTargets(2)],
    ["single", jumpTarget],
    ["batch", ...jumpTargets(4)],
    ["small batch", ...jumpTargets(3)],
    ["large batch", ...jumpTargets(8)],
    ["hashing", ...jumpTargets(2)],
    ["encoding of R", jumpTarget],
    ...VERDICT,
    ["first column", push(ROWS)],
    ["loop", jumpTarget],
    ["comparison with the hint", jumpTarget],
    ["comparison of encodings", jumpTarget],
    ["correction", jumpTarget],
    ["other verdicts", jumpTarget],
    ["errors", ...jumpTargets(2)],
  ],
  batchVerifier: [
    ["loading of tables"],
    ["loop over records", jumpTarget],
    ["encoding of R", ...jumpTargets(5)],
    ...VERDICT,
    ["columns", push(ROWS_OF_BATCH_TABLE)],
    ["comparison with the hint", operation("ISZERO")],
    ["comparison of encodings", jumpTarget],
    ["other verdicts", jumpTarget],
    ["failure", ...jumpTargets(2)],
  ],
  sha512Of138Bytes: [
    ["first block"],
    // The initial hash value is pushed before the first block, and added behind it.
    ["second block", push(INITIAL_HASH_VALUE.a), push(INITIAL_HASH_VALUE.a)],
    // Where the digest's last word is written.
    ["digest", push(56n)],
  ],
  sha512OfTwo138Bytes: [
    ["first block"],
    ["second block", push(INITIAL_HASH_VALUE.a * TWO_LANES), push(INITIAL_HASH_VALUE.a * TWO_LANES)],
    ["digests", push(120n)],
  ],
};

const WORD_LENGTH = 32;

/** Entries of five words. */
const VERIFIER_TABLE = 5 * 32;
const BATCH_TABLE = 5 * 128;

/** The words at the end of a contract's code, behind its program: see verifierProgram.ts and batchVerifierProgram.ts. */
const DATA: Readonly<Partial<Record<Contract, readonly (readonly [name: string, words: number])[]>>> = {
  verifier: [
    ["tables of B", 2 * VERIFIER_TABLE],
    ["corrections", 3 * 3],
    ["tables of -A", 2 * VERIFIER_TABLE],
    ["key", 1],
    ["addresses", 5],
  ],
  lowerTableOfBase: [["lower table of B", BATCH_TABLE]],
  upperTableOfBase: [["upper table of B", BATCH_TABLE]],
  lowerTableOfKey: [
    ["lower table of -A", BATCH_TABLE],
    ["key", 1],
    ["addresses", 5],
  ],
  upperTableOfKey: [["upper table of -A", BATCH_TABLE]],
};

/** The data of a contract. */
export function dataSectionsOf(contract: Contract, code: Uint8Array): DataSection[] {
  const sections = DATA[contract] ?? [];
  let start = code.length - WORD_LENGTH * sections.reduce((sum, [, words]) => sum + words, 0);
  return sections.map(([name, words]) => {
    const section = { name, start, words };
    start += WORD_LENGTH * words;
    return section;
  });
}

/** The sections of a contract's program. Throws if a landmark is missing, as the program is then not as is said here. */
export function codeSectionsOf(contract: Contract, code: Uint8Array): CodeSection[] {
  const sections = SECTIONS[contract];
  if (sections === undefined) return [];
  const end = dataSectionsOf(contract, code)[0]?.start ?? code.length;
  const instructions = decodeInstructions(code.subarray(0, end));
  let start = 0;
  const starts = sections.map(([name, ...landmarks]) => {
    landmarks.forEach((landmark, index) => {
      // The first landmark may be what the section before ended with, but not what that began with.
      const found = instructions.findIndex((instruction, at) => at > start && landmark(instruction));
      if (found < 0) throw new Error(`${contract}: landmark ${index + 1} of "${name}" is missing`);
      start = found;
    });
    return { name, start };
  });
  return starts.map(({ name, start }, index) => ({
    name,
    instructions: instructions.slice(start, starts[index + 1]?.start),
  }));
}
