import { formatGwei } from "viem";
import type { PooledTransaction } from "../chain/pooledTransaction.ts";

/** A transaction of the relayer's offers more for a unit of gas than its configuration allows. */
export function findAboveFeeCap({ hash, maxFeePerGas }: PooledTransaction, capWei: bigint): string[] {
  if (maxFeePerGas <= capWei) return [];
  return [`${hash} offers ${formatGwei(maxFeePerGas)} gwei a unit of gas, and ${formatGwei(capWei)} is allowed`];
}
