import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Journal } from "./journal.ts";
import type { JournalDatabase } from "./journalDatabase.ts";
import { migrateJournal } from "./migrateJournal.ts";
import { JOURNAL_MIGRATIONS } from "./migrations/allMigrations.ts";
import { openPostgresDatabase } from "./postgresDatabase.ts";
import { IN_MEMORY, openSqliteDatabase } from "./sqliteDatabase.ts";
import { createSqlJournal } from "./sqlJournal.ts";

/** The file of a journal whose place is given as a folder. */
export const JOURNAL_FILE = "journal.sqlite";

export type OpenJournalOptions = {
  /** For what only reads: a journal that is not there is not made. Default: false. */
  readonly mustExist?: boolean | undefined;
};

/**
 * Opens the journal, makes it where there is none, and brings it to this version.
 *
 * @param store A `postgres://` or `postgresql://` URL; the path of a SQLite file, or of a folder that it is in;
 *   `:memory:` for one that lives as long as the process.
 * @throws JournalNewerError, JournalUnreadableError, JournalUnreachableError, JournalFailedError,
 *   JournalMigrationError, JournalMissingError
 */
export async function openJournal(store: string, { mustExist = false }: OpenJournalOptions = {}): Promise<Journal> {
  const database = isPostgresUrl(store)
    ? openPostgresDatabase(store)
    : await openSqliteDatabase(await fileOf(store), { mustExist });
  return openJournalIn(database, { mustExist });
}

/** Opens the journal of a database that is open, which is closed along with it, or when it cannot be used. */
export async function openJournalIn(database: JournalDatabase, options: OpenJournalOptions = {}): Promise<Journal> {
  try {
    await migrateJournal(database, JOURNAL_MIGRATIONS, options);
    return createSqlJournal(database);
  } catch (error) {
    await database.db.destroy();
    throw error;
  }
}

export function isPostgresUrl(store: string): boolean {
  return /^postgres(ql)?:\/\//i.test(store);
}

async function fileOf(store: string): Promise<string> {
  if (store === IN_MEMORY) return store;
  const isFolder = /[/\\]$/.test(store) || (await stat(store).catch(() => undefined))?.isDirectory();
  return isFolder ? join(store, JOURNAL_FILE) : store;
}
