import { createHash } from "node:crypto";
import fc from "fast-check";
import { network } from "hardhat";
import { BaseError, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUNDS, WORD } from "../../scripts/ed25519/sha512Functions.ts";
import { sha512Of138Bytes } from "../../scripts/ed25519/sha512Of138Bytes.ts";
import { sha512OfTwo138Bytes } from "../../scripts/ed25519/sha512OfTwo138Bytes.ts";
import {
  firstWordsThatCarry,
  messageWithWords,
  scheduleWordsThatCarry,
} from "../../scripts/mutation/carryingMessages.ts";
import { toHex } from "./hex.ts";
import { PROPERTY_RUNS } from "./verifiers.ts";

const LENGTH = 138;
const ZEROS = new Uint8Array(LENGTH);
const ONES = new Uint8Array(LENGTH).fill(0xff);

/** EIP-170. */
const CODE_SIZE_LIMIT = 24_576;

/** What a transaction's calldata costs a byte that is not zero, and every call 21,000 more. */
const GAS_OF_BYTE = 16;
const GAS_OF_CALL = 21_000;

const connection = await network.create();
afterAll(() => connection.close());
const publicClient = await connection.viem.getPublicClient();

/** A contract, and what it is to answer. */
const PROGRAMS = [
  { name: "of 138 bytes", code: sha512Of138Bytes(), address: address(1), highLane: 128n, messages: 1, gas: 38_000 },
  {
    name: "of 138 bytes twice",
    code: sha512OfTwo138Bytes(),
    address: address(2),
    highLane: 131n,
    messages: 2,
    gas: 48_500,
  },
] as const;
const PAIR = PROGRAMS[1];
type Program = (typeof PROGRAMS)[number];

beforeAll(async () => {
  const testClient = await connection.viem.getTestClient();
  for (const { address, code } of PROGRAMS) await testClient.setCode({ address, bytecode: toHex(code) });
});

describe.each(PROGRAMS)("the bytecode that hashes $name", (program) => {
  it("fits a contract", () => {
    expect(program.code.length).toBeLessThanOrEqual(CODE_SIZE_LIMIT);
  });

  it("equals node:crypto for any messages", async () => {
    const message = fc.uint8Array({ minLength: LENGTH, maxLength: LENGTH });
    const messages = fc.array(message, { minLength: program.messages, maxLength: program.messages });
    await fc.assert(
      fc.asyncProperty(messages, (inputs) => expectDigests(program, inputs)),
      { numRuns: PROPERTY_RUNS },
    );
  }, 600_000);

  it("equals node:crypto where all bits, every other bit, or all bits of a few words are set", async () => {
    for (const byte of [0x00, 0xff, 0x55, 0xaa, 0x80, 0x01]) {
      await expectDigests(program, messagesOf(program, new Uint8Array(LENGTH).fill(byte)));
    }
    for (let start = 0; start < LENGTH; start += 8) {
      for (const [inside, outside] of [
        [0xff, 0x00],
        [0x00, 0xff],
      ] as const) {
        const message = new Uint8Array(LENGTH).fill(outside);
        message.fill(inside, start, start + 16);
        await expectDigests(program, messagesOf(program, message));
      }
    }
  });

  it("equals node:crypto for each byte 0xff alone, and for each bit set alone", async () => {
    for (let index = 0; index < LENGTH; index += 1) {
      for (const byte of [0xff, ...Array.from({ length: 8 }, (_, bit) => 1 << bit)]) {
        await expectDigests(program, messagesOf(program, ZEROS.with(index, byte)));
      }
    }
  }, 120_000);

  it("lets no garbage of the schedule's low lane carry into the high one", async () => {
    // Chance never shows this fault: the two words that stand in the lanes have to be made for it. As any 16 words in a
    // row decide the others, they can be any of the first block's.
    for (const [high, low] of scheduleWordsThatCarry(program.highLane)) {
      for (let t = 0; t < ROUNDS - 1; t += 1) {
        for (const rest of [0n, WORD, 0x0123456789abcdefn]) {
          const inputs =
            program.messages === 1
              ? [messageWithWords(rest, t, [high, low])]
              : [messageWithWords(rest, t, [high]), messageWithWords(rest, t, [low])];
          await expectDigests(program, inputs);
        }
      }
    }
  });

  it("starved of gas, fails and never answers with anything else than the digest", async () => {
    const inputs = new Array<Uint8Array>(program.messages).fill(ONES);
    const callGas = GAS_OF_CALL + GAS_OF_BYTE * program.messages * LENGTH;
    const digest = digestsOf(inputs);
    let [low, high] = [callGas, callGas + 100_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((await answerOf(program, inputs, BigInt(middle))) === undefined) low = middle;
      else high = middle;
    }
    const enough = high;
    expect(await answerOf(program, inputs, BigInt(enough))).toBe(digest);
    for (let missing = 1; missing < enough; missing += missing < 200 ? 1 : 211) {
      expect(await answerOf(program, inputs, BigInt(enough - missing)), `${missing} gas missing`).toBeUndefined();
    }
    process.stdout.write(`gas: SHA-512 ${program.name} ${enough - callGas}, ${program.code.length} bytes of code\n`);
    expect(enough - callGas).toBeLessThanOrEqual(program.gas);
  });
});

describe("the bytecode that hashes two messages at once", () => {
  const message = Uint8Array.from({ length: LENGTH }, (_, index) => (index * 89 + 7) & 0xff);

  it("hashes the same message twice", () => expectDigests(PAIR, [message, message]));

  it("does not mix up messages, nor lets one's carries reach the other", async () => {
    const messages = [ZEROS, ONES, message, message.map((byte) => byte ^ 0xff)];
    for (const first of messages) for (const second of messages) await expectDigests(PAIR, [first, second]);
  });

  it("lets no garbage of Σ carry into the high lane in round 1", async () => {
    for (const words of firstWordsThatCarry(PAIR.highLane)) {
      for (const rest of [0n, WORD, 0x0123456789abcdefn]) {
        const messages = words.map((word) => messageWithWords(rest, 0, [word]));
        await expectDigests(PAIR, messages);
      }
    }
  });
});

/** As many messages as a program takes: the one that is given and, for two, its complement. */
function messagesOf({ messages }: Program, message: Uint8Array): Uint8Array[] {
  return messages === 1 ? [message] : [message, message.map((byte) => byte ^ 0xff)];
}

function digestsOf(messages: readonly Uint8Array[]): Hex {
  return `0x${messages.map((message) => createHash("sha512").update(message).digest("hex")).join("")}`;
}

async function expectDigests(program: Program, messages: readonly Uint8Array[]): Promise<void> {
  const answer = await answerOf(program, messages);
  if (answer !== digestsOf(messages)) expect(answer, messages.map(toHex).join(" ")).toBe(digestsOf(messages));
}

/** What a program answers, or undefined if it fails. */
async function answerOf(program: Program, messages: readonly Uint8Array[], gas?: bigint): Promise<Hex | undefined> {
  try {
    const call = { to: program.address, data: toHex(Buffer.concat(messages)) };
    return (await publicClient.call(gas === undefined ? call : { ...call, gas })).data;
  } catch (error) {
    if (error instanceof BaseError) return undefined;
    throw error;
  }
}

function address(number: number): Hex {
  return `0x${number.toString(16).padStart(40, "a")}`;
}
