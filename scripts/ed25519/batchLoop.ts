/** The loop over the signed messages of a batch, in EVM instructions. */
import type { Assembler, Expression } from "./assembler.ts";
import {
  DIGEST_LENGTH,
  emitCall,
  emitHashInput,
  SIGNATURE_LENGTH,
  USUAL_INPUT_LENGTH,
  USUAL_LENGTH,
} from "./hashing.ts";

/** What the loop leaves to the program that it is part of. */
interface BatchProgram {
  /** The address of the digests in memory. */
  readonly digests: bigint;
  /** Emits what writes the digest of the record at the slot `position` there. */
  readonly emitHashOfOne: () => void;
  /** Puts the address of the contract that hashes two messages of the usual length on the stack. */
  readonly emitAddressForTwo: () => void;
  /** Emits what takes an address from the stack, and writes the 32 bytes of A there. */
  readonly emitKey: () => void;
}

/**
 * Judges the records in the calldata from the slot `position` to the slot `end`, each of `stride` bytes: a message of
 * `length` bytes, R, S and, if `hintLength` is not 0, x of R. Writes a byte for each verdict to the address in
 * `verdictPosition` and on. Two messages of the usual length are hashed at a time, at the address in `target`.
 */
export function emitBatchLoop(
  a: Assembler,
  { digests, emitHashOfOne, emitAddressForTwo, emitKey }: BatchProgram,
): void {
  const turn = [...a.stack];
  a.label("next record");
  a.evaluate(["LT", "position", "end"]).op("ISZERO").jumpIf("batch judged");
  const areTwoLeft: Expression = ["LT", ["ADD", "position", "stride"], "end"];
  a.evaluate(["AND", ["EQ", "length", USUAL_LENGTH], areTwoLeft]).jumpIf("two");

  emitHashOfOne();
  callVerdict(digests, "one judged");

  a.label("two", turn);
  emitHashInputOfRecord("position", "target");
  emitHashInputOfRecord(["ADD", "position", "stride"], ["ADD", "target", USUAL_INPUT_LENGTH]);
  emitAddressForTwo();
  a.name("hashOfTwo");
  emitCall(a, "hashOfTwo", ["target", 2n * USUAL_INPUT_LENGTH], [digests, 2n * DIGEST_LENGTH]);
  a.pop();
  callVerdict(digests, "first judged");
  a.label("first judged", [...turn, "verdict"]);
  emitVerdictByte();
  callVerdict(digests + DIGEST_LENGTH, "one judged");

  a.label("one judged", [...turn, "verdict"]);
  emitVerdictByte();
  a.jump("next record");
  a.label("batch judged", turn);

  function emitHashInputOfRecord(record: Expression, target: Expression) {
    a.evaluate(record, "record");
    const signature: Expression = ["ADD", USUAL_LENGTH, "record"];
    emitHashInput(a, { target, signature, message: "record", length: USUAL_LENGTH }, emitKey);
    a.pop();
  }

  /** Judges the record at `position`; the verdict is on the stack at the label. */
  function callVerdict(digest: bigint, label: string) {
    a.pushLabel(label, "return");
    // The position 0 is that of no hint.
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
