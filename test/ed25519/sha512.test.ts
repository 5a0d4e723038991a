import { createHash } from "node:crypto";
import fc from "fast-check";
import { network } from "hardhat";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "./hex.ts";
import { PROPERTY_RUNS } from "./verifiers.ts";

const connection = await network.create();
afterAll(() => connection.close());

describe("SHA-512 on-chain", () => {
  let harness: Awaited<ReturnType<typeof deployHarness>>;
  beforeAll(async () => {
    harness = await deployHarness();
  });

  /** Digests of the contract; the harness itself reverts if memory that is not the library's has changed. */
  const hashAll = async (messages: Uint8Array[], dirt: Uint8Array) => {
    const [highs, lows] = await harness.read.hashInDirtyMemory([messages.map(toHex), toHex(dirt)]);
    return highs.map((high, index) => `${high}${(lows[index] ?? "").slice(2)}`);
  };

  it("equals node:crypto for all lengths from 0 to 300, in dirty memory", async () => {
    const messages = Array.from({ length: 301 }, (_, length) =>
      Uint8Array.from({ length }, (_, index) => (length * 31 + index * 17 + (index >> 3)) & 0xff),
    );
    for (const byte of [0x00, 0x5a, 0xff]) {
      for (let start = 0; start < messages.length; start += 50) {
        const part = messages.slice(start, start + 50);
        expect(await hashAll(part, new Uint8Array(32).fill(byte))).toEqual(part.map(sha512));
      }
    }
  });

  it("equals node:crypto where each word is all zeros or all ones", async () => {
    const messages = [0x00, 0xff].flatMap((byte) => [64, 128, 256].map((length) => new Uint8Array(length).fill(byte)));
    expect(await hashAll(messages, new Uint8Array(32).fill(0xff))).toEqual(messages.map(sha512));
  });

  it("lets no carry cross from one lane of the schedule to the other", async () => {
    // Chance never shows this fault; the two words before and in the low lane have to be made for it.
    const pairs = [crossingSmallSigma0(), crossingSmallSigma1()];
    const messages = pairs.flatMap(([before, word]) =>
      [0n, WORD, 0x0123456789abcdefn].flatMap((rest) =>
        Array.from({ length: 15 }, (_, first) => {
          const words = Array.from({ length: 16 }, (_, index) => [before, word][index - first] ?? rest);
          return Uint8Array.from(Buffer.from(words.map(hexOf).join(""), "hex"));
        }),
      ),
    );
    expect(await hashAll(messages, new Uint8Array(32))).toEqual(messages.map(sha512));
  });

  it("hashes a long message", async () => {
    const message = Uint8Array.from({ length: 10_000 }, (_, index) => index & 0xff);
    expect(await hashAll([message], new Uint8Array(32))).toEqual([sha512(message)]);
  });

  it("equals node:crypto for any messages and any dirt", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 400 }), { minLength: 1, maxLength: 4 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        async (messages, dirt) => {
          expect(await hashAll(messages, dirt)).toEqual(messages.map(sha512));
        },
      ),
      { numRuns: PROPERTY_RUNS },
    );
  }, 600_000);

  it("stays below 60,000 gas for two blocks", async () => {
    const message = new Uint8Array(138).fill(0xa5);
    const [gasUsed, high, low] = await harness.read.gasOfHash([toHex(message)]);
    expect(`${high}${low.slice(2)}`).toBe(sha512(message));
    process.stdout.write(`gas: SHA-512 of 138 bytes ${gasUsed}\n`);
    expect(gasUsed).toBeLessThan(60_000n);
  });
});

const WORD = 2n ** 64n - 1n;

function hexOf(word: bigint): string {
  return word.toString(16).padStart(16, "0");
}

function bit(word: bigint, index: number): bigint {
  return (word >> BigInt(index)) & 1n;
}

/** Bits 64-127 of a pair's shifts: what stands above the low lane's word unless it is masked away. */
function aboveLowWord(before: bigint, word: bigint, rotations: readonly bigint[], shift: bigint): bigint {
  const pair = (before << 128n) | word;
  const twice = pair * (2n ** 64n + 1n);
  const shifted = rotations.reduce((sum, rotation) => sum ^ (twice >> rotation), pair >> shift);
  return (shifted >> 64n) & WORD;
}

/**
 * Two words for which the shifts of sigma 0 (1, 8 and 7) leave 64 ones above the low lane's word. Any carry out of the
 * word would then run through into the high lane. Bit by bit from the top: bit i of those 64 has word's bits i + 1 and
 * i + 8 in it, and where these are past 63, bits of the word before.
 */
function crossingSmallSigma0(): [before: bigint, word: bigint] {
  const before = 1n;
  let word = 0n;
  for (let index = 62; index >= 0; index -= 1) {
    const others = aboveLowWord(before, word, [1n, 8n], 7n);
    if (bit(others, index) === 0n) word |= 1n << BigInt(index + 1);
  }
  expect(aboveLowWord(before, word, [1n, 8n], 7n)).toBe(WORD);
  return [before, word];
}

/** The same for sigma 1 (19, 61 and 6), whose upper bits hang on the word before alone. */
function crossingSmallSigma1(): [before: bigint, word: bigint] {
  const before = (2n ** 19n - 1n) << 42n;
  let word = 0n;
  for (let index = 44; index >= 0; index -= 1) {
    const others = aboveLowWord(before, word, [19n, 61n], 6n);
    if (bit(others, index) === 0n) word |= 1n << BigInt(index + 19);
  }
  expect(aboveLowWord(before, word, [19n, 61n], 6n)).toBe(WORD);
  return [before, word];
}

function deployHarness() {
  return connection.viem.deployContract("Sha512Harness");
}

function sha512(message: Uint8Array): string {
  return `0x${createHash("sha512").update(message).digest("hex")}`;
}
