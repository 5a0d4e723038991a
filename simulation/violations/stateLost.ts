import Database from "better-sqlite3";

/**
 * What a journal holds, as far as it must never be forgotten: what it says of prices and of transactions, and of when
 * that is (Unix milliseconds).
 */
export type JournalContents = ReadonlyMap<string, number>;

/** Reads a journal's file as it is, without the relayer's code. */
export function readJournalContents(path: string, sinceMs: number): JournalContents {
  const database = new Database(path, { readonly: true });
  try {
    const transactions = database
      .prepare(
        "select 'transaction ' || hash as entry, signed_at_ms as atMs from attempt_transactions where signed_at_ms >= ?",
      )
      .all(sinceMs);
    const prices = database
      .prepare(
        "select 'price ' || feed_id || '/' || publish_time_ms || '/' || price as entry, publish_time_ms as atMs from prices where publish_time_ms >= ?",
      )
      .all(sinceMs);
    const rows = [...transactions, ...prices] as { entry: string; atMs: number }[];
    return new Map(rows.map(({ entry, atMs }) => [entry, atMs]));
  } finally {
    database.close();
  }
}

/** The journal says less than before: something that it held, and that is not old enough to be let go, is gone. */
export function findStateLost(before: JournalContents, after: JournalContents, sinceMs: number): string[] {
  return [...before]
    .filter(([entry, atMs]) => atMs >= sinceMs && !after.has(entry))
    .map(([entry]) => `the journal no longer has ${entry}`);
}

/** A transaction of the relayer's is on a chain and not in its journal. */
export function findUnknownTransactions(hashes: readonly string[], contents: JournalContents): string[] {
  return hashes
    .filter((hash) => !contents.has(`transaction ${hash}`))
    .map((hash) => `transaction ${hash} is on the chain, and the journal has never heard of it`);
}
