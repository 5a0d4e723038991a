/** The fast tests of the contracts that hash: messages, and their digests by node:crypto. */
import { concat, toHex } from "viem";
import { ROUNDS, WORD } from "../ed25519/sha512Functions.ts";
import { firstWordsThatCarry, messageWithWords, scheduleWordsThatCarry } from "./carryingMessages.ts";
import type { ExpectedCall, Probe } from "./probe.ts";
import { messageOf, sha512 } from "./signedMessages.ts";

const LENGTH = 138;

/** How many messages each contract hashes at once, and where the high one of two words begins: see sha512Schedule.ts. */
const SHAPES = {
  sha512Of138Bytes: { messages: 1, highLane: 128n },
  sha512OfTwo138Bytes: { messages: 2, highLane: 131n },
} as const;
type Hasher = keyof typeof SHAPES;

/** What stands in a schedule around words that were made for a purpose: small terms of the sums, and large ones. */
const RESTS = [0x0123_4567_89ab_cdefn, WORD];

export function sha512Probes(target: Hasher): Probe[] {
  const { messages } = SHAPES[target];
  const random = (name: string) =>
    Array.from({ length: messages }, (_, index) => messageOf(LENGTH, `${name} ${index}`));
  const probe = (name: string, inputs: readonly Uint8Array[][]): Probe => ({
    name: `${target}: ${name}`,
    calls: inputs.map((input) => hashed(target, input)),
  });
  return [
    probe("a random message", [random("first")]),
    probe(
      "random messages",
      ["1", "2", "3", "4"].map((name) => random(name)),
    ),
    probe("uniform messages", uniformMessages(messages)),
    ...carryingMessages(target).map((inputs, index) => probe(`carries between lanes, ${index + 1}`, inputs)),
  ];
}

function hashed(target: Hasher, messages: readonly Uint8Array[]): ExpectedCall {
  return {
    name: "a digest",
    target,
    data: concat(messages.map((message) => toHex(message))),
    success: true,
    returned: concat(messages.map((message) => toHex(sha512(message)))),
  };
}

/** Messages of one byte again and again; where there are two, of different ones. */
function uniformMessages(count: number): Uint8Array[][] {
  const bytes = [0x00, 0xff, 0x55, 0xaa, 0x80];
  return bytes.map((_, index) =>
    [...bytes.slice(index), ...bytes].slice(0, count).map((byte) => new Uint8Array(LENGTH).fill(byte)),
  );
}

/** The words whose garbage would carry: of σ0 and σ1 in each place of the schedule, and of Σ in round 1. */
function carryingMessages(target: Hasher): Uint8Array[][][] {
  const { messages, highLane } = SHAPES[target];
  const inLanes = (rest: bigint, t: number, words: readonly bigint[]) =>
    messages === 1 ? [messageWithWords(rest, t, words)] : words.map((word) => messageWithWords(rest, t, [word]));
  return RESTS.flatMap((rest) => {
    const inSchedule = scheduleWordsThatCarry(highLane).map((words) =>
      Array.from({ length: ROUNDS - 1 }, (_, t) => inLanes(rest, t, words)),
    );
    // In a single lane, nothing is above the garbage of Σ.
    if (messages === 1) return inSchedule;
    return [...inSchedule, firstWordsThatCarry(highLane).map((words) => inLanes(rest, 0, words))];
  });
}
