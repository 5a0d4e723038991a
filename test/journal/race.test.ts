import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { checkedPrice, NOON_MS, SENDER } from "./journalFixture.ts";
import { serverForTests } from "./serverForTests.ts";

const ROUNDS = 40;
const PROCESSES = 3;

/** Lets processes race for every round, and returns the rounds that each of them won. */
async function race(store: string, about: "nonce" | "update"): Promise<number[][]> {
  const racers = Array.from({ length: PROCESSES }, (_, number) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "race.ts"), store, String(number), String(ROUNDS), about],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    return { child, ready: once(child.stdout, "data"), ended: once(child, "close"), output: () => output };
  });
  await Promise.all(racers.map(({ ready }) => ready));
  for (const { child } of racers) child.stdin.write("go\n");
  for (const { ended } of racers) expect(await ended).toEqual([0, null]);
  return racers.map(({ output }) => [...output().matchAll(/won (\d+)/g)].map(([, round]) => Number(round)));
}

async function expectOneWinner(store: string): Promise<void> {
  const journal = await openJournal(store);
  onTestFinished(() => journal.close());
  await journal.recordReceived(
    Array.from({ length: ROUNDS }, (_, index) => checkedPrice({ feedId: BigInt(index + 1) })),
    NOON_MS,
  );
  const everyRound = Array.from({ length: ROUNDS }, (_, round) => round);
  for (const about of ["nonce", "update"] as const) {
    const won = (await race(store, about)).flat().toSorted((a, b) => a - b);
    expect(won).toEqual(everyRound);
    const opened = await journal.openAttempts(1, SENDER);
    expect(opened).toHaveLength(ROUNDS);
    for (const { id } of opened) await journal.recordDisplaced(id, NOON_MS);
  }
}

test("of processes that want the same nonce, or the same price, of one SQLite file, exactly one gets it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-race-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await expectOneWinner(join(folder, "journal.sqlite"));
});

const server = await serverForTests("the race for a nonce in PostgreSQL");
afterAll(() => server?.stop());

describe.skipIf(!server)("in PostgreSQL", () => {
  test("of processes that want the same nonce, or the same price, of one database, exactly one gets it", async () => {
    await expectOneWinner((await server?.createDatabase()) ?? "");
  });
});
