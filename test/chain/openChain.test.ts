import { type Address, encodeFunctionData, erc20Abi, type Hex, parseGwei, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChainAccess } from "../../relayer/chain/chainAccess.ts";
import { RpcUnreachableError, WrongChainError } from "../../relayer/chain/chainConnection.ts";
import { SET_BACK_MS } from "../../relayer/chain/endpoint.ts";
import { openChain } from "../../relayer/chain/openChain.ts";
import { readNonce } from "../../relayer/chain/readNonce.ts";
import { PATIENCE_MS, REST_MS } from "../../relayer/chain/watchEndpoints.ts";
import { LOCAL_OWNER_KEY, type LocalChain, startLocalChain } from "../../relayer/local/localChain.ts";
import { type Intervention, RPC_KEY, type RpcCall, type RpcProxy, startRpcProxy } from "./rpcProxy.ts";

const OWNER = privateKeyToAccount(LOCAL_OWNER_KEY);

let chain: LocalChain;
let oldBlock: unknown;

beforeAll(async () => {
  chain = await startLocalChain(0);
  oldBlock = await request("eth_getBlockByNumber", ["latest", false]);
  await request("hardhat_mine", ["0xa", "0xc"]);
});
afterAll(() => chain.close());

async function request(method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = await fetch(chain.rpcUrl, { method: "POST", body, headers: { "content-type": "application/json" } });
  return ((await answer.json()) as { result: unknown }).result;
}

/** Ways in which an endpoint can be of no use, or worse. */
const FROZEN = ({ method, params }: RpcCall): Intervention | undefined =>
  method === "eth_getBlockByNumber" && params[0] === "latest" ? { result: oldBlock } : undefined;
const DEAD: Record<string, (call: RpcCall) => Intervention | undefined> = {
  "breaks every connection": () => "break",
  "answers 500": () => ({ status: 500 }),
  "answers with a page": () => ({ text: "<html>maintenance</html>" }),
  "answers with results that make no sense": () => ({ result: "nonsense" }),
  "answers with nothing": () => ({ result: null }),
  "refuses every key": () => ({ status: 401 }),
  "has another chain": ({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined),
  "is frozen at an old block": FROZEN,
  "asks to come back in an hour": () => ({ status: 429, headers: { "retry-after": "3600" } }),
};

async function proxies(count = 3): Promise<RpcProxy[]> {
  return Promise.all(Array.from({ length: count }, () => startRpcProxy(chain.rpcUrl)));
}

function open(
  all: readonly RpcProxy[],
  options: { expectedChainId?: number; timeoutMs?: number; nowMs?: () => number } = {},
): ChainAccess {
  return openChain({ rpcUrls: all.map(({ url }) => url), timeoutMs: 2_000, ...options });
}

function hostOfProxy(proxy: RpcProxy | undefined): string {
  return new URL(proxy?.url ?? "").origin;
}

async function signTransfer(nonce: number, to: Address = zeroAddress): Promise<Hex> {
  return OWNER.signTransaction({
    type: "eip1559",
    chainId: 31_337,
    to,
    value: 1n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "totalSupply" }),
    nonce,
    gas: 60_000n,
    maxFeePerGas: parseGwei("20"),
    maxPriorityFeePerGas: 1n,
  });
}

describe("the endpoint that is used", () => {
  test("is the first usable one, and stays it", async () => {
    const all = await proxies(2);
    const access = open(all);
    const first = await access.pin();
    expect(first.host).toBe(hostOfProxy(all[0]));
    expect(await access.pin()).toBe(first);
    expect(access.chain.id).toBe(31_337);
    expect(access.conditions()).toEqual([]);
  });

  test.each(Object.entries(DEAD))("is another one when one %s", async (_, fault) => {
    const all = await proxies(2);
    const [bad, good] = all;
    if (bad) bad.onCall = fault;
    const access = open(all, { expectedChainId: 31_337 });
    const { host, publicClient } = await access.pin();
    expect(host).toBe(hostOfProxy(good));
    expect(await publicClient.getChainId()).toBe(31_337);
    expect(access.health()[0]?.state).not.toBe("usable");
    expect(access.conditions()).toMatchObject([{ kind: "endpoint-failing", subject: hostOfProxy(bad) }]);
    expect(JSON.stringify(access.conditions())).not.toContain(RPC_KEY);
  });

  test.each(["hang", "stall"] as const)("is another one when one answers nothing (%s)", async (fault) => {
    const all = await proxies(2);
    const [bad, good] = all;
    if (bad) bad.onCall = () => fault;
    const access = open(all, { timeoutMs: 500 });
    expect((await access.pin()).host).toBe(hostOfProxy(good));
    const [health] = access.health();
    expect(health).toMatchObject({ state: "unreachable", calls: 2 });
    expect(health?.failures).toBeGreaterThan(0);
  });

  test("is found among two dead ones, whichever they are", async () => {
    for (const goodIndex of [0, 1, 2]) {
      const all = await proxies();
      const faults = Object.values(DEAD).slice(goodIndex * 2, goodIndex * 2 + 2);
      all
        .filter((_, index) => index !== goodIndex)
        .forEach((proxy, index) => {
          proxy.onCall = faults[index] ?? (() => "break");
        });
      const access = open(all, { expectedChainId: 31_337 });
      expect((await access.pin()).host).toBe(hostOfProxy(all[goodIndex]));
    }
  });

  test("changes when it fails, and the failed one comes last for a while", async () => {
    let nowMs = Date.now();
    const all = await proxies(2);
    const [first, second] = all;
    const access = open(all, { nowMs: () => nowMs });
    const connection = await access.pin();
    if (first) first.onCall = ({ method }) => (method === "eth_gasPrice" ? { status: 500 } : undefined);
    await expect(connection.publicClient.getGasPrice()).rejects.toThrow();
    expect((await access.pin()).host).toBe(hostOfProxy(second));
    // Once is no reason to trouble anybody.
    expect(access.conditions()).toEqual([]);
    // Both have done badly now: it is the turn of the one of which that is longest ago.
    nowMs += 1_000;
    access.report(await access.pin(), "a transaction that it took was not mined");
    expect((await access.pin()).host).toBe(hostOfProxy(first));
    nowMs += SET_BACK_MS;
    expect((await access.pin()).host).toBe(hostOfProxy(first));
    expect(access.conditions()).toEqual([]);
  });

  test("changes when it is reported, and that is told", async () => {
    const all = await proxies(2);
    const access = open(all);
    access.report(await access.pin(), "it dropped a transaction");
    expect((await access.pin()).host).toBe(hostOfProxy(all[1]));
    expect(access.conditions()).toMatchObject([
      { kind: "endpoint-failing", severity: "warning", message: `${hostOfProxy(all[0])}: it dropped a transaction` },
    ]);
  });

  test("is used although it was reported when there is no other", async () => {
    const all = await proxies(1);
    const access = open(all);
    const only = await access.pin();
    access.report(only, "it dropped a transaction");
    expect(await access.pin()).toBe(only);
  });

  test("is not changed by a call that the chain reverts", async () => {
    const all = await proxies(2);
    const access = open(all);
    const connection = await access.pin();
    await expect(connection.publicClient.call({ data: "0xfe" })).rejects.toThrow();
    expect(await access.pin()).toBe(connection);
    expect(access.health()[0]).toMatchObject({ state: "usable", failures: 0 });
  });

  test("is known by scheme and host, and by a number where two have the same", async () => {
    const [proxy] = await proxies(1);
    const url = proxy?.url ?? "";
    const access = openChain({ rpcUrls: [url, `${url}/other`], timeoutMs: 2_000 });
    await access.pin();
    const host = hostOfProxy(proxy);
    expect(access.health().map((health) => health.host)).toEqual([host, `${host} (2)`]);
  });
});

describe("no usable endpoint", () => {
  test("is an error that names each with its fault, and none beyond its host", async () => {
    const all = await proxies(2);
    for (const proxy of all) proxy.onCall = () => ({ status: 401 });
    const access = open(all);
    const problem = await access.pin().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(RpcUnreachableError);
    for (const proxy of all) expect(String(problem)).toContain(`${hostOfProxy(proxy)}: `);
    expect(String(problem)).not.toContain(RPC_KEY);
    expect(access.conditions().map(({ kind }) => kind)).toEqual([
      "chain-unreachable",
      "endpoint-failing",
      "endpoint-failing",
    ]);
    // As soon as one is back, everything is in order again.
    if (all[1]) all[1].onCall = () => undefined;
    expect((await access.pin()).host).toBe(hostOfProxy(all[1]));
    expect(access.conditions().map(({ kind }) => kind)).not.toContain("chain-unreachable");
  });

  test("is a wrong configuration when all have another chain", async () => {
    const access = open(await proxies(2), { expectedChainId: 5 });
    expect(access.chain.id).toBe(5);
    await expect(access.pin()).rejects.toThrow(WrongChainError);
    expect(access.health().map(({ state }) => state)).toEqual(["wrong-chain", "wrong-chain"]);
  });

  test("leaves the chain unknown when none is configured", async () => {
    const all = await proxies(1);
    for (const proxy of all) proxy.onCall = () => "break";
    const access = open(all);
    await expect(access.pin()).rejects.toThrow(RpcUnreachableError);
    expect(() => access.chain).toThrow("no RPC endpoint has said yet which chain it has");
  });
});

test("the chain of most endpoints is meant when none is configured", async () => {
  const all = await proxies();
  const [liar, good] = all;
  if (liar) liar.onCall = ({ method }) => (method === "eth_chainId" ? { result: "0x1" } : undefined);
  const access = open(all);
  expect((await access.pin()).host).toBe(hostOfProxy(good));
  expect(access.chain.id).toBe(31_337);
  expect(access.health()[0]).toMatchObject({ state: "wrong-chain", reason: "it is chain 1, not 31337" });
});

test("an endpoint that keeps us waiting is not waited for again soon", async () => {
  let nowMs = Date.now();
  const all = await proxies(2);
  const [slow, good] = all;
  if (slow) slow.onCall = () => "hang";
  const access = open(all, { timeoutMs: PATIENCE_MS + 5_000, nowMs: () => nowMs });
  expect((await access.pin()).host).toBe(hostOfProxy(good));
  expect(access.health()[0]).toMatchObject({ state: "unreachable", reason: "it does not answer in time" });
  const calls = slow?.calls.length;
  await access.pin();
  expect(slow?.calls.length).toBe(calls);
  // Unless there is no other.
  if (slow) slow.onCall = () => undefined;
  if (good) good.onCall = () => "break";
  expect((await access.pin()).host).toBe(hostOfProxy(slow));
  nowMs += REST_MS;
  await access.pin();
  expect(slow?.calls.length).toBeGreaterThan(calls ?? 0);
});

test("an endpoint that falls silent between two looks keeps us waiting once", async () => {
  const all = await proxies(2);
  const access = open(all, { timeoutMs: PATIENCE_MS + 5_000 });
  await access.pin();
  const [silent, good] = all;
  if (silent) silent.onCall = () => "hang";
  const head = () => access.agree("the head", ({ publicClient }) => publicClient.getBlockNumber());
  expect((await head()).hosts).toEqual([hostOfProxy(good)]);
  const calls = silent?.calls.length;
  expect((await head()).hosts).toEqual([hostOfProxy(good)]);
  expect(silent?.calls.length).toBe(calls);
  expect((await access.pin()).host).toBe(hostOfProxy(good));
});

test("several looks at once are one", async () => {
  const all = await proxies(1);
  const access = open(all);
  const pinned = await Promise.all([access.pin(), access.pin(), access.pin()]);
  expect(new Set(pinned).size).toBe(1);
  expect(all[0]?.calls.length).toBe(2);
});

describe("a question to all", () => {
  const countOf = (access: ChainAccess) => readNonce(access, OWNER.address);

  test("has the answer of most, and the other one is told of until it agrees", async () => {
    const all = await proxies();
    const [liar] = all;
    if (liar) liar.onCall = ({ method }) => (method === "eth_getTransactionCount" ? { result: "0x3e8" } : undefined);
    const access = open(all);
    const { value: honest } = await openedHonestly(all, countOf);
    const reading = await countOf(access);
    expect(reading.latest).toBe(honest.latest);
    expect(reading.otherHosts).toEqual([hostOfProxy(liar)]);
    expect(access.conditions()).toMatchObject([{ kind: "endpoints-disagree", subject: hostOfProxy(liar) }]);
    if (liar) liar.onCall = () => undefined;
    await countOf(access);
    expect(access.conditions()).toEqual([]);
  });

  test("has the pinned endpoint's answer where two contradict each other", async () => {
    const all = await proxies(2);
    if (all[0]) all[0].onCall = ({ method }) => (method === "eth_gasPrice" ? { result: "0x7" } : undefined);
    const access = open(all);
    const { value, hosts, otherHosts } = await access.agree("the gas price", ({ publicClient }) =>
      publicClient.getGasPrice(),
    );
    expect(value).toBe(7n);
    expect([hosts, otherHosts]).toEqual([[hostOfProxy(all[0])], [hostOfProxy(all[1])]]);
  });

  test("needs no answer of those that fail", async () => {
    const all = await proxies();
    const access = open(all);
    await access.pin();
    for (const proxy of all.slice(0, 2)) proxy.onCall = () => ({ text: "<html>" });
    const { hosts, otherHosts } = await access.agree("the head", ({ publicClient }) => publicClient.getBlockNumber());
    expect([hosts, otherHosts]).toEqual([[hostOfProxy(all[2])], []]);
  });

  test("fails when nobody answers, with what the first one said", async () => {
    const all = await proxies(2);
    const access = open(all);
    await access.pin();
    for (const proxy of all) proxy.onCall = () => ({ status: 503 });
    await expect(access.agree("the head", ({ publicClient }) => publicClient.getBlockNumber())).rejects.toThrow(
      "HTTP request failed",
    );
  });

  test("is answered by a count, or by nobody", async () => {
    const all = await proxies(2);
    if (all[0]) all[0].onCall = ({ method }) => (method === "eth_getTransactionCount" ? { result: "?" } : undefined);
    const access = open(all);
    const { latest, pending, otherHosts } = await countOf(access);
    expect(latest).toBeLessThan(1_000);
    expect(pending).toBe(latest);
    expect(otherHosts).toEqual([]);
  });

  async function openedHonestly<T>(all: readonly RpcProxy[], read: (access: ChainAccess) => Promise<T>) {
    const faults = all.map(({ onCall }) => onCall);
    for (const proxy of all) proxy.onCall = () => undefined;
    const value = await read(open(all));
    all.forEach((proxy, index) => {
      proxy.onCall = faults[index] ?? (() => undefined);
    });
    return { value };
  }
});

describe("a transaction", () => {
  test("is handed to every endpoint, and taken also by those that know it already", async () => {
    const all = await proxies();
    const access = open(all);
    const { latest } = await readNonce(access, OWNER.address);
    const raw = await signTransfer(latest);
    const { taken, refused } = await access.broadcast(raw);
    expect(refused).toEqual([]);
    expect(taken).toEqual(all.map(hostOfProxy));
    expect(await access.broadcast(raw)).toEqual({ taken, refused: [] });
    expect((await readNonce(access, OWNER.address)).latest).toBe(latest + 1);
  });

  test("arrives through the one endpoint that works", async () => {
    const all = await proxies();
    const access = open(all);
    const { latest } = await readNonce(access, OWNER.address);
    const [dropping, dead] = all;
    const sent = ({ method }: RpcCall) => method === "eth_sendRawTransaction";
    if (dropping) dropping.onCall = (call) => (sent(call) ? { result: `0x${"1".repeat(64)}` } : undefined);
    if (dead) dead.onCall = (call) => (sent(call) ? { status: 502 } : undefined);
    const { taken } = await access.broadcast(await signTransfer(latest));
    expect(taken).toContain(hostOfProxy(all[2]));
    expect((await readNonce(access, OWNER.address)).latest).toBe(latest + 1);
  });

  test("counts as taken when only the answer was lost", async () => {
    const all = await proxies(1);
    const access = open(all);
    const { latest } = await readNonce(access, OWNER.address);
    if (all[0]) all[0].onAnswer = ({ method }) => (method === "eth_sendRawTransaction" ? "break" : undefined);
    expect(await access.broadcast(await signTransfer(latest))).toEqual({ taken: [hostOfProxy(all[0])], refused: [] });
  });

  test("that is invalid is refused by name, and nothing is thrown", async () => {
    const all = await proxies(2);
    const access = open(all);
    const poor = privateKeyToAccount(generatePrivateKey());
    const raw = await poor.signTransaction({
      type: "eip1559",
      chainId: 31_337,
      to: zeroAddress,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: parseGwei("20"),
      maxPriorityFeePerGas: 1n,
    });
    const { taken, refused } = await access.broadcast(raw);
    expect(taken).toEqual([]);
    expect(refused.map(({ host }) => host)).toEqual(all.map(hostOfProxy));
    expect(String(refused[0]?.error)).toMatch(/funds/);
  });

  test("is refused by all when none can be reached, and nothing is thrown", async () => {
    const all = await proxies(2);
    for (const proxy of all) proxy.onCall = () => "break";
    const { taken, refused } = await open(all).broadcast("0x02");
    expect(taken).toEqual([]);
    expect(refused.map(({ host }) => host)).toEqual(all.map(hostOfProxy));
  });
});
