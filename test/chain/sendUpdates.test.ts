import { encodeErrorResult, encodeFunctionData, type LocalAccount } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { connectChain } from "../../relayer/chain/chainConnection.ts";
import {
  awaitOutcome,
  type PlannedUpdate,
  type SenderContext,
  type SentTransaction,
  sendUpdates,
} from "../../relayer/chain/sendUpdates.ts";
import { UnfundedSenderError } from "../../relayer/chain/unfundedSender.ts";
import { NOW_MS, priceMessage, signedPrice, timeMs } from "../message/signedPrices.ts";
import { type OracleChain, startOracleChain } from "./oracleChain.ts";
import { RPC_KEY, startRpcProxy } from "./rpcProxy.ts";

const NOW_MS_NUMBER = Number(NOW_MS);
const LIMITS = { maxUpdatesPerTransaction: 100, maxGasPerTransaction: 16_000_000n };

let chain: OracleChain;
let account: LocalAccount;
let context: SenderContext;
/** Feeds that no other test has a price of. */
let firstFeed = 1_000n;

beforeAll(async () => {
  chain = await startOracleChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  account = await chain.newSender();
  context = { connection: chain.connection, oracle: chain.oracle, account };
  firstFeed += 1_000n;
});

/** Good updates of as many feeds. */
function updates(count: number, changes: Parameters<typeof priceMessage>[0] = {}): PlannedUpdate[] {
  return Array.from({ length: count }, (_, index) => ({
    price: signedPrice(priceMessage({ feedId: firstFeed + BigInt(index), ...changes })),
    signerNumber: 1,
  }));
}

function at<T>(list: readonly T[], index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new Error(`nothing at ${index}`);
  return entry;
}

/** The same update with one bit of S changed. */
function spoiled(update: PlannedUpdate): PlannedUpdate {
  const signature = Uint8Array.from(update.price.signature);
  signature[32] = (signature[32] ?? 0) ^ 1;
  return { ...update, price: { ...update.price, signature } };
}

async function send(
  planned: readonly PlannedUpdate[],
  {
    limits = LIMITS,
    beforeSend = async () => {},
    signal,
    through = context,
  }: {
    limits?: typeof LIMITS;
    beforeSend?: (transaction: SentTransaction) => Promise<void>;
    signal?: AbortSignal;
    through?: SenderContext;
  } = {},
) {
  const result = await sendUpdates(through, planned, limits, { beforeSend, signal });
  const outcomes = await Promise.all(
    result.sent.map((transaction) => awaitOutcome(context, transaction, { timeoutMs: 5_000 })),
  );
  return { ...result, outcomes, sizes: result.sent.map((transaction) => transaction.updates.length) };
}

async function storedPrices(planned: readonly PlannedUpdate[]): Promise<(bigint | undefined)[]> {
  return Promise.all(planned.map(async ({ price }) => (await chain.stored(price.feedId))?.price));
}

/** The same sender, through a node that a test can make misbehave. */
async function throughProxy() {
  const proxy = await startRpcProxy(chain.rpcUrl);
  const connection = await connectChain({ rpcUrls: [proxy.url], timeoutMs: 2_000 });
  proxy.calls.length = 0;
  return { proxy, through: { ...context, connection } };
}

describe("what is sent", () => {
  test("goes in one transaction, which is on record before it leaves", async () => {
    const planned = updates(3);
    const recorded: SentTransaction[] = [];
    const { sent, failed, unchanged, outcomes } = await send(planned, {
      beforeSend: async (transaction) => {
        recorded.push(transaction);
        const known = chain.connection.publicClient.getTransaction({ hash: transaction.hash });
        await expect(known).rejects.toThrow("could not be found");
      },
    });
    expect(recorded).toEqual(sent);
    expect(sent).toMatchObject([{ nonce: 0, updates: planned }]);
    expect([failed, unchanged]).toEqual([[], []]);
    expect(outcomes).toMatchObject([
      { refused: [], receipt: { status: "success", transactionHash: at(sent, 0).hash } },
    ]);
    expect(outcomes[0]?.failure).toBeUndefined();
    expect(await storedPrices(planned)).toEqual([21_694_000_000n, 21_694_000_000n, 21_694_000_000n]);
  });

  test("nothing is no transaction", async () => {
    const { sent, failed, unchanged } = await send([]);
    expect([sent, failed, unchanged]).toEqual([[], [], []]);
  });

  test("comes in batches of the allowed number, nonce after nonce", async () => {
    const planned = updates(7);
    const { sent, sizes } = await send(planned, { limits: { ...LIMITS, maxUpdatesPerTransaction: 3 } });
    expect(sizes).toEqual([3, 3, 1]);
    expect(sent.map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
    expect(sent.flatMap((transaction) => transaction.updates)).toEqual(planned);
    expect(await storedPrices(planned)).not.toContain(0n);
  });

  test("comes in batches of the allowed gas", async () => {
    const planned = updates(9);
    const maxGasPerTransaction = 1_000_000n;
    const { sizes, outcomes } = await send(planned, { limits: { ...LIMITS, maxGasPerTransaction } });
    expect(sizes.length).toBeGreaterThan(1);
    expect(at(sizes, 0)).toBeGreaterThan(1);
    for (const { receipt, failure } of outcomes) {
      expect(failure).toBeUndefined();
      expect(receipt?.gasUsed).toBeLessThan(maxGasPerTransaction);
      const { gas } = await chain.connection.publicClient.getTransaction({ hash: receipt?.transactionHash ?? "0x" });
      expect(gas).toBeLessThanOrEqual(maxGasPerTransaction);
    }
    expect(await storedPrices(planned)).not.toContain(0n);
  });

  test("has gas enough when new feeds follow old ones, of which the cost was measured", async () => {
    const old = updates(4);
    await send(old);
    const refreshed = updates(4, { publishTimeMs: timeMs("2026-03-04T12:31:00Z") });
    const fresh = updates(40).slice(4);
    const { outcomes, failed } = await send([...refreshed, ...fresh]);
    expect(failed).toEqual([]);
    expect(outcomes.map(({ failure, refused }) => [failure, refused])).toEqual([[undefined, []]]);
    expect(await storedPrices(fresh)).not.toContain(0n);
  });

  test("is not what the chain has already", async () => {
    const planned = updates(2);
    await send(planned.slice(0, 1));
    const { unchanged, sizes } = await send(planned);
    expect(unchanged).toEqual(planned.slice(0, 1));
    expect(sizes).toEqual([1]);
    expect(await send(planned)).toMatchObject({ sent: [], failed: [], unchanged: planned });
  });

  test("is not the same update twice", async () => {
    const [update] = updates(1);
    const planned = [at([update], 0), at([update], 0)];
    const { unchanged, sizes, failed } = await send(planned as PlannedUpdate[]);
    expect([sizes, unchanged.length, failed]).toEqual([[1], 1, []]);
  });
});

describe("an invalid update", () => {
  test.each([0, 2, 4])("at position %i is taken out and named, and the others land", async (position) => {
    const planned = updates(5);
    const bad = spoiled(at(planned, position));
    const mixed = planned.with(position, bad);
    const { failed, sizes } = await send(mixed);
    expect(failed).toEqual([{ update: bad, reason: expect.stringContaining("InvalidSignature (signer 1)") }]);
    expect(sizes).toEqual([4]);
    const stored = await storedPrices(mixed);
    expect(stored.map((price) => price === 0n)).toEqual(mixed.map((update) => update === bad));
  });

  test("is named with its reason, and none is sent when none is good", async () => {
    const [signature, signer, hint] = updates(3).map((update, index) =>
      index === 0 ? spoiled(update) : index === 1 ? { ...update, signerNumber: 2 } : update,
    );
    const wrongHint = { ...at([hint], 0), price: { ...at([hint], 0)?.price, xOfR: 5n } } as PlannedUpdate;
    const { sent, failed } = await send([signature, signer, wrongHint] as PlannedUpdate[]);
    expect(sent).toEqual([]);
    expect(failed.map(({ reason }) => /(\w+) \(/.exec(reason)?.[1])).toEqual([
      "InvalidSignature",
      "UnknownSigner",
      "WrongHint",
    ]);
  });

  test("that the node names by a position beyond the call does not keep us asking for ever", async () => {
    const { proxy, through } = await throughProxy();
    const reason = "0x";
    const data = encodeInvalidUpdate(99n, reason);
    proxy.onCall = ({ method }) => {
      if (method !== "eth_call") return undefined;
      return proxy.calls.length > 50 ? { status: 400 } : { error: { code: 3, message: "execution reverted", data } };
    };
    const { sent, failed } = await send(updates(2), { through });
    expect(sent).toEqual([]);
    expect(failed).toHaveLength(2);
    expect(proxy.calls.length).toBeLessThan(20);
  });
});

describe("between simulation and mining", () => {
  test("somebody else may bring the same prices: nobody reverts", async () => {
    const planned = updates(3);
    const rival = { ...context, account: await chain.newSender() };
    const { outcomes, failed } = await send(planned, {
      beforeSend: async () => {
        await send(planned, { through: rival });
      },
    });
    expect(failed).toEqual([]);
    expect(outcomes).toMatchObject([{ receipt: { status: "success" }, refused: [] }]);
    expect(outcomes[0]?.receipt?.logs).toEqual([]);
    expect(await storedPrices(planned)).not.toContain(0n);
  });

  test("somebody else may bring newer ones", async () => {
    const planned = updates(2);
    const newer = updates(1, { publishTimeMs: timeMs("2026-03-04T12:45:00Z"), price: "217" });
    const rival = { ...context, account: await chain.newSender() };
    const { outcomes } = await send(planned, {
      beforeSend: async () => {
        await send(newer, { through: rival });
      },
    });
    expect(outcomes).toMatchObject([{ receipt: { status: "success" }, refused: [] }]);
    expect(await storedPrices(planned)).toEqual([21_700_000_000n, 21_694_000_000n]);
  });

  test("an update that has become invalid costs itself only, and is named", async () => {
    const planned = updates(2, { expiryMs: timeMs("2026-03-04T16:00:00Z") });
    const lasting = updates(3).slice(2);
    const snapshot = await chain.request("evm_snapshot");
    const { outcomes } = await send([...planned, ...lasting], {
      beforeSend: async () => {
        await chain.request("evm_setNextBlockTimestamp", [Number(timeMs("2026-03-04T16:00:01Z") / 1000n)]);
      },
    });
    expect(outcomes).toMatchObject([{ receipt: { status: "success" } }]);
    expect(outcomes[0]?.refused.map(({ update }) => update)).toEqual(planned);
    expect(outcomes[0]?.refused[0]?.reason).toContain("ExpiryPassed (expiryMs 2026-03-04T16:00:00.000Z");
    expect(await storedPrices([...planned, ...lasting])).toEqual([0n, 0n, 21_694_000_000n]);
    await chain.request("evm_revert", [snapshot]);
  });
});

describe("the sender", () => {
  test("without money is told so before anything is done", async () => {
    const beforeSend = vi.fn(async () => {});
    const poor = { ...context, account: await chain.newSender("0") };
    const sending = send(updates(1), { through: poor, beforeSend });
    await expect(sending).rejects.toThrow(UnfundedSenderError);
    await expect(sending).rejects.toMatchObject({ code: "SENDER_UNFUNDED", kind: "failure" });
    await expect(sending).rejects.toThrow(`the sender ${poor.account.address} cannot pay`);
    expect(beforeSend).not.toHaveBeenCalled();
  });

  test("with too little money is told so", async () => {
    const poor = { ...context, account: await chain.newSender("0.000000000000001") };
    await expect(send(updates(1), { through: poor })).rejects.toThrow(UnfundedSenderError);
  });

  test("whose money ends midway learns what was sent", async () => {
    const { baseFeePerGas } = await chain.connection.publicClient.getBlock();
    const { maxFeePerGas } = await chain.connection.publicClient.estimateFeesPerGas();
    expect(baseFeePerGas).not.toBeNull();
    // Enough for one transaction of one update and some gas over.
    const wei = maxFeePerGas * 400_000n;
    const poor = { ...context, account: await chain.newSender((Number(wei) / 1e18).toFixed(18)) };
    const planned = updates(6);
    const limits = { ...LIMITS, maxUpdatesPerTransaction: 1 };
    const { sent, failed } = await send(planned, { through: poor, limits });
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length + failed.length).toBe(planned.length);
    expect(failed[0]?.reason).toMatch(/cannot pay|insufficient funds|enough funds/i);
  });
});

describe("a stop", () => {
  const limits = { ...LIMITS, maxUpdatesPerTransaction: 2 };

  test("before the start sends nothing", async () => {
    const planned = updates(3);
    const { sent, failed } = await send(planned, { limits, signal: AbortSignal.abort() });
    expect(sent).toEqual([]);
    expect(failed).toEqual(planned.map((update) => ({ update, reason: "not sent: the run was stopped" })));
  });

  test("midway keeps what was sent", async () => {
    const planned = updates(5);
    const stop = new AbortController();
    const { sizes, failed, outcomes } = await send(planned, {
      limits,
      signal: stop.signal,
      beforeSend: async () => stop.abort(),
    });
    expect(sizes).toEqual([2]);
    expect(outcomes).toMatchObject([{ receipt: { status: "success" } }]);
    expect(failed.map(({ update }) => update)).toEqual(planned.slice(2));
  });
});

describe("a node that fails", () => {
  test("while sending: what was sent counts, the rest is told, without the key in the URL", async () => {
    const { proxy, through } = await throughProxy();
    let sends = 0;
    proxy.onCall = ({ method }) => {
      if (method !== "eth_sendRawTransaction") return undefined;
      sends += 1;
      return sends > 1 ? { status: 503 } : undefined;
    };
    const planned = updates(5);
    const { sizes, failed } = await send(planned, { through, limits: { ...LIMITS, maxUpdatesPerTransaction: 2 } });
    expect(sizes).toEqual([2]);
    expect(failed.map(({ update }) => update)).toEqual(planned.slice(2));
    for (const { reason } of failed) {
      expect(reason).toMatch(/^not sent: /);
      expect(reason).not.toContain(RPC_KEY);
    }
  });

  test("once it has taken the transaction: it counts as sent", async () => {
    const { proxy, through } = await throughProxy();
    proxy.onAnswer = ({ method }) => (method === "eth_sendRawTransaction" ? "break" : undefined);
    const planned = updates(2);
    const { sizes, failed, outcomes } = await send(planned, { through });
    expect(await storedPrices(planned)).not.toContain(0n);
    expect(failed.map(({ reason }) => reason)).toEqual([]);
    expect(sizes).toEqual([2]);
    expect(outcomes).toMatchObject([{ receipt: { status: "success" } }]);
  });

  test.each([
    ["answers nothing", "break"],
    ["answers 503", { status: 503 }],
    ["has no more requests for us", { status: 429 }],
  ] as const)("and %s is not asked again for every single update", async (_, intervention) => {
    const { proxy, through } = await throughProxy();
    proxy.onCall = ({ method }) => (method === "eth_call" ? intervention : undefined);
    const planned = updates(4);
    const { sizes, failed } = await send(planned, { through });
    expect(sizes).toEqual([]);
    expect(failed).toHaveLength(4);
    for (const { reason } of failed) expect(reason).not.toContain(RPC_KEY);
    expect(proxy.calls.filter((method) => method === "eth_call").length).toBeLessThan(10);
  });

  test("but a batch that is too large for one call of it comes apart", async () => {
    const { proxy, through } = await throughProxy();
    proxy.onCall = ({ method, params }) => {
      const [{ data = "0x" } = {}] = params as { data?: string }[];
      if (method !== "eth_call" || data.length < 2_500) return undefined;
      return { error: { code: -32_000, message: "out of gas" } };
    };
    const planned = updates(6);
    const { failed } = await send(planned, { through });
    expect(failed).toEqual([]);
    expect(await storedPrices(planned)).not.toContain(0n);
  });
});

describe("the outcome of a transaction", () => {
  test("that is not mined in time is not known", async () => {
    await chain.request("evm_setAutomine", [false]);
    await chain.request("evm_setIntervalMining", [0]);
    onTestFinished(async () => {
      await chain.request("evm_setAutomine", [true]);
    });
    const result = await sendUpdates(context, updates(1), LIMITS, { beforeSend: async () => {} });
    const transaction = at(result.sent, 0);
    const outcome = await awaitOutcome(context, transaction, { timeoutMs: 150 });
    expect(outcome).toEqual({ transaction, refused: [], failure: "not mined within 0.15 s; it may still be" });
    await chain.request("evm_mine");
    expect(await awaitOutcome(context, transaction, { timeoutMs: 5_000 })).toMatchObject({
      receipt: { status: "success" },
    });
  });

  test("is waited for 15 s more once a stop was asked for, and is not known then", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const publicClient = { waitForTransactionReceipt: () => new Promise(() => {}) };
    const silent = {
      connection: { ...chain.connection, publicClient },
      oracle: chain.oracle,
    } as unknown as SenderContext;
    const stop = new AbortController();
    const transaction: SentTransaction = { hash: "0x", nonce: 0, updates: [] };
    let outcome: unknown;
    const waiting = awaitOutcome(silent, transaction, { timeoutMs: 180_000, signal: stop.signal }).then((known) => {
      outcome = known;
    });
    await vi.advanceTimersByTimeAsync(20_000);
    stop.abort();
    await vi.advanceTimersByTimeAsync(14_999);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(outcome).toEqual({
      transaction,
      refused: [],
      failure: "not mined when the relayer was stopped; it may still be",
    });
    expect(vi.getTimerCount()).toBe(0);
    vi.useFakeTimers({ toFake: ["Date"], now: NOW_MS_NUMBER });
  });

  test("that reverted as a whole is a failure", async () => {
    const serialized = await account.signTransaction({
      type: "eip1559",
      chainId: 31_337,
      to: chain.oracle,
      data: encodeFunctionData({ abi: homePriceOracleAbi, functionName: "pauseFeed", args: [7n] }),
      nonce: 0,
      gas: 100_000n,
      ...(await chain.connection.publicClient.estimateFeesPerGas()),
    });
    const hash = await chain.connection.publicClient
      .sendRawTransaction({ serializedTransaction: serialized })
      .catch(() => chain.connection.publicClient.getBlock().then(({ transactions }) => at(transactions, 0)));
    const outcome = await awaitOutcome(context, { hash, nonce: 0, updates: updates(1) }, { timeoutMs: 5_000 });
    expect(outcome).toMatchObject({
      failure: "the transaction reverted",
      receipt: { status: "reverted" },
      refused: [],
    });
  });

  test("is told without the key in the URL when the node dies", async () => {
    const planned = updates(1);
    const { sent } = await send(planned);
    const { proxy, through } = await throughProxy();
    proxy.onCall = () => "break";
    const outcome = await awaitOutcome(through, at(sent, 0), { timeoutMs: 500 });
    expect(outcome.receipt).toBeUndefined();
    expect(outcome.failure).not.toContain(RPC_KEY);
  });
});

function encodeInvalidUpdate(index: bigint, reason: `0x${string}`) {
  return encodeErrorResult({ abi: homePriceOracleAbi, errorName: "InvalidUpdate", args: [index, reason] });
}
