/** What is hashed, and calls of the contracts that hash, in EVM instructions. */
import type { Assembler, Expression } from "./assembler.ts";

/** Bytes of the encoding of a point, R or A. */
const POINT_LENGTH = 32n;
/** Bytes of R and S. */
export const SIGNATURE_LENGTH = 64n;
export const DIGEST_LENGTH = 64n;

/** The length of the messages for which there are contracts that hash nothing else. */
export const USUAL_LENGTH = 74n;
/** What those contracts take for each message: R, A and the message. */
export const USUAL_INPUT_LENGTH = 2n * POINT_LENGTH + USUAL_LENGTH;

/** Where in memory the input goes, and where in the calldata its parts come from. */
interface HashInput {
  readonly target: Expression;
  readonly signature: Expression;
  readonly message: Expression;
  readonly length: Expression;
}

/**
 * Writes R ‖ A ‖ message to memory (RFC 8032, section 5.1.7, step 2).
 * @param emitKey Emits what takes an address from the stack, and writes the 32 bytes of A there.
 */
export function emitHashInput(
  a: Assembler,
  { target, signature, message, length }: HashInput,
  emitKey: () => void,
): void {
  a.evaluate(target, "input");
  a.push(POINT_LENGTH).evaluate(signature).dup("input").op("CALLDATACOPY");
  a.evaluate(["ADD", "input", POINT_LENGTH]);
  emitKey();
  a.evaluate(length).evaluate(message);
  a.evaluate(["ADD", "input", 2n * POINT_LENGTH]).op("CALLDATACOPY");
  a.pop();
}

/**
 * Calls a contract, and leaves for "call failed" unless it gives as many bytes as it should. One that runs out of gas gives
 * none, and so does an address without code: no verdict may follow from that.
 */
export function emitCall(
  a: Assembler,
  address: Expression,
  input: readonly [start: Expression, length: Expression],
  output: readonly [start: Expression, length: Expression],
): void {
  a.evaluate(["STATICCALL", ["GAS"], address, ...input, ...output], "success");
  a.evaluate(["EQ", ["RETURNDATASIZE"], output[1]])
    .op("AND")
    .op("ISZERO")
    .jumpIf("call failed");
}
