import { type Address, type Hex, recoverTransactionAddress, type TransactionSerializedEIP1559 } from "viem";
import type { UnsignedTransaction } from "../../relayer/keys/transactionSigner.ts";

/** A transaction of the kind that the relayer sends. */
export const TRANSACTION: UnsignedTransaction = {
  type: "eip1559",
  chainId: 31_337,
  to: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  data: `0xf567ddc7${"ab".repeat(64)}`,
  value: 0n,
  nonce: 7,
  gas: 1_234_567n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000n,
};

export function recoveredSender(signed: Hex): Promise<Address> {
  return recoverTransactionAddress({ serializedTransaction: signed as TransactionSerializedEIP1559 });
}
