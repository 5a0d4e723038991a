import { sql } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { migrateJournal } from "../../relayer/journal/migrateJournal.ts";
import { JOURNAL_MIGRATIONS } from "../../relayer/journal/migrations/allMigrations.ts";
import type { JournalMigration } from "../../relayer/journal/migrations/migration.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { openPostgresDatabase } from "../../relayer/journal/postgresDatabase.ts";
import { archive, DAY, newAttempt } from "./journalFixture.ts";
import { serverForTests } from "./serverForTests.ts";

const SECRET = "hunter2-and-more";

test("a server that is not there is named by its host, and the password by nobody", async () => {
  const error = await openJournal(`postgres://user:${SECRET}@127.0.0.1:1/prices`).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "JOURNAL_UNREACHABLE", message: expect.stringContaining("127.0.0.1:1") });
  expect(`${(error as Error).message} ${(error as { hint: string }).hint}`).not.toMatch(/hunter2|user:|prices/);
});

test("an address that cannot be read is not repeated", async () => {
  await expect(openJournal(`postgres://user:${SECRET}@:port:/x`)).rejects.toMatchObject({
    code: "JOURNAL_UNREACHABLE",
    message: expect.not.stringContaining("hunter2"),
  });
});

const server = await serverForTests("opening a journal in PostgreSQL");
afterAll(() => server?.stop());

/** Asks the database behind the journal's back. */
async function ask(url: string, question: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(!server)("a journal in PostgreSQL", () => {
  const newDatabase = async (): Promise<string> => (await server?.createDatabase()) ?? "";

  test("has a schema of its own, and leaves the rest of the database alone", async () => {
    const url = await newDatabase();
    await ask(url, "create table prices (id text)");
    await (await openJournal(url)).close();
    const rows = await ask(
      url,
      "select table_schema from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')",
    );
    const schemas = Map.groupBy(rows, ({ table_schema }) => table_schema);
    expect(schemas.get("public")).toHaveLength(1);
    expect(schemas.get("homeprice")?.length).toBeGreaterThan(10);
  });

  test("is not made by whoever only reads", async () => {
    const url = await newDatabase();
    await expect(openJournal(url, { mustExist: true })).rejects.toMatchObject({ code: "JOURNAL_MISSING" });
    expect(await ask(url, "select 1 from pg_namespace where nspname = 'homeprice'")).toEqual([]);
  });

  test("is described by its host alone", async () => {
    const url = await newDatabase();
    const journal = await openJournal(url.replace("homeprice@", `homeprice:${SECRET}@`));
    expect(journal.description).toBe(`postgres ${new URL(url).host}`);
    await journal.close();
  });

  test("many processes that open a new one at the same moment all find it whole", async () => {
    const url = await newDatabase();
    const journals = await Promise.all(Array.from({ length: 6 }, () => openJournal(url)));
    await Promise.all(journals.map((journal) => journal.credits.add("2026-11", 1)));
    expect(await journals[0]?.credits.usedIn("2026-11")).toBe(6);
    await Promise.all(journals.map((journal) => journal.close()));
  });

  test("leaves how other clients of the process read numbers as it is", async () => {
    const url = await newDatabase();
    await (await openJournal(url)).close();
    expect(await ask(url, "select 1::int8 as one")).toEqual([{ one: "1" }]);
  });

  const nextStep: JournalMigration = {
    name: "9998_notes",
    up: async (db) => {
      await db.schema.createTable("notes").addColumn("note", "text").execute();
    },
  };
  const brokenStep: JournalMigration = {
    name: "9999_broken",
    up: () => Promise.reject(new Error("broken on purpose")),
  };

  test("steps that fail leave it as it was, and a newer version is refused", async () => {
    const url = await newDatabase();
    await (await openJournal(url)).close();
    const migrateTo = async (...steps: JournalMigration[]) => {
      const database = openPostgresDatabase(url);
      await migrateJournal(database, [...JOURNAL_MIGRATIONS, ...steps]).finally(() => database.db.destroy());
    };
    await expect(migrateTo(nextStep, brokenStep)).rejects.toMatchObject({ code: "JOURNAL_MIGRATION_FAILED" });
    await (await openJournal(url)).close();
    await migrateTo(nextStep);
    await expect(openJournal(url)).rejects.toMatchObject({ code: "JOURNAL_NEWER" });
  });

  test.each([
    ["a database that is not there", (url: string) => `${url}_of_nobody`, "the database does not exist"],
    [
      "a user who is not there",
      (url: string) => url.replace("homeprice@", `nobody:${SECRET}@`),
      "user or the password",
    ],
  ])("%s is said", async (_name, changed, why) => {
    await expect(openJournal(changed(await newDatabase()))).rejects.toMatchObject({
      code: "JOURNAL_UNREACHABLE",
      message: expect.stringContaining(why),
    });
  });

  test("commits reach the disk even where the server's default says otherwise", async () => {
    const url = await newDatabase();
    await ask(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
    const { db } = openPostgresDatabase(url);
    onTestFinished(() => db.destroy());
    const { rows } = await sql`show synchronous_commit`.execute(db);
    expect(rows).toEqual([{ synchronous_commit: "on" }]);
  });

  test("after the server died and came back, what was written is there, and the same journal goes on", async () => {
    const url = await newDatabase();
    const journal = await openJournal(url);
    onTestFinished(() => journal.close());
    const price = await archive(journal);
    const attempt = await journal.openAttempt(newAttempt([price]));
    await server?.kill();
    await expect(journal.pricesOn(DAY)).rejects.toMatchObject({ code: "JOURNAL_UNREACHABLE" });
    await expect(journal.credits.add("2026-11", 1)).rejects.toMatchObject({ code: "JOURNAL_UNREACHABLE" });
    await server?.restart();
    expect(await journal.attemptsOf([price.id])).toEqual([attempt]);
    await journal.recordDisplaced(attempt.id, 5n);
  });
});
