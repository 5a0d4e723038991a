import { type Abi, decodeErrorResult } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { revertDataOf } from "../../relayer/chain/rpcError.ts";
import type { DecodedError } from "../oracle/decodedErrors.ts";

/**
 * The error, of the oracle or of the contract that is called, with which a call reverts; `Error` and its text for a plain
 * string. Fails if there is none, or it has no data.
 */
export async function refusalOf(call: Promise<unknown>, abi: Abi): Promise<DecodedError> {
  const outcome = await outcomeOf(call, abi);
  if ("answer" in outcome) throw new Error("the call succeeded");
  if (outcome.refusal === undefined) throw outcome.error;
  return outcome.refusal;
}

export type Outcome<T> =
  | { readonly answer: T }
  /** Without refusal it failed without data, for want of gas, say. */
  | { readonly refusal: DecodedError | undefined; readonly error: unknown };

/** How a call ends. */
export async function outcomeOf<T>(call: Promise<T>, abi: Abi): Promise<Outcome<T>> {
  try {
    return { answer: await call };
  } catch (error) {
    const data = revertDataOf(error);
    if (data === undefined || data === "0x") return { refusal: undefined, error };
    const { errorName, args } = decodeErrorResult({ abi: [...homePriceOracleAbi, ...abi], data });
    return { refusal: { name: errorName, args: args ?? [] }, error };
  }
}
