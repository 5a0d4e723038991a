/**
 * Mutants of the generated contracts: their code with one small change each, of a kind that a slip of the generator, or
 * of whoever changes it, could bring about. The code keeps its length, so that every other instruction and all data stay
 * where they are.
 */
import { INSTRUCTIONS, type Instruction } from "../ed25519/assembler.ts";
import {
  type DecodedInstruction,
  DUP1,
  isDup,
  isPush,
  isSwap,
  nameOf,
  opcodeOf,
  PUSH0,
  SWAP1,
} from "./instructions.ts";
import type { RandomNumbers } from "./randomNumbers.ts";
import { type Contract, codeSectionsOf, dataSectionsOf } from "./sections.ts";

export interface Mutant {
  readonly contract: Contract;
  readonly section: string;
  /** Where the changed bytes stand in the code. */
  readonly position: number;
  readonly bytes: Uint8Array;
  /** What was changed, such as "ADD → SUB". */
  readonly change: string;
  /** The instructions around, in which "[…]" is the changed one. Says nothing about positions in the code. */
  readonly context: string;
}

/** A place in the code and the ways in which it may be changed. */
interface Site {
  readonly section: string;
  readonly context: string;
  readonly changes: readonly Change[];
}

/** A change; or, where one stands for all of its kind, a bit to be chosen: of 256 in a word it is enough to try some. */
type Change = Pick<Mutant, "position" | "bytes" | "change"> | { readonly bitOf: BitField };

interface BitField {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** For an instruction, others that take and give as much. */
const REPLACEMENTS: Partial<Record<Instruction, readonly Instruction[]>> = {
  ADD: ["SUB", "MUL", "XOR", "OR"],
  SUB: ["ADD", "XOR"],
  MUL: ["ADD", "AND"],
  DIV: ["MOD", "MUL"],
  MOD: ["DIV"],
  ADDMOD: ["MULMOD"],
  MULMOD: ["ADDMOD"],
  LT: ["GT", "EQ"],
  GT: ["LT", "EQ"],
  EQ: ["LT", "GT"],
  ISZERO: ["NOT"],
  NOT: ["ISZERO"],
  AND: ["OR", "XOR"],
  OR: ["AND", "XOR"],
  XOR: ["OR", "AND", "ADD"],
  SHL: ["SHR"],
  SHR: ["SHL"],
  CALLVALUE: ["CALLDATASIZE"],
  CALLDATASIZE: ["CODESIZE", "RETURNDATASIZE"],
  RETURNDATASIZE: ["CALLDATASIZE"],
  GAS: ["CALLDATASIZE"],
  CALLDATALOAD: ["MLOAD"],
  MLOAD: ["CALLDATALOAD"],
  CALLDATACOPY: ["CODECOPY"],
  CODECOPY: ["CALLDATACOPY"],
  MCOPY: ["CODECOPY"],
  EXTCODESIZE: ["ISZERO"],
  MSTORE: ["MSTORE8"],
  MSTORE8: ["MSTORE"],
  RETURN: ["REVERT"],
  REVERT: ["RETURN"],
};

/** Instructions without which the stack stays usable: JUMPDEST, which does nothing, takes their place. */
const DROPPABLE: ReadonlySet<string> = new Set<Instruction>(["ISZERO", "NOT", "POP", "MLOAD", "CALLDATALOAD"]);

/** Instructions that take two items and give one. */
const BINARY: ReadonlySet<string> = new Set(
  Object.entries(INSTRUCTIONS).flatMap(([name, [, taken, given]]) => (taken === 2 && given === 1 ? [name] : [])),
);

const WORD_LENGTH = 32;
const CONTEXT_LENGTH = 8;
const DROPPED = opcodeOf("JUMPDEST");

/** The ways in which mutants are chosen. */
export type Choice =
  /** As many, evenly from all sections; which ones is random. */
  | { readonly count: number }
  /** All, with random bits of constants and of words of data, of each as many. */
  | { readonly all: true; readonly bits: number };

/** Mutants of a contract's code. */
export function mutantsOf(contract: Contract, code: Uint8Array, choice: Choice, random: RandomNumbers): Mutant[] {
  const sites = sitesOf(contract, code);
  const mutantAt = ({ section, context }: Site, change: Change): Mutant => ({
    contract,
    section,
    context,
    ...("bitOf" in change ? flippedBit(change.bitOf, random) : change),
  });
  if ("all" in choice) {
    return sites.flatMap((site) =>
      site.changes.flatMap((change) => {
        const copies = "bitOf" in change ? choice.bits : 1;
        return Array.from({ length: copies }, () => mutantAt(site, change));
      }),
    );
  }

  // One site of each section in turn, until there are enough. A section that has no site left is passed over.
  const left = Map.groupBy(sites, ({ section }) => section);
  const mutants: Mutant[] = [];
  while (mutants.length < choice.count && left.size > 0) {
    for (const [section, candidates] of [...left]) {
      if (mutants.length === choice.count) break;
      const [site] = candidates.splice(random.below(candidates.length), 1);
      if (candidates.length === 0) left.delete(section);
      const change = site?.changes[random.below(site.changes.length)];
      if (site !== undefined && change !== undefined) mutants.push(mutantAt(site, change));
    }
  }
  return mutants;
}

/** The code with the mutant's change. */
export function mutatedCode(code: Uint8Array, { position, bytes }: Mutant): Uint8Array {
  const mutated = Uint8Array.from(code);
  mutated.set(bytes, position);
  return mutated;
}

function sitesOf(contract: Contract, code: Uint8Array): Site[] {
  const ofCode = codeSectionsOf(contract, code).flatMap(({ name: section, instructions }) =>
    instructions.flatMap((_, index) => {
      const changes = changesOf(instructions, index, code);
      return changes.length === 0 ? [] : [{ section, context: contextOf(instructions, index), changes }];
    }),
  );
  const ofData = dataSectionsOf(contract, code).flatMap(({ name: section, start, words }) =>
    Array.from({ length: words }, (_, index): Site => {
      const position = start + WORD_LENGTH * index;
      const bitOf = { position, bytes: code.subarray(position, position + WORD_LENGTH) };
      return { section, context: `word ${index}`, changes: [{ bitOf }] };
    }),
  );
  return [...ofCode, ...ofData];
}

function changesOf(instructions: readonly DecodedInstruction[], index: number, code: Uint8Array): Change[] {
  const instruction = instructions[index];
  if (instruction === undefined) return [];
  const { opcode, name, position } = instruction;
  const replacedBy = (other: number): Change => ({
    position,
    bytes: Uint8Array.of(other),
    change: `${name} → ${other === DROPPED ? "nothing" : nameOf(other)}`,
  });
  if (isPush(opcode)) return changesOfPush(instruction, code);
  if (isDup(opcode)) return neighbours(opcode, DUP1).map(replacedBy);
  if (isSwap(opcode)) return [...neighbours(opcode, SWAP1), DROPPED].map(replacedBy);
  if (name === "JUMPI") return changesOfBranch(instructions, index, code);
  return [
    ...(REPLACEMENTS[name as Instruction] ?? []).map((other) => replacedBy(opcodeOf(other))),
    ...(DROPPABLE.has(name) ? [replacedBy(DROPPED)] : []),
    ...withoutOperation(instructions, index),
  ];
}

/** An operation on the top and one operand that is pushed or copied for it, such as a mask, dropped with the operand. */
function withoutOperation(instructions: readonly DecodedInstruction[], index: number): Change[] {
  const [operand, operation] = [instructions[index - 1], instructions[index]];
  if (operand === undefined || operation === undefined) return [];
  if (!BINARY.has(operation.name) || !(isPush(operand.opcode) || isDup(operand.opcode))) return [];
  const bytes = new Uint8Array(operand.length + 1).fill(DROPPED);
  const name = operand.length > 1 ? operand.name.replace(/\d+$/, "") : operand.name;
  return [{ position: operand.position, bytes, change: `${name} ${operation.name} → nothing` }];
}

/** The opcodes that reach one slot less or more. */
function neighbours(opcode: number, first: number): number[] {
  return [opcode - 1, opcode + 1].filter((other) => other >= first && other < first + 16);
}

/** A constant one more, one less, and with a bit flipped. */
function changesOfPush({ name, position, length, value = 0n }: DecodedInstruction, code: Uint8Array): Change[] {
  // PUSH0 has no bytes to change.
  if (length === 1) return [{ position, bytes: Uint8Array.of(opcodeOf("CODESIZE")), change: "PUSH0 → CODESIZE" }];
  const operand = position + 1;
  const modulus = 1n << BigInt(8 * (length - 1));
  const changed = (sign: string, other: bigint): Change => ({
    position: operand,
    bytes: bytesOf((other + modulus) % modulus, length - 1),
    change: `${name} ${sign} 1`,
  });
  const bitOf = { position: operand, bytes: code.subarray(operand, position + length) };
  return [changed("+", value + 1n), changed("-", value - 1n), { bitOf }];
}

/** A conditional jump that is never taken, and where there is room for it, one that always is. */
function changesOfBranch(instructions: readonly DecodedInstruction[], index: number, code: Uint8Array): Change[] {
  const [before, target, jump] = instructions.slice(index - 2, index + 1);
  if (target === undefined || jump === undefined || !isPush(target.opcode)) return [];
  const pop = opcodeOf("POP");
  const never = [pop, ...new Array<number>(target.length).fill(DROPPED)];
  const changes: Change[] = [{ position: target.position, bytes: Uint8Array.from(never), change: "JUMPI → never" }];
  if (before?.name === "ISZERO") {
    const always = [pop, ...code.subarray(target.position, target.position + target.length), opcodeOf("JUMP")];
    changes.push({ position: before.position, bytes: Uint8Array.from(always), change: "JUMPI → always" });
  }
  return changes;
}

function flippedBit(
  { position, bytes }: BitField,
  random: RandomNumbers,
): Pick<Mutant, "position" | "bytes" | "change"> {
  const bit = random.below(8 * bytes.length);
  const flipped = Uint8Array.from(bytes);
  const index = bytes.length - 1 - Math.floor(bit / 8);
  flipped[index] = (flipped[index] ?? 0) ^ (1 << (bit % 8));
  return { position, bytes: flipped, change: `bit ${bit} of ${bytes.length} bytes` };
}

/** The instructions around one. What is pushed with two bytes is left out, as that may be a position in the code. */
function contextOf(instructions: readonly DecodedInstruction[], index: number): string {
  const words = instructions.slice(Math.max(0, index - CONTEXT_LENGTH), index + CONTEXT_LENGTH + 1);
  const changed = Math.min(index, CONTEXT_LENGTH);
  return words
    .map(({ name, opcode, value }, at) => {
      const isNumber = isPush(opcode) && opcode !== PUSH0 && opcode !== PUSH0 + 2;
      const text = isNumber ? `${name} ${value?.toString(16)}` : name;
      return at === changed ? `[${text}]` : text;
    })
    .join(" ");
}

function bytesOf(value: bigint, length: number): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex"));
}
