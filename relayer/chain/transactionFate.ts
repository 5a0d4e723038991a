import {
  type Address,
  BlockNotFoundError,
  type Hex,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import { agreementOf } from "./agreement.ts";
import type { ChainAccess } from "./chainAccess.ts";
import type { ChainConnection } from "./chainConnection.ts";
import { checkedCount } from "./readNonce.ts";

/**
 * What has become of the transactions that were signed with one nonce.
 *
 * - `mined`: one of them is in a block that the endpoints agree on.
 * - `waiting`: a node knows one of them, or it is in a block that most do not know.
 * - `unknown`: no node knows one, and the nonce is free.
 * - `displaced`: no node knows one, and most say that the nonce is used. Whether that is for good, `isFinal` says.
 */
export type TransactionFate =
  | { readonly state: "mined"; readonly receipt: TransactionReceipt; readonly blockTimeMs: bigint }
  | { readonly state: "waiting"; readonly hosts: readonly string[] }
  | { readonly state: "unknown" }
  | { readonly state: "displaced"; readonly isFinal: boolean };

/** What one endpoint knows of them. */
type View = {
  readonly host: string;
  readonly count: number;
  readonly receipt: TransactionReceipt | undefined;
  readonly isKnown: boolean;
};

/**
 * Asks every usable endpoint. One receipt says more than any number of endpoints that have none, because they lag or have
 * lost it, as long as its block is the one that the endpoints agree on; that a nonce is used otherwise, most have to say.
 *
 * @param hashes Of all transactions with this nonce, oldest first.
 * @param finalBlock Newest final block; a displacement is final when the nonce is used in it already.
 * @throws what the first endpoint answers, when none answers.
 */
export async function readFate(
  access: ChainAccess,
  hashes: readonly Hex[],
  { sender, nonce }: { readonly sender: Address; readonly nonce: number },
  finalBlock?: bigint | undefined,
): Promise<TransactionFate> {
  const views: View[] = [];
  await access.agree(`what became of nonce ${nonce} of ${sender}`, async (connection) => {
    views.push(await look(connection, hashes, sender));
    // Nodes come to know of things one after the other: that is no contradiction.
    return true;
  });
  const seen = [...views];
  for (const receipt of distinctReceipts(seen)) {
    const block = await readBlock(access, receipt.blockNumber);
    if (block?.hash === receipt.blockHash) {
      return { state: "mined", receipt, blockTimeMs: block.timestamp * 1000n };
    }
  }
  const knowing = seen.filter(({ isKnown, receipt }) => isKnown || receipt).map(({ host }) => host);
  if (knowing.length > 0) return { state: "waiting", hosts: knowing };
  const displacing = seen.filter(({ count }) => count > nonce).length;
  if (displacing * 2 <= seen.length) return { state: "unknown" };
  const isFinal = finalBlock !== undefined && (await isUsedAt(access, sender, nonce, finalBlock));
  return { state: "displaced", isFinal };
}

/** Whether a block is the one that most endpoints have at its height; not when none has one there (any more). */
export async function isCanonical(access: ChainAccess, blockNumber: bigint, blockHash: Hex): Promise<boolean> {
  return (await readBlock(access, blockNumber))?.hash === blockHash;
}

/**
 * In this order: a count that includes a transaction is read before the transaction is asked for, so that one that is
 * mined in between is never taken for a foreign one.
 */
async function look({ publicClient, host }: ChainConnection, hashes: readonly Hex[], sender: Address): Promise<View> {
  const count = checkedCount(await publicClient.getTransactionCount({ address: sender, blockTag: "latest" }));
  const newestFirst = hashes.toReversed();
  const receipts = await Promise.all(
    newestFirst.map((hash) =>
      publicClient.getTransactionReceipt({ hash }).catch(undefinedFor(TransactionReceiptNotFoundError)),
    ),
  );
  const receipt = receipts.find((found, index) => found?.transactionHash === newestFirst[index]);
  if (receipt) return { host, count, receipt, isKnown: true };
  const transactions = await Promise.all(
    newestFirst.map((hash) => publicClient.getTransaction({ hash }).catch(undefinedFor(TransactionNotFoundError))),
  );
  const isKnown = transactions.some((found, index) => found?.hash === newestFirst[index]);
  return { host, count, receipt: undefined, isKnown };
}

/** One receipt for each block that an endpoint names: where their contents differ, that of most. */
function distinctReceipts(views: readonly View[]): TransactionReceipt[] {
  const byBlock = new Map<Hex, { host: string; receipt: TransactionReceipt }[]>();
  for (const { host, receipt } of views) {
    if (!receipt) continue;
    byBlock.set(receipt.blockHash, [...(byBlock.get(receipt.blockHash) ?? []), { host, receipt }]);
  }
  return [...byBlock.values()].flatMap((given) => {
    const { hosts } = agreementOf(given.map(({ host, receipt }) => ({ host, value: contentOf(receipt) })));
    const chosen = given.find(({ host }) => host === hosts[0]);
    return chosen ? [chosen.receipt] : [];
  });
}

/** What counts in a receipt; nodes add fields of their own. */
function contentOf({ transactionHash, blockNumber, status, gasUsed, logs }: TransactionReceipt) {
  return {
    transactionHash,
    blockNumber,
    status,
    gasUsed,
    logs: logs.map(({ address, topics, data }) => ({ address: address.toLowerCase(), topics, data })),
  };
}

/** Hash and time of the block at a height, as most of those that have one there say; `undefined` when none has. */
async function readBlock(
  access: ChainAccess,
  blockNumber: bigint,
): Promise<{ hash: Hex; timestamp: bigint } | undefined> {
  try {
    const { value } = await access.agree(`block ${blockNumber}`, async ({ publicClient }) => {
      const { hash, timestamp } = await publicClient.getBlock({ blockNumber });
      return { hash, timestamp };
    });
    return value;
  } catch (error) {
    return undefinedFor(BlockNotFoundError)(error);
  }
}

async function isUsedAt(access: ChainAccess, sender: Address, nonce: number, blockNumber: bigint): Promise<boolean> {
  try {
    const { value } = await access.agree(
      `the number of transactions of ${sender} in block ${blockNumber}`,
      (connection) => connection.publicClient.getTransactionCount({ address: sender, blockNumber }).then(checkedCount),
    );
    return value > nonce;
  } catch {
    // Not every node keeps the state of earlier blocks.
    return false;
  }
}

/** A node that says that it has no such thing has answered. */
function undefinedFor(absence: new (...parameters: never[]) => Error): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof absence) return undefined;
    throw error;
  };
}
