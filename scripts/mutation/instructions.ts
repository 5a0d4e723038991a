/** Reads bytecode as the instructions that it is made of. */
import { INSTRUCTIONS, type Instruction } from "../ed25519/assembler.ts";

/** An instruction where it stands in the code. */
export interface DecodedInstruction {
  readonly position: number;
  readonly opcode: number;
  /** The mnemonic, PUSH, DUP and SWAP with their number. */
  readonly name: string;
  /** What a PUSH pushes. */
  readonly value: bigint | undefined;
  /** In bytes, with what is pushed. */
  readonly length: number;
}

export const PUSH0 = 0x5f;
const PUSH32 = PUSH0 + 32;
/** DUP and SWAP with a number: the opcode of the first, and there are 16. */
export const DUP1 = 0x80;
export const SWAP1 = 0x90;
const NUMBERED = 16;

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(INSTRUCTIONS).map(([name, [opcode]]) => [opcode, name]),
);

export function opcodeOf(instruction: Instruction): number {
  return INSTRUCTIONS[instruction][0];
}

/** All instructions from the first to the last byte. None of the bytes may be data. */
export function decodeInstructions(code: Uint8Array): DecodedInstruction[] {
  const instructions: DecodedInstruction[] = [];
  for (let position = 0; position < code.length; ) {
    const opcode = code[position] ?? 0;
    const length = isPush(opcode) ? 1 + opcode - PUSH0 : 1;
    const operand = Buffer.from(code.subarray(position + 1, position + length)).toString("hex");
    const value = isPush(opcode) ? BigInt(`0x0${operand}`) : undefined;
    instructions.push({ position, opcode, name: nameOf(opcode), value, length });
    position += length;
  }
  return instructions;
}

export function isPush(opcode: number): boolean {
  return opcode >= PUSH0 && opcode <= PUSH32;
}

export function isDup(opcode: number): boolean {
  return opcode >= DUP1 && opcode < DUP1 + NUMBERED;
}

export function isSwap(opcode: number): boolean {
  return opcode >= SWAP1 && opcode < SWAP1 + NUMBERED;
}

export function nameOf(opcode: number): string {
  if (isPush(opcode)) return `PUSH${opcode - PUSH0}`;
  if (isDup(opcode)) return `DUP${opcode - DUP1 + 1}`;
  if (isSwap(opcode)) return `SWAP${opcode - SWAP1 + 1}`;
  const name = NAMES.get(opcode);
  if (name === undefined) throw new Error(`0x${opcode.toString(16)} is none of the assembler's instructions`);
  return name;
}
