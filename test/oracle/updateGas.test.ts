import { encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { HOUR_MS, OTHER_LAYOUT, SIGNER, testSigner } from "./signedUpdate.ts";

/** Most that a skipped update may add to what a call executes. */
const SKIPPED_LIMIT = 4_000n;
/** The same where nothing but the constant bytes tells whose format a message is of: a change of format, plain form. */
const SKIPPED_AMONG_FORMATS_LIMIT = 20_000n;
/** Every figure of this file; what is on record in updateGas.json is compared with them at the end. */
const figures: Record<string, string> = {};

const FORMS = { plain: undefined, hinted: 1 } as const;

let chain: TestChain;
let harness: Awaited<ReturnType<typeof deployHarness>>;
beforeAll(async () => {
  chain = await startChain();
  harness = await deployHarness();
});
afterAll(() => chain.close());

function deployHarness() {
  return chain.viem.deployContract("ExecutionGasHarness");
}

/** What a call executes, without what a transaction costs by itself and for its calldata. */
async function executionGas({ contract, address }: TestOracle, updates: readonly Hex[]): Promise<bigint> {
  const data = encodeFunctionData({ abi: contract.abi, functionName: "updatePrices", args: [updates] });
  const { result } = await harness.simulate.gasOf([address, data], { gas: 16_000_000n });
  return result;
}

const fourSigners = [
  SIGNER,
  testSigner("second"),
  testSigner("third", OTHER_LAYOUT),
  testSigner("fourth", OTHER_LAYOUT),
];

describe("a skipped update adds little gas of execution", () => {
  it.each([
    { form: "hinted", hintedAs: 1, signers: fourSigners.slice(0, 1), limit: SKIPPED_LIMIT },
    { form: "plain", hintedAs: undefined, signers: fourSigners.slice(0, 1), limit: SKIPPED_LIMIT },
    { form: "hinted", hintedAs: 1, signers: fourSigners, limit: SKIPPED_LIMIT },
    { form: "plain", hintedAs: undefined, signers: fourSigners.slice(0, 2), limit: SKIPPED_LIMIT },
    { form: "plain", hintedAs: undefined, signers: fourSigners, limit: SKIPPED_AMONG_FORMATS_LIMIT },
  ])("at most $limit in the $form form, with $signers.length signers", async ({ form, hintedAs, signers, limit }) => {
    const oracle = await chain.deployOracle({ signers });
    // Every update is of a feed of its own, whose slot nothing in the call has read before.
    const feedIds = Array.from({ length: 101 }, (_, index) => BigInt(index + 1));
    await oracle.update(...feedIds.slice(0, 51).map((feedId) => oracle.signed({ feedId, hintedAs: 1 })));
    await oracle.update(...feedIds.slice(51).map((feedId) => oracle.signed({ feedId, hintedAs: 1 })));
    const publishTimeMs = chain.clock.nowMs() - HOUR_MS;
    const skipped = feedIds.map((feedId) => oracle.signed({ hintedAs, feedId, publishTimeMs }));
    let most = 0n;
    for (const count of [1, 10, 50, 100]) {
      const fewer = await executionGas(oracle, skipped.slice(0, count));
      const more = await executionGas(oracle, skipped.slice(0, count + 1));
      if (more - fewer > most) most = more - fewer;
    }
    figures[`skipped update, ${form} form, ${signers.length} signers`] = most.toString();
    expect(most).toBeLessThanOrEqual(limit);
  });
});

describe("a stored update", () => {
  it.each(Object.entries(FORMS))("in its %s form has a price", async (name, hintedAs) => {
    const oracle = await chain.deployOracle();
    const batch = (size: number, publishTimeMs: bigint) =>
      Array.from({ length: size }, (_, index) => oracle.signed({ feedId: BigInt(index + 1), publishTimeMs, hintedAs }));
    const nowMs = chain.clock.nowMs();
    for (const [what, offset] of [
      ["first price of a feed", 2_000n],
      ["later price", 1_000n],
    ] as const) {
      for (const [size, later] of [
        [1, 0n],
        [20, 1n],
      ] as const) {
        // The first feed of the larger batch has a price by then.
        const { receipt, stored } = await oracle.update(...batch(size, nowMs - offset + later));
        expect(stored).toEqual(Array(size).fill(true));
        figures[`${what}, ${name} form, ${size} in a transaction`] = receipt.gasUsed.toString();
      }
    }
  });
});

it("the gas of updates is what is on record (npx vitest run test/oracle/updateGas --update takes new figures)", async () => {
  await expect(`${JSON.stringify(figures, undefined, 2)}\n`).toMatchFileSnapshot("updateGas.json");
});
