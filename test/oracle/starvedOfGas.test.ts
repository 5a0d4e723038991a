import { BaseError, decodeErrorResult, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revertDataOf } from "../../relayer/chain/rpcError.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { SIGNER, testSigner, type UpdateOptions } from "./signedUpdate.ts";

const successor = testSigner("successor");

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle({ signers: [SIGNER, successor] });
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

const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33);

/** What a call may bring: single calls of verifiers, batches, and both. */
const BROUGHT: Record<string, { options: readonly UpdateOptions[]; stored: string }> = {
  "one with a hint": { options: [{ hintedAs: 1 }], stored: "true" },
  "one without": { options: [{}], stored: "true" },
  "several with a hint": { options: [{ hintedAs: 1 }, { hintedAs: 1 }, { hintedAs: 1 }], stored: "true,true,true" },
  "several without": { options: [{}, {}], stored: "true,true" },
  "several of two signers": {
    options: [{ hintedAs: 1 }, { signer: successor, hintedAs: 2 }, { hintedAs: 1 }, { signer: successor, hintedAs: 2 }],
    stored: "true,true,true,true",
  },
};
/** The same with invalid ones among them, which must not take valid ones with them. */
const BROUGHT_WITH_INVALID: typeof BROUGHT = {
  "a forged one among several with a hint": {
    options: [{ hintedAs: 1 }, { hintedAs: 1, forge }, { hintedAs: 1 }],
    stored: "true,false,true",
  },
  "a wrong hint, a forged one, and one without a hint": {
    options: [{ hintedAs: 1, xOfR: 1n }, { hintedAs: 1 }, { forge }, {}],
    stored: "false,true,false,true",
  },
};

describe("a verifier starved of gas makes the whole call revert, never an update refused", () => {
  const cases = [
    ...Object.entries(BROUGHT).map(([what, brought]) => ["updatePrices", what, brought] as const),
    ...Object.entries({ ...BROUGHT, ...BROUGHT_WITH_INVALID }).map(
      ([what, brought]) => ["tryUpdatePrices", what, brought] as const,
    ),
  ];
  it.each(cases)("%s, %s", async (functionName, _, { options, stored }) => {
    const updates = options.map((option, index) => oracle.signed({ ...option, feedId: BigInt(index + 1) }));
    const enough = await leastGas(functionName, updates);
    const outcomes = new Map<string, number>();
    const amounts: bigint[] = [];
    for (let gas = 30_000n; gas < enough; gas += enough / 29n) amounts.push(gas);
    for (let gas = enough - 12_000n; gas < enough + 2_000n; gas += 997n) amounts.push(gas);
    for (const gas of amounts) {
      const outcome = await outcomeOf(functionName, updates, gas);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Everything or nothing: no refusal, and nothing stored false that is valid.
    expect([...outcomes.keys()].toSorted()).toEqual(["VerifierFailed", "out of gas", stored].toSorted());
    expect(outcomes.get("VerifierFailed")).toBeGreaterThan(5);
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
