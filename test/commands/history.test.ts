import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { folderWith, runIn } from "./commandInFolder.ts";
import { folderWithJournal } from "./journalFolder.ts";

/** Date, market, kind and state of each delivery that the command prints. */
function linesOf(document: { deliveries: Record<string, string>[] }): string[] {
  return document.deliveries.map(({ date, marketId, kind, state }) => `${date} ${marketId} ${kind} ${state}`);
}

test("prints what became of each price, newest date first, with its times and its transaction", async () => {
  const { folder, store, environment } = await folderWithJournal();
  const { exitCode, document } = await runIn(folder, ["history", "--json"], environment);
  expect(exitCode).toBe(0);
  expect(document()).toMatchObject({ ok: true, journal: `sqlite ${store}` });
  expect(linesOf(document())).toEqual([
    "2026-03-04 5503877 sales current",
    "2026-03-04 5826765 sales planned",
    "2026-03-04 5826765 rental refused",
    "2026-03-03 5826765 sales missed",
  ]);
  expect(document().deliveries[2]).toEqual({
    date: "2026-03-04",
    feedId: "2005826765",
    marketId: "5826765",
    kind: "rental",
    chainId: 1,
    oracle: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    price: "1.75",
    state: "refused",
    reason: "ZeroPrice",
    publishTime: "2026-03-04T12:30:00.000Z",
    expiry: "2026-03-05T13:25:00.000Z",
    receivedAt: "2026-03-04T15:00:00.000Z",
    plannedAt: "2026-03-04T15:00:00.000Z",
    sentAt: "2026-03-04T15:00:05.000Z",
    minedAt: "2026-03-04T15:01:15.000Z",
    finalAt: null,
    transaction: `0x${"2".padStart(64, "0")}`,
    block: "100",
  });
});

test.each([
  [
    ["--market", "5826765", "--limit", "2"],
    ["planned", "refused"],
  ],
  [["--market", "5826765", "--kind", "rental"], ["refused"]],
  [
    ["--kind", "sales", "--state", "planned,missed", "--state", "refused"],
    ["planned", "missed"],
  ],
  [["--kind", "rental", "--to", "2026-03-03"], []],
  [
    ["--chain", "1", "--from", "2026-03-04"],
    ["current", "planned", "refused"],
  ],
])("%j narrows it", async (words, states) => {
  const { folder, environment } = await folderWithJournal();
  const { document, exitCode } = await runIn(folder, ["history", ...words, "--json"], environment);
  expect(exitCode).toBe(0);
  expect(document().deliveries.map(({ state }: { state: string }) => state)).toEqual(states);
});

test("for people it is a table, and says when there may be more", async () => {
  const { folder, environment } = await folderWithJournal();
  const { stdout } = await runIn(folder, ["history", "--limit", "2"], environment);
  expect(stdout).toMatch(/2026-03-04 .*5503877 .*sales .*300 .*current/);
  expect(stdout).toContain("2 lines; there may be more, see --limit.");
  const nothing = await runIn(folder, ["history", "--chain", "10"], environment);
  expect(nothing.stdout).toBe("The journal holds nothing of that.\n");
});

test("without a journal it says so, and makes none", async () => {
  const folder = await folderWith();
  const { exitCode, document } = await runIn(folder, ["history", "--json"], {
    HOMEPRICE_STORE: `${folder}/journal.sqlite`,
  });
  expect(exitCode).toBe(2);
  expect(document()).toMatchObject({ ok: false, error: { code: "JOURNAL_MISSING" } });
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ["--from", "2026-02-30"],
  ["--state", "lost"],
])("%s %s is refused", async (option, value) => {
  const folder = await folderWith();
  const { exitCode, document } = await runIn(folder, ["history", option, value, "--json"], {});
  expect(exitCode).toBe(2);
  expect(document()).toMatchObject({ error: { code: "USAGE", message: expect.stringContaining(value) } });
});

test("dates in the wrong order are refused", async () => {
  const folder = await folderWith();
  const words = ["history", "--from", "2026-03-04", "--to", "2026-03-03", "--json"];
  expect((await runIn(folder, words, {})).exitCode).toBe(2);
});
