import type { Address } from "viem";
import type { ChainAccess } from "./chainAccess.ts";

/** How many transactions a sender has. */
export type NonceReading = {
  /** In blocks, as most endpoints say: the first nonce that is free on the chain. */
  readonly latest: number;
  /** With those that wait, as far as the pinned endpoint knows; never less. */
  readonly pending: number;
  /** Hosts that say otherwise than `latest`. */
  readonly otherHosts: readonly string[];
};

/**
 * Reads a sender's transaction count: a wrong one would lead to a transaction that is never mined, or to a price paid
 * for twice.
 * @throws what the first endpoint answers, when none has a count.
 */
export async function readNonce(access: ChainAccess, sender: Address): Promise<NonceReading> {
  const { publicClient } = await access.pin();
  const { value: latest, otherHosts } = await access.agree(`the number of transactions of ${sender}`, (connection) =>
    connection.publicClient.getTransactionCount({ address: sender, blockTag: "latest" }).then(checkedCount),
  );
  // What waits is a node's own knowledge; one that has none, or says less than the chain, says nothing.
  const pending = await publicClient
    .getTransactionCount({ address: sender, blockTag: "pending" })
    .then(checkedCount)
    .catch(() => latest);
  return { latest, pending: Math.max(latest, pending), otherHosts };
}

/** @throws TypeError when a node answers with something that is no count. */
export function checkedCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new TypeError("the node answers with something that is no count");
  return count;
}
