/** Calls of verifiers, with what they have to answer. */
import {
  concat,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  toFunctionSelector,
  toHex,
} from "viem";
import { type Hashing, LOWER_TABLES, type Target } from "./mutationChain.ts";
import type { ExpectedCall } from "./probe.ts";
import { type Judged, MESSAGE_LENGTH } from "./signedMessages.ts";

export const ABI = parseAbi([
  "function publicKey() view returns (bytes32)",
  "function verify(bytes message, bytes32 r, bytes32 s) view returns (uint8)",
  "function verifyWithHint(bytes message, bytes32 r, bytes32 s, uint256 xOfR) view returns (uint8)",
  "function verifyBatch(uint256 messageLength, bytes signedMessages) view returns (bytes)",
  "function verifyBatchWithHints(uint256 messageLength, bytes signedMessages) view returns (bytes)",
  "error InvalidBatchLength(uint256 length, uint256 messageLength)",
  "error CallFailed()",
]);

/** A length for which there is no contract of its own. */
export const OTHER_LENGTH = 75;

export function single(target: Target, judged: Judged, isHinted: boolean): ExpectedCall {
  const { message, hinted, plain } = judged;
  const name = `${isHinted ? "verifyWithHint" : "verify"}, ${message.length} bytes`;
  return answered(name, target, judgedData(judged, isHinted), word(BigInt(isHinted ? hinted : plain)));
}

export function judgedData({ message, r, s, hint }: Judged, isHinted = false): Hex {
  const args = [toHex(message), toHex(r), toHex(s)] as const;
  if (!isHinted) return encodeFunctionData({ abi: ABI, functionName: "verify", args });
  return encodeFunctionData({ abi: ABI, functionName: "verifyWithHint", args: [...args, hint] });
}

export function batch(target: Target, cases: readonly Judged[], withHints: boolean): ExpectedCall {
  const messageLength = cases[0]?.message.length ?? MESSAGE_LENGTH;
  const functionName = withHints ? "verifyBatchWithHints" : "verifyBatch";
  const data = encodeFunctionData({
    abi: ABI,
    functionName,
    args: [BigInt(messageLength), concat(["0x", ...recordsOf(cases, withHints)])],
  });
  const name = `${functionName}, ${cases.length} of ${messageLength} bytes`;
  return answered(name, target, data, batchAnswer(verdictsOn(cases, withHints)));
}

/** A call of the batch verifier itself, to which verifiers hand large batches only. */
export function direct(hashing: Hashing, cases: readonly Judged[], withHints: boolean): ExpectedCall {
  const name = `the batch verifier, ${cases.length}${withHints ? " with hints" : ""}`;
  const data = concat([...recordsOf(cases, withHints), pad(LOWER_TABLES[hashing]), word(withHints ? 32n : 0n)]);
  return answered(name, "batchVerifier", data, toHex(verdictsOn(cases, withHints)));
}

function recordsOf(cases: readonly Judged[], withHints: boolean): Hex[] {
  return cases.map(({ message, r, s, hint }) =>
    concat([toHex(message), toHex(r), toHex(s), ...(withHints ? [word(hint)] : [])]),
  );
}

/** The selector and the words before the bytes of a single signature's message. */
export function headOf({ r, s, hint }: Judged, offset: bigint, isHinted: boolean): Hex {
  const words = [word(offset), toHex(r), toHex(s)];
  return isHinted
    ? concat([selectorOf("verifyWithHint"), ...words, word(hint)])
    : concat([selectorOf("verify"), ...words]);
}

export function selectorOf(name: (typeof ABI)[number]["name"]): Hex {
  const item = ABI.find((candidate) => candidate.name === name);
  if (item?.type !== "function") throw new Error(`there is no function ${name}`);
  return toFunctionSelector(item);
}

export function answered(name: string, target: Target, data: Hex, returned: Hex): ExpectedCall {
  return { name, target, data, success: true, returned };
}

/** Reverts without a word, as Solidity does with calldata that it cannot decode. */
export function refused(name: string, data: Hex): ExpectedCall {
  return { name, target: "verifier", data, success: false, returned: "0x" };
}

/** What a batch of these verdicts is answered with. */
export function batchAnswer(verdicts: Uint8Array): Hex {
  return encodeAbiParameters([{ type: "bytes" }], [toHex(verdicts)]);
}

function verdictsOn(cases: readonly Judged[], withHints: boolean): Uint8Array {
  return Uint8Array.from(cases, ({ hinted, plain }) => (withHints ? hinted : plain));
}

export function word(number: bigint): Hex {
  return numberToHex(number, { size: 32 });
}

/** The call again, by a verifier that misses an answer that it needs. */
export function failed(call: ExpectedCall): ExpectedCall {
  return { ...call, success: false, returned: encodeErrorResult({ abi: ABI, errorName: "CallFailed" }) };
}
