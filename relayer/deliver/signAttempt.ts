import { encodeFunctionData, type Hex, keccak256 } from "viem";
import { homePriceOracleAbi } from "../chain/abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "../chain/chainConnection.ts";
import type { Fees } from "../chain/fees.ts";
import type { AttemptTransaction } from "../journal/journal.ts";
import type { ChainContext } from "./chainContext.ts";

/** Gas of a transaction that does nothing. */
const PLAIN_TRANSACTION_GAS = 21_000n;

/** What is signed for one nonce: a call that brings updates, or nothing but the nonce to use up. */
export type AttemptContent = { readonly data: Hex; readonly gasLimit: bigint };

/** Uses up a nonce: nothing is sent to oneself. */
export const NOTHING: AttemptContent = { data: "0x", gasLimit: PLAIN_TRANSACTION_GAS };

/**
 * The call that is sent: the one that passes over invalid updates, so that whatever changes until the transaction is
 * mined costs one feed and not a batch.
 */
export function callOf(updates: readonly Hex[]): Hex {
  return encodeFunctionData({ abi: homePriceOracleAbi, functionName: "tryUpdatePrices", args: [updates] });
}

/** Signs what an attempt is to send. Nothing leaves: the caller writes it into the journal first. */
export async function signAttempt(
  { signer, oracle, access, nowMs }: ChainContext,
  { host }: ChainConnection,
  nonce: number,
  { data, gasLimit }: AttemptContent,
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
): Promise<AttemptTransaction> {
  if (!signer) throw new RangeError("there is no signer");
  const carriesUpdates = data !== NOTHING.data;
  const rawTransaction = await signer.signTransaction({
    type: "eip1559",
    chainId: access.chain.id,
    to: carriesUpdates ? oracle : signer.address,
    data,
    value: 0n,
    nonce,
    gas: gasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  return {
    hash: keccak256(rawTransaction),
    rawTransaction,
    maxFeePerGas,
    maxPriorityFeePerGas,
    carriesUpdates,
    host,
    signedAtMs: nowMs(),
  };
}
