import { type Abi, decodeErrorResult } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { revertDataOf } from "../../relayer/chain/rpcError.ts";
import type { DecodedError } from "../oracle/decodedErrors.ts";

/** The custom error, of a contract or of the oracle behind it, with which a call reverts. Fails if there is none. */
export async function errorIn(abi: Abi, call: Promise<unknown>): Promise<DecodedError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error("the call succeeded");
  const data = revertDataOf(error);
  if (data === undefined || data === "0x") throw error;
  const { errorName, args } = decodeErrorResult({ abi: [...abi, ...homePriceOracleAbi] as Abi, data });
  return { name: errorName, args: args ?? [] };
}
