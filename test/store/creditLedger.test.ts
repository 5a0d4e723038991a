import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createCreditBudget } from "../../relayer/service/creditBudget.ts";
import { openCreditLedger } from "../../relayer/store/creditLedger.ts";
import { rejectionOf } from "../service/priceServer.ts";

const MONTH = "2026-11";

let folder: string;
let path: string;
beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), "homeprice-ledger-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  folder = join(parent, "store");
  path = join(folder, "credits-2026-11.jsonl");
});

const used = () => openCreditLedger(folder).usedIn(MONTH);

test("an empty ledger needs no folder, and makes none", async () => {
  expect(await used()).toBe(0);
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
});

test("what is recorded is there for whoever opens the ledger next, months apart", async () => {
  const ledger = openCreditLedger(folder);
  await ledger.add(MONTH, 7);
  await ledger.add(MONTH, -2);
  await ledger.add("2026-12", 100);
  expect(await used()).toBe(5);
  expect(await openCreditLedger(folder).usedIn("2026-12")).toBe(100);
  expect((await readdir(folder)).toSorted()).toEqual(["credits-2026-11.jsonl", "credits-2026-12.jsonl"]);
  expect((await readFile(path, "utf8")).split("\n")).toHaveLength(3);
});

test("entries of processes that write at the same time are all there", async () => {
  const program = `
    import { openCreditLedger } from ${JSON.stringify(join(import.meta.dirname, "../../relayer/store/creditLedger.ts"))};
    const ledger = openCreditLedger(process.argv[1]);
    await Promise.all(Array.from({ length: 50 }, () => ledger.add("${MONTH}", 1)));
  `;
  const processes = [1, 2, 3].map(() =>
    spawn(process.execPath, ["--input-type=module", "--eval", program, folder], { stdio: "inherit" }),
  );
  for (const [exitCode] of await Promise.all(processes.map((child) => once(child, "close")))) expect(exitCode).toBe(0);
  expect(await used()).toBe(150);
});

describe("a last line that was cut off", () => {
  const whole = '{"at":"2026-11-03T12:00:00.000Z","credits":40}\n';

  test.each([1, 10, whole.length - 1])("after %i bytes does not count, then or later", async (length) => {
    await openCreditLedger(folder).add(MONTH, 3);
    await appendFile(path, whole.slice(0, length));
    expect(await used()).toBe(3);
    await openCreditLedger(folder).add(MONTH, 5);
    expect(await used()).toBe(8);
    await openCreditLedger(folder).add(MONTH, 1);
    expect(await used()).toBe(9);
  });
});

describe("any other damage is an error that names the line", () => {
  test.each([
    ["no JSON", "what is this"],
    ["an entry without credits", '{"at":"2026-11-03T12:00:00.000Z"}'],
    ["credits that are text", '{"at":"2026-11-03T12:00:00.000Z","credits":"40"}'],
    ["nothing", ""],
  ])("%s", async (_name, line) => {
    await openCreditLedger(folder).add(MONTH, 3);
    await appendFile(path, `${line}\n`);
    const error = await rejectionOf(used());
    expect(error).toMatchObject({ code: "CREDIT_LEDGER_UNREADABLE", kind: "configuration" });
    expect((error as Error).message).toMatch(/credits-2026-11\.jsonl.*line 2/);
  });
});

test("a folder that is none is said before anything is spent", async () => {
  await writeFile(folder, "a file");
  const budget = createCreditBudget({ perMonth: 10, ledger: openCreditLedger(folder) });
  expect(await rejectionOf(budget.reserve(1))).toMatchObject({
    code: "CREDIT_LEDGER_UNWRITABLE",
    kind: "configuration",
  });
});

test("a month's budget holds over processes, and counts what was really used", async () => {
  const budget = () => createCreditBudget({ perMonth: 10, ledger: openCreditLedger(folder), nowMs: () => NOW_MS });
  await (await budget().reserve(8)).settle(3);
  await (await budget().reserve(6)).settle(6);
  const error = await rejectionOf(budget().reserve(2));
  expect(error).toMatchObject({ code: "CREDIT_BUDGET", budget: 10, used: 9, needed: 2 });
  // What was not sent has been given back.
  expect(await used()).toBe(9);
  await budget().reserve(1);
  expect(await used()).toBe(10);
});

const NOW_MS = Date.UTC(2026, 10, 30, 23);
