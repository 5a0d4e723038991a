/**
 * An assembler for the EVM whose stack slots have names.
 *
 * A program is written as a TypeScript function that calls the methods below. The assembler follows the stack as the
 * instructions change it, so that a program says `dup("e")` and never counts depths. Nothing is optimized: each method
 * emits what its name says, in the order of the calls.
 */

/** Opcode, items taken, items given (Ethereum Yellow Paper, appendix H). */
export const INSTRUCTIONS = {
  STOP: [0x00, 0, 0],
  ADD: [0x01, 2, 1],
  MUL: [0x02, 2, 1],
  SUB: [0x03, 2, 1],
  DIV: [0x04, 2, 1],
  MOD: [0x06, 2, 1],
  ADDMOD: [0x08, 3, 1],
  MULMOD: [0x09, 3, 1],
  LT: [0x10, 2, 1],
  GT: [0x11, 2, 1],
  EQ: [0x14, 2, 1],
  ISZERO: [0x15, 1, 1],
  AND: [0x16, 2, 1],
  OR: [0x17, 2, 1],
  XOR: [0x18, 2, 1],
  NOT: [0x19, 1, 1],
  BYTE: [0x1a, 2, 1],
  SHL: [0x1b, 2, 1],
  SHR: [0x1c, 2, 1],
  CALLVALUE: [0x34, 0, 1],
  CALLDATALOAD: [0x35, 1, 1],
  CALLDATASIZE: [0x36, 0, 1],
  CALLDATACOPY: [0x37, 3, 0],
  CODESIZE: [0x38, 0, 1],
  CODECOPY: [0x39, 3, 0],
  EXTCODESIZE: [0x3b, 1, 1],
  EXTCODECOPY: [0x3c, 4, 0],
  RETURNDATASIZE: [0x3d, 0, 1],
  RETURNDATACOPY: [0x3e, 3, 0],
  POP: [0x50, 1, 0],
  MLOAD: [0x51, 1, 1],
  MSTORE: [0x52, 2, 0],
  MSTORE8: [0x53, 2, 0],
  JUMP: [0x56, 1, 0],
  JUMPI: [0x57, 2, 0],
  GAS: [0x5a, 0, 1],
  JUMPDEST: [0x5b, 0, 0],
  MCOPY: [0x5e, 3, 0],
  RETURN: [0xf3, 2, 0],
  STATICCALL: [0xfa, 6, 1],
  REVERT: [0xfd, 2, 0],
  INVALID: [0xfe, 0, 0],
} as const;

export type Instruction = keyof typeof INSTRUCTIONS;

const PUSH0 = 0x5f;
const DUP1 = 0x80;
const SWAP1 = 0x90;

/** A label, or the length of the code up to a label, is pushed with two bytes: code is shorter than 24,577 bytes. */
const LABEL_BYTES = 2;

/**
 * A value to be computed: a number is pushed, so is the position of a label, a name is copied from its slot, and an
 * instruction takes its operands in the order in which the Yellow Paper names them (`["SUB", x, y]` is x - y,
 * `["SHR", n, x]` is x >> n).
 */
export type Expression = bigint | string | { readonly label: string } | readonly [Instruction, ...Expression[]];

type Piece = { bytes: number[] } | { pushOf: string } | { label: string };

export class Assembler {
  private readonly pieces: Piece[] = [];

  /** The names of the stack's slots, the top last. A slot without a name is "". */
  stack: string[];

  /** @param stack The slots that are there when the program begins, the top last. */
  constructor(stack: readonly string[] = []) {
    this.stack = [...stack];
  }

  /** Emits an instruction other than PUSH, DUP and SWAP. What it gives gets the name. */
  op(instruction: Instruction, name = ""): this {
    const [opcode, taken, given] = INSTRUCTIONS[instruction];
    if (this.stack.length < taken) throw new Error(`${instruction} takes ${taken} of ${this.stack.length} items`);
    this.emit(opcode);
    this.stack.length -= taken;
    if (given === 1) this.stack.push(name);
    return this;
  }

  /** Pushes a number below 2^256 with as few bytes as it has. */
  push(value: bigint, name = ""): this {
    const digits = value.toString(16);
    const bytes =
      value === 0n ? [] : [...Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")];
    if (value < 0n || bytes.length > 32) throw new Error(`${value} is no word`);
    this.emit(PUSH0 + bytes.length, ...bytes);
    this.stack.push(name);
    return this;
  }

  /** Pushes the position of a label in the code. */
  pushLabel(label: string, name = ""): this {
    this.pieces.push({ pushOf: label });
    this.stack.push(name);
    return this;
  }

  /** Copies a slot to the top: by its name, or by its depth, 1 being the top. */
  dup(slot: string | number, name = ""): this {
    const depth = this.depthOf(slot);
    if (depth > 16) throw new Error(`${slot} is ${depth} deep: DUP reaches 16`);
    this.emit(DUP1 + depth - 1);
    this.stack.push(name);
    return this;
  }

  /** Exchanges the top with a slot below it: by its name, or by its depth, 2 being the one under the top. */
  swap(slot: string | number): this {
    const depth = this.depthOf(slot);
    if (depth < 2 || depth > 17) throw new Error(`${slot} is ${depth} deep: SWAP reaches from 2 to 17`);
    this.emit(SWAP1 + depth - 2);
    const top = this.stack.length - 1;
    const other = this.stack.length - depth;
    [this.stack[top], this.stack[other]] = [this.stack[other] as string, this.stack[top] as string];
    return this;
  }

  pop(count = 1): this {
    for (let i = 0; i < count; i++) this.op("POP");
    return this;
  }

  /** Gives the top slot a name. */
  name(name: string): this {
    this.stack[this.stack.length - 1] = name;
    return this;
  }

  /** Computes an expression onto the top. Operands are computed from the last to the first. */
  evaluate(expression: Expression, name = ""): this {
    if (typeof expression === "bigint") return this.push(expression, name);
    if (typeof expression === "string") return this.dup(expression, name);
    if ("label" in expression) return this.pushLabel(expression.label, name);
    const [instruction, ...operands] = expression;
    for (const operand of operands.toReversed()) this.evaluate(operand);
    return this.op(instruction, name);
  }

  /** Writes the value of an expression to a slot that exists. */
  assign(slot: string, expression: Expression): this {
    return this.evaluate(expression).store(slot);
  }

  /** Moves the top into a slot below it, whose value is lost. */
  store(slot: string, name = slot): this {
    const target = this.stack.length - this.depthOf(slot);
    this.swap(slot);
    this.stack[target] = name;
    return this.pop();
  }

  /**
   * A place that can be jumped to.
   * @param stack What is on the stack there, of which the assembler knows only what the instruction before left.
   */
  label(label: string, stack: readonly string[] = this.stack): this {
    this.pieces.push({ label });
    this.emit(INSTRUCTIONS.JUMPDEST[0]);
    this.stack = [...stack];
    return this;
  }

  /** Jumps. Only a label can follow. */
  jump(label: string): this {
    this.pushLabel(label).op("JUMP");
    this.stack = [];
    return this;
  }

  /** Jumps if the top is not 0. */
  jumpIf(label: string): this {
    return this.pushLabel(label).op("JUMPI");
  }

  /** Marks a position in the code that is not jumped to: the beginning of data, or the end of the program. */
  mark(label: string): this {
    this.pieces.push({ label });
    return this;
  }

  /** Appends bytes that are not executed. */
  data(bytes: Uint8Array): this {
    this.emit(...bytes);
    return this;
  }

  /** The length of the code in bytes. */
  get length(): number {
    return this.pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  }

  /** The code. */
  assemble(): Uint8Array {
    const positions = new Map<string, number>();
    let position = 0;
    for (const piece of this.pieces) {
      if ("label" in piece) {
        if (positions.has(piece.label)) throw new Error(`label ${piece.label} is there twice`);
        positions.set(piece.label, position);
      }
      position += lengthOf(piece);
    }
    const bytes = this.pieces.flatMap((piece) => {
      if ("bytes" in piece) return piece.bytes;
      if ("label" in piece) return [];
      const target = positions.get(piece.pushOf);
      if (target === undefined) throw new Error(`there is no label ${piece.pushOf}`);
      return [PUSH0 + LABEL_BYTES, target >> 8, target & 0xff];
    });
    return Uint8Array.from(bytes);
  }

  private emit(...bytes: number[]): void {
    const last = this.pieces.at(-1);
    if (last !== undefined && "bytes" in last) for (const byte of bytes) last.bytes.push(byte);
    else this.pieces.push({ bytes });
  }

  private depthOf(slot: string | number): number {
    if (typeof slot === "number") {
      if (slot > this.stack.length) throw new Error(`the stack is ${this.stack.length} high, not ${slot}`);
      return slot;
    }
    const index = this.stack.lastIndexOf(slot);
    if (slot === "" || index < 0) throw new Error(`no slot is named ${slot}: ${this.stack.join(" ")}`);
    return this.stack.length - index;
  }
}

function lengthOf(piece: Piece): number {
  if ("bytes" in piece) return piece.bytes.length;
  return "pushOf" in piece ? 1 + LABEL_BYTES : 0;
}
