import { decodeErrorResult, type Hex } from "viem";
import { ed25519VerifierFactoryAbi } from "../../relayer/chain/abi/ed25519VerifierFactoryAbi.ts";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { describeOracleError } from "../../relayer/chain/oracleErrors.ts";
import { revertDataOf } from "../../relayer/chain/rpcError.ts";

/** A custom error by name and arguments. */
export type DecodedError = { readonly name: string; readonly args: readonly unknown[] };

/** Why an update is refused, and its position in the call. */
export type Refusal = DecodedError & { readonly index: number };

/** The custom error, of the oracle or of what it calls, with which a call reverts. Fails if there is none. */
export async function errorOf(call: Promise<unknown>): Promise<DecodedError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error("the call succeeded");
  const data = revertDataOf(error);
  if (data === undefined || data === "0x") throw error;
  return decodeError(data);
}

/** Decodes the reason inside InvalidUpdate or UpdateRefused, in which the relayer has to see the same error. */
export function decodeReason(index: bigint, reason: Hex): Refusal {
  const decoded = decodeError(reason);
  const described = describeOracleError(reason);
  if (described?.name !== decoded.name) {
    throw new Error(`${decoded.name} is described as ${described?.name ?? "nothing"}`);
  }
  return { index: Number(index), ...decoded };
}

function decodeError(data: Hex): DecodedError {
  const { errorName, args } = decodeErrorResult({ abi: [...homePriceOracleAbi, ...ed25519VerifierFactoryAbi], data });
  return { name: errorName, args: args ?? [] };
}
