import { type Account, type Address, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { parseAccount } from "viem/accounts";
import { call as callContract, getCode } from "viem/actions";
import type { PreparedCall } from "./preparedCall.ts";
import { OracleResolverError } from "./resolverErrors.ts";
import { revertDataOf } from "./revertDataOf.ts";
import type { SdkClient } from "./sdkClient.ts";
import { MULTICALL3_ADDRESS, multicall3Abi } from "./toMulticall.ts";

/** Who makes the calls of a batch: the account itself (`sendCalls`, a smart account), or Multicall3 for it. */
export type BatchExecutor = "account" | "multicall";

export type BatchContext = {
  readonly account: Account | Address | undefined;
  readonly executor: BatchExecutor;
  /** Default: where Multicall3 is on nearly every chain. */
  readonly multicall: Address | undefined;
};

/** How one call of a batch would end. */
export type CallOutcome = { readonly success: boolean; readonly returnData: Hex };

/** Whoever sends calls without an account named; has no code anywhere. */
const NOBODY: Address = "0x00000000000000000000000000000000000000F0";

/** Runs calls one after the other against the pending block, each seeing what those before it have changed. */
export async function simulateBatch(
  client: SdkClient,
  calls: readonly PreparedCall[],
  { account, executor, multicall = MULTICALL3_ADDRESS }: BatchContext,
): Promise<readonly CallOutcome[]> {
  const sender = account === undefined ? NOBODY : parseAccount(account).address;
  const [only, ...others] = calls;
  if (only && others.length === 0) return [await simulateOne(client, only, sender)];

  const args = calls.map(({ to, data, value }) => ({ target: to, allowFailure: true, value, callData: data }));
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3Value", args: [args] });
  const code = await getCode(client, { address: multicall });
  if (code === undefined) {
    throw new OracleResolverError("MULTICALL_MISSING", `there is no contract at ${multicall} to simulate a batch with`);
  }
  const value = calls.reduce((sum, each) => sum + each.value, 0n);
  const common = { account: sender, data, blockTag: "pending" } as const;
  // For the length of the simulation, the account gets the code that makes the calls, so that they see it as caller.
  const answer = await callContract(
    client,
    executor === "multicall"
      ? { ...common, to: multicall, value }
      : { ...common, to: sender, stateOverride: [{ address: sender, code }] },
  );
  return decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3Value", data: answer.data ?? "0x" });
}

async function simulateOne(
  client: SdkClient,
  { to, data, value }: PreparedCall,
  sender: Address,
): Promise<CallOutcome> {
  try {
    const answer = await callContract(client, { account: sender, to, data, value, blockTag: "pending" });
    return { success: true, returnData: answer.data ?? "0x" };
  } catch (error) {
    const returnData = revertDataOf(error);
    if (returnData === undefined) throw error;
    return { success: false, returnData };
  }
}
