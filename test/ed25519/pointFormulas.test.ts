import fc from "fast-check";
import { network } from "hardhat";
import { concatHex, type Hex, hexToBigInt, numberToHex, sliceHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Assembler } from "../../scripts/ed25519/assembler.ts";
import { ADDITION, DOUBLING, FIRST_ADDITION, LAST_ADDITION } from "../../scripts/ed25519/pointFormulas.ts";
import { type Block, emitBlock } from "../../scripts/ed25519/schedule.ts";
import { toHex } from "./hex.ts";
import { LONG, PROPERTY_RUNS } from "./verifiers.ts";

/**
 * The blocks of the multiplication as the generator emits them, each a contract by itself, on words at the bounds that
 * pointFormulas.ts states: E, F, G and H below 2p, words of the tables below p. No signature would bring these.
 */

const P = 2n ** 255n - 19n;
const WORD = 32;

/** A point: X = E·F, Y = G·H, Z = F·G, T = E·H. */
type Words = Readonly<Record<"E" | "F" | "G" | "H", bigint>>;
/** (y-x)/2, d·x·y and (y+x)/2 of the point that is added. */
type Entry = readonly [bigint, bigint, bigint];

/** The formulas again, on numbers that are reduced after each step. */
const double = ({ E, F, G, H }: Words): Words => {
  const [x, y, z] = [mod(E * F), mod(G * H), mod(F * G)];
  const [xx, yy] = [mod(x * x), mod(y * y)];
  const difference = mod(xx - yy);
  return { E: mod(2n * x * y), F: mod(2n * z * z + difference), G: difference, H: mod(xx + yy) };
};
const addTo = ({ E, F, G, H }: Words, [halfOfDifference, product, halfOfSum]: Entry): Words => {
  const [x, y, z, t] = [mod(E * F), mod(G * H), mod(F * G), mod(E * H)];
  const [a, b, c] = [mod((y - x) * halfOfDifference), mod((y + x) * halfOfSum), mod(t * product)];
  return { E: mod(b - a), F: mod(z - c), G: mod(z + c), H: mod(b + a) };
};
const negateE = (words: Words): Words => ({ ...words, E: mod(-words.E) });

const BLOCKS: readonly { name: string; block: Block; expected: (words: Words, entry: Entry) => Words }[] = [
  { name: "doubling", block: DOUBLING, expected: double },
  { name: "first addition", block: FIRST_ADDITION, expected: addTo },
  { name: "addition", block: ADDITION, expected: addTo },
  { name: "last addition", block: LAST_ADDITION, expected: (words, entry) => negateE(addTo(words, entry)) },
];

const connection = await network.create();
afterAll(() => connection.close());
const publicClient = await connection.viem.getPublicClient();

describe.each(BLOCKS)("the block of the $name", ({ name, block, expected }) => {
  const address = `0x${BLOCKS.findIndex((other) => other.name === name)
    .toString()
    .padStart(40, "a")}` as const;
  beforeAll(async () => {
    const testClient = await connection.viem.getTestClient();
    await testClient.setCode({ address, bytecode: toHex(contractOf(block)) });
  });

  const run = async (words: Words, entry: Entry): Promise<Words> => {
    const inputs = [...block.inputs.map((name) => words[name as keyof Words]), ...entry];
    const data = concatHex(inputs.map((word) => numberToHex(word, { size: WORD })));
    const answer: Hex = (await publicClient.call({ to: address, data })).data ?? "0x";
    const outputs = block.outputs.map((name, index) => {
      return [name.replace("'", ""), hexToBigInt(sliceHex(answer, index * WORD, (index + 1) * WORD))];
    });
    return Object.fromEntries(outputs);
  };

  const expectRight = async (words: Words, entry: Entry) => {
    const result = await run(words, entry);
    for (const word of Object.values(result)) expect(word).toBeLessThan(2n * P);
    const reduced = Object.fromEntries(Object.entries(result).map(([name, word]) => [name, mod(word)]));
    expect(reduced).toEqual(expected(words, entry));
  };

  it("is right for each word at its bounds, and gives words within them", async () => {
    const edges = [0n, 1n, P - 1n, P, P + 1n, 2n * P - 2n, 2n * P - 1n];
    const middle: Words = { E: 3n * 2n ** 250n, F: 5n * 2n ** 249n, G: 7n * 2n ** 248n, H: 9n * 2n ** 247n };
    for (const [high, low] of edges.flatMap((one) => edges.map((other) => [one, other] as const))) {
      for (const words of [
        { E: high, F: low, G: high, H: low },
        { E: high, F: high, G: low, H: low },
        { E: high, F: low, G: low, H: high },
        { ...middle, E: high, H: low },
        { ...middle, F: high, G: low },
      ]) {
        const [first, second] = [high % P, low % P];
        await expectRight(words, [first, second, first]);
        if (LONG) await expectRight(words, [second, first, P - 1n]);
      }
    }
  });

  it("is right for any words within their bounds", async () => {
    const coordinate = wordUpTo(2n * P - 1n);
    const property = fc.asyncProperty(
      fc.record({ E: coordinate, F: coordinate, G: coordinate, H: coordinate }),
      fc.tuple(wordUpTo(P - 1n), wordUpTo(P - 1n), wordUpTo(P - 1n)),
      expectRight,
    );
    await fc.assert(property, { numRuns: PROPERTY_RUNS });
  }, 600_000);
});

/** A contract that takes the block's inputs and an entry, a word each, and answers with the block's outputs. */
function contractOf(block: Block): Uint8Array {
  const names = ["(y-x)/2", "dxy", "(y+x)/2"];
  const program = new Assembler();
  names.forEach((_, index) => {
    program.evaluate(["CALLDATALOAD", BigInt(WORD * (block.inputs.length + index))]);
    program.push(BigInt(WORD * index)).op("MSTORE");
  });
  program.push(P, "p");
  block.inputs.forEach((name, index) => {
    program.evaluate(["CALLDATALOAD", BigInt(WORD * index)], name);
  });
  emitBlock(program, block, Object.fromEntries(names.map((name, index) => [name, BigInt(WORD * index)])));
  block.outputs.forEach((name, index) => {
    program
      .dup(name.replace("'", ""))
      .push(BigInt(WORD * index))
      .op("MSTORE");
  });
  return program
    .push(BigInt(WORD * block.outputs.length))
    .push(0n)
    .op("RETURN")
    .assemble();
}

/** Numbers up to the bound, often close to 0, to p or to the bound. */
function wordUpTo(bound: bigint): fc.Arbitrary<bigint> {
  const near = fc
    .tuple(fc.constantFrom(0n, P, bound), fc.bigInt(-20n, 20n))
    .map(([center, offset]) => center + offset)
    .filter((word) => word >= 0n && word <= bound);
  return fc.oneof({ weight: 3, arbitrary: fc.bigInt(0n, bound) }, { weight: 1, arbitrary: near });
}

function mod(number: bigint): bigint {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}
