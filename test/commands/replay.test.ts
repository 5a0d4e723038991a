import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { folderWith, runIn } from "./commandInFolder.ts";
import { DATE, DATE_BEFORE, folderWithJournal } from "./journalFolder.ts";

/** Changes a journal behind its back. */
function tamper(store: string, statement: string): void {
  const database = new Database(store);
  const { changes } = database.prepare(statement).run();
  database.close();
  expect(changes).toBeGreaterThan(0);
}

test("goes through a date again: its prices pass their checks, and what became of each is told in order", async () => {
  const { folder, environment } = await folderWithJournal();
  const { exitCode, document } = await runIn(folder, ["replay", DATE, "--json"], environment);
  expect(exitCode).toBe(0);
  const replayed = document();
  expect(replayed).toMatchObject({ ok: true, date: DATE });
  expect(replayed.prices).toHaveLength(4);
  expect(replayed.prices.every(({ failure }: { failure: unknown }) => failure === null)).toBe(true);
  expect(replayed.refusals).toEqual([
    {
      kind: "sales",
      marketId: "77",
      feedId: "77",
      code: "WrongFeed",
      reason: "the message is of another market",
      firstReceived: "2026-03-04T15:00:00.000Z",
      lastReceived: "2026-03-04T15:00:00.000Z",
      times: 1,
    },
  ]);
  const chainOne = { chainId: 1, nonce: 0, state: "final", transaction: `0x${"2".padStart(64, "0")}` };
  const priced = (price: string) => replayed.prices.find((each: { price: string }) => each.price === price);
  // It gave way to its revision, which is planned.
  expect(priced("216.94")).toMatchObject({ deliveries: [], attempts: [{ ...chainOne, outcome: "stored" }] });
  expect(priced("217")).toMatchObject({ deliveries: [{ state: "planned" }], attempts: [] });
  expect(priced("1.75")).toMatchObject({
    deliveries: [{ state: "refused", reason: "ZeroPrice" }],
    attempts: [{ ...chainOne, outcome: "ZeroPrice" }],
  });
  const events = replayed.timeline.map(({ at, event, text }: Record<string, string>) => `${at} ${event}: ${text}`);
  expect(events).toEqual([
    "2026-03-04T15:00:00.000Z received: 4 prices received",
    "2026-03-04T15:00:00.000Z refused: refused the sales price of market 77: WrongFeed, the message is of another market",
    "2026-03-04T15:00:00.000Z settled: 1 price current: the same price",
    "2026-03-04T15:00:00.000Z planned: 1 price planned",
    `2026-03-04T15:00:05.000Z signed: transaction 0x${"1".padStart(64, "0")} (nonce 0) with 2 prices`,
    `2026-03-04T15:01:05.000Z signed: replacement 0x${"2".padStart(64, "0")} (nonce 0) with 2 prices`,
    `2026-03-04T15:01:15.000Z mined: 0x${"2".padStart(64, "0")} in block 100: 1 stored, 1 refused; 500000 gas`,
    "2026-03-04T15:16:45.000Z planned: 1 price planned",
  ]);
});

test("for people, the timeline comes first, then each price, then the sum", async () => {
  const { folder, environment } = await folderWithJournal();
  const { stdout } = await runIn(folder, ["replay", DATE], environment);
  expect(stdout).toMatch(/5826765.*sales.*216\.94.*passed.*superseded after 0x0+2 \(stored\)/);
  expect(stdout).toMatch(/5503877.*sales.*300.*passed.*chain 1: current, the same price/);
  expect(stdout).toContain("4 prices of 2026-03-04; 1 item refused on that day (UTC).");
  expect(stdout).toContain("Every archived price passes its checks as of when it was received.");
});

test("another day has its own prices", async () => {
  const { folder, environment } = await folderWithJournal();
  const { document } = await runIn(folder, ["replay", DATE_BEFORE, "--json"], environment);
  expect(document()).toMatchObject({ ok: true, prices: [{ deliveries: [{ state: "missed" }] }], refusals: [] });
  const nothing = await runIn(folder, ["replay", "2025-01-01"], environment);
  expect(nothing).toMatchObject({ exitCode: 0, stdout: "The journal holds nothing of 2025-01-01.\n" });
});

test.each([
  ["a signature", "update prices set signature = zeroblob(64) where price = 30000000000", "InvalidSignature"],
  ["a message", "update prices set message_bytes = zeroblob(74) where price = 30000000000", "UnexpectedConstantBytes"],
  ["a price", "update prices set price = 30000000001 where price = 30000000000", "MessageMismatch"],
  [
    "a time of receipt after the expiry",
    "update prices set received_at_ms = expiry_ms + 1 where price = 30000000000",
    "ExpiryPassed",
  ],
])("%s that was changed in the archive is found, and the exit code says so", async (_name, statement, code) => {
  const { folder, store, environment } = await folderWithJournal();
  tamper(store, statement);
  const { exitCode, document } = await runIn(folder, ["replay", DATE, "--json"], environment);
  expect(exitCode).toBe(1);
  const failures = document().prices.flatMap(({ failure }: { failure: { code: string } | null }) => failure ?? []);
  expect(document().ok).toBe(false);
  expect(failures).toMatchObject([{ code }]);
  const { stdout } = await runIn(folder, ["replay", DATE], environment);
  expect(stdout).toContain("1 archived price did not pass the checks as of when it was received.");
});

test("what is no date is refused", async () => {
  const folder = await folderWith();
  const { exitCode, document } = await runIn(folder, ["replay", "2026-13-01", "--json"], {});
  expect(exitCode).toBe(2);
  expect(document()).toMatchObject({ error: { code: "USAGE" } });
});
