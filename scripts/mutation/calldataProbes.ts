/** The fast tests of how a verifier reads calldata: that of each function, and what none of them takes. */
import { concat, encodeErrorResult, encodeFunctionData, type Hex, numberToHex, size, slice, toHex } from "viem";
import type { ExpectedCall, Probe } from "./probe.ts";
import { type Judged, MESSAGE_LENGTH, messageOf, PUBLIC_KEY, signed, signedWith } from "./signedMessages.ts";
import {
  ABI,
  answered,
  batch,
  batchAnswer,
  headOf,
  judgedData,
  OTHER_LENGTH,
  refused,
  selectorOf,
  single,
  word,
} from "./verifierCalls.ts";

const EMPTY = new Uint8Array();

/** Positions and lengths have to be below this. */
const TOO_FAR = 2n ** 64n;
/** Sums wrap around here. */
const END = 2n ** 256n;

const WITH_HINTS_AND_WITHOUT = [true, false] as const;

export function calldataProbes(): Probe[] {
  return [
    { name: "dispatch", calls: dispatchCalls() },
    { name: "bytes that overlap the head", calls: overlappingCalls() },
    { name: "malformed calldata of one signature", calls: WITH_HINTS_AND_WITHOUT.flatMap(malformedSingles) },
    { name: "malformed calldata of a batch", calls: WITH_HINTS_AND_WITHOUT.flatMap(malformedBatches) },
    { name: "odd but sound calldata", calls: WITH_HINTS_AND_WITHOUT.flatMap(oddCalls) },
  ];
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

/** Bytes may overlap the head. Where 0 stands in the head's last byte, its length is all that can be wrong. */
function overlappingCalls(): ExpectedCall[] {
  const hintEndsInZero = signedWith(EMPTY, ({ hint }) => (hint & 0xffn) === 0n);
  const sEndsInZero = signedWith(EMPTY, ({ s }) => s[31] === 0);
  return [
    { name: "verifyWithHint", head: headOf(hintEndsInZero, 0n, true) },
    { name: "verify", head: headOf(sEndsInZero, 0n, false) },
  ].flatMap(({ name, head }) => [
    answered(`${name}, bytes in the head`, "verifier", head, word(1n)),
    refused(`${name}, bytes in a head that lacks a byte`, slice(head, 0, -1)),
  ]);
}

/** What Solidity's own decoder refuses too. */
function malformedSingles(hinted: boolean): ExpectedCall[] {
  const judged = signed(EMPTY);
  const [name, headLength] = hinted ? (["verifyWithHint", 128n] as const) : (["verify", 96n] as const);
  const withBytes = (offset: bigint, length: bigint) => concat([headOf(judged, offset, hinted), word(length)]);
  return [
    answered(`${name}, the least calldata`, "verifier", withBytes(headLength, 0n), word(1n)),
    refused(`${name}, a byte missing`, slice(withBytes(headLength, 0n), 0, -1)),
    ...[1n, 32n, TOO_FAR - 1n, TOO_FAR, END - 1n, END - 36n - headLength].map((length) =>
      refused(`${name}, length ${length}`, withBytes(headLength, length)),
    ),
    // At the places where these offsets lead, the length is 0.
    ...[headLength + 1n, TOO_FAR, TOO_FAR + headLength, END - 32n, END - 36n, END - 64n].map((offset) =>
      refused(`${name}, offset ${offset}`, withBytes(offset, 0n)),
    ),
  ];
}

/** The same for batches, and batches that are no whole number of records. */
function malformedBatches(hinted: boolean): ExpectedCall[] {
  const name = hinted ? "verifyBatchWithHints" : "verifyBatch";
  const usual = BigInt(MESSAGE_LENGTH);
  const stride = usual + (hinted ? 96n : 64n);
  const empty = (messageLength: bigint, offset: bigint, length: bigint) =>
    concat([selectorOf(name), word(messageLength), word(offset), word(length)]);
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
  // Several lengths, so that one of them has bits in common with the position: then no OR replaces their sum.
  const withoutLastByte = [1, 2, 3, 4].flatMap((count) => {
    const { data: whole, ...call } = batch("verifier", new Array<Judged>(count).fill(signed(EMPTY)), hinted);
    const end = 4 + 3 * 32 + count * (hinted ? 96 : 64);
    return [{ ...call, data: slice(whole, 0, end) }, refused(`${call.name}, a byte missing`, slice(whole, 0, end - 1))];
  });
  return [
    ...withoutLastByte,
    ...[1n, usual, stride - 1n, stride + 1n, 2n * stride - 1n, 2n * stride + 32n].map((length) =>
      noWholeNumber(usual, length),
    ),
    ...[stride, 2n * stride].map((length) => noWholeNumber(usual - 1n, length)),
    noWholeNumber(usual, stride - 1n, 300n),
    noWholeNumber(TOO_FAR - 1n, 1n),
    // For some of these, the length of a record would be 0 in 256 bits.
    ...[TOO_FAR, END - 64n, END - 96n, END - 1n].flatMap((messageLength) => [
      noWholeNumber(messageLength, 0n),
      noWholeNumber(messageLength, 31n),
    ]),
    answered(`${name}, nothing, of the longest messages`, "verifier", empty(TOO_FAR - 1n, 64n, 0n), batchAnswer(EMPTY)),
    // The word of the message length is the bytes' length too.
    answered(`${name}, the least calldata`, "verifier", slice(empty(0n, 0n, 0n), 0, 68), batchAnswer(EMPTY)),
    refused(`${name}, a byte missing`, slice(empty(0n, 0n, 0n), 0, 67)),
    ...[1n, TOO_FAR, END - 36n - 64n].map((length) => refused(`${name}, length ${length}`, empty(usual, 64n, length))),
    ...[TOO_FAR, END - 32n, END - 64n].map((offset) => refused(`${name}, offset ${offset}`, empty(usual, offset, 0n))),
  ];
}

/** Calldata that is not as an encoder makes it, but says all that it should. */
function oddCalls(hinted: boolean): ExpectedCall[] {
  const distance = 300;
  const gapBehind = (bytes: Hex): Hex => `0x${"ee".repeat(4 + distance - size(bytes))}`;
  const judged = signed(messageOf(OTHER_LENGTH));
  const one = single("verifier", judged, hinted);
  const oneHead = headOf(judged, BigInt(distance), hinted);
  const two = batch("verifier", [judged, judged], hinted);
  const twoHead = concat([slice(two.data, 0, 36), word(BigInt(distance))]);
  return [
    {
      ...one,
      name: `${one.name}, bytes behind a gap`,
      data: concat([oneHead, gapBehind(oneHead), slice(one.data, size(oneHead))]),
    },
    {
      ...two,
      name: `${two.name}, bytes behind a gap`,
      data: concat([twoHead, gapBehind(twoHead), slice(two.data, size(twoHead))]),
    },
    { ...one, name: `${one.name}, more behind it`, data: concat([one.data, "0xffff"]) },
    { ...two, name: `${two.name}, more behind it`, data: concat([two.data, `0x${"ff".repeat(200)}`]) },
  ];
}
