import { type ContractErrorArgs, type ContractErrorName, decodeErrorResult, type Hex } from "viem";
import { readerErrorsAbi } from "../relayer/chain/abi/readerErrorsAbi.ts";
import { describeOracleError, ORACLE_ERRORS_ABI } from "../relayer/chain/oracleErrors.ts";
import { revertDataOf } from "./revertDataOf.ts";

/** Every custom error that {@link decodeOracleError} knows: of the oracle, the adapters and HomePriceConsumer. */
const ERRORS_ABI = [...ORACLE_ERRORS_ABI, ...readerErrorsAbi] as const;

/** Names of the errors of the oracle, the adapters and HomePriceConsumer. */
export type OracleErrorName = ContractErrorName<typeof ERRORS_ABI>;

type Named<name extends OracleErrorName> = name extends OracleErrorName
  ? { readonly name: name; readonly args: ContractErrorArgs<typeof ERRORS_ABI, name> }
  : never;

/** A custom error in plain words. `name` tells the type of `args`. */
export type DecodedOracleError = Named<OracleErrorName> & {
  /** What was wrong, with the values. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** Position of the update in the call, where the error is about one. */
  readonly index?: number;
  /** The revert data that was decoded. */
  readonly data: Hex;
};

export type DecodeOracleErrorReturnType = DecodedOracleError | undefined;

/**
 * Says in plain words why a call was reverted, and what to do about it. An update that was refused is told by its
 * reason, with its position in the call. `undefined` when the error is none of the oracle's, the adapters' or
 * HomePriceConsumer's. Never throws.
 *
 * @param error Revert data, or whatever a library or wallet threw that holds it.
 * @example
 * try {
 *   await walletClient.writeContract(request);
 * } catch (error) {
 *   const decoded = decodeOracleError(error);
 *   if (decoded?.name === "PriceTooOld") console.log(decoded.args[1], decoded.hint);
 * }
 */
export function decodeOracleError(error: unknown): DecodeOracleErrorReturnType {
  const data = revertDataOf(error);
  if (data === undefined) return undefined;
  const described = describeOracleError(data, ERRORS_ABI);
  const named = decodeNamed(data);
  if (!described || !named) return undefined;
  const { message, hint, index } = described;
  return { ...named, message, hint, data, ...(index !== undefined && { index }) };
}

/** Name and arguments; of a refused update those of its reason, where that is known. */
function decodeNamed(data: Hex): Named<OracleErrorName> | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS_ABI, data });
    // viem knows Solidity's own errors besides those of the ABI.
    if (!ERRORS_ABI.some((item) => item.type === "error" && item.name === errorName)) return undefined;
    if (errorName === "InvalidUpdate") {
      const reason = decodeNamed(args[1]);
      if (reason) return reason;
    }
    return { name: errorName, args: args ?? [] } as Named<OracleErrorName>;
  } catch {
    return undefined;
  }
}
