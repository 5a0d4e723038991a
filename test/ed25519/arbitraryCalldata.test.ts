import fc from "fast-check";
import { concatHex, encodeAbiParameters, type Hex, numberToHex, size, sliceHex, toFunctionSelector } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "./hex.ts";
import { signerNamed } from "./signers.ts";
import { PROPERTY_RUNS, startVerifiers, VERDICTS } from "./verifiers.ts";

/**
 * That no calldata makes a verifier loop, answer in another form than it should, or revert without a reason of its own.
 */

const SINGLE = ["verify(bytes,bytes32,bytes32)", "verifyWithHint(bytes,bytes32,bytes32,uint256)"] as const;
const BATCH = ["verifyBatch(uint256,bytes)", "verifyBatchWithHints(uint256,bytes)"] as const;

/** More than a signature over a short message takes, and more than each byte of calldata adds. */
const GAS_OF_CALL = 300_000n;
const GAS_OF_BYTE = 3_000n;

/** Of the batch's records, at most so many: otherwise the calls below take too much gas together. */
const MAX_WORDS = 40;

const chain = await startVerifiers();
afterAll(() => chain.connection.close());

/** Words of which many make sense as an offset, a length or a scalar, with something behind them. */
const anyWords = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.bigInt(0n, 400n) },
        { weight: 1, arbitrary: fc.constantFrom(32n, 64n, 96n, 128n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 256n - 1n) },
        { weight: 1, arbitrary: fc.bigInt(2n ** 256n - 500n, 2n ** 256n - 1n) },
        { weight: 2, arbitrary: fc.bigInt(0n, 2n ** 256n - 1n) },
      ),
      { maxLength: MAX_WORDS },
    ),
    fc.uint8Array({ maxLength: 31 }),
  )
  .map(([words, rest]) => concatHex(["0x", ...words.map((word) => numberToHex(word, { size: 32 })), toHex(rest)]));

describe("a verifier, called with anything", () => {
  let target: Hex;
  let witness: Awaited<ReturnType<typeof deployWitness>>;
  beforeAll(async () => {
    const { publicKey } = signerNamed("called with anything");
    await chain.factory.write.deployBatchTables([toHex(publicKey)]);
    const verifier = await chain.verifierOf(publicKey);
    if (typeof verifier === "string") throw new Error(verifier);
    target = verifier.address;
    witness = await deployWitness();
  });

  const outcomeOf = async (data: Hex) => {
    const gasLimit = GAS_OF_CALL + GAS_OF_BYTE * BigInt(size(data));
    const { result } = await witness.simulate.witness([[{ target, gasLimit, value: 0n, data }]]);
    const [outcome] = result;
    if (outcome === undefined) throw new Error("the witness saw nothing");
    // Whatever happens, it is not for want of gas.
    expect(outcome.gasUsed, data).toBeLessThan(gasLimit);
    return outcome;
  };

  it.each(SINGLE)(
    "%s answers with a verdict or refuses the calldata",
    async (signature) => {
      const verdicts = VERDICTS.map((_, verdict) => numberToHex(verdict, { size: 32 }));
      const property = fc.asyncProperty(anyWords, async (words) => {
        const { success, returned } = await outcomeOf(concatHex([toFunctionSelector(signature), words]));
        expect(success ? verdicts : ["0x"]).toContain(returned);
      });
      await fc.assert(property, { numRuns: 3 * PROPERTY_RUNS });
    },
    600_000,
  );

  it.each(BATCH)(
    "%s answers with verdicts, refuses the calldata or says what length is wrong",
    async (signature) => {
      const error = toFunctionSelector("InvalidBatchLength(uint256,uint256)");
      const property = fc.asyncProperty(anyWords, async (words) => {
        const { success, returned } = await outcomeOf(concatHex([toFunctionSelector(signature), words]));
        if (!success) {
          expect(["0x", error]).toContain(returned === "0x" ? returned : sliceHex(returned, 0, 4));
          expect([0, 68]).toContain(size(returned));
          return;
        }
        const count = Number(sliceHex(returned, 32, 64));
        const bytes: Hex = count === 0 ? "0x" : sliceHex(returned, 64, 64 + count);
        expect(returned).toBe(encodeAbiParameters([{ type: "bytes" }], [bytes]));
        for (const verdict of Buffer.from(bytes.slice(2), "hex")) expect(verdict).toBeLessThan(VERDICTS.length);
      });
      await fc.assert(property, { numRuns: 3 * PROPERTY_RUNS });
    },
    600_000,
  );

  it("reverts on bytes without a known selector", async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      expect(await outcomeOf(toHex(bytes))).toMatchObject({ success: false, returned: "0x" });
    });
    await fc.assert(property, { numRuns: PROPERTY_RUNS });
  });
});

function deployWitness() {
  return chain.viem.deployContract("CallWitness");
}
