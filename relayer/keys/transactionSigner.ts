import type { Address, Hex } from "viem";

/** What a relayer signs: an EIP-1559 transaction. */
export type UnsignedTransaction = {
  readonly type: "eip1559";
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  readonly value: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

/** Whoever holds the sender's key: this process, or a signer elsewhere (a vault, a hardware module). */
export type TransactionSigner = {
  readonly address: Address;
  /**
   * The signed transaction, serialized.
   * @throws HomePriceError when there is no signature, or it is not one of this address over just this transaction.
   */
  readonly signTransaction: (transaction: UnsignedTransaction) => Promise<Hex>;
};
