import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle();
});
afterAll(() => chain.close());

describe("the length of an update", () => {
  it("is refused as such unless it is 138 or 171", async () => {
    // 137 and 139 are a message one byte short or long with its signature, 170 and 172 the same with a hint.
    for (const length of [0, 1, 73, 74, 75, 137, 139, 170, 172, 276, 1_000]) {
      const expected = { index: 0, name: "InvalidUpdateLength", args: [BigInt(length)] };
      const update = `0x${"ab".repeat(length)}` as const;
      expect(await oracle.refusalOf(update)).toEqual(expected);
      expect(await oracle.refusalOf(update, "parsePrices")).toEqual(expected);
    }
  });

  it("is refused as such when a valid update has a byte more or less", async () => {
    for (const hintedAs of [undefined, 1]) {
      const update = oracle.signed({ hintedAs });
      const length = BigInt(update.length / 2 - 1);
      expect(await oracle.wouldStore(update)).toEqual([true]);
      expect(await oracle.refusalOf(`${update}00`)).toMatchObject({ args: [length + 1n] });
      expect(await oracle.refusalOf(update.slice(0, -2) as `0x${string}`)).toMatchObject({ args: [length - 1n] });
    }
  });
});

describe("the constant bytes of a message", () => {
  it("are all compared", async () => {
    for (let position = 0; position < 32; position += 1) {
      const rewrite = (message: Uint8Array) => {
        message[position] = (message[position] ?? 0) ^ 0x01;
      };
      const expected = { index: 0, name: "UnexpectedConstantBytes", args: [1] };
      expect(await oracle.refusalOf(oracle.signed({ rewrite }))).toEqual(expected);
      expect(await oracle.refusalOf(oracle.signed({ rewrite, hintedAs: 1 }))).toEqual(expected);
    }
  });

  it("are compared wherever they stand, padding too", async () => {
    const fixed = [0, 1, 2, 11, 20, 21, 32, 33, 46, 47, 48, 49, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73];
    const signer = testSigner("scattered", {
      feedId: { offset: 3, width: 8, byteOrder: "big" },
      price: { offset: 12, width: 8, byteOrder: "big", decimals: 8 },
      date: { offset: 22 },
      publishTime: { offset: 34, width: 12, byteOrder: "little", unit: "ms" },
      expiry: { offset: 50, width: 10, byteOrder: "big", unit: "ms" },
      constants: [
        { offset: 0, bytes: "0x0100ff" },
        { offset: 32, bytes: "0xbeef" },
        { offset: 73, bytes: "0x5a" },
      ],
      padding: [
        { offset: 11, length: 1 },
        { offset: 20, length: 2 },
        { offset: 46, length: 4 },
        { offset: 60, length: 13 },
      ],
    });
    const scattered = await chain.deployOracle({ signers: [signer] });
    expect(await scattered.wouldStore(scattered.signed({ signer }))).toEqual([true]);
    for (const position of fixed) {
      for (const mask of [0x80, 0x01]) {
        const rewrite = (message: Uint8Array) => {
          message[position] = (message[position] ?? 0) ^ mask;
        };
        const refusal = await scattered.refusalOf(scattered.signed({ signer, rewrite }));
        expect(refusal, `byte ${position}`).toMatchObject({ name: "UnexpectedConstantBytes" });
      }
    }
  });

  it("may be none at all", async () => {
    const signer = testSigner("no constants", {
      ...DEFAULT_LAYOUT,
      price: { offset: 0, width: 32, byteOrder: "big", exponent: { offset: 40, width: 4, byteOrder: "big" } },
      feedId: { offset: 32, width: 8, byteOrder: "little" },
      publishTime: { offset: 44, width: 12, byteOrder: "little", unit: "ms" },
      constants: [],
    });
    const full = await chain.deployOracle({ signers: [signer] });
    expect(await full.wouldStore(full.signed({ signer }))).toEqual([true]);
  });
});
