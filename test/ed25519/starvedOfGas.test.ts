import { BaseError, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSignature, decodePublicKey } from "../../relayer/message/ed25519.ts";
import { toHex } from "./hex.ts";
import { signerNamed } from "./signers.ts";
import { halves, startVerifiers, type Verifiers, verdictNamed } from "./verifiers.ts";

let chain: Verifiers;
beforeAll(async () => {
  chain = await startVerifiers();
});
afterAll(() => chain.connection.close());

/** A call's answer, or undefined if it reverts, with that much gas. */
async function answerWith(gas: bigint, to: Hex, data: Hex): Promise<Hex | undefined> {
  try {
    const result = await chain.publicClient.call({ to, data, gas });
    return result.data;
  } catch (error) {
    if (error instanceof BaseError) return undefined;
    throw error;
  }
}

/** The least gas with which a call answers, found by halving. */
async function leastGas(to: Hex, data: Hex): Promise<bigint> {
  let [low, high] = [21_000n, 1_000_000n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if ((await answerWith(middle, to, data)) === undefined) low = middle;
    else high = middle;
  }
  return high;
}

/** Amounts over the whole range, and close to each other below the least that suffices, where the last steps starve. */
function* amountsUpTo(enough: bigint): Generator<bigint> {
  for (let gas = 25_000n; gas < enough; gas += 6_007n) yield gas;
  for (let gas = enough - 9_000n; gas < enough + 5_000n; gas += 97n) yield gas;
}

describe("starved of gas, a call reverts and never answers wrongly", () => {
  const signer = signerNamed("starved");
  const message = new Uint8Array(74).fill(7);
  const signature = signer.sign(message);

  it("verify and verifyWithHint", async () => {
    const check = checkSignature(decodePublicKey(signer.publicKey), message, signature);
    if (!check.valid) throw new Error(check.reason);
    const verifier = await chain.verifierOf(signer.publicKey);
    if (typeof verifier === "string") throw new Error(verifier);
    const { abi, address } = verifier;
    const plain = [toHex(message), ...halves(signature)] as const;
    for (const [functionName, data] of [
      ["verify", encodeFunctionData({ abi, functionName: "verify", args: plain })],
      ["verifyWithHint", encodeFunctionData({ abi, functionName: "verifyWithHint", args: [...plain, check.xOfR] })],
    ] as const) {
      const enough = await leastGas(address, data);
      let [answers, reverts] = [0, 0];
      for (const gas of amountsUpTo(enough)) {
        const answer = await answerWith(gas, address, data);
        if (answer === undefined) {
          reverts += 1;
          continue;
        }
        answers += 1;
        const verdict = verdictNamed(decodeFunctionResult({ abi, functionName, data: answer }));
        expect(verdict, `${functionName} with ${gas} gas`).toBe("Valid");
      }
      expect(reverts).toBeGreaterThan(50);
      expect(answers).toBeGreaterThan(50);
    }
  });

  it("decoding a key does not blame the key", async () => {
    const harness = await chain.viem.deployContract("Ed25519Harness");
    const { abi, address } = harness;
    const data = encodeFunctionData({ abi, functionName: "decodePublicKey", args: [toHex(signer.publicKey)] });
    const enough = await leastGas(address, data);
    const { x, y } = decodePublicKey(signer.publicKey).point.toAffine();
    // The first thing to starve is the square root, a long way before the end.
    const amounts = [...amountsUpTo(enough)];
    for (let gas = 21_500n; gas < 40_000n; gas += 97n) amounts.push(gas);
    for (const gas of amounts) {
      let answer: readonly bigint[] | undefined;
      try {
        const result = await chain.publicClient.call({ to: address, data, gas });
        answer = decodeFunctionResult({ abi, functionName: "decodePublicKey", data: result.data ?? "0x" });
      } catch (error) {
        expect(String(error), `${gas} gas`).not.toMatch(/NonCanonicalPublicKey|PublicKeyNot/);
        if (!(error instanceof BaseError)) throw error;
      }
      if (answer !== undefined) expect(answer, `${gas} gas`).toEqual([2n ** 255n - 19n - x, y]);
    }
  });
});
