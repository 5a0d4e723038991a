import { type Address, TransactionNotFoundError } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { type ReceiptWait, waitForReceipt } from "../chain/waitForReceipt.ts";
import type { Logger } from "../logging/logger.ts";
import type { SentTransactions } from "../store/sentTransactions.ts";

/**
 * Looks up what became of transactions whose receipt an earlier run did not see. One that is mined, replaced or unknown
 * to the chain is settled; one that still waits is waited for, because a second one for the same feeds would be paid too.
 */
export async function settleEarlier(
  connection: ChainConnection,
  sentTransactions: SentTransactions,
  { log, timeoutMs, signal }: ReceiptWait & { readonly log: Logger },
): Promise<void> {
  const { chain, publicClient } = connection;
  for (const { hash, nonce, sender } of sentTransactions.on(chain.id)) {
    let known: Awaited<ReturnType<typeof publicClient.getTransaction>> | undefined;
    try {
      known = await publicClient.getTransaction({ hash });
    } catch (error) {
      if (!(error instanceof TransactionNotFoundError)) throw error;
    }
    if (known && known.blockNumber === null) {
      log.info({ transaction: hash }, "waiting for a transaction of an earlier run");
      const receipt = await waitForReceipt(connection, hash, { timeoutMs, signal }).catch(() => undefined);
      if (!receipt) {
        log.warn({ transaction: hash, nonce }, "a transaction of an earlier run is still not mined");
        continue;
      }
    } else if (!known) {
      const mined = await publicClient.getTransactionCount({ address: sender as Address });
      const fate = mined > nonce ? "was replaced by another with its nonce" : "never reached the chain";
      log.warn({ transaction: hash, nonce }, `a transaction of an earlier run ${fate}`);
    }
    await sentTransactions.settle(hash);
  }
}
