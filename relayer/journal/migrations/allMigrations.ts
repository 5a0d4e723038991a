import { journalMigration0001 } from "./0001_journal.ts";
import type { JournalMigration } from "./migration.ts";

/** Every step, oldest first. */
export const JOURNAL_MIGRATIONS: readonly JournalMigration[] = [journalMigration0001];
