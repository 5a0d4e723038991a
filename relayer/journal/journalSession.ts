import type { Transaction } from "kysely";
import { namingDatabaseError } from "./databaseErrors.ts";
import type { JournalDatabase } from "./journalDatabase.ts";
import type { JournalTables } from "./tables.ts";

/** How the parts of a journal reach its database. */
export type JournalSession = {
  readonly engine: JournalDatabase["engine"];
  /** Runs what writes: all of it, or nothing. */
  readonly write: <T>(work: (transaction: Transaction<JournalTables>) => Promise<T>) => Promise<T>;
  /** Runs what only reads, all at one moment. */
  readonly read: <T>(work: (transaction: Transaction<JournalTables>) => Promise<T>) => Promise<T>;
};

/** Every method of the journal is one transaction, and whatever the database throws becomes an error of ours. */
export function openSession({ engine, description, db }: JournalDatabase): JournalSession {
  const named = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw namingDatabaseError(error, description);
    }
  };
  return {
    engine,
    // Each statement sees what others have committed by then; what must not change in between is locked, see targets.ts.
    write: (work) => named(db.transaction().setIsolationLevel("read committed").execute(work)),
    read: (work) =>
      named(db.transaction().setAccessMode("read only").setIsolationLevel("repeatable read").execute(work)),
  };
}
