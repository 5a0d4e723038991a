import { describe, test } from "vitest";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { openSqliteDatabase } from "../../relayer/journal/sqliteDatabase.ts";
import { expectAgreement } from "./journalAgreement.ts";
import { describeJournal } from "./journalSuite.ts";

describe("a journal in SQLite", () => {
  describeJournal(() => openJournal(":memory:"));

  test("answers as the model of it does, whatever happens and wherever it crashes", async () => {
    await expectAgreement(() => openSqliteDatabase(":memory:", { mustExist: false }), 150);
  });
});
