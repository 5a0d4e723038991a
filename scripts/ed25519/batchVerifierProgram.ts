/**
 * The program behind the verifiers of all keys that judges their large batches, in EVM instructions. A verifier hands it
 * the records and what it needs to know of the key; there is no ABI:
 *
 *     records                                      a whole number of them: message of 74 bytes, R, S and, with hints, x of R
 *     address of the contract with the key's tables, and what belongs to them    a word
 *     length of a hint, 0 or 32                                                  a word
 *
 * It answers with a byte for each verdict. The tables of B and -A, 81,920 bytes, are loaded into memory, where MCOPY reads
 * their entries at the price of CODECOPY. They are the code of four contracts, which begins with STOP: as a contract,
 * nothing can be done with them. Behind the lower table of -A stands what PARAMETERS names.
 */
import { Assembler } from "./assembler.ts";
import { emitBatchLoop } from "./batchLoop.ts";
import { BATCH_COMB, SIGNED_ENTRY_LENGTH, TABLES } from "./comb.ts";
import {
  DIGEST_LENGTH,
  emitCall,
  emitHashInput,
  SIGNATURE_LENGTH,
  USUAL_INPUT_LENGTH,
  USUAL_LENGTH,
} from "./hashing.ts";
import type { CombInProgram, PointName } from "./multiplication.ts";
import { emitVerdict } from "./verdict.ts";

/** The words behind a key's lower table. */
const PARAMETERS = [
  "public key",
  "upper table of -A",
  "lower table of B",
  "upper table of B",
  "hash of 138 bytes",
  "hash of two 138 bytes",
] as const;

const WORD = 32n;
const TABLE_LENGTH = BigInt(BATCH_COMB.tableLength);

/** Where things are in memory: the tables, and the rest behind them. */
const POINTS: readonly PointName[] = ["B", "-A"];
const tableAt = (point: PointName, table: number) => BigInt(POINTS.indexOf(point) * TABLES + table) * TABLE_LENGTH;
const PARAMETERS_AT = BigInt(POINTS.length * TABLES) * TABLE_LENGTH;
const ENTRIES = PARAMETERS_AT + BigInt(PARAMETERS.length) * WORD;
const DIGESTS = ENTRIES + BigInt(POINTS.length * TABLES * SIGNED_ENTRY_LENGTH);
const HASHED = DIGESTS + 2n * DIGEST_LENGTH;
const VERDICTS = HASHED + 2n * USUAL_INPUT_LENGTH;

const COMB: CombInProgram = {
  comb: BATCH_COMB,
  columnsATurn: BATCH_COMB.columns - 1,
  copy: "MCOPY",
  tableAt,
  entries: ENTRIES,
};

/** The runtime code of the batch verifier. */
export function batchVerifier(): Uint8Array {
  const a = new Assembler();
  a.evaluate(["SUB", ["CALLDATASIZE"], 2n * WORD], "end");
  emitLoading(a);
  a.evaluate(["CALLDATALOAD", ["ADD", "end", WORD]], "hintLength").push(USUAL_LENGTH, "length");
  a.evaluate(["ADD", "hintLength", USUAL_LENGTH + SIGNATURE_LENGTH], "stride");
  a.push(HASHED, "target").push(0n, "position").push(VERDICTS, "verdictPosition");
  emitBatchLoop(a, {
    digests: DIGESTS,
    emitHashOfOne: () => {
      const input = { target: HASHED, signature: ["ADD", USUAL_LENGTH, "position"], message: "position" } as const;
      emitHashInput(a, { ...input, length: USUAL_LENGTH }, emitKey);
      emitCall(a, parameter("hash of 138 bytes"), [HASHED, USUAL_INPUT_LENGTH], [DIGESTS, DIGEST_LENGTH]);
    },
    emitAddressForTwo: () => a.evaluate(parameter("hash of two 138 bytes")),
    emitKey,
  });
  a.evaluate(["SUB", "verdictPosition", VERDICTS]).push(VERDICTS).op("RETURN");
  emitVerdict(a, COMB);
  // The verifier has the errors that a caller sees; it takes no answer for a failure, as it is one.
  a.label("call failed", []).push(0n).push(0n).op("REVERT");
  return a.assemble();

  /** Takes an address from the stack, and writes the key there. */
  function emitKey() {
    a.evaluate(parameter("public key")).swap(2).op("MSTORE");
  }
}

/** The code of a contract that holds a table. */
export function tableCode(table: Uint8Array): Uint8Array {
  return Uint8Array.from([STOP, ...table]);
}
const STOP = 0x00;

/** Copies the tables and the parameters to memory. */
function emitLoading(a: Assembler): void {
  const start = 1n;
  a.evaluate(["CALLDATALOAD", "end"], "lower table of -A");
  a.push(BigInt(PARAMETERS.length) * WORD).push(start + TABLE_LENGTH);
  a.push(PARAMETERS_AT).dup("lower table of -A").op("EXTCODECOPY");
  a.push(TABLE_LENGTH).push(start).push(tableAt("-A", 0)).dup("lower table of -A").op("EXTCODECOPY");
  for (const [name, point, table] of [
    ["upper table of -A", "-A", 1],
    ["lower table of B", "B", 0],
    ["upper table of B", "B", 1],
  ] as const) {
    a.push(TABLE_LENGTH).push(start).push(tableAt(point, table)).evaluate(parameter(name)).op("EXTCODECOPY");
  }
  a.pop();
}

function parameter(name: (typeof PARAMETERS)[number]) {
  return ["MLOAD", PARAMETERS_AT + BigInt(PARAMETERS.indexOf(name)) * WORD] as const;
}
