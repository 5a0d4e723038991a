import { sql } from "kysely";
import { hostOf } from "../chain/rpcError.ts";
import { namingDatabaseError } from "../journal/databaseErrors.ts";
import { openPostgresDatabase } from "../journal/postgresDatabase.ts";
import { type Finding, failed, ok } from "./finding.ts";
import { describeVersion } from "./journalVersion.ts";

/** What a server says of what the user may do. */
type Rights = { readonly read_only: boolean; readonly may_use: boolean; readonly may_make: boolean };

/** Looks at a PostgreSQL database that holds the journal, or is to hold it, and changes nothing. */
export async function tryDatabase(url: string): Promise<Finding> {
  const database = openPostgresDatabase(url);
  const name = hostOf(url);
  try {
    const { rows } = await sql<Rights>`
      select current_setting('transaction_read_only') = 'on' as read_only,
             has_database_privilege(current_database(), 'CREATE') as may_make,
             coalesce(has_schema_privilege(to_regnamespace(${database.schema})::oid, 'CREATE, USAGE'), false) as may_use`.execute(
      database.db,
    );
    const rights = rows[0];
    if (rights?.read_only) {
      return failed(
        `${name} answers, and lets nobody write`,
        "Most likely it is a replica: give the address of the primary server in store (HOMEPRICE_STORE).",
      );
    }
    if (!rights?.may_use && !rights?.may_make) {
      return failed(
        `${name} does not let this user make the journal's tables`,
        `Give the user the right to CREATE in the database, or a schema ${database.schema} that is its own.`,
      );
    }
    return ok(`${name} answers, and can be written${await describeVersion(database)}`);
  } catch (error) {
    throw namingDatabaseError(error, `postgres ${name}`);
  } finally {
    await database.db.destroy();
  }
}
