import { type Address, parseAbi } from "viem";
import type { PreparedCall, WriteRequest } from "./preparedCall.ts";

/** Where Multicall3 is on nearly every chain. */
export const MULTICALL3_ADDRESS: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Part of Multicall3 that carries values. */
export const multicall3Abi = parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)",
]);

export type ToMulticallOptions = {
  /** Default: {@link MULTICALL3_ADDRESS}. */
  readonly multicall?: Address | undefined;
};

export type ToMulticallReturnType = WriteRequest<typeof multicall3Abi, "aggregate3Value">;

/**
 * Packs calls into one transaction through Multicall3; if one of them fails, all do. The called contracts see
 * Multicall3 as their caller: that is right for calls that anybody may make, and wrong for those that look at who
 * calls. For them use `sendCalls` or a smart account, or a consumer that takes the updates itself.
 *
 * @example
 * const { calls } = await withFreshPrice(client, { oracle, feedIds, source, call });
 * await walletClient.writeContract(toMulticall(calls));
 */
export function toMulticall(
  calls: readonly PreparedCall[],
  { multicall = MULTICALL3_ADDRESS }: ToMulticallOptions = {},
): ToMulticallReturnType {
  const args = calls.map(({ to, data, value }) => ({ target: to, allowFailure: false, value, callData: data }));
  return {
    address: multicall,
    abi: multicall3Abi,
    functionName: "aggregate3Value",
    args: [args],
    value: calls.reduce((sum, { value }) => sum + value, 0n),
  };
}
