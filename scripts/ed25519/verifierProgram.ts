/**
 * The program that verifies the signatures of one key: the contract behind `IEd25519Verifier`, in EVM instructions.
 *
 * Its code is the *template*, the same for all keys, and behind it what `Ed25519VerifierFactory` derives from the key:
 *
 *     template   program
 *                tables of B
 *                correction of B                                       96 bytes
 *     of a key   corrections of -A, and of B and -A together          192 bytes
 *                tables of -A
 *                the public key, and the addresses of the contracts that hash, a word each
 *
 * The tables stand in the code of the very contract that uses them, because CODECOPY costs 3 gas and 3 a word, and
 * reading another contract's code a hundred more.
 *
 * R is never decoded. With the hint x, it is checked that (x, y) is a point of the curve and that the signature's first
 * half is its encoding, and S·B - h·A is compared with the point; without, S·B - h·A is brought to affine coordinates,
 * and its encoding compared with the signature's first half.
 */
import { toFunctionSelector } from "viem";
import { Assembler, type Expression } from "./assembler.ts";
import {
  COLUMNS,
  correctionOf,
  GATHER,
  HALF_MOD_ORDER,
  HALF_OF_2_256_MOD_ORDER,
  HALF_OFFSET,
  LOWER_MASK,
  LOWER_SHIFT,
  OFFSET,
  OVERFLOW_SHIFT,
  ROW_BITS,
  SIGN_ROWS,
  SIGN_SHIFT,
  SIGNED_ENTRY_LENGTH,
  SPREAD,
  TABLE_LENGTH,
  tableOf,
  UPPER_SHIFT,
} from "./comb.ts";
import { BASE, D, ORDER, P } from "./edwards25519.ts";
import { ADDITION, DOUBLING, FIRST_ADDITION, LAST_ADDITION, POINT_ON_STACK } from "./pointFormulas.ts";
import { type Block, emitBlock } from "./schedule.ts";

/** Columns of the comb that a turn of the loop takes. The first column stands before the loop. */
const COLUMNS_A_TURN = 4;

/** The length of the messages for which there are contracts that hash nothing else. */
const MESSAGE_LENGTH = 74n;

/** The enum Ed25519Verdict. */
const INVALID_SIGNATURE = 0n;
const WRONG_HINT = 2n;

/** Where things are in memory. The four entries of a column are read to the beginning, where addresses are short. */
const ENTRIES = 0x00n;
const DIGESTS = 0x180n;
const ANSWER = 0x200n;
/** Behind the answer of a batch, whose verdicts take as many bytes as there are signatures; for one signature, here. */
const HASHED = 0x200n;

const WORD = 32n;
const DIGEST_LENGTH = 64n;
const SIGNATURE_LENGTH = 64n;

/** The MODEXP precompile (EIP-198). */
const MODEXP = 5n;

/** Numbers that the calldata gives as positions and lengths are below this, so that their sums cannot overflow. */
const POSITION_BITS = 64n;

/** For each step of reversing 32 bytes: how far parts are moved, and the mask of every other part. */
const REVERSAL = [8n, 16n, 32n, 64n].map((bits) => {
  let mask = 0n;
  for (let part = 0n; part < 256n; part += 2n * bits) mask |= ((1n << bits) - 1n) << part;
  return { bits, mask, slot: `mask${bits}` };
});

/** The runtime code of a verifier up to where what depends on its key begins. */
export function verifierTemplate(): Uint8Array {
  const a = new Assembler();
  emitDispatch(a);
  emitSingle(a);
  emitBatch(a);
  emitHashing(a);
  emitVerdict(a);
  emitErrors(a);

  a.mark("lower table of B").data(tableOf(BASE, 0));
  a.mark("upper table of B").data(tableOf(BASE, 1));
  a.mark("corrections").data(correctionOf(BASE));
  const length = a.length;
  // The rest is the factory's to append; zeros stand for it, so that its labels have positions.
  a.data(new Uint8Array(2 * SIGNED_ENTRY_LENGTH));
  a.mark("lower table of -A").data(new Uint8Array(TABLE_LENGTH));
  a.mark("upper table of -A").data(new Uint8Array(TABLE_LENGTH));
  for (const parameter of ["public key", "hash of 138 bytes", "hash of two 138 bytes", "hash of any bytes"]) {
    a.mark(parameter).data(new Uint8Array(Number(WORD)));
  }
  return a.assemble().subarray(0, length);
}

function selector(signature: string): bigint {
  return BigInt(toFunctionSelector(signature));
}

/** Jumps to the function that the first four bytes of the calldata select. */
function emitDispatch(a: Assembler): void {
  // None of the functions is payable.
  a.op("CALLVALUE").jumpIf("refuse");
  a.evaluate(["SHR", 224n, ["CALLDATALOAD", 0n]], "selector");
  // The cheapest place is the first.
  for (const [signature, label] of [
    ["verifyWithHint(bytes,bytes32,bytes32,uint256)", "verifyWithHint"],
    ["verifyBatchWithHints(uint256,bytes)", "verifyBatchWithHints"],
    ["verify(bytes,bytes32,bytes32)", "verify"],
    ["verifyBatch(uint256,bytes)", "verifyBatch"],
    ["publicKey()", "publicKey"],
  ] as const) {
    a.evaluate(["EQ", "selector", selector(signature)]).jumpIf(label);
  }
  a.label("refuse").evaluate(0n).evaluate(0n).op("REVERT");

  a.label("publicKey", []);
  copyParameter(a, "public key", 0n);
  emitReturn(a, 0n, WORD);
}

/** verify(message, r, s) and verifyWithHint(message, r, s, xOfR). */
function emitSingle(a: Assembler): void {
  const [offset, r, x, end] = [4n, 36n, 100n, 132n];
  for (const [name, hint, headEnd] of [
    ["verifyWithHint", x, end],
    ["verify", 0n, x],
  ] as const) {
    a.label(name, []);
    a.evaluate(["LT", ["CALLDATASIZE"], headEnd]).jumpIf("refuse");
    // What the verdict takes; then what hashing takes, which returns to the verdict.
    a.pushLabel("single judged", "return").push(hint, "hint").push(r, "signature").push(DIGESTS, "digest");
    a.pushLabel("verdict", "return").push(r, "signature");
    emitBytesOf(a, offset, "message", "length");
    a.push(HASHED, "target").jump("hash one");
  }
  a.label("single judged", ["verdict"]).push(0n).op("MSTORE");
  emitReturn(a, 0n, WORD);
}

/**
 * verifyBatch(messageLength, signedMessages) and verifyBatchWithHints(messageLength, signedMessages): takes two signed
 * messages a turn where there is a contract that hashes two at once, and else one.
 */
function emitBatch(a: Assembler): void {
  for (const [name, hintLength] of [
    ["verifyBatchWithHints", WORD],
    ["verifyBatch", 0n],
  ] as const) {
    a.label(name, []).push(hintLength, "hintLength");
    if (name === "verifyBatchWithHints") a.jump("batch");
  }
  const [messageLength, offset, headEnd] = [4n, 36n, 68n];
  a.label("batch");
  a.evaluate(["LT", ["CALLDATASIZE"], headEnd]).jumpIf("refuse");
  a.evaluate(["CALLDATALOAD", messageLength], "length");
  emitBytesOf(a, offset, "position", "size");
  a.evaluate(["SHR", POSITION_BITS, "length"]).jumpIf("invalid batch length");
  a.evaluate(["ADD", "hintLength", ["ADD", SIGNATURE_LENGTH, "length"]], "stride");
  a.evaluate(["DIV", "size", "stride"], "count");
  a.evaluate(["SUB", "size", ["MUL", "count", "stride"]]).jumpIf("invalid batch length");

  // The answer, as the ABI encodes bytes: an offset, the count, and a byte for each verdict, which are written one by one.
  // What is hashed goes behind it.
  const verdicts = ANSWER + 2n * WORD;
  a.evaluate(["AND", ["NOT", WORD - 1n], ["ADD", verdicts + WORD - 1n, "count"]], "target");
  a.evaluate("count")
    .evaluate(ANSWER + WORD)
    .op("MSTORE");
  a.evaluate(WORD).evaluate(ANSWER).op("MSTORE");
  a.evaluate(["ADD", "position", "size"], "end");
  a.push(verdicts, "verdictPosition");

  const turn = [...a.stack];
  a.label("batch turn");
  a.evaluate(["LT", "position", "end"]).op("ISZERO").jumpIf("batch judged");
  a.evaluate(["AND", ["EQ", "length", MESSAGE_LENGTH], ["LT", ["ADD", "position", "stride"], "end"]]).jumpIf("two");

  a.pushLabel("one hashed", "return");
  a.evaluate(["ADD", "position", "length"], "signature");
  a.dup("position", "message").dup("length", "length").dup("target", "target");
  a.jump("hash one");
  a.label("one hashed", turn);
  callVerdict(DIGESTS, "one judged");

  a.label("two", turn);
  // R ‖ A ‖ message of both, back to back, are hashed together.
  for (const [index, recordAt] of (["position", ["ADD", "position", "stride"]] as const).entries()) {
    a.evaluate(recordAt, "record");
    emitHashInput(a, ["ADD", "target", BigInt(index) * (DIGEST_LENGTH + MESSAGE_LENGTH)], "record", MESSAGE_LENGTH, [
      "ADD",
      "record",
      MESSAGE_LENGTH,
    ]);
    a.pop();
  }
  copyParameter(a, "hash of two 138 bytes", ENTRIES);
  emitHashCall(a, "target", 2n * (DIGEST_LENGTH + MESSAGE_LENGTH), 2n * DIGEST_LENGTH);
  callVerdict(DIGESTS, "first judged");
  a.label("first judged", [...turn, "verdict"]);
  emitVerdictByte();
  callVerdict(DIGESTS + DIGEST_LENGTH, "one judged");

  a.label("one judged", [...turn, "verdict"]);
  emitVerdictByte();
  a.jump("batch turn");

  a.label("batch judged", turn);
  a.evaluate(["SUB", "target", ANSWER]).evaluate(ANSWER).op("RETURN");

  /** Judges the record at `position`; the verdict is on the stack at the label, which has to come next. */
  function callVerdict(digest: bigint, label: string) {
    a.pushLabel(label, "return");
    // No hint is the position 0.
    const hint: Expression = ["ADD", SIGNATURE_LENGTH, ["ADD", "position", "length"]];
    a.evaluate(["MUL", ["ISZERO", ["ISZERO", "hintLength"]], hint], "hint");
    a.evaluate(["ADD", "position", "length"], "signature").push(digest, "digest");
    a.jump("verdict");
  }

  /** Writes the verdict, and goes on to the next record. */
  function emitVerdictByte() {
    a.dup("verdictPosition").op("MSTORE8");
    a.assign("verdictPosition", ["ADD", "verdictPosition", 1n]);
    a.assign("position", ["ADD", "position", "stride"]);
  }
}

/**
 * Puts where the bytes begin that the ABI has at an offset, and how many they are, on the stack; refuses what Solidity
 * refuses, bytes that are not all there.
 */
function emitBytesOf(a: Assembler, offset: bigint, start: string, length: string): void {
  const head = 4n;
  a.evaluate(["ADD", head + WORD, ["CALLDATALOAD", offset]], start);
  a.evaluate(["CALLDATALOAD", ["SUB", start, WORD]], length);
  a.evaluate([
    "OR",
    ["SHR", POSITION_BITS, ["OR", ["SUB", start, head + WORD], length]],
    ["GT", ["ADD", start, length], ["CALLDATASIZE"]],
  ]).jumpIf("refuse");
}

/** Subroutine "hash one": takes return, signature, message, length, target; writes the digest to memory. */
function emitHashing(a: Assembler): void {
  a.label("hash one", ["return", "signature", "message", "length", "target"]);
  emitHashInput(a, "target", "message", "length", "signature");
  // The address of the contract that hashes 138 bytes stands two words before that of the one that hashes any.
  const isOfUsualLength: Expression = ["EQ", "length", MESSAGE_LENGTH];
  a.evaluate(WORD);
  a.evaluate(["SUB", { label: "hash of any bytes" }, ["MUL", isOfUsualLength, 2n * WORD]]);
  a.evaluate(ENTRIES).op("CODECOPY");
  emitHashCall(a, "target", ["ADD", "length", DIGEST_LENGTH], DIGEST_LENGTH);
  a.pop(4).op("JUMP");
}

/** Writes R ‖ A ‖ message to memory (RFC 8032, section 5.1.7, step 2). */
function emitHashInput(
  a: Assembler,
  target: Expression,
  message: Expression,
  length: Expression,
  signature: Expression,
): void {
  a.evaluate(target, "input");
  a.evaluate(WORD).evaluate(signature).evaluate("input").op("CALLDATACOPY");
  a.evaluate(WORD).evaluate({ label: "public key" }).evaluate(["ADD", "input", WORD]).op("CODECOPY");
  a.evaluate(length)
    .evaluate(message)
    .evaluate(["ADD", "input", 2n * WORD])
    .op("CALLDATACOPY");
  a.pop();
}

/**
 * Calls the hash contract whose address is in memory at ENTRIES. One that ran out of gas gives no digest, and neither
 * does an address without code: then this reverts, and no verdict follows from it.
 */
function emitHashCall(a: Assembler, input: Expression, inputLength: Expression, outputLength: bigint): void {
  a.evaluate(["STATICCALL", ["GAS"], ["MLOAD", ENTRIES], input, inputLength, DIGESTS, outputLength], "success");
  a.evaluate(["EQ", ["RETURNDATASIZE"], outputLength])
    .op("AND")
    .op("ISZERO")
    .jumpIf("hash failed");
}

/** Copies a parameter word of the code to memory. */
function copyParameter(a: Assembler, label: string, target: bigint): void {
  a.evaluate(WORD).evaluate({ label }).evaluate(target).op("CODECOPY");
}

/**
 * Subroutine "verdict": takes return, hint (the position of x in the calldata, or 0), signature (the position of r in the
 * calldata), digest (its address in memory); gives the verdict.
 */
function emitVerdict(a: Assembler): void {
  a.label("verdict", ["return", "hint", "signature", "digest"]);
  a.push(P, "p").push(ORDER, "order");
  for (const { mask, slot } of REVERSAL) a.push(mask, slot);

  // The encoding of R as a number: the sign of x, and y.
  a.evaluate(["CALLDATALOAD", "signature"]);
  reverseTop(a, "encoding");
  a.evaluate(["ISZERO", "hint"]).jumpIf("hint seen");
  emitHintCheck(a);
  a.label("hint seen");

  // S < L (RFC 8032, section 5.1.7, step 1); then B's scalar is c = (S + 2^252 - 1)/2 mod L.
  a.evaluate(["CALLDATALOAD", ["ADD", "signature", WORD]]);
  reverseTop(a, "cOfB");
  a.evaluate(["ISZERO", ["LT", "cOfB", "order"]]).jumpIf("invalid signature");
  a.push(OFFSET).op("ADD");
  multiplyTop(a, HALF_MOD_ORDER);
  foldTop(a);
  a.name("cOfB");

  // h is the digest as a number of 512 bits, lowest byte first. -A's scalar is c = (h + 2^252 - 1)/2 mod L, of which
  // upper half, lower half and constant are halved apart. The first sum is below 2·L.
  a.evaluate(["MLOAD", "digest"]);
  reverseTop(a, "low");
  multiplyTop(a, HALF_MOD_ORDER);
  a.evaluate(["MLOAD", ["ADD", "digest", WORD]]);
  reverseTop(a, "high");
  multiplyTop(a, HALF_OF_2_256_MOD_ORDER);
  a.push(HALF_OFFSET).op("ADD").dup("order").swap(3).op("ADDMOD");
  foldTop(a);
  // The constants have served; their slots take what is kept, so that the slots below stay within the reach of DUP.
  a.store("p", "cOfA").store("order", "cOfB").store("mask8", "encoding").pop(3);

  emitComb(a);
  emitComparison(a);
}

/** Leaves for "wrong hint" unless (x, y) is a point of the curve, x below p and of the sign, and y below p. */
function emitHintCheck(a: Assembler): void {
  const before = [...a.stack];
  a.evaluate(["CALLDATALOAD", "hint"], "x");
  a.evaluate(["AND", "encoding", 2n ** 255n - 1n], "y");
  a.evaluate(["MULMOD", "x", "x", "p"], "x²");
  a.evaluate(["MULMOD", "y", "y", "p"], "y²");
  // -x² + y² = 1 + d·x²·y²; the right side plus x² is at most 2p - 1. x = 0 with sign 1 fails on the sign.
  const product: Expression = ["MULMOD", ["MULMOD", "x²", "y²", "p"], D, "p"];
  a.evaluate(["EQ", "y²", ["MOD", ["ADD", 1n, ["ADD", "x²", product]], "p"]]);
  a.evaluate(["EQ", ["AND", "x", 1n], ["SHR", 255n, "encoding"]]).op("AND");
  a.evaluate(["AND", ["LT", "x", "p"], ["LT", "y", "p"]]).op("AND");
  a.op("ISZERO").jumpIf("wrong hint");
  a.pop(4);
  a.stack = before;
}

/**
 * S·B - h·A from the two folded scalars, as a point before a doubling, thus with E negated. See comb.ts for what the
 * constants do.
 */
function emitComb(a: Assembler): void {
  const first = BigInt(COLUMNS - 1);
  a.push(ROW_BITS, "rows").push(GATHER, "gather").push(first, "column");
  a.evaluate(["SHR", first, "cOfB"], "shiftedB").evaluate(["SHR", first, "cOfA"], "shiftedA").push(P, "p");

  // The first entry is where the sum starts: x = E/G and y = H/F with F = G = 1.
  readColumn(a, 0);
  const [yMinusX, , yPlusX] = wordsOf(0);
  const start: Readonly<Record<string, Expression>> = {
    E: ["ADD", ["MLOAD", yPlusX], ["SUB", "p", ["MLOAD", yMinusX]]],
    F: 1n,
    G: 1n,
    H: ["ADD", ["MLOAD", yPlusX], ["MLOAD", yMinusX]],
  };
  for (const name of POINT_ON_STACK) a.evaluate(start[name] as Expression, name);
  addEntries(a, 1, [ADDITION, ADDITION, LAST_ADDITION]);

  a.label("turn");
  a.assign("column", ["SUB", "column", BigInt(COLUMNS_A_TURN)]);
  a.assign("shiftedB", ["SHR", "column", "cOfB"]).assign("shiftedA", ["SHR", "column", "cOfA"]);
  for (let column = COLUMNS_A_TURN - 1; column >= 0; column--) {
    readColumn(a, column);
    emitBlock(a, DOUBLING);
    addEntries(a, 0, [FIRST_ADDITION, ADDITION, ADDITION, LAST_ADDITION]);
  }
  a.evaluate("column").jumpIf("turn");

  a.evaluate(["SHR", OVERFLOW_SHIFT, ["OR", "cOfB", "cOfA"]]).jumpIf("correct");
  a.label("corrected");
}

/** Reads the four entries that a column selects, counted from the one that the shifted scalars begin with. */
function readColumn(a: Assembler, column: number): void {
  for (const [index, [scalar, point]] of (
    [
      ["shiftedB", "B"],
      ["shiftedA", "-A"],
    ] as const
  ).entries()) {
    const length = BigInt(SIGNED_ENTRY_LENGTH);
    const shifted: Expression = column === 0 ? scalar : ["SHR", BigInt(column), scalar];
    a.push(length, "length").evaluate(["MUL", "gather", ["AND", "rows", shifted]], "offsets");
    a.push(length).evaluate(["ADD", { label: `upper table of ${point}` }, ["SHR", UPPER_SHIFT, "offsets"]]);
    a.push(addressOfEntry(2 * index)).op("CODECOPY");
    a.push(LOWER_SHIFT).op("SHR").push(LOWER_MASK).op("AND").pushLabel(`lower table of ${point}`).op("ADD");
    a.push(addressOfEntry(2 * index + 1)).op("CODECOPY");
  }
}

/** Adds the entries that have been read, from the given one on: as many as there are blocks. */
function addEntries(a: Assembler, first: number, blocks: readonly Block[]): void {
  blocks.forEach((block, index) => {
    const [yMinusX, dxy, yPlusX] = wordsOf(first + index);
    emitBlock(a, block, { "(y-x)/2": yMinusX, dxy, "(y+x)/2": yPlusX });
  });
}

function addressOfEntry(entry: number): bigint {
  return ENTRIES + BigInt(entry * SIGNED_ENTRY_LENGTH);
}

/** The addresses of an entry's (y-x)/2, d·x·y and (y+x)/2. */
function wordsOf(entry: number): readonly [bigint, bigint, bigint] {
  const address = addressOfEntry(entry);
  return [address, address + WORD, address + 2n * WORD];
}

/** Compares the sum with R, and returns the verdict. */
function emitComparison(a: Assembler): void {
  const sum = [...a.stack];
  a.dup("hint", "x").evaluate(["ISZERO", "x"]).jumpIf("compare encodings");

  // E/G = -x and H/F = y, where E is negated: without a division, x·G + E = 0 and y·F = H mod p.
  a.op("CALLDATALOAD", "x").evaluate(["AND", 2n ** 255n - 1n, "encoding"], "y");
  a.evaluate(["EQ", ["MOD", "H", "p"], ["MULMOD", "y", "F", "p"]]);
  a.evaluate(["ISZERO", ["ADDMOD", "E", ["MULMOD", "x", "G", "p"], "p"]]).op("AND");
  returnVerdict(a);

  // With i = 1/(F·G): x = -E·F·i and y = H·G·i; the encoding is y with the lowest bit of x as its highest.
  a.label("compare encodings", [...sum, "x"]).pop();
  emitInverse(a, ["MULMOD", "F", "G", "p"]);
  a.evaluate(["MOD", ["SUB", "p", ["MULMOD", "E", ["MULMOD", "F", "inverse", "p"], "p"]], "p"], "x");
  a.evaluate(["MULMOD", "H", ["MULMOD", "G", "inverse", "p"], "p"], "y");
  a.evaluate(["EQ", "encoding", ["OR", "y", ["SHL", 255n, "x"]]]);
  returnVerdict(a);

  // One or both scalars overflowed the comb: the correction for B, for -A, or for both, which stand in this order, is
  // added. It is negated as the sum is. The additions' order of the point differs from the doubling's by G and F.
  a.label("correct", sum);
  const which: Expression = ["ADD", ["SHR", OVERFLOW_SHIFT, "cOfB"], ["SHL", 1n, ["SHR", OVERFLOW_SHIFT, "cOfA"]]];
  a.push(BigInt(SIGNED_ENTRY_LENGTH));
  a.evaluate(["ADD", { label: "corrections" }, ["MUL", BigInt(SIGNED_ENTRY_LENGTH), ["SUB", which, 1n]]]);
  a.push(ENTRIES).op("CODECOPY");
  a.swap("G");
  addEntries(a, 0, [ADDITION]);
  a.swap("F");
  a.jump("corrected");

  for (const [label, verdict, above] of [
    ["wrong hint", WRONG_HINT, ["x", "y", "x²", "y²"]],
    ["invalid signature", INVALID_SIGNATURE, ["cOfB"]],
  ] as const) {
    const masks = REVERSAL.map(({ slot }) => slot);
    a.label(label, ["return", "hint", "signature", "digest", "p", "order", ...masks, "encoding", ...above]).push(
      verdict,
    );
    returnVerdict(a);
  }
}

/** Returns from the subroutine "verdict" with the top of the stack. */
function returnVerdict(a: Assembler): void {
  // In two steps after a comparison, because the first slots are too deep then.
  if (a.stack.includes("rows")) storeBelow("p");
  storeBelow("hint");
  a.swap("return").op("JUMP");

  /** Moves the top down into a slot, and removes what was above that. */
  function storeBelow(slot: string) {
    a.store(slot, "verdict").pop(a.stack.length - 1 - a.stack.lastIndexOf("verdict"));
  }
}

/** 1/z mod p by Fermat, z^(p-2), in the scratch part of memory. A precompile that runs out of gas gives no inverse. */
function emitInverse(a: Assembler, z: Expression): void {
  const input = [WORD, WORD, WORD, z, P - 2n, P];
  input.forEach((word, index) => {
    a.evaluate(word)
      .push(BigInt(index) * WORD)
      .op("MSTORE");
  });
  a.evaluate(["STATICCALL", ["GAS"], MODEXP, 0n, BigInt(input.length) * WORD, 0n, WORD]);
  a.evaluate(["EQ", ["RETURNDATASIZE"], WORD])
    .op("AND")
    .op("ISZERO")
    .jumpIf("inversion failed");
  a.evaluate(["MLOAD", 0n], "inverse");
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

/** Folds the top's signs into its rows: see `SIGN_ROWS`. */
function foldTop(a: Assembler): void {
  a.dup(1).push(SIGN_ROWS).op("AND").push(SIGN_SHIFT).op("SHR").push(SPREAD).op("MUL").op("XOR");
}

/** Reverts with the custom errors of IEd25519Verifier. */
function emitErrors(a: Assembler): void {
  for (const [label, signature] of [
    ["hash failed", "Sha512Failed()"],
    ["inversion failed", "ModularExponentiationFailed()"],
  ] as const) {
    a.label(label, []);
    emitRevert(a, signature, []);
  }
  const [messageLength, offset, head] = [4n, 36n, 4n];
  a.label("invalid batch length", []);
  emitRevert(a, "InvalidBatchLength(uint256,uint256)", [
    ["CALLDATALOAD", ["ADD", head, ["CALLDATALOAD", offset]]],
    ["CALLDATALOAD", messageLength],
  ]);
}

function emitRevert(a: Assembler, signature: string, values: readonly Expression[]): void {
  a.evaluate(["SHL", 224n, selector(signature)])
    .evaluate(0n)
    .op("MSTORE");
  values.forEach((value, index) => {
    a.evaluate(value)
      .push(4n + BigInt(index) * WORD)
      .op("MSTORE");
  });
  a.push(4n + BigInt(values.length) * WORD)
    .push(0n)
    .op("REVERT");
}

function emitReturn(a: Assembler, start: bigint, length: bigint): void {
  a.push(length).push(start).op("RETURN");
}
