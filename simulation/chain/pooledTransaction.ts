import { type Address, type Hex, keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { RpcRefusal, TRANSACTION_REFUSED } from "./rpcRefusal.ts";

/** A signed transaction that has not been mined. */
export type PooledTransaction = {
  readonly raw: Hex;
  readonly hash: Hex;
  /** In small letters. */
  readonly sender: Address;
  readonly nonce: number;
  readonly to: Address | null;
  readonly data: Hex;
  readonly value: bigint;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly chainId: number | undefined;
};

/**
 * Reads a signed transaction.
 * @throws RpcRefusal when it is none.
 */
export async function readTransaction(raw: Hex): Promise<PooledTransaction> {
  try {
    const parsed = parseTransaction(raw);
    // biome-ignore lint/suspicious/noExplicitAny: the library narrows serialized transactions by their first byte
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as any });
    return {
      raw,
      hash: keccak256(raw),
      sender: sender.toLowerCase() as Address,
      nonce: parsed.nonce ?? 0,
      to: parsed.to ?? null,
      data: parsed.data ?? "0x",
      value: parsed.value ?? 0n,
      gas: parsed.gas ?? 0n,
      maxFeePerGas: parsed.maxFeePerGas ?? parsed.gasPrice ?? 0n,
      maxPriorityFeePerGas: parsed.maxPriorityFeePerGas ?? parsed.gasPrice ?? 0n,
      chainId: parsed.chainId,
    };
  } catch (error) {
    throw new RpcRefusal(TRANSACTION_REFUSED, `rlp: ${error instanceof Error ? error.message.split("\n", 1)[0] : "?"}`);
  }
}
