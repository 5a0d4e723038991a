import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { namingDatabaseError } from "./databaseErrors.ts";
import type { JournalDatabase } from "./journalDatabase.ts";
import { JournalMigrationError, JournalMissingError, JournalNewerError } from "./journalErrors.ts";
import { JOURNAL_MIGRATIONS } from "./migrations/allMigrations.ts";
import type { JournalMigration } from "./migrations/migration.ts";

const VERSION_TABLE = "journal_versions";

/**
 * Brings a journal to this program's version. One that holds something is backed up first, as far as that is ours to do.
 * Several processes may do so at once: one of them does it, the others find it done.
 *
 * @param mustExist Whether a database without a journal is an error, and not a journal to be made.
 * @throws JournalNewerError, JournalMigrationError, JournalMissingError, JournalUnreachableError, JournalFailedError
 */
export async function migrateJournal(
  database: JournalDatabase,
  migrations: readonly JournalMigration[] = JOURNAL_MIGRATIONS,
  { mustExist = false }: { readonly mustExist?: boolean | undefined } = {},
): Promise<void> {
  const { db, description, schema, columnTypes } = database;
  try {
    const before = await versionsOf(database);
    checkNotNewer(before, migrations, description);
    const missing = migrations.filter(({ name }) => !before.includes(name));
    const [next] = missing;
    if (!next) return;
    if (before.length === 0 && mustExist) throw new JournalMissingError(description);
    if (before.length > 0) await database.backUp(next.name);
    const migrator = new Migrator({
      db,
      provider: {
        getMigrations: async () =>
          Object.fromEntries(
            migrations.map(({ name, up }) => [name, { up: (transaction) => up(transaction, columnTypes) }]),
          ),
      },
      migrationTableName: VERSION_TABLE,
      migrationLockTableName: "journal_version_lock",
      ...(schema !== undefined && { migrationTableSchema: schema }),
    });
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    // A newer process may have been quicker.
    checkNotNewer(await versionsOf(database), migrations, description);
    throw error;
  } catch (error) {
    const named = namingDatabaseError(error, description);
    if (named instanceof HomePriceError && named.code !== "JOURNAL_IMPOSSIBLE_STEP") throw named;
    throw new JournalMigrationError(description, error instanceof Error ? error.message : String(error), error);
  }
}

/** Names of the steps that were made, oldest first. */
export async function versionsOf({ db, schema }: JournalDatabase): Promise<string[]> {
  // Everything: PostgreSQL's introspection shows only schemas that are there.
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === VERSION_TABLE && (schema === undefined || table.schema === schema))) {
    return [];
  }
  const rows = await (db as unknown as Kysely<{ journal_versions: { name: string } }>)
    .selectFrom(VERSION_TABLE)
    .select("name")
    .orderBy("name")
    .execute();
  return rows.map(({ name }) => name);
}

export function checkNotNewer(
  versions: readonly string[],
  known: readonly JournalMigration[],
  description: string,
): void {
  const unknown = versions.filter((version) => !known.some(({ name }) => name === version));
  const newest = unknown.at(-1);
  if (newest !== undefined) throw new JournalNewerError(description, newest);
}
