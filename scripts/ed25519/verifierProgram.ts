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
 *                the key, and addresses of contracts: see PARAMETERS   a word each
 *
 * The tables stand in the code of the very contract that uses them, because CODECOPY costs 3 gas and 3 a word, and
 * reading another contract's code a hundred more.
 */
import { toFunctionSelector } from "viem";
import { Assembler, type Expression } from "./assembler.ts";
import { emitBatchLoop } from "./batchLoop.ts";
import { SIGNED_ENTRY_LENGTH, TABLES, VERIFIER_COMB } from "./comb.ts";
import { BASE } from "./edwards25519.ts";
import { DIGEST_LENGTH, emitCall, emitHashInput, SIGNATURE_LENGTH, USUAL_LENGTH } from "./hashing.ts";
import type { CombInProgram, PointName } from "./multiplication.ts";
import { emitVerdict } from "./verdict.ts";

/** The words at the end of the code. */
const PARAMETERS = [
  "public key",
  // Of the first of the two contracts that hold the key's tables for large batches, and of the one that uses them.
  "tables for batches",
  "batch verifier",
  // Of the contracts that hash; the program counts on the distance of the first and the third.
  "hash of 138 bytes",
  "hash of two 138 bytes",
  "hash of any bytes",
] as const;

/**
 * The number of messages of the usual length from which on it pays to load the larger tables, all accounts being cold.
 * With 8 the two ways cost the same, to some hundreds.
 */
const LARGE_BATCH = 9n;

const WORD = 32n;

/** Where things are in memory. The four entries of a column are read to the beginning, where addresses are short. */
const ENTRIES = 0x00n;
const DIGESTS = 0x180n;
/** What a batch answers, as the ABI encodes bytes: an offset, the number of verdicts, and a byte for each. */
const ANSWER = 0x200n;
const VERDICTS = ANSWER + 2n * WORD;
/** What is hashed for a single signature; in a batch it goes behind the answer. */
const HASHED = 0x200n;

/** Numbers that the calldata gives as positions and lengths are below 2^64, so that their sums cannot overflow. */
const POSITION_BITS = 64n;

const COMB: CombInProgram = {
  comb: VERIFIER_COMB,
  columnsATurn: 4,
  copy: "CODECOPY",
  tableAt: (point, table) => ({ label: tableLabel(point, table) }),
  correctionsAt: { label: "corrections" },
  entries: ENTRIES,
};

/** The runtime code of a verifier up to where what depends on its key begins. */
export function verifierTemplate(): Uint8Array {
  const a = new Assembler();
  emitDispatch(a);
  emitSingle(a);
  emitBatch(a);
  emitHashOfOne(a);
  emitVerdict(a, COMB);
  emitErrors(a);

  for (let table = 0; table < TABLES; table++) a.mark(tableLabel("B", table)).data(COMB.comb.tableOf(BASE, table));
  a.mark("corrections").data(COMB.comb.correctionOf(BASE));
  const length = a.length;
  // The rest is the factory's to append; zeros stand for it, so that its labels have positions.
  a.data(new Uint8Array(2 * SIGNED_ENTRY_LENGTH));
  for (let table = 0; table < TABLES; table++) {
    a.mark(tableLabel("-A", table)).data(new Uint8Array(COMB.comb.tableLength));
  }
  for (const parameter of PARAMETERS) a.mark(parameter).data(new Uint8Array(Number(WORD)));
  return a.assemble().subarray(0, length);
}

function tableLabel(point: PointName, table: number): string {
  return `table ${table} of ${point}`;
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
  a.label("refuse").push(0n).push(0n).op("REVERT");

  a.label("publicKey", []).push(0n);
  copyParameter(a, "public key");
  a.push(WORD).push(0n).op("RETURN");
}

/** verify(message, r, s) and verifyWithHint(message, r, s, xOfR). */
function emitSingle(a: Assembler): void {
  const [offset, r, x, end] = [4n, 36n, 100n, 132n];
  a.label("verifyWithHint", []).push(x, "hint").push(end, "headEnd").jump("single");
  a.label("verify", []).push(0n, "hint").push(x, "headEnd");
  a.label("single");
  a.op("CALLDATASIZE").op("LT").jumpIf("refuse");
  // What the verdict takes; then what hashing takes, which returns to the verdict.
  a.pushLabel("single judged", "return").swap("hint").push(r, "signature").push(DIGESTS, "digest");
  a.pushLabel("verdict", "return").push(r, "signature");
  emitBytesOf(a, offset, "message", "length");
  a.push(HASHED, "target").jump("hash of one");

  a.label("single judged", ["verdict"]).push(0n).op("MSTORE");
  a.push(WORD).push(0n).op("RETURN");
}

/** verifyBatch(messageLength, signedMessages) and verifyBatchWithHints(messageLength, signedMessages). */
function emitBatch(a: Assembler): void {
  const [messageLength, offset, headEnd] = [4n, 36n, 68n];
  a.label("verifyBatchWithHints", []).push(WORD, "hintLength").jump("batch");
  a.label("verifyBatch", []).push(0n, "hintLength");
  a.label("batch");
  a.evaluate(["LT", ["CALLDATASIZE"], headEnd]).jumpIf("refuse");
  a.evaluate(["CALLDATALOAD", messageLength], "length");
  emitBytesOf(a, offset, "position", "size");
  a.evaluate(["SHR", POSITION_BITS, "length"]).jumpIf("invalid batch length");
  a.evaluate(["ADD", "hintLength", ["ADD", SIGNATURE_LENGTH, "length"]], "stride");
  a.evaluate(["DIV", "size", "stride"], "count");
  a.evaluate(["SUB", "size", ["MUL", "count", "stride"]]).jumpIf("invalid batch length");

  a.evaluate(["AND", ["NOT", WORD - 1n], ["ADD", VERDICTS + WORD - 1n, "count"]], "target");
  a.dup("count")
    .push(ANSWER + WORD)
    .op("MSTORE");
  a.push(WORD).push(ANSWER).op("MSTORE");
  a.evaluate(["AND", ["EQ", "length", USUAL_LENGTH], ["LT", LARGE_BATCH - 1n, "count"]]).jumpIf("large batch");

  const prepared = [...a.stack];
  a.label("small batch");
  a.evaluate(["ADD", "position", "size"], "end").push(VERDICTS, "verdictPosition");
  emitBatchLoop(a, {
    digests: DIGESTS,
    emitHashOfOne: () => {
      const turn = [...a.stack];
      a.pushLabel("one hashed", "return").evaluate(["ADD", "position", "length"], "signature");
      a.dup("position", "message").dup("length", "length").dup("target", "target").jump("hash of one");
      a.label("one hashed", turn);
    },
    emitAddressForTwo: () => {
      a.push(ENTRIES);
      copyParameter(a, "hash of two 138 bytes");
      a.push(ENTRIES).op("MLOAD");
    },
    emitKey: () => copyParameter(a, "public key"),
  });
  a.pop(2);
  a.label("return answer");
  a.evaluate(["SUB", "target", ANSWER]).push(ANSWER).op("RETURN");

  // Tables for batches are there only if somebody has paid for them.
  a.label("large batch", prepared);
  a.push(2n * WORD)
    .pushLabel("tables for batches")
    .dup("target")
    .op("CODECOPY");
  a.evaluate(["MLOAD", ["ADD", "target", WORD]], "batchVerifier").evaluate(["MLOAD", "target"], "tables");
  a.evaluate(["ISZERO", ["EXTCODESIZE", "tables"]]).jumpIf("no large batch");
  // The batch verifier takes the records, and behind them the address of the tables and the length of a hint.
  a.dup("size").dup("position").dup("target").op("CALLDATACOPY");
  a.evaluate(["ADD", "target", "size"], "trailer");
  a.dup("tables").dup("trailer").op("MSTORE");
  a.dup("hintLength").evaluate(["ADD", "trailer", WORD]).op("MSTORE");
  emitCall(a, "batchVerifier", ["target", ["ADD", "size", 2n * WORD]], [VERDICTS, "count"]);
  a.pop(3).jump("return answer");

  a.label("no large batch", [...prepared, "batchVerifier", "tables"])
    .pop(2)
    .jump("small batch");
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

/** Subroutine "hash of one": takes return, signature, message, length, target; writes the digest to memory. */
function emitHashOfOne(a: Assembler): void {
  a.label("hash of one", ["return", "signature", "message", "length", "target"]);
  emitHashInput(a, { target: "target", signature: "signature", message: "message", length: "length" }, () =>
    copyParameter(a, "public key"),
  );
  // The address of the contract that hashes 138 bytes stands two words before that of the one that hashes any.
  const isOfUsualLength: Expression = ["EQ", "length", USUAL_LENGTH];
  a.push(WORD);
  a.evaluate(["SUB", { label: "hash of any bytes" }, ["MUL", isOfUsualLength, 2n * WORD]]);
  a.push(ENTRIES).op("CODECOPY");
  emitCall(a, ["MLOAD", ENTRIES], ["target", ["ADD", "length", DIGEST_LENGTH]], [DIGESTS, DIGEST_LENGTH]);
  a.pop(4).op("JUMP");
}

/** Copies a parameter to the address on the top of the stack, and takes that from there. */
function copyParameter(a: Assembler, parameter: (typeof PARAMETERS)[number]): void {
  a.name("address").push(WORD).pushLabel(parameter).dup("address").op("CODECOPY").pop();
}

/** Reverts with the custom errors of IEd25519Verifier. */
function emitErrors(a: Assembler): void {
  a.label("call failed", []);
  emitRevert(a, "CallFailed()", []);

  const [messageLength, offset, head] = [4n, 36n, 4n];
  a.label("invalid batch length", []);
  emitRevert(a, "InvalidBatchLength(uint256,uint256)", [
    ["CALLDATALOAD", ["ADD", head, ["CALLDATALOAD", offset]]],
    ["CALLDATALOAD", messageLength],
  ]);
}

function emitRevert(a: Assembler, signature: string, values: readonly Expression[]): void {
  const start = 4n;
  a.evaluate(["SHL", 224n, selector(signature)])
    .push(0n)
    .op("MSTORE");
  values.forEach((value, index) => {
    a.evaluate(value)
      .push(start + BigInt(index) * WORD)
      .op("MSTORE");
  });
  a.push(start + BigInt(values.length) * WORD)
    .push(0n)
    .op("REVERT");
}

function selector(signature: string): bigint {
  return BigInt(toFunctionSelector(signature));
}
