import { BaseError, decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revertDataOf } from "../../relayer/chain/rpcError.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle();
});
afterAll(() => chain.close());

/** What a call comes to with that much gas: which updates are stored, or the error, or none for want of gas. */
async function outcomeOf(functionName: "updatePrices" | "tryUpdatePrices", updates: readonly Hex[], gas: bigint) {
  const { abi } = oracle.contract;
  const data = encodeFunctionData({ abi, functionName, args: [updates] });
  try {
    const { data: answer = "0x" } = await chain.publicClient.call({ to: oracle.address, data, gas });
    return decodeFunctionResult({ abi, functionName, data: answer }).join();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const reason = revertDataOf(error);
    return reason === undefined || reason === "0x" ? "out of gas" : decodeErrorResult({ abi, data: reason }).errorName;
  }
}

/** The least gas with which a call answers, found by halving. */
async function leastGas(functionName: "updatePrices" | "tryUpdatePrices", updates: readonly Hex[]): Promise<bigint> {
  let [low, high] = [21_000n, 2_000_000n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    const outcome = await outcomeOf(functionName, updates, middle);
    if (outcome.includes("true")) high = middle;
    else low = middle;
  }
  return high;
}

describe("a verifier starved of gas makes the whole call revert, never an update refused", () => {
  it.each([
    ["updatePrices", undefined],
    ["updatePrices", 1],
    ["tryUpdatePrices", undefined],
    ["tryUpdatePrices", 1],
  ] as const)("%s, signer number %s", async (functionName, hintedAs) => {
    const updates = [1n, 2n].map((feedId) => oracle.signed({ feedId, hintedAs }));
    const enough = await leastGas(functionName, updates);
    const outcomes = new Map<string, number>();
    const amounts: bigint[] = [];
    for (let gas = 30_000n; gas < enough; gas += 4_993n) amounts.push(gas);
    for (let gas = enough - 12_000n; gas < enough + 2_000n; gas += 397n) amounts.push(gas);
    for (const gas of amounts) {
      const outcome = await outcomeOf(functionName, updates, gas);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Everything or nothing: no refusal, and nothing stored false.
    expect([...outcomes.keys()].toSorted()).toEqual(["VerifierFailed", "out of gas", "true,true"].toSorted());
    expect(outcomes.get("VerifierFailed")).toBeGreaterThan(10);
  });

  it("names the signer and its verifier", async () => {
    const update = oracle.signed({ hintedAs: 1 });
    const { abi, address: to } = oracle.contract;
    const data = encodeFunctionData({ abi, functionName: "tryUpdatePrices", args: [[update]] });
    const error: unknown = await chain.publicClient.call({ to, data, gas: 90_000n }).catch((reason: unknown) => reason);
    const { verifier } = await oracle.contract.read.signerInfo([1]);
    expect(decodeErrorResult({ abi, data: revertDataOf(error) ?? "0x" })).toMatchObject({
      errorName: "VerifierFailed",
      args: [1, verifier],
    });
  });
});
