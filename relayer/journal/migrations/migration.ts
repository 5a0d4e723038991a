import type { Migration } from "kysely/migration";

/** What the two engines spell differently in the definition of a table. */
export type ColumnTypes = {
  readonly integer: "integer" | "bigint";
  readonly bytes: "blob" | "bytea";
  readonly decimal: "real" | "double precision";
};

/**
 * A step from one version of the journal to the next, for either engine. Steps only go forward; one that has been
 * released is never changed.
 */
export type JournalMigration = {
  /** Four digits and a word; steps are made in this order. */
  readonly name: string;
  readonly up: (...received: [...Parameters<Migration["up"]>, types: ColumnTypes]) => Promise<void>;
};
