import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "viem";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { SentTransactions } from "../../relayer/store/sentTransactions.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), "homeprice-store-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  folder = join(parent, "store");
  path = join(folder, "sent-transactions.json");
});

function record(number: number, changes: { chainId?: number } = {}) {
  const hash: Hex = `0x${number.toString(16).padStart(64, "0")}`;
  const sender = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  return {
    chainId: 1,
    hash,
    sender,
    nonce: number,
    feeds: ["5826765"],
    sentAt: "2026-03-04T12:31:00.000Z",
    ...changes,
  };
}

/** What another process would find. */
async function onDisk(chainId = 1) {
  return (await SentTransactions.open(folder)).on(chainId);
}

test("an empty store needs no folder, and makes none", async () => {
  expect((await SentTransactions.open(folder)).on(1)).toEqual([]);
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
});

test("a record is on disk once it is added, and gone once it is settled", async () => {
  const store = await SentTransactions.open(folder);
  await store.add(record(1));
  expect(await onDisk()).toEqual([record(1)]);
  await store.add(record(2));
  expect(await onDisk()).toEqual([record(1), record(2)]);
  await store.settle(record(1).hash);
  expect(store.on(1)).toEqual([record(2)]);
  expect(await onDisk()).toEqual([record(2)]);
  await store.settle(record(2).hash);
  expect(await onDisk()).toEqual([]);
});

test("chains are kept apart", async () => {
  const store = await SentTransactions.open(folder);
  await store.add(record(1));
  await store.add(record(2, { chainId: 8453 }));
  expect(store.on(1)).toEqual([record(1)]);
  expect(await onDisk(8453)).toEqual([record(2, { chainId: 8453 })]);
  expect(await onDisk(5)).toEqual([]);
});

test("settling what is not there changes nothing", async () => {
  const store = await SentTransactions.open(folder);
  await store.add(record(1));
  await store.settle(record(2).hash);
  expect(await onDisk()).toEqual([record(1)]);
});

test("many records settle at the same moment without losing one another", async () => {
  const store = await SentTransactions.open(folder);
  const records = Array.from({ length: 20 }, (_, number) => record(number));
  await Promise.all(records.map((each) => store.add(each)));
  expect(await onDisk()).toEqual(records);
  await Promise.all(records.filter(({ nonce }) => nonce % 2 === 0).map(({ hash }) => store.settle(hash)));
  expect((await onDisk()).map(({ nonce }) => nonce % 2)).toEqual(Array(10).fill(1));
});

test("the file is replaced as a whole: at every moment it can be read", async () => {
  const store = await SentTransactions.open(folder);
  await store.add(record(0));
  const writing = Array.from({ length: 30 }, (_, number) => store.add(record(number + 1)));
  let readable = 0;
  const reading = (async () => {
    for (let look = 0; look < 30; look += 1) {
      const { transactions } = JSON.parse(await readFile(path, "utf8")) as { transactions: unknown[] };
      if (transactions.length > 0) readable += 1;
    }
  })();
  await Promise.all([...writing, reading]);
  expect(readable).toBe(30);
  expect(await readdir(folder)).toEqual(["sent-transactions.json"]);
});

describe("a file that is not ours", () => {
  test.each([
    ["no JSON", "{"],
    ["another version", '{"version":2,"transactions":[]}'],
    [
      "a record without nonce",
      '{"version":1,"transactions":[{"chainId":1,"hash":"0x1","sender":"0x2","feeds":[],"sentAt":""}]}',
    ],
    ["nothing", ""],
  ])("(%s) is refused and left alone", async (_, text) => {
    const store = await SentTransactions.open(folder);
    await store.add(record(1));
    await writeFile(path, text);
    await expect(SentTransactions.open(folder)).rejects.toMatchObject({
      code: "STORE_UNREADABLE",
      kind: "configuration",
      message: `${path} cannot be read as the relayer's record of sent transactions`,
    });
    expect(await readFile(path, "utf8")).toBe(text);
  });
});

test("a write that fails is told to its caller, and the next one writes everything", async () => {
  const store = await SentTransactions.open(folder);
  await store.add(record(1));
  await rm(folder, { recursive: true });
  await writeFile(folder, "in the way");
  await expect(store.add(record(2))).rejects.toThrow();
  await rm(folder);
  await store.add(record(3));
  expect(await onDisk()).toEqual([record(1), record(2), record(3)]);
});
