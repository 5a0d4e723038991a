import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { JournalDatabase } from "../../relayer/journal/journalDatabase.ts";
import { migrateJournal } from "../../relayer/journal/migrateJournal.ts";
import { JOURNAL_MIGRATIONS } from "../../relayer/journal/migrations/allMigrations.ts";
import type { JournalMigration } from "../../relayer/journal/migrations/migration.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { openSqliteDatabase } from "../../relayer/journal/sqliteDatabase.ts";
import { archive, DAY } from "./journalFixture.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-journal-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a journal, archives a price, and closes it. */
async function makeJournal(store: string): Promise<void> {
  const journal = await openJournal(store);
  await archive(journal);
  await journal.close();
}

async function pricesIn(store: string): Promise<number> {
  const journal = await openJournal(store, { mustExist: true });
  const prices = await journal.pricesOn(DAY);
  await journal.close();
  return prices.length;
}

/** Steps that come after this program's. */
const nextStep: JournalMigration = {
  name: "9998_notes",
  up: async (db) => {
    await db.schema.createTable("notes").addColumn("note", "text").execute();
  },
};
const brokenStep: JournalMigration = {
  name: "9999_broken",
  up: async (db) => {
    await db.schema.createTable("half").addColumn("note", "text").execute();
    throw new Error("broken on purpose");
  },
};

async function withDatabase<T>(path: string, work: (database: JournalDatabase) => Promise<T>): Promise<T> {
  const database = await openSqliteDatabase(path, { mustExist: true });
  try {
    return await work(database);
  } finally {
    await database.db.destroy();
  }
}

test("a journal is made where there is none, with its folders, and found again", async () => {
  const path = join(await emptyFolder(), "a", "b", "journal.sqlite");
  await makeJournal(path);
  expect(await pricesIn(path)).toBe(1);
  expect(await readdir(join(path, ".."))).toEqual(["journal.sqlite"]);
});

test("of a folder, the journal is the file journal.sqlite in it", async () => {
  const folder = await emptyFolder();
  await makeJournal(folder);
  await makeJournal(`${join(folder, "new")}/`);
  expect((await readdir(folder)).toSorted()).toEqual(["journal.sqlite", "new"]);
  expect(await pricesIn(join(folder, "new", "journal.sqlite"))).toBe(1);
});

test("whoever only reads makes no journal", async () => {
  const folder = await emptyFolder();
  const path = join(folder, "journal.sqlite");
  await expect(openJournal(path, { mustExist: true })).rejects.toMatchObject({
    code: "JOURNAL_MISSING",
    kind: "configuration",
  });
  expect(await readdir(folder)).toEqual([]);
});

test("an empty file, which a process made and died, becomes the journal", async () => {
  const path = join(await emptyFolder(), "journal.sqlite");
  await writeFile(path, "");
  await makeJournal(path);
  expect(await pricesIn(path)).toBe(1);
});

test("a transaction is on the disk before it counts as written, and others may read meanwhile", async () => {
  await withDatabase(await newJournalPath(), async ({ db }) => {
    const settingOf = async (pragma: string) => {
      const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(pragma)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    expect(await settingOf("synchronous")).toBe(2n);
    expect(await settingOf("journal_mode")).toBe("wal");
    expect(await settingOf("foreign_keys")).toBe(1n);
  });
});

async function newJournalPath(): Promise<string> {
  const path = join(await emptyFolder(), "journal.sqlite");
  await makeJournal(path);
  return path;
}

test.each([
  ["a text", (path: string) => writeFile(path, "these are notes\n".repeat(100)), "it is no database"],
  ["a short text", (path: string) => writeFile(path, "x"), "it is no database"],
  [
    "a database of another program",
    async (path: string) => {
      const other = new Database(path);
      other.exec("create table addresses (name text)");
      other.close();
    },
    "of another program",
  ],
  [
    "an empty database that says whose it is",
    async (path: string) => {
      const other = new Database(path);
      other.pragma("application_id = 77");
      other.close();
    },
    "of another program",
  ],
])("%s is not taken for a journal, and left as it is", async (_name, make, why) => {
  const path = join(await emptyFolder(), "journal.sqlite");
  await make(path);
  const before = await readFile(path);
  await expect(openJournal(path)).rejects.toMatchObject({
    code: "JOURNAL_UNREADABLE",
    kind: "configuration",
    message: expect.stringContaining(why),
  });
  expect(await readFile(path)).toEqual(before);
  expect(await readdir(join(path, ".."))).toEqual(["journal.sqlite"]);
});

test("a journal whose bytes were overwritten is called damaged", async () => {
  const path = await newJournalPath();
  const bytes = await readFile(path);
  await writeFile(path, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
  await expect(openJournal(path)).rejects.toMatchObject({ code: "JOURNAL_UNREADABLE" });
});

test("a folder that cannot be made is said, with the path", async () => {
  const file = join(await emptyFolder(), "file");
  await writeFile(file, "");
  await expect(openJournal(join(file, "journal.sqlite"))).rejects.toMatchObject({
    code: "JOURNAL_UNREADABLE",
    message: expect.stringContaining(file),
  });
});

test("a new version of the tables is made after a copy of the old, which no later one overwrites", async () => {
  const path = await newJournalPath();
  const steps = [...JOURNAL_MIGRATIONS, nextStep];
  await withDatabase(path, (database) => migrateJournal(database, steps));
  const copy = `${path}.before-9998_notes`;
  expect((await readdir(join(path, ".."))).toSorted()).toEqual(["journal.sqlite", "journal.sqlite.before-9998_notes"]);
  // The copy is a journal of the version before, with what was in it.
  expect(await pricesIn(copy)).toBe(1);

  // What is at the new version already is not copied again.
  await withDatabase(path, (database) => migrateJournal(database, steps));
  expect(await readdir(join(path, ".."))).toHaveLength(2);

  // The operator goes back to the copy, and upgrades again.
  await rm(path);
  await writeFile(path, await readFile(copy));
  await withDatabase(path, (database) => migrateJournal(database, steps));
  expect((await readdir(join(path, ".."))).toSorted()).toContain("journal.sqlite.before-9998_notes-2");
});

test("an empty journal is not copied before it gets its tables", async () => {
  const folder = await emptyFolder();
  await makeJournal(join(folder, "journal.sqlite"));
  expect(await readdir(folder)).toEqual(["journal.sqlite"]);
});

test("a step that fails leaves the journal as it was", async () => {
  const path = await newJournalPath();
  const steps = [...JOURNAL_MIGRATIONS, nextStep, brokenStep];
  const migration = withDatabase(path, (database) => migrateJournal(database, steps));
  await expect(migration).rejects.toMatchObject({
    code: "JOURNAL_MIGRATION_FAILED",
    message: expect.stringContaining("broken on purpose"),
  });
  expect(await pricesIn(path)).toBe(1);
  const database = new Database(path, { readonly: true });
  const tables = database.prepare("select name from sqlite_master where name in ('half', 'notes')").all();
  database.close();
  expect(tables).toEqual([]);
});

test("a journal of a newer program is refused, and what to do is said", async () => {
  const path = await newJournalPath();
  await withDatabase(path, (database) => migrateJournal(database, [...JOURNAL_MIGRATIONS, nextStep]));
  await expect(openJournal(path)).rejects.toMatchObject({
    code: "JOURNAL_NEWER",
    kind: "configuration",
    message: expect.stringContaining("9998_notes"),
    hint: expect.stringContaining("backup"),
  });
});

test("processes that open a new journal at the same moment all find it whole", async () => {
  const path = join(await emptyFolder(), "journal.sqlite");
  const program = `
    import { openJournal } from ${JSON.stringify(join(import.meta.dirname, "../../relayer/journal/openJournal.ts"))};
    const journal = await openJournal(process.argv[1]);
    await journal.credits.add("2026-11", 1);
    await journal.close();
  `;
  const processes = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", program, path], { stdio: "inherit" }),
  );
  for (const [exitCode] of await Promise.all(processes.map((child) => once(child, "close")))) expect(exitCode).toBe(0);
  const journal = await openJournal(path);
  expect(await journal.credits.usedIn("2026-11")).toBe(4);
  await journal.close();
});

test("what a journal is called tells where it is", async () => {
  const path = await newJournalPath();
  const journal = await openJournal(path);
  expect(journal.description).toBe(`sqlite ${path}`);
  await journal.close();
  const inMemory = await openJournal(":memory:");
  expect(inMemory.description).toBe("sqlite :memory:");
  await inMemory.close();
});
