import type { Hex, LocalAccount } from "viem";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { relayOnce } from "../../relayer/relay/relayOnce.ts";
import { settleEarlier } from "../../relayer/relay/settleEarlier.ts";
import type { SentTransactionRecord } from "../../relayer/store/sentTransactions.ts";
import { recordingLog } from "./recordingLog.ts";
import { clientOf, emptyStore, type RelayFixture, startRelayFixture } from "./relayFixture.ts";

let fixture: RelayFixture;
let account: LocalAccount;
beforeAll(async () => {
  fixture = await startRelayFixture();
  account = await fixture.newSender();
});
afterAll(() => fixture.close());

/** Records that a run left which was killed. */
async function leftBehind(...records: Pick<SentTransactionRecord, "hash" | "nonce">[]) {
  const { store, reopen } = await emptyStore();
  for (const record of records) {
    const sentAt = "2026-03-04T12:31:00.000Z";
    await store.add({ chainId: 31_337, sender: account.address, feeds: ["5826765"], sentAt, ...record });
  }
  return { store, records: async () => (await reopen()).on(31_337) };
}

async function transact(
  options: { nonce?: number; maxFeePerGas?: bigint } = {},
): Promise<{ hash: Hex; nonce: number }> {
  const { publicClient, chain } = fixture.connection;
  const nonce = options.nonce ?? (await publicClient.getTransactionCount({ address: account.address }));
  const fees = await publicClient.estimateFeesPerGas();
  const serializedTransaction = await account.signTransaction({
    type: "eip1559",
    chainId: chain.id,
    to: account.address,
    nonce,
    gas: 30_000n,
    ...fees,
    maxFeePerGas: fees.maxFeePerGas * 2n,
    ...options,
  });
  return { hash: await publicClient.sendRawTransaction({ serializedTransaction }), nonce };
}

async function stopMining(): Promise<void> {
  await fixture.request("evm_setIntervalMining", [0]);
  await fixture.request("evm_setAutomine", [false]);
  onTestFinished(async () => {
    await fixture.request("evm_setAutomine", [true]);
    await fixture.request("evm_mine");
  });
}

const UNKNOWN: Hex = `0x${"ab".repeat(32)}`;

test("a transaction that is mined is settled", async () => {
  const { store, records } = await leftBehind(await transact());
  const { log, lines } = recordingLog();
  await settleEarlier(fixture.connection, store, { log, timeoutMs: 1_000 });
  expect(await records()).toEqual([]);
  expect(lines).toEqual([]);
});

test("one that never left is settled, and told of", async () => {
  const nonce = await fixture.connection.publicClient.getTransactionCount({ address: account.address });
  const { store, records } = await leftBehind({ hash: UNKNOWN, nonce });
  const { log, lines } = recordingLog();
  await settleEarlier(fixture.connection, store, { log, timeoutMs: 1_000 });
  expect(await records()).toEqual([]);
  expect(lines).toMatchObject([
    { transaction: UNKNOWN, msg: "a transaction of an earlier run never reached the chain" },
  ]);
});

test("one that another replaced is settled, and told of", async () => {
  const { nonce } = await transact();
  const { store, records } = await leftBehind({ hash: UNKNOWN, nonce });
  const { log, lines } = recordingLog();
  await settleEarlier(fixture.connection, store, { log, timeoutMs: 1_000 });
  expect(await records()).toEqual([]);
  expect(lines).toMatchObject([{ msg: "a transaction of an earlier run was replaced by another with its nonce" }]);
});

test("one that is still waiting is waited for", async () => {
  await stopMining();
  const { store, records } = await leftBehind(await transact());
  const { log } = recordingLog();
  const settling = settleEarlier(fixture.connection, store, { log, timeoutMs: 5_000 });
  await fixture.request("evm_mine");
  await settling;
  expect(await records()).toEqual([]);
});

test("one that stays unmined stays on record", async () => {
  await stopMining();
  const transaction = await transact();
  const { store, records } = await leftBehind(transaction);
  const { log, lines } = recordingLog();
  await settleEarlier(fixture.connection, store, { log, timeoutMs: 100 });
  expect(await records()).toMatchObject([transaction]);
  expect(lines.at(-1)).toMatchObject({ msg: "a transaction of an earlier run is still not mined" });
});

test("one that the node fails to tell of is not taken for lost", async () => {
  const { proxy, connection } = await fixture.throughProxy();
  proxy.onCall = ({ method }) => (method === "eth_getTransactionByHash" ? { status: 400 } : undefined);
  const transaction = await transact();
  const { store, records } = await leftBehind(transaction);
  const { log, text } = recordingLog();
  await settleEarlier(connection, store, { log, timeoutMs: 100 }).catch(() => {});
  expect(await records()).toMatchObject([transaction]);
  expect(text()).not.toContain("never reached the chain");
});

test("several are settled, those of other chains are not touched", async () => {
  const transactions = [await transact(), await transact(), { hash: UNKNOWN, nonce: 999 }];
  const { store, records } = await leftBehind(...transactions);
  const elsewhere = {
    chainId: 1,
    hash: `0x${"cd".repeat(32)}` as const,
    sender: account.address,
    nonce: 0,
    feeds: [],
    sentAt: "",
  };
  await store.add(elsewhere);
  await settleEarlier(fixture.connection, store, { log: recordingLog().log, timeoutMs: 1_000 });
  expect(await records()).toEqual([]);
  expect(store.on(1)).toEqual([elsewhere]);
});

test("a run begins with it, a dry run does not", async () => {
  const { store, records } = await leftBehind(await transact());
  const service = await fixture.serve();
  const context = await fixture.context(clientOf(service), { sentTransactions: store });
  await relayOnce(context, { dryRun: true });
  expect(await records()).toHaveLength(1);
  expect((await relayOnce(context)).ok).toBe(true);
  expect(await records()).toEqual([]);
});
