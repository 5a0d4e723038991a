import type { JournalDatabase } from "../journal/journalDatabase.ts";
import { checkNotNewer, versionsOf } from "../journal/migrateJournal.ts";
import { JOURNAL_MIGRATIONS } from "../journal/migrations/allMigrations.ts";

/**
 * What there is to say of a journal's version, found without bringing it to this program's: that is for the first run,
 * when nobody else works with it.
 * @throws JournalNewerError, or what the database says.
 */
export async function describeVersion(database: JournalDatabase): Promise<string> {
  const versions = await versionsOf(database);
  checkNotNewer(versions, JOURNAL_MIGRATIONS, database.description);
  if (versions.length === 0) return "; the first run makes the journal in it";
  return versions.length < JOURNAL_MIGRATIONS.length ? "; the next run brings the journal to this version" : "";
}
