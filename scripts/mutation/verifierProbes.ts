/** The fast tests of verifiers: calls, and how they have to end. Each call is of signatures whose verdicts are known. */
import { calldataProbes } from "./calldataProbes.ts";
import { failureProbes, failureProbesOfLargeBatches } from "./failureProbes.ts";
import { LARGE_BATCH, type Target } from "./mutationChain.ts";
import type { ExpectedCall, Probe } from "./probe.ts";
import {
  corrupted,
  edgeCases,
  INVALID,
  type Judged,
  MESSAGE_LENGTH,
  messageOf,
  signaturesOfAllBatchEntries,
  signaturesOfAllEntries,
  signaturesOfLongScalars,
  signaturesOfSmallX,
  signed,
  underDigest,
  WRONG_HINT,
} from "./signedMessages.ts";
import { batch, direct, OTHER_LENGTH, single } from "./verifierCalls.ts";

/** Those that kill most mutants of a verifier in the least time. */
export function firstVerifierProbes(): Probe[] {
  return [
    { name: "a batch of three with hints", calls: [batch("verifier", several(3), true)] },
    { name: "one with a hint", calls: [single("verifier", signed(messageOf(MESSAGE_LENGTH)), true)] },
    { name: "one without hint", calls: [single("verifier", signed(messageOf(OTHER_LENGTH)), false)] },
    { name: "all table entries", calls: [batch("chosen", signaturesOfAllEntries(MESSAGE_LENGTH), true)] },
    { name: "all table entries, no hints", calls: [batch("chosen", signaturesOfAllEntries(OTHER_LENGTH), false)] },
    { name: "long scalars", calls: [batch("chosen", signaturesOfLongScalars(MESSAGE_LENGTH), true)] },
  ];
}

/** Those that kill most mutants of the batch verifier and of the tables for batches. */
export function firstBatchProbes(): Probe[] {
  const ofEntries = signaturesOfAllBatchEntries();
  const halves = [ofEntries.slice(0, ofEntries.length / 2), ofEntries.slice(ofEntries.length / 2)];
  return [
    { name: "a large batch with hints", calls: [batch("verifier", several(LARGE_BATCH), true)] },
    {
      name: "all table entries of large batches",
      calls: halves.map((half) => batch("chosenInLargeBatches", half, true)),
    },
    {
      name: "long scalars in large batches",
      calls: [true, false].map((hinted) =>
        batch("chosenInLargeBatches", signaturesOfLongScalars(MESSAGE_LENGTH), hinted),
      ),
    },
    {
      name: "many in large batches, no hints",
      calls: [batch("chosenInLargeBatches", signaturesOfAllEntries(MESSAGE_LENGTH), false)],
    },
  ];
}

/** Signatures of the usual length, all valid but for the second. */
function several(count: number): Judged[] {
  return Array.from({ length: count }, (_, index) => {
    const judged = signed(messageOf(MESSAGE_LENGTH, `${index}`));
    return index === 1 ? corrupted(judged) : judged;
  });
}

/** The calls that are made again with less gas than they need. */
export function probesToBeStarved(): Probe[] {
  const judged = signed(messageOf(MESSAGE_LENGTH, "starved"));
  const other = signed(messageOf(OTHER_LENGTH, "starved"));
  return [
    {
      name: "one, and a small batch",
      calls: [
        single("verifier", judged, true),
        single("verifier", judged, false),
        single("verifier", other, false),
        batch("verifier", [judged, judged, judged], true),
        batch("verifier", [other], false),
      ],
    },
    { name: "a large batch", calls: [batch("verifier", new Array<Judged>(LARGE_BATCH).fill(judged), false)] },
  ];
}

/** All others of a verifier. */
export function otherVerifierProbes(): Probe[] {
  return [
    ...edgeProbes("chosen", MESSAGE_LENGTH),
    ...edgeProbes("chosen", OTHER_LENGTH),
    { name: "message lengths", calls: lengthCalls() },
    { name: "lengths of batches", calls: batchLengthCalls() },
    { name: "a key with a small x", calls: smallXCalls("ofSmallX") },
    ...calldataProbes(),
    ...failureProbes(),
  ];
}

/** All others of the batch verifier. */
export function otherBatchProbes(): Probe[] {
  return [
    ...edgeProbes("chosenInLargeBatches", MESSAGE_LENGTH),
    {
      name: "large batches",
      calls: [LARGE_BATCH, LARGE_BATCH + 1, LARGE_BATCH + 2].flatMap((count) =>
        [true, false].map((hinted) => batch("verifier", several(count), hinted)),
      ),
    },
    { name: "the batch verifier by itself", calls: directCalls() },
    { name: "a key with a small x in large batches", calls: smallXCalls("ofSmallXInLargeBatches") },
    { name: "verdicts far from the first one", calls: [batch("chosenInLargeBatches", manyWrongHints(), true)] },
    ...failureProbesOfLargeBatches(),
  ];
}

function edgeProbes(target: Target, length: number): Probe[] {
  const cases = edgeCases(length);
  return [true, false].map((withHints) => ({
    name: `edges of S, R and the hint, ${length} bytes, ${target}, ${withHints ? "with" : "without"} hints`,
    calls: [
      batch(target, cases, withHints),
      // Some of all kinds, one by one.
      ...cases.filter((_, index) => index % 7 === 0).map((judged) => single(target, judged, withHints)),
    ],
  }));
}

/** Judging a wrong hint takes little, and its verdict is not 0. Their number is above the length of a record. */
function manyWrongHints(): Judged[] {
  return new Array<Judged>(180).fill({ ...underDigest(1n, 1n, MESSAGE_LENGTH), hint: 0n, hinted: WRONG_HINT });
}

function smallXCalls(target: Target): ExpectedCall[] {
  return [true, false].map((withHints) => batch(target, signaturesOfSmallX(MESSAGE_LENGTH), withHints));
}

function lengthCalls(): ExpectedCall[] {
  return [0, 1, 31, 73, MESSAGE_LENGTH, OTHER_LENGTH, 300, 700].flatMap((length) => {
    const judged = [0, 1, 2].map((attempt) => signed(messageOf(length), attempt));
    const [one] = judged as [Judged];
    return [true, false].flatMap((hinted) => [single("verifier", one, hinted), batch("verifier", judged, hinted)]);
  });
}

function batchLengthCalls(): ExpectedCall[] {
  const [wrong] = manyWrongHints() as [Judged];
  // So many that their answer's length has bits in common with its position.
  const tooLargeS: Judged = { ...wrong, message: new Uint8Array(), s: new Uint8Array(32).fill(0xff), plain: INVALID };
  const longAnswer = batch("chosen", new Array<Judged>(460).fill(tooLargeS), false);
  const byCount = [0, 1, 2, LARGE_BATCH - 1, 31, 32, 33, 64].flatMap((count) => [
    batch("chosen", new Array<Judged>(count).fill(wrong), true),
    ...(count < LARGE_BATCH ? [batch("chosen", new Array<Judged>(count).fill(wrong), false)] : []),
  ]);
  return [...byCount, longAnswer];
}

/** The batch verifier itself, to which verifiers hand large batches only. */
function directCalls(): ExpectedCall[] {
  const cases = several(4);
  return [0, 1, 2, 3].flatMap((count) => [
    direct("earnest", cases.slice(0, count), true),
    direct("earnest", cases.slice(cases.length - count), false),
  ]);
}
