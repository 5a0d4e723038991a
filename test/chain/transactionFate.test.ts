import { type Hex, keccak256, type LocalAccount, parseGwei, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ChainAccess } from "../../relayer/chain/chainAccess.ts";
import { FinalityUnknownError, readFinalBlock } from "../../relayer/chain/finality.ts";
import { openChain } from "../../relayer/chain/openChain.ts";
import { readNonce } from "../../relayer/chain/readNonce.ts";
import { isCanonical, readFate } from "../../relayer/chain/transactionFate.ts";
import { type LocalChain, startLocalChain } from "../../relayer/local/localChain.ts";
import { type RpcProxy, startRpcProxy } from "./rpcProxy.ts";

let chain: LocalChain;
let sender: LocalAccount;
let proxies: RpcProxy[];
let access: ChainAccess;

beforeAll(async () => {
  chain = await startLocalChain(0);
  // Blocks come only when a test says so.
  await request("evm_setAutomine", [false]);
  await request("evm_setIntervalMining", [0]);
});
afterAll(() => chain.close());
beforeEach(async () => {
  sender = privateKeyToAccount(generatePrivateKey());
  await request("hardhat_setBalance", [sender.address, "0x56bc75e2d63100000"]);
  await request("hardhat_mine", ["0x1"]);
  proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(chain.rpcUrl)));
  access = openChain({ rpcUrls: proxies.map(({ url }) => url), expectedChainId: 31_337, timeoutMs: 5_000 });
});

async function request(method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(chain.rpcUrl, { method: "POST", body, headers: { "content-type": "application/json" } });
  return ((await answer.json()) as { result: unknown }).result;
}

async function sign(nonce: number, value = 1n): Promise<{ raw: Hex; hash: Hex }> {
  const raw = await sender.signTransaction({
    type: "eip1559",
    chainId: 31_337,
    to: zeroAddress,
    value,
    nonce,
    gas: 21_000n,
    maxFeePerGas: parseGwei("20") + value,
    maxPriorityFeePerGas: value,
  });
  return { raw, hash: keccak256(raw) };
}

const fateOf = (hashes: readonly Hex[], nonce = 0, finalBlock?: bigint) =>
  readFate(access, hashes, { sender: sender.address, nonce }, finalBlock);

/** Endpoints that answer some methods with nothing. */
function forget(some: readonly RpcProxy[], ...methods: string[]): void {
  for (const proxy of some) proxy.onCall = ({ method }) => (methods.includes(method) ? { result: null } : undefined);
}

const hosts = (some: readonly RpcProxy[]) => some.map(({ url }) => new URL(url).origin);

describe("a transaction", () => {
  test("that was never handed over is unknown", async () => {
    const { hash } = await sign(0);
    expect(await fateOf([hash])).toEqual({ state: "unknown" });
  });

  test("in the pool is waiting, also when one node alone knows it", async () => {
    const { raw, hash } = await sign(0);
    await access.broadcast(raw);
    expect(await fateOf([hash])).toEqual({ state: "waiting", hosts: hosts(proxies) });
    forget(proxies.slice(0, 2), "eth_getTransactionByHash");
    expect(await fateOf([hash])).toEqual({ state: "waiting", hosts: hosts(proxies.slice(2)) });
  });

  test("in a block is mined, with its receipt and the block's time", async () => {
    const { raw, hash } = await sign(0);
    await access.broadcast(raw);
    await request("hardhat_mine", ["0x1"]);
    const fate = await fateOf([hash]);
    expect(fate).toMatchObject({ state: "mined", receipt: { transactionHash: hash, status: "success" } });
    const { publicClient } = await access.pin();
    const { timestamp } = await publicClient.getBlock();
    expect(fate).toMatchObject({ blockTimeMs: timestamp * 1000n });
    expect(access.conditions()).toEqual([]);
  });

  test("in a block is mined although two of three endpoints have no receipt", async () => {
    const { raw, hash } = await sign(0);
    await access.broadcast(raw);
    await request("hardhat_mine", ["0x1"]);
    forget(proxies.slice(0, 2), "eth_getTransactionReceipt", "eth_getTransactionByHash");
    expect(await fateOf([hash])).toMatchObject({ state: "mined", receipt: { transactionHash: hash } });
  });

  test("is found by whichever of its replacements was mined", async () => {
    const [first, second] = [await sign(0, 1n), await sign(0, parseGwei("3"))];
    await access.broadcast(second.raw);
    await request("hardhat_mine", ["0x1"]);
    const fate = await fateOf([first.hash, second.hash]);
    expect(fate).toMatchObject({ state: "mined", receipt: { transactionHash: second.hash } });
  });

  test("is not mined because one endpoint makes up a block", async () => {
    const { raw, hash } = await sign(0);
    await access.broadcast(raw);
    const madeUp = {
      transactionHash: hash,
      blockHash: `0x${"ab".repeat(32)}`,
      blockNumber: "0x1",
      logs: [],
      status: "0x1",
    };
    if (proxies[0]) {
      proxies[0].onCall = ({ method }) => (method === "eth_getTransactionReceipt" ? { result: madeUp } : undefined);
    }
    expect(await fateOf([hash])).toMatchObject({ state: "waiting" });
  });

  test("whose nonce somebody else has used is displaced; for good once that is final", async () => {
    const [ours, theirs] = [await sign(0, 1n), await sign(0, 2n)];
    await access.broadcast(theirs.raw);
    await request("hardhat_mine", ["0x1"]);
    const { publicClient } = await access.pin();
    const head = await publicClient.getBlockNumber();
    expect(await fateOf([ours.hash])).toEqual({ state: "displaced", isFinal: false });
    expect(await fateOf([ours.hash], 0, head - 1n)).toEqual({ state: "displaced", isFinal: false });
    expect(await fateOf([ours.hash], 0, head)).toEqual({ state: "displaced", isFinal: true });
    expect(await fateOf([ours.hash], 1)).toEqual({ state: "unknown" });
  });

  test("is not displaced because one endpoint says a nonce too high", async () => {
    const { hash } = await sign(0);
    if (proxies[0]) {
      proxies[0].onCall = ({ method }) => (method === "eth_getTransactionCount" ? { result: "0x63" } : undefined);
    }
    expect(await fateOf([hash])).toEqual({ state: "unknown" });
  });

  test("is looked up as long as one endpoint answers", async () => {
    const { raw, hash } = await sign(0);
    await access.broadcast(raw);
    await request("hardhat_mine", ["0x1"]);
    if (proxies[0]) proxies[0].onCall = ({ method }) => (method === "eth_chainId" ? undefined : { text: "<html>" });
    if (proxies[1]) proxies[1].onCall = () => "break";
    expect(await fateOf([hash])).toMatchObject({ state: "mined" });
    for (const proxy of proxies) proxy.onCall = () => "break";
    await expect(fateOf([hash])).rejects.toThrow();
  });
});

describe("a reorganisation", () => {
  test("takes a block back, and brings the transaction into another one or none", async () => {
    const { raw, hash } = await sign(0);
    const snapshot = await request("evm_snapshot");
    await access.broadcast(raw);
    await request("hardhat_mine", ["0x1"]);
    const fate = await fateOf([hash]);
    if (fate.state !== "mined") throw new Error(fate.state);
    const { blockNumber, blockHash } = fate.receipt;
    expect(await isCanonical(access, blockNumber, blockHash)).toBe(true);

    await request("evm_revert", [snapshot]);
    // There is no such block any more.
    expect(await isCanonical(access, blockNumber, blockHash)).toBe(false);
    expect(await fateOf([hash])).toEqual({ state: "unknown" });
    // There is another one, without the transaction.
    await request("evm_increaseTime", [100]);
    await request("hardhat_mine", ["0x1"]);
    expect(await isCanonical(access, blockNumber, blockHash)).toBe(false);

    await access.broadcast(raw);
    await request("hardhat_mine", ["0x1"]);
    expect(await fateOf([hash])).toMatchObject({ state: "mined", receipt: { blockNumber: blockNumber + 1n } });
  });

  test("is not concluded from endpoints that do not have the block yet", async () => {
    const { publicClient } = await access.pin();
    const { number, hash } = await publicClient.getBlock();
    for (const proxy of proxies.slice(0, 2)) {
      proxy.onCall = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] !== "latest" ? { result: null } : undefined;
    }
    expect(await isCanonical(access, number, hash)).toBe(true);
  });
});

describe("a block is final", () => {
  test("with the configured number of blocks on top of it", async () => {
    const connection = await access.pin();
    const head = await connection.publicClient.getBlockNumber();
    expect(await readFinalBlock(connection, 0)).toBe(head);
    expect(await readFinalBlock(connection, 1)).toBe(head - 1n);
    expect(await readFinalBlock(connection, 1_000_000)).toBe(0n);
  });

  test("when the chain says so", async () => {
    if (proxies[0]) {
      proxies[0].onCall = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "finalized"
          ? { result: { number: "0x2a", timestamp: "0x1", transactions: [] } }
          : undefined;
    }
    expect(await readFinalBlock(await access.pin(), "finalized")).toBe(42n);
  });

  test.each([
    ["does not know the tag", { error: { code: -32_602, message: "invalid block tag finalized" } }],
    ["has no final block", { result: null }],
  ])("and a node that %s is told of, with what to configure", async (_, answer) => {
    if (proxies[0]) {
      proxies[0].onCall = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "finalized" ? answer : undefined;
    }
    const problem = await readFinalBlock(await access.pin(), "finalized").catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(FinalityUnknownError);
    expect(problem).toMatchObject({ code: "FINALITY_UNKNOWN", hint: expect.stringContaining("finality") });
  });

  test("and a node that does not answer is not taken for one without the tag", async () => {
    const connection = await access.pin();
    if (proxies[0]) proxies[0].onCall = () => ({ status: 500 });
    await expect(readFinalBlock(connection, "finalized")).rejects.not.toThrow(FinalityUnknownError);
  });
});

test("the number of a sender's transactions is known with those that wait", async () => {
  const { raw } = await sign(0);
  await access.broadcast(raw);
  expect(await readNonce(access, sender.address)).toEqual({ latest: 0, pending: 1, otherHosts: [] });
  await request("hardhat_mine", ["0x1"]);
  expect(await readNonce(access, sender.address)).toEqual({ latest: 1, pending: 1, otherHosts: [] });
  // A node that knows of nothing pending says less than the chain.
  if (proxies[0]) {
    proxies[0].onCall = ({ method, params }) =>
      method === "eth_getTransactionCount" && params[1] === "pending" ? { result: "0x0" } : undefined;
  }
  expect((await readNonce(access, sender.address)).pending).toBe(1);
});
