import { access, chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configurationSchema } from "../../relayer/configuration/configurationSchema.ts";
import { storeCheck } from "../../relayer/doctor/checks/store.ts";
import type { Examination } from "../../relayer/doctor/examination.ts";
import { type Finding, failedWith } from "../../relayer/doctor/finding.ts";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { folderWith } from "../configuration/configurationFolder.ts";
import { type PostgresServer, startPostgresServer } from "../journal/postgresServer.ts";

/** What the doctor says of a store. */
async function examine(store: string): Promise<Finding> {
  const configuration = configurationSchema.parse({ store });
  try {
    return await storeCheck.run({ configuration } as Examination);
  } catch (error) {
    if (error instanceof HomePriceError) return failedWith(error);
    throw error;
  }
}

describe("a file", () => {
  test("that is to be made is not made by looking", async () => {
    const folder = await folderWith();
    expect(await examine(join(folder, "new", "journal.sqlite"))).toMatchObject({
      status: "ok",
      found: expect.stringMatching(/^the journal is made by the first run: .*new\/journal\.sqlite$/),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("that holds a journal is in order, in its place or in a folder's", async () => {
    const folder = await folderWith();
    await (await openJournal(join(folder, "journal.sqlite"))).close();
    for (const store of [folder, join(folder, "journal.sqlite")]) {
      expect(await examine(store)).toEqual({
        status: "ok",
        found: `${join(folder, "journal.sqlite")} can be written`,
      });
    }
  });

  test("of a newer version is refused, and left as it is", async () => {
    const file = join(await folderWith(), "journal.sqlite");
    await (await openJournal(file)).close();
    const database = new Database(file);
    database.prepare("insert into journal_versions values ('9999-from-the-future', '2100-01-01')").run();
    database.close();
    expect(await examine(file)).toMatchObject({
      status: "failed",
      found: expect.stringMatching(/newer version of this program, 9999-from-the-future/),
      hint: expect.stringMatching(/Install the newer version/),
    });
  });

  test("of another program is refused", async () => {
    const file = join(await folderWith(), "journal.sqlite");
    const database = new Database(file);
    database.exec("create table shopping (item text)");
    database.close();
    expect(await examine(file)).toMatchObject({
      status: "failed",
      found: expect.stringMatching(/a database of another program/),
    });
  });

  test.skipIf(process.getuid?.() === 0)("that nobody may write is named", async () => {
    const file = join(await folderWith(), "journal.sqlite");
    await (await openJournal(file)).close();
    await chmod(file, 0o400);
    expect(await examine(file)).toMatchObject({ status: "failed", found: expect.stringMatching(/\(EACCES\)/) });
    await access(file);
  });
});

describe("a database", async () => {
  let server: PostgresServer | undefined;

  beforeAll(async () => {
    const started = await startPostgresServer();
    if ("missing" in started) process.stderr.write(`skipped: the doctor with PostgreSQL needs ${started.missing}\n`);
    else server = started;
  });

  afterAll(() => server?.stop());

  async function run(url: string, text: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  test("that is empty is in order, and left empty", async ({ skip }) => {
    if (!server) return skip();
    const url = await server.createDatabase();
    expect(await examine(url)).toMatchObject({
      status: "ok",
      found: expect.stringMatching(/^postgres:\/\/127\.0\.0\.1:\d+ answers, and can be written; the first run makes/),
    });
    const { rows } = await run(url, "select nspname from pg_namespace where nspname = 'homeprice'");
    expect(rows).toEqual([]);
  });

  test("that holds a journal is in order", async ({ skip }) => {
    if (!server) return skip();
    const url = await server.createDatabase();
    await (await openJournal(url)).close();
    expect(await examine(url)).toMatchObject({ status: "ok", found: expect.stringMatching(/can be written$/) });
  });

  test("that is not there is named by its host alone", async ({ skip }) => {
    if (!server) return skip();
    const url = server.url.replace("homeprice@", "homeprice:s3cr3t@").replace(/postgres$/, "nowhere");
    const found = await examine(url);
    expect(found).toMatchObject({
      status: "failed",
      found: expect.stringMatching(/127\.0\.0\.1:\d+\) cannot be reached: the database does not exist/),
      hint: expect.stringMatching(/user, password and database in store \(HOMEPRICE_STORE\)/),
    });
    expect(JSON.stringify(found)).not.toMatch(/s3cr3t|nowhere/);
  });

  test("in which nobody may write is named", async ({ skip }) => {
    if (!server) return skip();
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await run(url, `alter database ${name} set default_transaction_read_only = on`);
    expect(await examine(url)).toMatchObject({ status: "failed", hint: expect.stringMatching(/a replica/) });
  });

  test("in which the user may not make tables is named", async ({ skip }) => {
    if (!server) return skip();
    const url = await server.createDatabase();
    await run(url, "drop role if exists guest; create role guest login");
    const ofGuest = url.replace("homeprice@", "guest@");
    expect(await examine(ofGuest)).toMatchObject({
      status: "failed",
      found: expect.stringMatching(/does not let this user make the journal's tables/),
      hint: expect.stringMatching(/right to CREATE/),
    });
    await run(url, "create schema homeprice authorization guest");
    expect(await examine(ofGuest)).toMatchObject({ status: "ok" });
  });
});
