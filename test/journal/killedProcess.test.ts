import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import type { Journal } from "../../relayer/journal/journal.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { DAY, SENDER, TARGET } from "./journalFixture.ts";

const KILLS = 6;

/** Starts a process that writes, kills it in the middle of something, and returns what it said that it had done. */
async function killWhileWriting(store: string, first: number, afterLines: number): Promise<string[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "writer.ts"), store, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  const isKilled = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      // It goes on writing while the signal is on its way.
      if (output.split("\n").length > afterLines) resolve();
    });
  });
  const ended = once(child, "close");
  await Promise.race([isKilled, ended]);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  // A last line that was cut off says nothing.
  return output.split("\n").slice(0, -1);
}

/** Every operation is there as a whole, or not at all. */
async function expectWhole(journal: Journal): Promise<void> {
  const prices = await journal.pricesOn(DAY);
  expect(prices.length % 20).toBe(0);
  const deliveries = await journal.newestDeliveries(TARGET);
  expect(deliveries.length % 20).toBe(0);
  const attempts = await journal.openAttempts(1, SENDER);
  for (const { id, state, updates, transactions } of attempts) {
    expect(updates).toHaveLength(20);
    expect(transactions).toHaveLength(1);
    const own = deliveries.filter(({ attemptId }) => attemptId === id);
    expect(own.map((delivery) => delivery.state)).toEqual(Array(20).fill(state));
    expect(new Set(updates.map(({ outcome }) => outcome?.outcome))).toEqual(
      new Set([state === "mined" ? "stored" : undefined]),
    );
  }
}

test("a process that is killed while it writes leaves a journal that opens, with each operation whole or not there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-killed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = join(folder, "journal.sqlite");
  let first = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const lines = await killWhileWriting(store, first, 5 + 4 * kill);
    const journal = await openJournal(store);
    await expectWhole(journal);
    const attempts = await journal.openAttempts(1, SENDER);
    const feeds = new Set((await journal.pricesOn(DAY)).map(({ feedId }) => feedId));
    // What had returned is there.
    for (const line of lines) {
      const [what, number] = line.split(" ");
      const attempt = attempts.find(({ nonce }) => nonce === Number(number));
      if (what === "received") expect(feeds.has(BigInt(20 * Number(number) + 1))).toBe(true);
      if (what === "opened") expect(attempt).toBeDefined();
      if (what === "mined") expect(attempt?.state).toBe("mined");
    }
    first = Math.max(0, ...attempts.map(({ nonce }) => nonce + 1));
    await journal.close();
  }
  const database = new Database(store, { readonly: true });
  expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(database.pragma("foreign_key_check")).toEqual([]);
  database.close();
});
