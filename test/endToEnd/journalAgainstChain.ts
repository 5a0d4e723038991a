import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attempt, DeliveryState, Journal } from "../../relayer/journal/journal.ts";
import { isPostgresUrl, openJournal } from "../../relayer/journal/openJournal.ts";
import type { ChainLedger } from "./chainLedger.ts";
import type { DeliveredChain, TwoChainNetwork } from "./twoChainNetwork.ts";

/**
 * Reads a journal as a process has left it. A SQLite file is copied first: to open it would tidy it up, and the next
 * process is to find it as it is.
 */
export async function readJournal<T>(store: string, read: (journal: Journal) => Promise<T>): Promise<T> {
  if (isPostgresUrl(store)) return readOpened(await openJournal(store), read);
  const folder = await mkdtemp(join(tmpdir(), "homeprice-journal-"));
  try {
    const copy = join(folder, "journal.sqlite");
    // A process may have been killed before it made one: then what is read is an empty one.
    await copyFile(store, copy).catch(() => {});
    // Without a file of writes that are not in the database yet, there are none.
    await copyFile(`${store}-wal`, `${copy}-wal`).catch(() => {});
    return await readOpened(await openJournal(copy), read);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readOpened<T>(journal: Journal, read: (journal: Journal) => Promise<T>): Promise<T> {
  try {
    return await read(journal);
  } finally {
    await journal.close();
  }
}

/** What a journal says of the work on one chain at a moment. */
export type WorkLeft = {
  /** Transactions that are written down, and whose fate is not. */
  readonly unsettled: number;
  /** Feeds of the newest edition that are not known to be on the chain. */
  readonly undelivered: number;
  /** Whether anything of the newest edition has been received. */
  readonly hasEdition: boolean;
};

const BROUGHT: readonly DeliveryState[] = ["mined", "final", "current"];

/** How the edition that is out stands on a chain, as the journal knows it. */
export async function workLeft(
  journal: Journal,
  { sender, clock, feedIds }: TwoChainNetwork,
  { chainId, oracle }: DeliveredChain,
): Promise<WorkLeft> {
  const open = await journal.openAttempts(chainId, sender);
  const deliveries = await journal.deliveriesSince({ chainId, oracle }, clock.day);
  const brought = deliveries.filter(({ state }) => BROUGHT.includes(state));
  return {
    unsettled: open.filter(({ state }) => state === "sent").length,
    undelivered: feedIds.length - brought.length,
    hasEdition: (await journal.pricesOn(clock.day)).length > 0,
  };
}

/**
 * Where journal and chain do not say the same: a transaction that only one of them has, another block, another nonce,
 * other updates.
 * @param days Of the editions that were brought.
 */
export async function contradictions(
  journal: Journal,
  { chain, transactions }: ChainLedger,
  days: readonly number[],
): Promise<string[]> {
  const prices = (await Promise.all(days.map((day) => journal.pricesOn(day)))).flat();
  const identity = new Map(
    prices.map(({ id, feedId, publishTimeMs, price }) => [id, `${feedId}/${publishTimeMs}/${price}`]),
  );
  const attempts = (await journal.attemptsOf([...identity.keys()])).filter(
    ({ target, state }) => target.chainId === chain.chainId && state !== "displaced",
  );
  const byNonce = new Map<number, Attempt>(attempts.map((attempt) => [attempt.nonce, attempt]));
  const problems: string[] = [];
  for (const { hash, nonce, blockHash, updates } of transactions) {
    const attempt = byNonce.get(nonce);
    byNonce.delete(nonce);
    const say = (problem: string) => problems.push(`${chain.name}: nonce ${nonce}: ${problem}`);
    if (!attempt) say("is on the chain, and not in the journal");
    else if (!attempt.transactions.some((each) => each.hash === hash)) say(`the journal does not know ${hash}`);
    else if (attempt.mined && attempt.mined.blockHash !== blockHash) say("the journal has another block");
    else if (!attempt.mined) say("is mined, and the journal does not say so");
    else if (updates.join() !== attempt.updates.map(({ priceId }) => identity.get(priceId)).join())
      say("the journal has other updates");
  }
  for (const [nonce, { state }] of byNonce)
    problems.push(`${chain.name}: nonce ${nonce}: is ${state} in the journal, and not on the chain`);
  return problems;
}
