import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { JournalDatabase } from "./journalDatabase.ts";
import { JournalUnreachableError } from "./journalErrors.ts";
import type { JournalTables } from "./tables.ts";

/** All tables are in a schema of their own, so that the database may hold other things as well. */
const SCHEMA = "homeprice";

/** Type number of int8 in PostgreSQL's catalogue. */
const INT8 = 20;

/** Enough for as many chains at work at once; more of them wait their turn. */
const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 60_000;

/**
 * For every connection: what is committed is on the server's disk, whatever the server's default is; and a process that
 * stops in the middle of a transaction (a lost machine, a laptop that sleeps) loses it and its locks within a minute,
 * so that another one can take over.
 */
const SESSION_SETTINGS = `
  select set_config('idle_in_transaction_session_timeout', '60000', false),
         set_config('synchronous_commit',
                    case current_setting('synchronous_commit') when 'off' then 'on'
                    else current_setting('synchronous_commit') end, false)`;

/** A pool of connections to a PostgreSQL database; nothing is connected yet. */
export function openPostgresDatabase(url: string): JournalDatabase {
  const description = `postgres ${placeOf(url)}`;
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: "homeprice",
    // On this pool alone: whoever shares the process may want other numbers.
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === INT8 && format !== "binary" ? BigInt : pg.types.getTypeParser(type, format as "text"),
    },
  });
  // A connection that breaks while nobody uses it; whoever asks next gets another, or the error.
  pool.on("error", () => {});
  const db = new Kysely<JournalTables>({
    dialect: new PostgresDialect({
      pool,
      onCreateConnection: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw(SESSION_SETTINGS));
      },
    }),
  }).withSchema(SCHEMA);
  return {
    engine: "postgres",
    description,
    db,
    columnTypes: { integer: "bigint", bytes: "bytea", decimal: "double precision" },
    schema: SCHEMA,
    // A dump is the operator's: this program may run on another machine, without pg_dump and without the space.
    backUp: () => Promise.resolve(),
    bytesOnDisk: async () => {
      const { rows } = await sql<{ bytes: bigint }>`
        select coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = ${SCHEMA} and c.relkind = 'r'`.execute(db);
      return rows[0]?.bytes ?? 0n;
    },
  };
}

/** Host and port of a database URL; user, password and database name are nobody's business. */
function placeOf(url: string): string {
  try {
    const { host, searchParams } = new URL(url);
    return host || searchParams.get("host") || "on this machine";
  } catch (error) {
    throw new JournalUnreachableError("postgres", "store is no URL that can be read", error);
  }
}
