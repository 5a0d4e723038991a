import { setTimeout as sleep } from "node:timers/promises";
import { type Hex, parseGwei } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChainFixture, INTERVAL_MS, START_MS, startSimulatedChain } from "./simulatedChainFixture.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let fixture: ChainFixture;

beforeEach(async () => {
  fixture = await startSimulatedChain();
});

afterEach(async () => {
  await fixture.close();
});

const send = (raw: Hex) => fixture.client.sendRawTransaction({ serializedTransaction: raw });

/** What a node answers to a transaction that it does not take. */
const refusalOf = (raw: Hex): Promise<string> =>
  send(raw).then(
    () => "taken",
    (error: Error & { details?: string }) => error.details ?? error.message,
  );

describe("blocks", () => {
  it("come at every interval of virtual time, also over a whole day", async () => {
    const { until, client } = fixture;
    await until(async () => {
      const before = await client.getBlockNumber();
      await sleep(DAY_MS);
      const block = await client.getBlock();
      expect(Number(block.number - before)).toBeGreaterThanOrEqual(DAY_MS / INTERVAL_MS);
      expect(Date.now() - Number(block.timestamp) * 1000).toBeLessThan(INTERVAL_MS + 1_000);
      const parent = await client.getBlock({ blockNumber: block.number - 1000n });
      expect(block.timestamp - parent.timestamp).toBe(BigInt(1000 * (INTERVAL_MS / 1000)));
    });
  });

  it("take a transaction within some intervals, at the fee of that time", async () => {
    const { until, client, signed, fees } = fixture;
    await until(async () => {
      const hash = await send(await signed(0));
      const { blockNumber, effectiveGasPrice } = await client.waitForTransactionReceipt({ hash });
      const { timestamp, baseFeePerGas } = await client.getBlock({ blockNumber });
      expect(Number(timestamp) * 1000 - START_MS).toBeLessThanOrEqual(5 * INTERVAL_MS);
      expect(baseFeePerGas).toBe(fees.baseFeePerGasAt(Number(timestamp) * 1000));
      expect(effectiveGasPrice).toBe((baseFeePerGas ?? 0n) + parseGwei("0.1"));
    });
  });

  it("leave a transaction out that offers too little, until fees have fallen", async () => {
    const { until, client, signed, fees } = fixture;
    const endMs = START_MS + 40 * MINUTE_MS;
    fees.addSpike({ fromMs: START_MS, toMs: endMs, baseFeePerGas: parseGwei("90") });
    await until(async () => {
      const hash = await send(await signed(0));
      const { blockNumber } = await client.waitForTransactionReceipt({ hash, timeout: 2 * 3_600_000 });
      const { timestamp } = await client.getBlock({ blockNumber });
      expect(Number(timestamp) * 1000).toBeGreaterThanOrEqual(endMs);
      expect(Number(timestamp) * 1000).toBeLessThanOrEqual(endMs + INTERVAL_MS);
    });
  });

  it("take a sender's transactions in the order of their nonces", async () => {
    const { until, client, signed } = fixture;
    await until(async () => {
      const second = await send(await signed(1));
      await sleep(2 * MINUTE_MS);
      expect(await client.getTransaction({ hash: second })).toMatchObject({ blockNumber: null });
      const first = await send(await signed(0));
      const receipts = await Promise.all(
        [first, second].map((hash) => client.waitForTransactionReceipt({ hash, timeout: 10 * MINUTE_MS })),
      );
      expect(receipts[1]?.blockNumber).toBeGreaterThanOrEqual(receipts[0]?.blockNumber ?? 0n);
    });
  });
});

describe("the waiting room", () => {
  it("refuses in the words of a node", async () => {
    const { until, signed, wallet, account, chain } = fixture;
    await until(async () => {
      const first = await signed(0);
      await send(first);
      expect(await refusalOf(first)).toContain("already known");
      expect(await refusalOf(await signed(0, "5.4", "0.108"))).toContain("replacement transaction underpriced");
      expect(await refusalOf(await signed(0, "5.5", "0.1"))).toContain("replacement transaction underpriced");
      expect(await refusalOf(await signed(0, "5.5", "0.11"))).toBe("taken");
      await sleep(2 * MINUTE_MS);
      expect(await refusalOf(await signed(0, "9", "1"))).toContain("nonce too low");
      const request = { to: account.address, nonce: 1, gas: 21_000n, maxPriorityFeePerGas: 1n } as const;
      const tooDear = {
        ...request,
        type: "eip1559",
        chainId: chain.chainId,
        maxFeePerGas: parseGwei("900000000"),
      } as const;
      expect(await refusalOf(await account.signTransaction(tooDear))).toContain("insufficient funds");
      const otherChain = { ...request, type: "eip1559", chainId: 7, maxFeePerGas: parseGwei("5") } as const;
      expect(await refusalOf(await account.signTransaction(otherChain))).toContain("invalid chain id");
      const greedy = { ...tooDear, gas: 16_777_217n, maxFeePerGas: parseGwei("5") };
      expect(await refusalOf(await account.signTransaction(greedy))).toContain("gas limit too high");
      expect(wallet.account.address).toBe(account.address);
    });
  });

  it("counts what waits in the pending nonce, and nothing behind a gap", async () => {
    const { until, client, signed, account } = fixture;
    await until(async () => {
      await send(await signed(0));
      await send(await signed(2));
      expect(await client.getTransactionCount({ address: account.address, blockTag: "pending" })).toBe(1);
      expect(await client.getTransactionCount({ address: account.address, blockTag: "latest" })).toBe(0);
    });
  });

  it("forgets a transaction, which may come again", async () => {
    const { until, client, signed, chain } = fixture;
    await until(async () => {
      const raw = await signed(0);
      const hash = await send(raw);
      expect(chain.forget(hash)).toBe(true);
      await sleep(5 * MINUTE_MS);
      await expect(client.getTransaction({ hash })).rejects.toThrow("could not be found");
      await send(raw);
      await client.waitForTransactionReceipt({ hash });
    });
  });

  it("gives a block what was replaced, when the replacement came too late", async () => {
    const { until, client, signed, chain } = fixture;
    await until(async () => {
      const hash = await send(await signed(0));
      const replacement = await send(await signed(0, "10", "1"));
      expect(chain.mempool.preferReplaced()).toBe(1);
      await client.waitForTransactionReceipt({ hash, checkReplacement: false });
      await expect(client.getTransaction({ hash: replacement })).rejects.toThrow("could not be found");
    });
  });
});

describe("a reorganisation", () => {
  it("takes a transaction back, which is mined again in another block", async () => {
    const { until, world, client, signed, chain, account } = fixture;
    await until(async () => {
      const hash = await send(await signed(0));
      const before = await client.waitForTransactionReceipt({ hash });
      const height = await client.getBlockNumber();
      const lost = await world("reorganise", () => chain.reorganise(1, "mined-late"));
      expect(lost.map((transaction) => transaction.hash)).toEqual([hash]);
      expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(height);
      await expect(client.getTransactionReceipt({ hash })).rejects.toThrow("could not be found");
      expect(await client.getTransactionCount({ address: account.address })).toBe(0);
      const after = await client.waitForTransactionReceipt({ hash, timeout: 60 * MINUTE_MS });
      expect(after.blockNumber).toBeGreaterThan(before.blockNumber);
      expect(after.blockHash).not.toBe(before.blockHash);
    });
  });

  it("gives the blocks at the same heights other hashes", async () => {
    const { until, world, client, signed, chain } = fixture;
    await until(async () => {
      const hash = await send(await signed(0));
      const { blockNumber, blockHash } = await client.waitForTransactionReceipt({ hash });
      await world("reorganise", () => chain.reorganise(1, "mined-again"));
      expect((await client.getBlock({ blockNumber })).hash).not.toBe(blockHash);
    });
  });

  it("may lose a transaction for good", async () => {
    const { until, world, client, signed, chain } = fixture;
    await until(async () => {
      const hash = await send(await signed(0));
      await client.waitForTransactionReceipt({ hash });
      await world("reorganise", () => chain.reorganise(1, "forgotten"));
      await sleep(30 * MINUTE_MS);
      await expect(client.getTransaction({ hash })).rejects.toThrow("could not be found");
    });
  });

  it("never reaches what is final", async () => {
    const { until, world, client, signed, chain } = fixture;
    await until(async () => {
      const hash = await send(await signed(0));
      const { blockNumber } = await client.waitForTransactionReceipt({ hash });
      await sleep(25 * INTERVAL_MS);
      expect((await client.getBlock({ blockTag: "finalized" })).number).toBeGreaterThanOrEqual(blockNumber);
      expect(await world("reorganise", () => chain.reorganise(5, "forgotten"))).toEqual([]);
      await client.getTransactionReceipt({ hash });
    });
  });
});

describe("an endpoint", () => {
  it("is out of reach, or silent, or says that something is wrong", async () => {
    const { until, client, endpoint, struck } = fixture;
    const errorUnder = async (fault: Parameters<typeof endpoint.setFault>[0]) => {
      endpoint.setFault(fault);
      const begunMs = Date.now();
      const error = await client.getBlockNumber().catch((caught: Error) => caught);
      return { name: (error as Error).name, tookMs: Date.now() - begunMs };
    };
    await until(async () => {
      expect(await errorUnder("dead")).toMatchObject({ name: "HttpRequestError" });
      const silent = await errorUnder("timeout");
      expect(silent.name).toBe("TimeoutError");
      expect(silent.tookMs).toBe(10_000);
      expect(await errorUnder("error")).toMatchObject({ name: "InternalRpcError" });
      expect(await errorUnder("rate-limited")).toMatchObject({ name: "HttpRequestError" });
    });
    expect(new Set(struck)).toEqual(new Set(["dead", "timeout", "error", "rate-limited"]));
  });

  it("takes a transaction whose sender never hears of it, sometimes", async () => {
    const { until, client, endpoint, signed } = fixture;
    const outcomes = new Set<boolean>();
    await until(async () => {
      for (let nonce = 0; nonce < 12 && outcomes.size < 2; nonce += 1) {
        const raw = await signed(nonce);
        endpoint.setFault("timeout");
        await send(raw).catch(() => undefined);
        endpoint.setFault(undefined);
        const answer = await refusalOf(raw);
        outcomes.add(answer === "taken");
        if (answer !== "taken") expect(answer).toContain("already known");
      }
    });
    expect(outcomes).toEqual(new Set([true, false]));
    expect(await until(() => client.getBlockNumber())).toBeGreaterThan(0n);
  });

  it("that lags knows neither the newest block nor what is in it", async () => {
    const { until, client, endpoint, signed, account } = fixture;
    await until(async () => {
      await sleep(10 * MINUTE_MS);
      const hash = await send(await signed(0));
      await client.waitForTransactionReceipt({ hash });
      const head = await client.getBlockNumber();
      endpoint.setFault("lagging");
      expect(head - (await client.getBlockNumber())).toBeGreaterThan(20n);
      expect(await client.getTransactionCount({ address: account.address })).toBe(0);
      await expect(client.getTransactionReceipt({ hash })).rejects.toThrow("could not be found");
    });
  });

  it("lies in the ways that it is told to", async () => {
    const { until, client, endpoint, signed, account, chain } = fixture;
    await until(async () => {
      const hash = await send(await signed(0));
      await client.waitForTransactionReceipt({ hash });
      endpoint.setFault("hides-receipts");
      await expect(client.getTransactionReceipt({ hash })).rejects.toThrow("could not be found");
      endpoint.setFault("wrong-nonce");
      const counts = [];
      for (let asked = 0; asked < 8; asked += 1)
        counts.push(await client.getTransactionCount({ address: account.address }));
      expect(counts).not.toContain(1);
      endpoint.setFault("wrong-chain");
      expect(await client.getChainId()).toBe(chain.chainId + 1);
      endpoint.setFault("stale-state");
      expect(await client.getTransactionCount({ address: account.address })).toBe(0);
      endpoint.setFault("drops-sent");
      const dropped = await send(await signed(1));
      await expect(client.getTransaction({ hash: dropped })).rejects.toThrow("could not be found");
    });
  });
});
