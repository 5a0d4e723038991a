import { encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { HOUR_MS, OTHER_LAYOUT, SIGNER, testSigner } from "./signedUpdate.ts";

/** Most that a skipped update may add to what a call executes. */
const SKIPPED_LIMIT = 4_000n;
/** The same where nothing but the constant bytes tells whose format a message is of: a change of format, plain form. */
const SKIPPED_AMONG_FORMATS_LIMIT = 20_000n;
/** Most that the first price of a feed may cost more than a later one: two storage slots that were empty. */
const NEW_FEED_LIMIT = 34_200n;
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

async function deployHarness() {
  await chain.clock.hold();
  return await chain.viem.deployContract("ExecutionGasHarness");
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

/** Sends the first and a later price of feeds from 1 on, in transactions of each size, and notes what they cost. */
async function noteStored(oracle: TestOracle, what: string, hintedAs: number | undefined, sizes: readonly number[]) {
  let firstFeed = 1n;
  for (const size of sizes) {
    const feedIds = Array.from({ length: size }, (_, index) => firstFeed + BigInt(index));
    firstFeed += BigInt(size);
    for (const [which, age] of [
      ["first prices", 2_000n],
      ["later prices", 1_000n],
    ] as const) {
      const publishTimeMs = chain.clock.nowMs() - age;
      const { receipt, stored } = await oracle.update(
        ...feedIds.map((feedId) => oracle.signed({ feedId, publishTimeMs, hintedAs })),
      );
      expect(stored).toEqual(Array(size).fill(true));
      const each = receipt.gasUsed / BigInt(size);
      figures[`${which}, ${what}, ${size} in a transaction`] = size === 1 ? `${each}` : `${each} each`;
    }
  }
}

describe("stored updates", () => {
  it.each(Object.entries(FORMS))("in their %s form have a price", async (name, hintedAs) => {
    await noteStored(await chain.deployOracle(), `${name} form`, hintedAs, [1, 10, 100]);
  });

  it.each(Object.entries(FORMS))(
    "in their %s form have a price without their signatures, too",
    async (name, hintedAs) => {
      await chain.clock.hold();
      const { address: verifierFactory } = await chain.viem.deployContract("AcceptingVerifier");
      const oracle = await chain.deployOracle({ verifierFactory });
      await noteStored(oracle, `${name} form, all but verification`, hintedAs, [1, 2, 10, 100]);
    },
  );

  it("cost a new feed two storage slots more", () => {
    for (const [name, first] of Object.entries(figures)) {
      if (!name.startsWith("first prices")) continue;
      const later = figures[name.replace("first", "later")];
      const more = BigInt(first.replace(" each", "")) - BigInt(later?.replace(" each", "") ?? 0n);
      expect(more, name).toBeLessThanOrEqual(NEW_FEED_LIMIT);
    }
  });
});

it("the gas of updates is what is on record (npx vitest run test/oracle/updateGas --update takes new figures)", async () => {
  await expect(`${JSON.stringify(figures, undefined, 2)}\n`).toMatchFileSnapshot("updateGas.json");
});
