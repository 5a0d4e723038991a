import {
  bytesToHex,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
  parseGwei,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { type ChainConnection, connectChain } from "../../relayer/chain/chainConnection.ts";
import { prepareBatch, type UpdateToSend } from "../../relayer/chain/prepareBatch.ts";
import { decodeOutcomes } from "../../relayer/chain/updateOutcomes.ts";
import { encodeUpdate } from "../../relayer/message/update.ts";
import { priceMessage, signedPrice, timeMs } from "../message/signedPrices.ts";
import { contractAt, type OracleChain, startOracleChain } from "./oracleChain.ts";
import { RPC_KEY, startRpcProxy } from "./rpcProxy.ts";

const LIMITS = { maxUpdatesPerTransaction: 100, maxGasPerTransaction: 16_000_000n };

let chain: OracleChain;
let account: LocalAccount;
/** Feeds that no other test has a price of. */
let firstFeed = 1_000n;

beforeAll(async () => {
  chain = await startOracleChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  account = await chain.newSender();
  firstFeed += 20_000n;
});

type Update = UpdateToSend & { readonly publishTimeMs: bigint };

/** Good updates of as many feeds. */
function updates(count: number, changes: Parameters<typeof priceMessage>[0] = {}, signerNumber = 1): Update[] {
  return Array.from({ length: count }, (_, index) => {
    const { messageBytes, signature, xOfR, message, feedId } = signedPrice(
      priceMessage({ feedId: firstFeed + BigInt(index), ...changes }),
    );
    return {
      feedId,
      day: message.day,
      priceId: BigInt(index),
      publishTimeMs: message.publishTimeMs,
      bytes: bytesToHex(encodeUpdate(messageBytes, signature, { signerNumber, xOfR })),
    };
  });
}

function at<T>(list: readonly T[], index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new Error(`nothing at ${index}`);
  return entry;
}

/** The same update with one bit of S changed. */
function spoiled(update: Update): Update {
  const digit = 2 + 2 * (74 + 32);
  const flipped = (Number.parseInt(update.bytes.slice(digit, digit + 2), 16) ^ 1).toString(16).padStart(2, "0");
  return { ...update, bytes: `${update.bytes.slice(0, digit)}${flipped}${update.bytes.slice(digit + 2)}` as Hex };
}

function prepare(
  planned: readonly UpdateToSend[],
  { limits = LIMITS, connection = chain.connection }: { limits?: typeof LIMITS; connection?: ChainConnection } = {},
) {
  return prepareBatch({ connection, oracle: chain.oracle, sender: account.address, updates: planned, limits });
}

async function send(batch: readonly UpdateToSend[], gas: bigint) {
  const { publicClient, chain: on } = chain.connection;
  const serializedTransaction = await account.signTransaction({
    type: "eip1559",
    chainId: on.id,
    to: chain.oracle,
    data: encodeFunctionData({
      abi: homePriceOracleAbi,
      functionName: "tryUpdatePrices",
      args: [batch.map(({ bytes }) => bytes)],
    }),
    nonce: await publicClient.getTransactionCount({ address: account.address }),
    gas,
    maxFeePerGas: parseGwei("10"),
    maxPriorityFeePerGas: 1n,
  });
  // A development chain answers with the error of a transaction that it has mined all the same.
  await publicClient.sendRawTransaction({ serializedTransaction }).catch(() => {});
  return publicClient.waitForTransactionReceipt({ hash: keccak256(serializedTransaction) });
}

/** The same chain through a node that a test can make misbehave. */
async function throughProxy() {
  const proxy = await startRpcProxy(chain.rpcUrl);
  const connection = await connectChain({ rpcUrls: [proxy.url], timeoutMs: 10_000 });
  proxy.calls.length = 0;
  return { proxy, connection };
}

describe("a batch", () => {
  test("takes all that is good, in three questions, with gas that is enough and not much more", async () => {
    const planned = updates(40);
    const { proxy, connection } = await throughProxy();
    const { send: batch, gasLimit, ...others } = await prepare(planned, { connection });
    expect(batch).toEqual(planned);
    expect(others).toEqual({ unchanged: [], refused: [], rest: [] });
    expect(proxy.calls.toSorted()).toEqual(["eth_call", "eth_estimateGas", "eth_getBlockByNumber"]);
    const receipt = await send(batch, gasLimit);
    expect(receipt.status).toBe("success");
    expect(decodeOutcomes(receipt, chain.oracle, planned)).toEqual(planned.map(() => ({ outcome: "stored" })));
    expect(Number(gasLimit) / Number(receipt.gasUsed)).toBeLessThan(1.25);
  });

  test("of nothing is nothing", async () => {
    expect(await prepare([])).toEqual({ send: [], gasLimit: 0n, unchanged: [], refused: [], rest: [] });
  });

  test("leaves out what is stored, and what comes twice", async () => {
    const planned = updates(3);
    const first = await prepare(planned.slice(0, 1));
    await send(first.send, first.gasLimit);
    const { send: batch, unchanged } = await prepare([...planned, at(planned, 2)]);
    expect(batch).toEqual(planned.slice(1));
    expect(unchanged).toEqual([planned[0], planned[2]]);
    expect(await prepare(planned.slice(0, 1))).toMatchObject({ send: [], gasLimit: 0n, unchanged: [planned[0]] });
  });

  test("has the allowed number, and the rest comes next", async () => {
    const planned = updates(7);
    const limits = { ...LIMITS, maxUpdatesPerTransaction: 3 };
    const { send: batch, rest } = await prepare(planned, { limits });
    expect(batch).toEqual(planned.slice(0, 3));
    expect(rest).toEqual(planned.slice(3));
  });

  test.each([1_000_000n, 400_000n, 250_000n])("has the allowed gas (%i)", async (maxGasPerTransaction) => {
    const planned = updates(9);
    const {
      send: batch,
      gasLimit,
      rest,
      refused,
    } = await prepare(planned, { limits: { ...LIMITS, maxGasPerTransaction } });
    expect(batch.length).toBeGreaterThan(0);
    expect([...batch, ...rest]).toEqual(planned);
    expect(refused).toEqual([]);
    expect(gasLimit).toBeLessThanOrEqual(maxGasPerTransaction);
    const receipt = await send(batch, gasLimit);
    expect(receipt.status).toBe("success");
    expect(decodeOutcomes(receipt, chain.oracle, at([batch], 0) as Update[])).toEqual(
      batch.map(() => ({ outcome: "stored" })),
    );
  });

  test("does without headroom rather than without its only update", async () => {
    const [only] = updates(1);
    const { publicClient } = chain.connection;
    const measured = await publicClient.estimateContractGas({
      ...contractAt(chain),
      functionName: "tryUpdatePrices",
      args: [[at([only], 0)?.bytes ?? "0x"]],
      account: account.address,
    });
    const limits = { ...LIMITS, maxGasPerTransaction: measured + 1_000n };
    const { send: batch, gasLimit } = await prepare([at([only], 0) as Update], { limits });
    expect(batch).toEqual([only]);
    expect((await send(batch, gasLimit)).status).toBe("success");
  });

  test("has room in a block that is smaller than a transaction may be", async () => {
    const before = (await chain.connection.publicClient.getBlock()).gasLimit;
    await chain.request("evm_setBlockGasLimit", ["0x16e360"]);
    await chain.request("hardhat_mine", ["0x1"]);
    const planned = updates(20);
    const { send: batch, gasLimit, rest } = await prepare(planned);
    expect(gasLimit).toBeLessThanOrEqual((1_500_000n * 75n) / 100n);
    expect(batch.length).toBeGreaterThan(4);
    expect([...batch, ...rest]).toEqual(planned);
    expect((await send(batch, gasLimit)).status).toBe("success");
    await chain.request("evm_setBlockGasLimit", [`0x${before.toString(16)}`]);
    await chain.request("hardhat_mine", ["0x1"]);
  });

  test("of many batches goes on until nothing is left, with few questions each", async () => {
    const planned = updates(230);
    const { proxy, connection } = await throughProxy();
    const sent: UpdateToSend[] = [];
    let waiting: readonly UpdateToSend[] = planned;
    let batches = 0;
    while (waiting.length > 0) {
      const { send: batch, gasLimit, rest } = await prepare(waiting, { connection });
      const receipt = await send(batch, gasLimit);
      expect(receipt.status).toBe("success");
      sent.push(...batch);
      waiting = rest;
      batches += 1;
    }
    expect(sent).toEqual(planned);
    expect(batches).toBe(3);
    expect(proxy.calls.length).toBe(9);
  });

  test("is smaller where it measures as more than is allowed", async () => {
    const planned = updates(10);
    const { proxy, connection } = await throughProxy();
    let estimates = 0;
    proxy.onCall = ({ method, params }) => {
      if (method !== "eth_estimateGas") return undefined;
      estimates += 1;
      const { data } = params[0] as { data: Hex };
      // A chain on which an update costs a million.
      return { result: `0x${(Math.round(data.length / 2 / 256) * 1_000_000).toString(16)}` };
    };
    const limits = { ...LIMITS, maxGasPerTransaction: 4_000_000n };
    const { send: batch, gasLimit, rest } = await prepare(planned, { connection, limits });
    expect(batch.length).toBeGreaterThan(1);
    expect(batch.length).toBeLessThan(5);
    expect([...batch, ...rest]).toEqual(planned);
    expect(gasLimit).toBeLessThanOrEqual(4_000_000n);
    expect(estimates).toBeLessThan(4);
  });

  test("is halved where the node refuses to measure so much", async () => {
    const planned = updates(8);
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method, params }) => {
      const isLarge = (params[0] as { data?: Hex } | undefined)?.data?.length ?? 0;
      const refuses = (method === "eth_estimateGas" || method === "eth_call") && isLarge > 2_200;
      return refuses ? { error: { code: -32_000, message: "gas required exceeds allowance (1000)" } } : undefined;
    };
    const { send: batch, rest, refused } = await prepare(planned, { connection });
    expect(batch.length).toBeGreaterThan(1);
    expect([...batch, ...rest]).toEqual(planned);
    expect(refused).toEqual([]);
  });

  test("gives gas enough although a node measures too little", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) => (method === "eth_estimateGas" ? { result: "0x5208" } : undefined);
    const { send: batch, gasLimit } = await prepare(updates(20), { connection });
    expect((await send(batch, gasLimit)).status).toBe("success");
  });
});

describe("an invalid update", () => {
  test.each([0, 2, 4])("at position %i is taken out and named", async (position) => {
    const planned = updates(5);
    const bad = spoiled(at(planned, position));
    const { send: batch, refused } = await prepare(planned.with(position, bad));
    expect(refused).toEqual([{ update: bad, reason: expect.stringContaining("InvalidSignature (signer 1)") }]);
    expect(batch).toEqual(planned.filter((_, index) => index !== position));
  });

  test("among many invalid ones costs few questions, and each has its own reason", async () => {
    const good = updates(90);
    const planned = good.map((update, index) => (index % 3 === 0 ? update : spoiled(update)));
    const late = updates(10, { feedId: firstFeed + 5_000n }, 2);
    const { proxy, connection } = await throughProxy();
    const { send: batch, refused } = await prepare([...planned, ...late], { connection });
    expect(batch).toEqual(good.filter((_, index) => index % 3 === 0));
    expect(refused.map(({ reason }) => /(\w+) \(/.exec(reason)?.[1])).toEqual([
      ...Array.from({ length: 60 }, () => "InvalidSignature"),
      ...Array.from({ length: 10 }, () => "UnknownSigner"),
    ]);
    expect(proxy.calls.length).toBeLessThan(10);
  });

  test("in a batch of nothing else leaves nothing to send", async () => {
    const planned = updates(60, {}, 2);
    const { proxy, connection } = await throughProxy();
    const { send: batch, gasLimit, refused, rest } = await prepare(planned, { connection });
    expect([batch, gasLimit, rest]).toEqual([[], 0n, []]);
    expect(refused.map(({ update }) => update)).toEqual(planned);
    expect(proxy.calls.length).toBeLessThan(8);
  });

  test("is found one by one where the node does not try them in one call", async () => {
    const planned = updates(6).map((update, index) => (index < 3 ? spoiled(update) : update));
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method, params }) =>
      method === "eth_call" && !("to" in (params[0] as object))
        ? { error: { code: -32_000, message: "max initcode size exceeded" } }
        : undefined;
    const { send: batch, refused } = await prepare(planned, { connection });
    expect(batch).toEqual(planned.slice(3));
    expect(refused).toHaveLength(3);
  });

  test("that the node names by a position beyond the call does not keep us asking for ever", async () => {
    const { proxy, connection } = await throughProxy();
    const data = encodeErrorResult({ abi: homePriceOracleAbi, errorName: "InvalidUpdate", args: [99n, "0x"] });
    proxy.onCall = ({ method }) =>
      method === "eth_call" ? { error: { code: 3, message: "execution reverted", data } } : undefined;
    const { send: batch, refused, rest } = await prepare(updates(8), { connection });
    expect(batch).toEqual([]);
    expect(refused.length + rest.length).toBe(8);
    expect(proxy.calls.length).toBeLessThan(10);
  });
});

describe("an update", () => {
  test("that needs more gas than is allowed is told apart from an invalid one", async () => {
    const planned = updates(2);
    const {
      send: batch,
      refused,
      rest,
    } = await prepare(planned, {
      limits: { ...LIMITS, maxGasPerTransaction: 100_000n },
    });
    expect(batch).toEqual([]);
    expect(refused).toMatchObject([
      { update: planned[0], isOutOfGas: true, reason: expect.stringContaining("100000") },
    ]);
    expect(rest).toEqual(planned.slice(1));
  });

  test("whose verification fails for want of gas is told apart, too", async () => {
    const { proxy, connection } = await throughProxy();
    const data = encodeErrorResult({
      abi: homePriceOracleAbi,
      errorName: "VerifierFailed",
      args: [1, chain.oracle],
    });
    proxy.onCall = ({ method }) =>
      method === "eth_call" ? { error: { code: 3, message: "execution reverted", data } } : undefined;
    const { refused } = await prepare(updates(1), { connection });
    expect(refused).toMatchObject([{ isOutOfGas: true, reason: expect.stringContaining("VerifierFailed") }]);
  });
});

describe("a node that fails", () => {
  test.each([
    ["answers nothing", "break"],
    ["answers 503", { status: 503 }],
    ["has no more requests for us", { status: 429 }],
    ["has no such contract", { result: "0x" }],
    ["answers nonsense", { result: "0x1234" }],
  ] as const)("and %s says nothing of the updates", async (_, intervention) => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) => (method === "eth_call" ? intervention : undefined);
    const problem = await prepare(updates(1), { connection }).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(Error);
    expect(proxy.calls.length).toBeLessThan(15);
  });

  test("while measuring does not make the updates look bad", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) => (method === "eth_estimateGas" ? { status: 503 } : undefined);
    await expect(prepare(updates(4), { connection })).rejects.toThrow();
  });

  test("shows no key in a reason", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) =>
      method === "eth_estimateGas" ? { error: { code: -32_000, message: `gas limit, see ${proxy.url}` } } : undefined;
    const { refused } = await prepare(updates(1), { connection });
    expect(refused[0]?.reason).toContain("gas limit");
    expect(refused[0]?.reason).not.toContain(RPC_KEY);
  });
});

describe("what became of each update", () => {
  test("is read from the receipt: stored, refused with its reason, skipped", async () => {
    const [stored, twice, later] = updates(3);
    const bad = spoiled(at(updates(4), 3));
    const planned = [bad, at([stored], 0), at([twice], 0), at([twice], 0), at([later], 0)] as Update[];
    const receipt = await send(planned, 2_000_000n);
    expect(decodeOutcomes(receipt, chain.oracle, planned)).toEqual([
      { outcome: "refused", reason: "InvalidSignature (signer 1)" },
      { outcome: "stored" },
      { outcome: "stored" },
      { outcome: "skipped" },
      { outcome: "stored" },
    ]);
    const again = await send(planned.slice(1), 2_000_000n);
    expect(decodeOutcomes(again, chain.oracle, planned.slice(1))).toEqual(
      planned.slice(1).map(() => ({ outcome: "skipped" })),
    );
  });

  test("is also known of one whose date is not the newest any more", async () => {
    const [newest] = updates(1);
    const [earlier] = updates(1, {
      date: "2026-03-03",
      publishTimeMs: timeMs("2026-03-04T13:00:00Z"),
      expiryMs: timeMs("2026-03-05T10:00:00Z"),
    });
    const planned = [newest, earlier] as Update[];
    const receipt = await send(planned, 2_000_000n);
    expect(decodeOutcomes(receipt, chain.oracle, planned)).toEqual([{ outcome: "stored" }, { outcome: "stored" }]);
  });

  test("is quarantine for one outside its feed's band", async () => {
    const args = [[firstFeed], 1_000] as const;
    await chain.asOwner(encodeFunctionData({ abi: homePriceOracleAbi, functionName: "setBands", args }));
    const [yesterday] = updates(1, {
      date: "2026-03-03",
      publishTimeMs: timeMs("2026-03-03T12:30:00Z"),
      expiryMs: timeMs("2026-03-04T18:00:00Z"),
    });
    const [jump] = updates(1, { price: "400" });
    const planned = [yesterday, jump] as Update[];
    const receipt = await send(planned, 2_000_000n);
    expect(decodeOutcomes(receipt, chain.oracle, planned)).toEqual([{ outcome: "stored" }, { outcome: "quarantined" }]);
  });

  test("is nothing when the transaction reverted as a whole, or the events are another contract's", async () => {
    const planned = updates(2);
    const reverted = await send(planned, 150_000n);
    expect(reverted.status).toBe("reverted");
    expect(decodeOutcomes(reverted, chain.oracle, planned).map(({ outcome }) => outcome)).toEqual([
      "refused",
      "refused",
    ]);
    const receipt = await send(planned, 1_000_000n);
    const foreign = "0x000000000000000000000000000000000000dEaD";
    expect(decodeOutcomes(receipt, foreign, planned)).toEqual(planned.map(() => ({ outcome: "skipped" })));
  });
});
