/**
 * The subroutine "verdict", in EVM instructions: whether a signature belongs to a digest, that is, whether the encoding of
 * S·B - h·A is R (RFC 8032, section 5.1.7, steps 1 to 3, without the cofactor).
 *
 * R is never decoded. With the hint x, it is checked that (x, y) is a point of the curve and that R is its encoding, and
 * S·B - h·A is compared with the point; without, S·B - h·A is brought to affine coordinates, and its encoding compared with
 * R.
 */
import type { Assembler, Expression } from "./assembler.ts";
import { HALF_MOD_ORDER, HALF_OF_2_256_MOD_ORDER } from "./comb.ts";
import { D, ORDER, P } from "./edwards25519.ts";
import { type CombInProgram, emitCorrection, emitMultiplication } from "./multiplication.ts";

/** The enum Ed25519Verdict. */
const INVALID_SIGNATURE = 0n;
const WRONG_HINT = 2n;

/** The MODEXP precompile (EIP-198). */
const MODEXP = 5n;

const WORD = 32n;
const Y_MASK = 2n ** 255n - 1n;

/** For each step of reversing 32 bytes: how many bits the parts have that change places, and the slot of their mask. */
const REVERSAL = [8n, 16n, 32n, 64n].map((bits) => ({ bits, slot: `mask${bits}` }));

/**
 * Takes from the stack: return, hint (the position of x in the calldata, or 0), signature (the position of R in the
 * calldata), digest (its address in memory). Gives the verdict.
 */
export function emitVerdict(a: Assembler, program: CombInProgram): void {
  const { comb } = program;
  a.label("verdict", ["return", "hint", "signature", "digest"]);
  a.push(P, "p").push(ORDER, "order");
  // 2^256 - 1 divided by 2^bits + 1 has every other part of so many bits set.
  for (const { bits, slot } of REVERSAL) a.evaluate(["DIV", ["NOT", 0n], 2n ** bits + 1n], slot);

  // The encoding of R as a number: the sign of x, and y.
  a.evaluate(["CALLDATALOAD", "signature"]);
  reverseTop(a, "encoding");
  a.evaluate(["ISZERO", "hint"]).jumpIf("hint seen");
  emitHintCheck(a);
  a.label("hint seen");

  // S < L; then B's scalar is c = S/2 + (2^n - 1)/2 mod L.
  a.evaluate(["CALLDATALOAD", ["ADD", "signature", WORD]]);
  reverseTop(a, "cOfB");
  a.evaluate(["ISZERO", ["LT", "cOfB", "order"]]).jumpIf("invalid signature");
  multiplyTop(a, HALF_MOD_ORDER);
  a.dup("order").swap(2).push(comb.halfOffset).op("ADDMOD");
  foldTop(a, program);
  a.name("cOfB");

  // h is the digest as a number of 512 bits, lowest byte first; half of it is half of its lower and of its upper half.
  // The first sum is below 2·L.
  a.evaluate(["MLOAD", "digest"]);
  reverseTop(a, "low");
  multiplyTop(a, HALF_MOD_ORDER);
  a.evaluate(["MLOAD", ["ADD", "digest", WORD]]);
  reverseTop(a, "high");
  multiplyTop(a, HALF_OF_2_256_MOD_ORDER);
  a.push(comb.halfOffset).op("ADD").dup("order").swap(3).op("ADDMOD");
  foldTop(a, program);
  // The constants have served; their slots take what is kept, so that the slots below stay within the reach of DUP.
  a.store("p", "cOfA").store("order", "cOfB").store("mask8", "encoding").pop(3);

  emitMultiplication(a, program);
  const sum = [...a.stack];
  emitComparisons(a, program);
  if (comb.overflows) emitCorrection(a, program, sum);

  // Each has one place that jumps to it, and these are its slots.
  const slots = [
    "return",
    "hint",
    "signature",
    "digest",
    "p",
    "order",
    ...REVERSAL.map(({ slot }) => slot),
    "encoding",
  ];
  a.label("wrong hint", [...slots, "x", "y", "x²", "y²"]).push(WRONG_HINT);
  returnVerdict(a);
  a.label("invalid signature", [...slots, "cOfB"]).push(INVALID_SIGNATURE);
  returnVerdict(a);
}

/** Leaves for "wrong hint" unless (x, y) is a point of the curve, x below p and of the sign, and y below p. */
function emitHintCheck(a: Assembler): void {
  a.evaluate(["CALLDATALOAD", "hint"], "x");
  a.evaluate(["AND", "encoding", Y_MASK], "y");
  a.evaluate(["MULMOD", "x", "x", "p"], "x²");
  a.evaluate(["MULMOD", "y", "y", "p"], "y²");
  // -x² + y² = 1 + d·x²·y²; the right side plus x² is at most 2p - 1. x = 0 with sign 1 fails on the sign.
  const product: Expression = ["MULMOD", ["MULMOD", "x²", "y²", "p"], D, "p"];
  a.evaluate(["EQ", "y²", ["MOD", ["ADD", 1n, ["ADD", "x²", product]], "p"]]);
  a.evaluate(["EQ", ["AND", "x", 1n], ["SHR", 255n, "encoding"]]).op("AND");
  a.evaluate(["AND", ["LT", "x", "p"], ["LT", "y", "p"]]).op("AND");
  a.op("ISZERO").jumpIf("wrong hint");
  a.pop(4);
}

/** Compares the sum with R, and returns the verdict. */
function emitComparisons(a: Assembler, program: CombInProgram): void {
  const sum = [...a.stack];
  a.dup("hint", "x").evaluate(["ISZERO", "x"]).jumpIf("compare encodings");

  // E/G = -x and H/F = y, where E is negated: without a division, x·G + E = 0 and y·F = H mod p.
  a.op("CALLDATALOAD", "x").evaluate(["AND", Y_MASK, "encoding"], "y");
  a.evaluate(["EQ", ["MOD", "H", "p"], ["MULMOD", "y", "F", "p"]]);
  a.evaluate(["ISZERO", ["ADDMOD", "E", ["MULMOD", "x", "G", "p"], "p"]]).op("AND");
  returnVerdict(a);

  // With i = 1/(F·G): x = -E·F·i and y = H·G·i; the encoding is y with the lowest bit of x as its highest.
  a.label("compare encodings", [...sum, "x"]).pop();
  emitInverse(a, ["MULMOD", "F", "G", "p"], program.entries);
  a.evaluate(["MOD", ["SUB", "p", ["MULMOD", "E", ["MULMOD", "F", "inverse", "p"], "p"]], "p"], "x");
  a.evaluate(["MULMOD", "H", ["MULMOD", "G", "inverse", "p"], "p"], "y");
  a.evaluate(["EQ", "encoding", ["OR", "y", ["SHL", 255n, "x"]]]);
  returnVerdict(a);
}

/** 1/z mod p by Fermat, z^(p-2). A precompile that runs out of gas gives no inverse. */
function emitInverse(a: Assembler, z: Expression, memory: bigint): void {
  const input = [WORD, WORD, WORD, z, P - 2n, P];
  input.forEach((word, index) => {
    a.evaluate(word)
      .push(memory + BigInt(index) * WORD)
      .op("MSTORE");
  });
  a.evaluate(["STATICCALL", ["GAS"], MODEXP, memory, BigInt(input.length) * WORD, memory, WORD]);
  a.evaluate(["EQ", ["RETURNDATASIZE"], WORD])
    .op("AND")
    .op("ISZERO")
    .jumpIf("call failed");
  a.evaluate(["MLOAD", memory], "inverse");
}

/** Returns from the subroutine with the top of the stack. */
function returnVerdict(a: Assembler): void {
  // In two steps after a comparison, because the first slots are too deep then.
  if (a.stack.includes("cOfA")) storeBelow("p");
  storeBelow("hint");
  a.swap("return").op("JUMP");

  /** Moves the top down into a slot, and removes what was above that. */
  function storeBelow(slot: string) {
    a.store(slot, "verdict").pop(a.stack.length - 1 - a.stack.lastIndexOf("verdict"));
  }
}

/** Reverses the 32 bytes of the top: neighbours change places, then pairs of them, up to the halves. */
function reverseTop(a: Assembler, name: string): void {
  for (const { bits, slot } of REVERSAL) {
    a.dup(1).push(bits).op("SHR").dup(slot).op("AND");
    a.swap(2).dup(slot).op("AND").push(bits).op("SHL").op("OR");
  }
  a.dup(1).push(128n).op("SHR").swap(2).push(128n).op("SHL").op("OR", name);
}

/** Multiplies the top modulo L. */
function multiplyTop(a: Assembler, factor: bigint): void {
  a.dup("order").swap(2).push(factor).op("MULMOD");
}

/** Folds the top's signs into its rows: see `Comb`. */
function foldTop(a: Assembler, { comb: { signRows, signShift, spread } }: CombInProgram): void {
  a.dup(1).push(signRows).op("AND").push(signShift).op("SHR").push(spread).op("MUL").op("XOR");
}
