import { afterAll, describe, test } from "vitest";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { openPostgresDatabase } from "../../relayer/journal/postgresDatabase.ts";
import { expectAgreement } from "./journalAgreement.ts";
import { describeJournal } from "./journalSuite.ts";
import { serverForTests } from "./serverForTests.ts";

const server = await serverForTests("the journal in PostgreSQL");
afterAll(() => server?.stop());

describe.skipIf(!server)("a journal in PostgreSQL", () => {
  describeJournal(async () => openJournal((await server?.createDatabase()) ?? ""));

  test("answers as the model of it does, whatever happens and wherever it crashes", async () => {
    await expectAgreement(async () => openPostgresDatabase((await server?.createDatabase()) ?? ""), 20);
  });
});
