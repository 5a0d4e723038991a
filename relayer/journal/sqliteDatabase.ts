import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { Kysely } from "kysely";
import { backUpSqlite } from "./journalBackup.ts";
import type { JournalDatabase } from "./journalDatabase.ts";
import { JournalMissingError, JournalUnreadableError } from "./journalErrors.ts";
import { SharedSqliteDialect } from "./sqliteDialect.ts";
import type { JournalTables } from "./tables.ts";

/** A journal that lives as long as the process: for tests and simulations. */
export const IN_MEMORY = ":memory:";

/** Marks a database file as a journal of this program: "HPrJ". */
const APPLICATION_ID = 0x4850724an;

/** How long one process waits for another that is writing; the longest writes take a second or two. */
const LOCK_TIMEOUT_MS = 30_000;

/** The bytes that every SQLite file begins with. */
const FILE_HEADER = "SQLite format 3\0";

/**
 * Opens a SQLite file, or makes one.
 *
 * A transaction that has returned is on the disk, not only with the operating system: a signed transaction must be
 * found again after a loss of power.
 *
 * @throws JournalUnreadableError when there is something else at that path; it is left as it is.
 * @throws JournalMissingError when there is nothing and `mustExist` says that there should be.
 */
export async function openSqliteDatabase(
  path: string,
  { mustExist }: { mustExist: boolean },
): Promise<JournalDatabase> {
  const description = `sqlite ${path}`;
  if (path !== IN_MEMORY) await checkFile(path, description, mustExist);
  const database = openFile(path, description);
  const db = new Kysely<JournalTables>({ dialect: new SharedSqliteDialect({ database }) });
  return {
    engine: "sqlite",
    description,
    db,
    columnTypes: { integer: "integer", bytes: "blob", decimal: "real" },
    schema: undefined,
    backUp: (beforeVersion) => (path === IN_MEMORY ? Promise.resolve() : backUpSqlite(database, path, beforeVersion)),
    bytesOnDisk: async () => {
      if (path !== IN_MEMORY) return (await sizeOf(path)) + (await sizeOf(`${path}-wal`));
      return numberOf(database, "page_count") * numberOf(database, "page_size");
    },
  };
}

async function checkFile(path: string, description: string, mustExist: boolean): Promise<void> {
  let beginning: string;
  try {
    beginning = await beginningOf(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code !== "ENOENT") throw new JournalUnreadableError(description, `it cannot be opened (${code})`, error);
    if (mustExist) throw new JournalMissingError(description);
    await makeFolder(dirname(path), description);
    return;
  }
  // An empty file is one that a process made and died before it wrote.
  if (beginning !== "" && beginning !== FILE_HEADER) throw new JournalUnreadableError(description, "it is no database");
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FILE_HEADER.length), 0, FILE_HEADER.length, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function makeFolder(folder: string, description: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new JournalUnreadableError(description, `its folder cannot be made${code}`, error);
  }
}

function openFile(path: string, description: string): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: LOCK_TIMEOUT_MS });
    // Ids, prices and times need more than the 53 bits of a number.
    database.defaultSafeIntegers(true);
    checkOwnership(database, description);
    database.pragma("journal_mode = wal");
    database.pragma("synchronous = full");
    database.pragma("foreign_keys = on");
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof JournalUnreadableError) throw error;
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new JournalUnreadableError(description, `it cannot be opened${code}`, error);
  }
}

/** A database of another program is not touched; an empty one becomes ours. */
function checkOwnership(database: Database.Database, description: string): void {
  const claim = database.transaction(() => {
    const owner = numberOf(database, "application_id");
    if (owner === APPLICATION_ID) return;
    const tables = database.prepare("select count(*) from sqlite_master").pluck().get() as bigint;
    if (owner !== 0n || tables > 0n) {
      throw new JournalUnreadableError(description, "it is a database of another program");
    }
    database.pragma(`application_id = ${APPLICATION_ID}`);
  });
  if (numberOf(database, "application_id") !== APPLICATION_ID) claim.immediate();
}

function numberOf(database: Database.Database, pragma: string): bigint {
  return database.pragma(pragma, { simple: true }) as bigint;
}

async function sizeOf(path: string): Promise<bigint> {
  try {
    return (await stat(path, { bigint: true })).size;
  } catch {
    return 0n;
  }
}
