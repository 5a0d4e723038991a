import fc from "fast-check";
import { parseGwei } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectChain } from "../../relayer/chain/chainConnection.ts";
import {
  chooseFees,
  type Fees,
  NoBaseFeeError,
  readAgreedFees,
  readFees,
  replacementFees,
} from "../../relayer/chain/fees.ts";
import { openChain } from "../../relayer/chain/openChain.ts";
import { type LocalChain, startLocalChain } from "../../relayer/local/localChain.ts";
import { startRpcProxy } from "./rpcProxy.ts";

const wei = fc.bigInt({ min: 0n, max: 10n ** 15n });
const market = fc.record({ baseFeePerGas: wei, maxPriorityFeePerGas: wei });
const cap = fc.option(fc.bigInt({ min: 0n, max: 4n * 10n ** 15n }), { nil: undefined });
const fees: fc.Arbitrary<Fees> = fc
  .tuple(wei, wei)
  .map(([priority, rest]) => ({ maxFeePerGas: priority + rest, maxPriorityFeePerGas: priority }));

describe("fees for a new transaction", () => {
  test("are twice the base fee and the priority fee", () => {
    expect(chooseFees({ baseFeePerGas: 30n, maxPriorityFeePerGas: 2n, cap: undefined })).toEqual({
      fees: { maxFeePerGas: 62n, maxPriorityFeePerGas: 2n },
    });
  });

  test("are cut to the cap as long as that covers the next block", () => {
    const of = (capWei: bigint) => chooseFees({ baseFeePerGas: 30n, maxPriorityFeePerGas: 2n, cap: capWei });
    expect(of(40n)).toEqual({ fees: { maxFeePerGas: 40n, maxPriorityFeePerGas: 2n } });
    expect(of(32n)).toEqual({ fees: { maxFeePerGas: 32n, maxPriorityFeePerGas: 2n } });
    expect(of(31n)).toEqual({ aboveCap: { neededWei: 32n, capWei: 31n } });
  });

  test("work where no priority fee is paid", () => {
    expect(chooseFees({ baseFeePerGas: 10n, maxPriorityFeePerGas: 0n, cap: 10n })).toEqual({
      fees: { maxFeePerGas: 10n, maxPriorityFeePerGas: 0n },
    });
  });

  test("never exceed the cap, always cover the next block, and are withheld only when the cap does not", () => {
    fc.assert(
      fc.property(market, cap, (now, capWei) => {
        const choice = chooseFees({ ...now, cap: capWei });
        const needed = now.baseFeePerGas + now.maxPriorityFeePerGas;
        if ("aboveCap" in choice) {
          expect(choice.aboveCap).toEqual({ neededWei: needed, capWei });
          expect(needed).toBeGreaterThan(capWei ?? needed);
          return;
        }
        const { maxFeePerGas, maxPriorityFeePerGas } = choice.fees;
        expect(maxPriorityFeePerGas).toBe(now.maxPriorityFeePerGas);
        expect(maxFeePerGas).toBeGreaterThanOrEqual(needed);
        expect(maxFeePerGas).toBeLessThanOrEqual(capWei ?? maxFeePerGas);
        expect(maxFeePerGas).toBeLessThanOrEqual(2n * now.baseFeePerGas + now.maxPriorityFeePerGas);
      }),
    );
  });
});

describe("fees for a replacement", () => {
  const previous = { maxFeePerGas: 80n, maxPriorityFeePerGas: 8n };

  test("are an eighth higher where the market has not moved", () => {
    expect(replacementFees(previous, { baseFeePerGas: 10n, maxPriorityFeePerGas: 1n }, undefined)).toEqual({
      fees: { maxFeePerGas: 90n, maxPriorityFeePerGas: 9n },
    });
  });

  test("are the market's where that asks for more", () => {
    expect(replacementFees(previous, { baseFeePerGas: 100n, maxPriorityFeePerGas: 20n }, undefined)).toEqual({
      fees: { maxFeePerGas: 220n, maxPriorityFeePerGas: 20n },
    });
  });

  test("are withheld where the cap does not allow the eighth, or does not cover the next block", () => {
    const calm = { baseFeePerGas: 10n, maxPriorityFeePerGas: 1n };
    expect(replacementFees(previous, calm, 89n)).toEqual({ aboveCap: { neededWei: 90n, capWei: 89n } });
    expect(replacementFees(previous, calm, 90n)).toEqual({ fees: { maxFeePerGas: 90n, maxPriorityFeePerGas: 9n } });
    const busy = { baseFeePerGas: 500n, maxPriorityFeePerGas: 1n };
    expect(replacementFees(previous, busy, 508n)).toEqual({ aboveCap: { neededWei: 509n, capWei: 508n } });
  });

  test("leave of a high priority fee what the cap has room for", () => {
    expect(replacementFees(previous, { baseFeePerGas: 70n, maxPriorityFeePerGas: 500n }, 100n)).toEqual({
      fees: { maxFeePerGas: 100n, maxPriorityFeePerGas: 30n },
    });
  });

  test("raise both fields by more than the tenth that nodes ask for, and never above the cap", () => {
    fc.assert(
      fc.property(fees, market, cap, (before, now, capWei) => {
        const choice = replacementFees(before, now, capWei);
        if ("aboveCap" in choice) {
          expect(choice.aboveCap.capWei).toBe(capWei);
          expect(choice.aboveCap.neededWei).toBeGreaterThan(choice.aboveCap.capWei);
          return;
        }
        const { maxFeePerGas, maxPriorityFeePerGas } = choice.fees;
        expect(maxFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas * 9n);
        expect(maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 9n);
        expect(maxFeePerGas).toBeGreaterThan(before.maxFeePerGas);
        expect(maxPriorityFeePerGas).toBeGreaterThan(before.maxPriorityFeePerGas);
        expect(maxPriorityFeePerGas).toBeLessThanOrEqual(maxFeePerGas);
        expect(maxFeePerGas).toBeLessThanOrEqual(capWei ?? maxFeePerGas);
        expect(maxFeePerGas - now.baseFeePerGas).toBeGreaterThanOrEqual(maxPriorityFeePerGas);
      }),
    );
  });

  test("are always possible without a cap", () => {
    fc.assert(
      fc.property(fees, market, (before, now) => {
        expect(replacementFees(before, now, undefined)).toHaveProperty("fees");
      }),
    );
  });
});

describe("the market's fees", () => {
  let chain: LocalChain;
  beforeAll(async () => {
    chain = await startLocalChain(0);
  });
  afterAll(() => chain.close());

  async function throughProxy() {
    const proxy = await startRpcProxy(chain.rpcUrl);
    return { proxy, connection: await connectChain({ rpcUrls: [proxy.url], timeoutMs: 5_000 }) };
  }

  const history = (reward: string[], gasUsedRatio: number[]) => ({
    result: {
      oldestBlock: "0x1",
      baseFeePerGas: [...reward.map(() => "0x1"), "0x64"],
      gasUsedRatio,
      reward: reward.map((paid) => [paid]),
    },
  });

  test("come from the chain, and a transaction that offers them is mined", async () => {
    const { connection } = await throughProxy();
    const { baseFeePerGas, maxPriorityFeePerGas } = await readFees(connection);
    expect(baseFeePerGas).toBeGreaterThan(0n);
    expect(maxPriorityFeePerGas).toBeGreaterThanOrEqual(0n);
    expect(maxPriorityFeePerGas).toBeLessThan(parseGwei("100"));
  });

  test("have the median of what transactions of the last blocks paid, empty blocks aside", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) =>
      method === "eth_feeHistory" ? history(["0x5", "0x0", "0x9", "0x7"], [0.5, 0, 0.1, 1]) : undefined;
    expect(await readFees(connection)).toEqual({ baseFeePerGas: 100n, maxPriorityFeePerGas: 7n });
  });

  test("have the node's own suggestion where the last blocks were empty", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) => {
      if (method === "eth_feeHistory") return history(["0x0", "0x0"], [0, 0]);
      return method === "eth_maxPriorityFeePerGas" ? { result: "0x3" } : undefined;
    };
    expect(await readFees(connection)).toEqual({ baseFeePerGas: 100n, maxPriorityFeePerGas: 3n });
  });

  test("may have no priority fee at all", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) => (method === "eth_feeHistory" ? history(["0x0"], [0.9]) : undefined);
    expect(await readFees(connection)).toEqual({ baseFeePerGas: 100n, maxPriorityFeePerGas: 0n });
  });

  test("come from the newest block where the node knows neither method", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) =>
      method === "eth_feeHistory" || method === "eth_maxPriorityFeePerGas"
        ? { error: { code: -32_601, message: "the method does not exist" } }
        : undefined;
    const { baseFeePerGas } = await connection.publicClient.getBlock();
    const read = await readFees(connection);
    expect(read.maxPriorityFeePerGas).toBe(1_000_000n);
    expect(read.baseFeePerGas).toBeLessThanOrEqual(((baseFeePerGas ?? 0n) * 9n) / 8n + 1n);
    expect(read.baseFeePerGas).toBeGreaterThan(0n);
  });

  test("come from the newest block where the history is nonsense", async () => {
    const { proxy, connection } = await throughProxy();
    proxy.onCall = ({ method }) => (method === "eth_feeHistory" ? { result: { baseFeePerGas: "?" } } : undefined);
    expect((await readFees(connection)).baseFeePerGas).toBeGreaterThan(0n);
  });

  test("do not exist on a chain without a base fee", async () => {
    const { proxy, connection } = await throughProxy();
    const block = (await connection.publicClient.request({
      method: "eth_getBlockByNumber",
      params: ["latest", false],
    })) as object;
    proxy.onCall = ({ method }) => {
      if (method === "eth_feeHistory") return { error: { code: -32_601, message: "the method does not exist" } };
      return method === "eth_getBlockByNumber" ? { result: { ...block, baseFeePerGas: undefined } } : undefined;
    };
    await expect(readFees(connection)).rejects.toThrow(NoBaseFeeError);
  });

  test("are the middle of what the endpoints say, whatever one of them says", async () => {
    const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(chain.rpcUrl)));
    const base = ["0xffffffffffff", "0x64", "0x65"];
    proxies.forEach((proxy, index) => {
      const { result } = history(["0x2"], [1]);
      const answer = { result: { ...result, baseFeePerGas: ["0x1", base[index]] } };
      proxy.onCall = ({ method }) => (method === "eth_feeHistory" ? answer : undefined);
    });
    const access = openChain({ rpcUrls: proxies.map(({ url }) => url), timeoutMs: 5_000 });
    expect(await readAgreedFees(access)).toEqual({ baseFeePerGas: 101n, maxPriorityFeePerGas: 2n });
    expect(access.conditions()).toEqual([]);
  });

  test("are the lowest where the middle is above the cap: two that ask for too much do not stop us", async () => {
    const proxies = await Promise.all([1, 2, 3].map(() => startRpcProxy(chain.rpcUrl)));
    const base = ["0xffffffffffff", "0xfffffffffff", "0x65"];
    proxies.forEach((proxy, index) => {
      const answer = { result: { ...history(["0x2"], [1]).result, baseFeePerGas: ["0x1", base[index]] } };
      proxy.onCall = ({ method }) => (method === "eth_feeHistory" ? answer : undefined);
    });
    const access = openChain({ rpcUrls: proxies.map(({ url }) => url), timeoutMs: 5_000 });
    expect((await readAgreedFees(access, 1_000n)).baseFeePerGas).toBe(101n);
    expect((await readAgreedFees(access)).baseFeePerGas).toBe(0xfffffffffffn);
  });
});
