import type { Kysely } from "kysely";
import type { ColumnTypes } from "./migrations/migration.ts";
import type { JournalTables } from "./tables.ts";

/** A database that holds, or is about to hold, a journal. */
export type JournalDatabase = {
  readonly engine: "sqlite" | "postgres";
  /** Scheme and place, without anything secret. */
  readonly description: string;
  readonly db: Kysely<JournalTables>;
  readonly columnTypes: ColumnTypes;
  /** The schema that the tables are in, where the engine has such. */
  readonly schema: string | undefined;
  /** Keeps a copy of what is there before it is changed. What it did is for the log. */
  readonly backUp: (beforeVersion: string) => Promise<void>;
  readonly bytesOnDisk: () => Promise<bigint>;
};
