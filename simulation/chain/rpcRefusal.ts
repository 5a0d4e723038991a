/** What a node answers instead of a result: code and message as Geth has them, which is what clients tell errors by. */
export class RpcRefusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** "Transaction rejected" of EIP-1474 is -32003; Geth says everything about a transaction with -32000. */
export const TRANSACTION_REFUSED = -32_000;

export const METHOD_NOT_SUPPORTED = -32_601;

/** Code of a call that reverted, with the revert data beside it. */
export const EXECUTION_REVERTED = 3;
