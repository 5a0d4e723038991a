/** The fast tests of a verifier: calls, and how they have to end. */
import {
  concat,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  size,
  slice,
  toFunctionSelector,
  toHex,
} from "viem";
import { LARGE_BATCH, LOWER_TABLES, type Target } from "./mutationChain.ts";
import type { ExpectedCall, Probe } from "./probe.ts";
import {
  corrupted,
  digestFor,
  edgeCases,
  INVALID,
  type Judged,
  MESSAGE_LENGTH,
  messageOf,
  PUBLIC_KEY,
  signaturesOfAllBatchEntries,
  signaturesOfAllEntries,
  signaturesOfLongScalars,
  signaturesOfSmallX,
  signed,
  signedWith,
  underDigest,
  WRONG_HINT,
} from "./signedMessages.ts";

const ABI = parseAbi([
  "function publicKey() view returns (bytes32)",
  "function verify(bytes message, bytes32 r, bytes32 s) view returns (uint8)",
  "function verifyWithHint(bytes message, bytes32 r, bytes32 s, uint256 xOfR) view returns (uint8)",
  "function verifyBatch(uint256 messageLength, bytes signedMessages) view returns (bytes)",
  "function verifyBatchWithHints(uint256 messageLength, bytes signedMessages) view returns (bytes)",
  "error InvalidBatchLength(uint256 length, uint256 messageLength)",
  "error CallFailed()",
]);

/** A length for which there is no contract of its own. */
const OTHER_LENGTH = 75;

const EMPTY = new Uint8Array();

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
    { name: "dispatch", calls: dispatchCalls() },
    { name: "malformed calldata", calls: malformedCalls() },
    { name: "odd but sound calldata", calls: oddCalls() },
    { name: "a key with a small x", calls: smallXCalls("ofSmallX") },
    { name: "hashing that fails", calls: failingHashCalls() },
    { name: "batch verifiers that fail", calls: failingBatchCalls() },
    { name: "an inversion that fails", calls: failingInversionCalls() },
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
    { name: "the batch verifier by itself", calls: [...directCalls(), ...failingDirectCalls()] },
    { name: "an inversion that fails in large batches", calls: failingInversionCalls() },
    { name: "a key with a small x in large batches", calls: smallXCalls("ofSmallXInLargeBatches") },
    { name: "verdicts far from the first one", calls: [batch("chosenInLargeBatches", manyWrongHints(), true)] },
    { name: "hashing that fails in large batches", calls: failingHashCallsOfLargeBatches() },
  ];
}

function edgeProbes(target: Target, length: number): Probe[] {
  const cases = edgeCases(length);
  return [true, false].map((withHints) => ({
    name: `edges of S, R and the hint, ${length} bytes, ${target}, ${withHints ? "with" : "without"} hints`,
    calls: [
      batch(target, cases, withHints),
      // A few that end early or late, one by one.
      ...[0, 1, 5, 21, 38, 40, 49].flatMap((index) => {
        const judged = cases[index];
        return judged === undefined ? [] : [single(target, judged, withHints)];
      }),
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
  const tooLargeS: Judged = { ...wrong, message: EMPTY, s: new Uint8Array(32).fill(0xff), plain: INVALID };
  const longAnswer = batch("chosen", new Array<Judged>(460).fill(tooLargeS), false);
  const byCount = [0, 1, 2, LARGE_BATCH - 1, 31, 32, 33, 64].flatMap((count) => [
    batch("chosen", new Array<Judged>(count).fill(wrong), true),
    ...(count < LARGE_BATCH ? [batch("chosen", new Array<Judged>(count).fill(wrong), false)] : []),
  ]);
  return [...byCount, longAnswer];
}

function dispatchCalls(): ExpectedCall[] {
  const publicKey = encodeFunctionData({ abi: ABI, functionName: "publicKey" });
  const judged = signed(messageOf(MESSAGE_LENGTH));
  const sound = [true, false].flatMap((hinted) => [
    single("verifier", judged, hinted),
    batch("verifier", [judged], hinted),
  ]);
  const selectors = [publicKey, ...sound.map(({ data }) => data)].map((data) => slice(data, 0, 4));
  const neighbours = selectors.flatMap((selector) =>
    [-1, 1].map((offset) => numberToHex(Number(selector) + offset, { size: 4 })),
  );
  const unknown = ["0x00000000", "0x80000000", "0xffffffff", ...neighbours] as const;
  return [
    answered("publicKey", "verifier", publicKey, toHex(PUBLIC_KEY)),
    answered("publicKey and more", "verifier", concat([publicKey, "0x01"]), toHex(PUBLIC_KEY)),
    ...unknown.map((selector) => refused(`selector ${selector}`, concat([selector, slice(judgedData(judged), 4)]))),
    ...["0x", "0x00", slice(publicKey, 0, 3)].map((data) => refused(`calldata ${data}`, data as Hex)),
    ...selectors.slice(1).map((selector) => refused(`selector ${selector} alone`, selector)),
    ...[...sound, answered("publicKey", "verifier", publicKey, "0x")].map((call) => ({
      ...refused(`${call.name} with value`, call.data),
      value: 1n,
    })),
  ];
}

/** Calldata that Solidity's own decoder refuses too, and batches that are no whole number of records. */
function malformedCalls(): ExpectedCall[] {
  const judged = signed(EMPTY);
  // The bytes overlap the head, and 0 stands in the head's last byte: it is only the head's length that is missing.
  const hintEndsInZero = signedWith(EMPTY, ({ hint }) => (hint & 0xffn) === 0n);
  const sEndsInZero = signedWith(EMPTY, ({ s }) => s[31] === 0);
  const [hintedHead, plainHead] = [headOf(hintEndsInZero, 0n, true), headOf(sEndsInZero, 0n, false)];

  const position = 2n ** 64n;
  const end = 2n ** 256n;
  const singles = [true, false].flatMap((hinted) => {
    const [name, headLength] = hinted ? (["verifyWithHint", 128n] as const) : (["verify", 96n] as const);
    const withBytes = (offset: bigint, length: bigint) => concat([headOf(judged, offset, hinted), word(length)]);
    return [
      answered(`${name}, the least calldata`, "verifier", withBytes(headLength, 0n), word(1n)),
      refused(`${name}, a byte missing`, slice(withBytes(headLength, 0n), 0, -1)),
      ...[1n, 32n, position - 1n, position, end - 1n, end - 36n - headLength].map((length) =>
        refused(`${name}, length ${length}`, withBytes(headLength, length)),
      ),
      // Where there is a word of zeros, so that only the offset is at fault.
      ...[headLength + 1n, position, position + headLength, end - 32n, end - 36n, end - 64n].map((offset) =>
        refused(`${name}, offset ${offset}`, concat([withBytes(offset, 0n)])),
      ),
    ];
  });

  const batches = [true, false].flatMap((hinted) => {
    const name = hinted ? "verifyBatchWithHints" : "verifyBatch";
    const stride = BigInt(hinted ? MESSAGE_LENGTH + 96 : MESSAGE_LENGTH + 64);
    const data = (messageLength: bigint, offset: bigint, length: bigint, bytes: Hex = "0x") =>
      concat([selectorOf(name), word(messageLength), word(offset), word(length), bytes]);
    const noWholeNumber = (messageLength: bigint, length: bigint, offset = 64n): ExpectedCall => {
      const gap: Hex = `0x${"ee".repeat(Number(offset) - 64)}`;
      const bytes: Hex = `0x${"00".repeat(Number(length))}`;
      return {
        name: `${name}, ${length} bytes, messages of ${messageLength}`,
        target: "verifier",
        data: concat([selectorOf(name), word(messageLength), word(offset), gap, word(length), bytes]),
        success: false,
        returned: encodeErrorResult({ abi: ABI, errorName: "InvalidBatchLength", args: [length, messageLength] }),
      };
    };
    const usual = BigInt(MESSAGE_LENGTH);
    // Several lengths, so that one of them has bits in common with the position: then no OR replaces their sum.
    const tooShort = [1, 2, 3, 4].flatMap((count) => {
      const { data: whole, ...call } = batch("verifier", new Array<Judged>(count).fill(judged), hinted);
      const end = 4 + 3 * 32 + count * (hinted ? 96 : 64);
      return [
        { ...call, data: slice(whole, 0, end) },
        refused(`${call.name}, a byte missing`, slice(whole, 0, end - 1)),
      ];
    });
    return [
      ...tooShort,
      ...[1n, 74n, stride - 1n, stride + 1n, 2n * stride - 1n, 2n * stride + 32n].map((length) =>
        noWholeNumber(usual, length),
      ),
      ...[stride, 2n * stride].map((length) => noWholeNumber(usual - 1n, length)),
      noWholeNumber(position - 1n, 1n),
      noWholeNumber(usual, 73n, 300n),
      ...[position, end - 64n, end - 96n, end - 1n].flatMap((messageLength) => [
        noWholeNumber(messageLength, 0n),
        noWholeNumber(messageLength, 31n),
      ]),
      answered(`${name}, nothing, of the longest messages`, "verifier", data(position - 1n, 64n, 0n), verdicts([])),
      // The word of the message length is the bytes' length too.
      answered(`${name}, the least calldata`, "verifier", slice(data(0n, 0n, 0n), 0, 68), verdicts([])),
      refused(`${name}, a byte missing`, slice(data(0n, 0n, 0n), 0, 67)),
      ...[1n, position, end - 36n - 64n].map((length) =>
        refused(`${name}, length ${length}`, data(usual, 64n, length)),
      ),
      ...[position, end - 32n, end - 64n].map((offset) =>
        refused(`${name}, offset ${offset}`, data(usual, offset, 0n)),
      ),
    ];
  });

  return [
    answered("verifyWithHint, bytes in the head", "verifier", hintedHead, word(1n)),
    refused("verifyWithHint, bytes in a head that lacks a byte", slice(hintedHead, 0, -1)),
    answered("verify, bytes in the head", "verifier", plainHead, word(1n)),
    refused("verify, bytes in a head that lacks a byte", slice(plainHead, 0, -1)),
    ...singles,
    ...batches,
  ];
}

/** Calldata that is not as an encoder makes it, but says all that it should. */
function oddCalls(): ExpectedCall[] {
  const judged = signed(messageOf(OTHER_LENGTH));
  return [true, false].flatMap((hinted) => {
    const { data, returned, ...call } = single("verifier", judged, hinted);
    const [head, tail] = [headOf(judged, 300n, hinted), slice(data, hinted ? 132 : 100)];
    const gap: Hex = `0x${"ee".repeat(304 - size(head))}`;
    const batched = batch("verifier", [judged, judged], hinted);
    const [batchHead, batchTail] = [slice(batched.data, 0, 68), slice(batched.data, 68)];
    const distantBatch = concat([slice(batchHead, 0, 36), word(300n), `0x${"ee".repeat(300 - 64)}`, batchTail]);
    return [
      { ...call, name: `${call.name}, bytes behind a gap`, data: concat([head, gap, tail]), returned },
      { ...call, name: `${call.name}, more behind it`, data: concat([data, "0xffff"]), returned },
      { ...batched, name: `${batched.name}, bytes behind a gap`, data: distantBatch },
      { ...batched, name: `${batched.name}, more behind it`, data: concat([batched.data, `0x${"ff".repeat(200)}`]) },
    ];
  });
}

/** Without a digest, there is no verdict. */
function failingHashCalls(): ExpectedCall[] {
  const { judged, other } = ofFailingContracts();
  return FAILING_HASHES.flatMap((target) =>
    [
      single(target, judged, true),
      single(target, other, true),
      batch(target, [judged], true),
      batch(target, [judged, judged], true),
    ].map(failed),
  );
}

function failingHashCallsOfLargeBatches(): ExpectedCall[] {
  const { judged } = ofFailingContracts();
  // Where the number is even, two are hashed first. Where only one of the two contracts fails, the number tells which.
  return FAILING_HASHES.flatMap((target) =>
    [LARGE_BATCH, LARGE_BATCH + 1].map((count) => failed(batch(target, new Array<Judged>(count).fill(judged), true))),
  );
}

/** The batch verifier itself, to which verifiers hand large batches only. */
function directCalls(): ExpectedCall[] {
  const cases = several(4);
  return [0, 1, 2, 3].flatMap((count) => [
    direct("earnest", cases.slice(0, count), true),
    direct("earnest", cases.slice(cases.length - count), false),
  ]);
}

/** Here a single message is hashed without two having been before it. */
function failingDirectCalls(): ExpectedCall[] {
  const { judged } = ofFailingContracts();
  return (["absent", "short", "long", "reverted"] as const).map((hashing) => ({
    ...direct(hashing, [judged], true),
    success: false,
    returned: "0x",
  }));
}

function direct(hashing: keyof typeof LOWER_TABLES, cases: readonly Judged[], withHints: boolean): ExpectedCall {
  const name = `the batch verifier, ${cases.length}${withHints ? " with hints" : ""}`;
  const data = concat([...recordsOf(cases, withHints), pad(LOWER_TABLES[hashing]), word(withHints ? 32n : 0n)]);
  const verdictBytes = cases.map(({ hinted, plain }) => (withHints ? hinted : plain));
  return answered(name, "batchVerifier", data, toHex(Uint8Array.from(verdictBytes)));
}

/** Without the right number of verdicts, there is no answer. */
function failingBatchCalls(): ExpectedCall[] {
  const { judged } = ofFailingContracts();
  const large = new Array<Judged>(LARGE_BATCH).fill(judged);
  return FAILING_BATCHES.map((target) => failed(batch(target, large, true)));
}

/** A chain may lack the precompile that inverts. */
function failingInversionCalls(): ExpectedCall[] {
  const { judged } = ofFailingContracts();
  const target = "withoutInversion";
  return [
    failed(single(target, judged, false)),
    single(target, judged, true),
    failed(batch(target, [judged], false)),
    failed(batch(target, new Array<Judged>(LARGE_BATCH).fill(judged), false)),
  ];
}

const FAILING_HASHES = ["withoutHashes", "withShortDigests", "withLongDigests", "withRevertedDigests"] as const;
const FAILING_BATCHES = [
  "withoutBatchVerifier",
  "withTooFewVerdicts",
  "withTooManyVerdicts",
  "withRevertedVerdicts",
] as const;

/** Signatures that are valid with the digests with which contracts revert. */
function ofFailingContracts(): { readonly judged: Judged; readonly other: Judged } {
  const digest = digestFor(2n, 3n);
  return {
    judged: underDigest(2n, digest, MESSAGE_LENGTH),
    // What answers with a digest here does not complement it for this length.
    other: underDigest(2n, 2n ** 512n - 1n - digest, OTHER_LENGTH),
  };
}

function failed(call: ExpectedCall): ExpectedCall {
  return { ...call, success: false, returned: encodeErrorResult({ abi: ABI, errorName: "CallFailed" }) };
}

function single(target: Target, judged: Judged, isHinted: boolean): ExpectedCall {
  const { message, hinted, plain } = judged;
  const name = `${isHinted ? "verifyWithHint" : "verify"}, ${message.length} bytes`;
  return answered(name, target, judgedData(judged, isHinted), word(BigInt(isHinted ? hinted : plain)));
}

function judgedData({ message, r, s, hint }: Judged, isHinted = false): Hex {
  const args = [toHex(message), toHex(r), toHex(s)] as const;
  if (!isHinted) return encodeFunctionData({ abi: ABI, functionName: "verify", args });
  return encodeFunctionData({ abi: ABI, functionName: "verifyWithHint", args: [...args, hint] });
}

function batch(target: Target, cases: readonly Judged[], withHints: boolean): ExpectedCall {
  const messageLength = cases[0]?.message.length ?? MESSAGE_LENGTH;
  const functionName = withHints ? "verifyBatchWithHints" : "verifyBatch";
  const data = encodeFunctionData({
    abi: ABI,
    functionName,
    args: [BigInt(messageLength), concat(["0x", ...recordsOf(cases, withHints)])],
  });
  const name = `${functionName}, ${cases.length} of ${messageLength} bytes`;
  return answered(name, target, data, verdicts(cases.map(({ hinted, plain }) => (withHints ? hinted : plain))));
}

function recordsOf(cases: readonly Judged[], withHints: boolean): Hex[] {
  return cases.map(({ message, r, s, hint }) =>
    concat([toHex(message), toHex(r), toHex(s), ...(withHints ? [word(hint)] : [])]),
  );
}

/** The selector and the words before the bytes of a single signature's message. */
function headOf({ r, s, hint }: Judged, offset: bigint, isHinted: boolean): Hex {
  const words = [word(offset), toHex(r), toHex(s)];
  return isHinted
    ? concat([selectorOf("verifyWithHint"), ...words, word(hint)])
    : concat([selectorOf("verify"), ...words]);
}

function selectorOf(name: (typeof ABI)[number]["name"]): Hex {
  const item = ABI.find((candidate) => candidate.name === name);
  if (item?.type !== "function") throw new Error(`there is no function ${name}`);
  return toFunctionSelector(item);
}

function answered(name: string, target: Target, data: Hex, returned: Hex): ExpectedCall {
  return { name, target, data, success: true, returned };
}

/** Reverts without a word, as Solidity does with calldata that it cannot decode. */
function refused(name: string, data: Hex): ExpectedCall {
  return { name, target: "verifier", data, success: false, returned: "0x" };
}

function verdicts(bytes: readonly number[]): Hex {
  return encodeAbiParameters([{ type: "bytes" }], [toHex(Uint8Array.from(bytes))]);
}

function word(number: bigint): Hex {
  return numberToHex(number, { size: 32 });
}
