export type SendLimits = {
  /** Most updates in one transaction. */
  readonly maxUpdatesPerTransaction: number;
  /** Most gas of one transaction; EIP-7825 allows 16,777,216. */
  readonly maxGasPerTransaction: bigint;
};
