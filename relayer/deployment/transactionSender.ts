import {
  type Address,
  BaseError,
  createWalletClient,
  custom,
  type Hex,
  http,
  type LocalAccount,
  type TransactionReceipt,
} from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { describeOracleError } from "../chain/oracleErrors.ts";
import { describeRpcError, revertDataOf } from "../chain/rpcError.ts";
import { isInsufficientFunds, UnfundedSenderError } from "../chain/unfundedSender.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";

/** Sends one transaction and waits for it. The label says what it is for. */
export type TransactionSender = (
  label: string,
  transaction: { to: Address; data?: Hex; value?: bigint },
) => Promise<TransactionReceipt>;

/** A transaction that a deployment needs failed. */
export class TransactionFailedError extends HomePriceError {
  constructor(
    label: string,
    reason: string,
    hint = "Correct the cause and run the command again: what is done is not repeated.",
  ) {
    super("TRANSACTION_FAILED", `could not ${label}: ${reason}`, { hint });
  }
}

/**
 * A sender for the few transactions of a deployment: each is waited for before the next.
 * @throws (the sender) UnfundedSenderError, TransactionFailedError
 */
export function createTransactionSender(
  { chain, publicClient, rpcUrl }: ChainConnection,
  account: LocalAccount,
  receiptTimeoutMs: number,
  onMined: (label: string, receipt: TransactionReceipt) => void,
): TransactionSender {
  // A local node answers when a transaction has run, which takes longer than other requests may.
  const transport = rpcUrl ? http(rpcUrl, { timeout: receiptTimeoutMs }) : custom(publicClient, { retryCount: 0 });
  const wallet = createWalletClient({ account, chain, transport });
  return async (label, transaction) => {
    let receipt: TransactionReceipt;
    try {
      const hash = await wallet.sendTransaction(transaction);
      receipt = await publicClient.waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs });
    } catch (error) {
      // Whoever signs elsewhere has its own words for what is wrong.
      const cause = error instanceof BaseError ? error.walk((inner) => inner instanceof HomePriceError) : null;
      if (cause) throw cause;
      if (isInsufficientFunds(error)) {
        throw new UnfundedSenderError(account.address, await publicClient.getBalance({ address: account.address }));
      }
      const data = revertDataOf(error);
      const described = data ? describeOracleError(data) : undefined;
      throw new TransactionFailedError(label, described?.message ?? describeRpcError(error), described?.hint);
    }
    if (receipt.status !== "success")
      throw new TransactionFailedError(label, `transaction ${receipt.transactionHash} reverted`);
    onMined(label, receipt);
    return receipt;
  };
}
