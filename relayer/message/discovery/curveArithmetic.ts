/**
 * Adding points of the Ed25519 curve, some ten times faster than with bigints: a small WebAssembly module, assembled
 * here. Trying millions of messages is what it is for; no verdict on a signature rests on it alone.
 *
 * A number modulo p = 2^255 - 19 is ten limbs of 26, 25, 26, 25 … bits, lowest first, each in 32 bits of memory
 * (Bernstein, "Curve25519: new Diffie-Hellman speed records", section 4). Sums and differences of two products may go
 * into the next product without carries: a product of two such numbers stays below 2^63.
 *
 * @module
 */

const LIMBS = 10;

/** Bytes of a number in the module's memory. */
export const ELEMENT_BYTES = 4 * LIMBS;

/** What the TypeScript libraries without browsers do not declare. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { readonly exports: unknown };
};

type Exports = {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly addPoint: (sum: number, difference: number, product: number, f: number, g: number) => void;
};

export type CurveArithmetic = {
  /** Writes a number, 0 … p - 1, at an address. */
  readonly write: (address: number, value: bigint) => void;
  /** A number as it stands at an address; between 0 and p, or congruent to such a one. */
  readonly read: (address: number) => bigint;
  /** The lowest 26 bits of the number at an address. */
  readonly readLowest: (address: number) => number;
  /** Remembers the point in the accumulator. */
  readonly keepAccumulator: () => void;
  /** Puts the remembered point back into the accumulator. */
  readonly resetAccumulator: () => void;
  /**
   * Adds the point whose three numbers stand at `entry` (see {@link writePoint}) to the accumulator, or subtracts it.
   */
  readonly addPoint: (entry: number, isNegative: boolean) => void;
};

/** Where the accumulator's coordinates stand: x = X/Z, y = Y/Z, x·y = T/Z. */
export const ACCUMULATOR = { x: 0, y: ELEMENT_BYTES, z: 2 * ELEMENT_BYTES, t: 3 * ELEMENT_BYTES } as const;

/** The first address that is free for points. */
export const FREE_MEMORY = 1024;

/** Bytes of a point to add: y + x, y - x, and 2·d·x·y. */
export const POINT_BYTES = 3 * ELEMENT_BYTES;

const PAGE_BYTES = 65_536;

/** An instance with room for so many points. */
export function createCurveArithmetic(points: number): CurveArithmetic {
  const pages = Math.ceil((FREE_MEMORY + points * POINT_BYTES) / PAGE_BYTES);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assembleModule(pages)));
  const { memory, addPoint } = exports as Exports;
  const words = new Int32Array(memory.buffer);
  const kept = words.slice(0, 4 * LIMBS);
  return {
    write(address, value) {
      let rest = value;
      for (let limb = 0; limb < LIMBS; limb += 1) {
        words[address / 4 + limb] = Number(BigInt.asUintN(bitsOf(limb), rest));
        rest >>= BigInt(bitsOf(limb));
      }
    },
    read(address) {
      let value = 0n;
      for (let limb = LIMBS - 1; limb >= 0; limb -= 1) {
        value = (value << BigInt(bitsOf(limb))) + BigInt(words[address / 4 + limb] ?? 0);
      }
      return value;
    },
    readLowest: (address) => words[address / 4] ?? 0,
    keepAccumulator: () => kept.set(words.subarray(0, kept.length)),
    resetAccumulator: () => words.set(kept),
    addPoint(entry, isNegative) {
      const [first, second, product] = [entry, entry + ELEMENT_BYTES, entry + 2 * ELEMENT_BYTES];
      // The negative of a point has -x: sum and difference change places, and so do F and G, whose product turns sign.
      if (isNegative) addPoint(second, first, product, SCRATCH.g, SCRATCH.f);
      else addPoint(first, second, product, SCRATCH.f, SCRATCH.g);
    },
  };
}

const [a, b, c, d, e, f, g, h, difference, sum] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map(
  (slot) => slot * ELEMENT_BYTES,
) as [number, number, number, number, number, number, number, number, number, number];
const SCRATCH = { f, g };

function bitsOf(limb: number): 25 | 26 {
  return limb % 2 === 0 ? 26 : 25;
}

// WebAssembly's binary format (WebAssembly Core Specification, chapter 5), as far as it is needed here.

type Code = readonly number[];

const I32 = 0x7f;
const I64 = 0x7e;
const ADD: Code = [0x7c];
const SUBTRACT: Code = [0x7d];
const MULTIPLY: Code = [0x7e];
const AND: Code = [0x83];
const SHIFT_RIGHT: Code = [0x87];
const END = 0x0b;

const getLocal = (index: number): Code => [0x20, ...unsigned(index)];
const setLocal = (index: number): Code => [0x21, ...unsigned(index)];
const constant32 = (value: number): Code => [0x41, ...signed(value)];
const constant64 = (value: number): Code => [0x42, ...signed(value)];
/** A limb at the address on the stack; alignment 2^2. */
const loadLimb = (limb: number): Code => [0x34, 2, ...unsigned(4 * limb)];
const storeLimb = (limb: number): Code => [0x3e, 2, ...unsigned(4 * limb)];

/** The functions of the module by their index. */
const FUNCTIONS = { multiply: 0, add: 1, subtract: 2, addPoint: 3 } as const;

/** Calls a function of three addresses: out, and two operands. */
const call = (name: keyof typeof FUNCTIONS, ...operands: readonly Code[]): Code => [
  ...operands.flat(),
  0x10,
  ...unsigned(FUNCTIONS[name]),
];

function assembleModule(pages: number): Uint8Array {
  return Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [
      [0x60, 3, I32, I32, I32, 0],
      [0x60, 5, I32, I32, I32, I32, I32, 0],
    ]),
    ...section(3, [[0], [0], [0], [1]]),
    ...section(5, [[0, ...unsigned(pages)]]),
    ...section(7, [
      [...text("memory"), 2, 0],
      [...text("addPoint"), 0, FUNCTIONS.addPoint],
    ]),
    ...section(10, [multiplyCode(), limbwiseCode(ADD), limbwiseCode(SUBTRACT), addPointCode()]),
  );
}

/** out = first · second, with limbs of at most 26 bits again. */
function multiplyCode(): Code {
  const [out, first, second] = [0, 1, 2];
  let next = 3;
  const locals = () => Array.from({ length: LIMBS }, () => next++);
  const [x, y, product, doubledX, y19] = [locals(), locals(), locals(), locals(), locals()];
  const carry = next++;
  const at = (list: readonly number[], limb: number) => list[limb] as number;

  const code: Code[] = [];
  for (let limb = 0; limb < LIMBS; limb += 1) {
    code.push(getLocal(first), loadLimb(limb), setLocal(at(x, limb)));
    if (limb % 2 === 1) code.push(getLocal(at(x, limb)), getLocal(at(x, limb)), ADD, setLocal(at(doubledX, limb)));
    code.push(getLocal(second), loadLimb(limb), setLocal(at(y, limb)));
    code.push(getLocal(at(y, limb)), constant64(19), MULTIPLY, setLocal(at(y19, limb)));
  }
  for (let target = 0; target < LIMBS; target += 1) {
    for (let i = 0; i < LIMBS; i += 1) {
      const j = (target - i + LIMBS) % LIMBS;
      // Two odd limbs, of half a bit more than their share each, meet a whole bit too low; 2^255 is 19.
      const factor = i % 2 === 1 && j % 2 === 1 ? at(doubledX, i) : at(x, i);
      const other = i + j >= LIMBS ? at(y19, j) : at(y, j);
      code.push(getLocal(factor), getLocal(other), MULTIPLY);
      if (i > 0) code.push(ADD);
    }
    code.push(setLocal(at(product, target)));
  }
  const carryFrom = (limb: number) => {
    const [from, to] = [at(product, limb), at(product, (limb + 1) % LIMBS)];
    code.push(getLocal(from), constant64(bitsOf(limb)), SHIFT_RIGHT, setLocal(carry));
    code.push(getLocal(from), constant64(2 ** bitsOf(limb) - 1), AND, setLocal(from));
    code.push(getLocal(to), getLocal(carry));
    if (limb === LIMBS - 1) code.push(constant64(19), MULTIPLY);
    code.push(ADD, setLocal(to));
  };
  for (let limb = 0; limb < LIMBS; limb += 1) carryFrom(limb);
  carryFrom(0);
  for (let limb = 0; limb < LIMBS; limb += 1) code.push(getLocal(out), getLocal(at(product, limb)), storeLimb(limb));
  return functionBody(code, next - 3);
}

/** out = first ± second, limb by limb. */
function limbwiseCode(operation: Code): Code {
  const code: Code[] = [];
  for (let limb = 0; limb < LIMBS; limb += 1) {
    code.push(getLocal(0), getLocal(1), loadLimb(limb), getLocal(2), loadLimb(limb), operation, storeLimb(limb));
  }
  return functionBody(code);
}

/** The unified addition of RFC 8032, section 5.1.4, for a point with Z = 1. Parameters: y + x, y - x, 2dxy, F, G. */
function addPointCode(): Code {
  const at = constant32;
  const { x, y, z, t } = ACCUMULATOR;
  return functionBody([
    call("subtract", at(difference), at(y), at(x)),
    call("add", at(sum), at(y), at(x)),
    call("multiply", at(a), at(difference), getLocal(1)),
    call("multiply", at(b), at(sum), getLocal(0)),
    call("multiply", at(c), at(t), getLocal(2)),
    call("add", at(d), at(z), at(z)),
    call("subtract", at(e), at(b), at(a)),
    call("subtract", getLocal(3), at(d), at(c)),
    call("add", getLocal(4), at(d), at(c)),
    call("add", at(h), at(b), at(a)),
    call("multiply", at(x), at(e), at(f)),
    call("multiply", at(y), at(g), at(h)),
    call("multiply", at(z), at(f), at(g)),
    call("multiply", at(t), at(e), at(h)),
  ]);
}

function functionBody(code: readonly Code[], longLocals = 0): Code {
  const locals = longLocals === 0 ? [0] : [1, ...unsigned(longLocals), I64];
  const body = [...locals, ...code.flat(), END];
  return [...unsigned(body.length), ...body];
}

function section(id: number, entries: readonly Code[]): Code {
  const body = [...unsigned(entries.length), ...entries.flat()];
  return [id, ...unsigned(body.length), ...body];
}

function text(ascii: string): Code {
  return [ascii.length, ...Array.from(ascii, (character) => character.charCodeAt(0))];
}

/** LEB128. */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value % 128) + 128, ...unsigned(Math.floor(value / 128))];
}

/** LEB128 in two's complement. */
function signed(value: number): Code {
  const low = ((value % 128) + 128) % 128;
  const rest = Math.floor(value / 128);
  const isLast = (rest === 0 && low < 64) || (rest === -1 && low >= 64);
  return isLast ? [low] : [low + 128, ...signed(rest)];
}
