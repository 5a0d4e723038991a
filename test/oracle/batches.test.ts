import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { HOUR_MS, OTHER_LAYOUT, SIGNER, testSigner, type UpdateOptions } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
let nowMs: bigint;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

/** The same format as the first signer's. */
const successor = testSigner("successor");
/** Another format. */
const reformed = testSigner("reformed", OTHER_LAYOUT);

const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33);

/** A signer with the number that it has in the oracles of this file. */
const first = { signer: SIGNER, hintedAs: 1 };
const second = { signer: successor, hintedAs: 2 };
const third = { signer: reformed, hintedAs: 3 };
const plain = { hintedAs: undefined };

beforeEach(async () => {
  oracle = await chain.deployOracle({ signers: [SIGNER, successor, reformed] });
  nowMs = chain.clock.nowMs();
});

const signedAll = (options: readonly UpdateOptions[]): Hex[] => options.map((option) => oracle.signed(option));

describe("updates of several signers and both forms in one call", () => {
  it("are each stored with their own signer, in their order", async () => {
    const options = [first, second, third, first, { ...first, ...plain }, third, { ...third, ...plain }, second];
    const updates = signedAll(options.map((option, index) => ({ ...option, feedId: BigInt(index + 1) })));
    const { stored, events } = await oracle.update(...updates);
    expect(stored).toEqual(options.map(() => true));
    expect(events).toMatchObject(
      [1, 2, 3, 1, 1, 3, 3, 2].map((signer, index) => ({
        eventName: "PriceUpdated",
        args: { feedId: BigInt(index + 1), signer },
      })),
    );
    expect(await oracle.parse(...updates)).toMatchObject(
      [1, 2, 3, 1, 1, 3, 3, 2].map((signer, index) => ({ feedId: BigInt(index + 1), signer })),
    );
  });

  it("are each refused for their own fault", async () => {
    const updates = signedAll([
      { ...first, feedId: 1n },
      { ...second, feedId: 2n, forge },
      { ...third, feedId: 3n, xOfR: 7n },
      { ...first, feedId: 4n, forge },
      { ...third, feedId: 5n },
      { ...first, feedId: 6n, xOfR: 8n },
      { ...second, feedId: 7n },
      { ...third, ...plain, feedId: 8n, forge },
      { ...second, ...plain, feedId: 9n, forge },
      { ...first, feedId: 10n, hintedAs: 2 },
    ]);
    const refused = [
      { index: 1, name: "InvalidSignature", args: [2] },
      { index: 2, name: "WrongHint", args: [3, 7n] },
      { index: 3, name: "InvalidSignature", args: [1] },
      { index: 5, name: "WrongHint", args: [1, 8n] },
      { index: 7, name: "InvalidSignature", args: [3] },
      { index: 8, name: "InvalidSignature", args: [0] },
      { index: 9, name: "InvalidSignature", args: [2] },
    ];
    expect(await oracle.refusalOf(updates)).toEqual(refused[0]);
    expect(await oracle.refusalOf(updates, "parsePrices")).toEqual(refused[0]);
    const result = await oracle.tryUpdate(...updates);
    expect(result.refused).toEqual(refused);
    expect(result.stored).toEqual([true, false, false, false, true, false, true, false, false, false]);
    // Events are in the order of the updates, whatever was verified together.
    expect(result.events.map(({ eventName }) => eventName === "PriceUpdated")).toEqual(result.stored);
  });
});

describe("formats that have nothing in common", () => {
  /** Every field elsewhere, lowest byte last. */
  const moved = testSigner("moved", {
    date: { offset: 0 },
    expiry: { offset: 10, width: 7, byteOrder: "big", unit: "ms" },
    publishTime: { offset: 17, width: 6, byteOrder: "big", unit: "ms" },
    price: { offset: 23, width: 5, byteOrder: "big", decimals: 6 },
    feedId: { offset: 28, width: 4, byteOrder: "big" },
    constants: [{ offset: 32, bytes: `0x${"17".repeat(42)}` }],
    padding: [],
  });
  /** With times in seconds, and a price of 16 bytes. */
  const wide = testSigner("wide", {
    constants: [{ offset: 0, bytes: `0x${"2b".repeat(20)}` }],
    feedId: { offset: 20, width: 8, byteOrder: "little" },
    price: { offset: 28, width: 16, byteOrder: "little", exponent: { offset: 44, width: 1, byteOrder: "little" } },
    publishTime: { offset: 45, width: 4, byteOrder: "little", unit: "s" },
    expiry: { offset: 49, width: 4, byteOrder: "big", unit: "s" },
    date: { offset: 53 },
    padding: [{ offset: 63, length: 11 }],
  });

  it("are each read in their own way in one call, in whatever order they come", async () => {
    const mixed = await chain.deployOracle({ signers: [SIGNER, moved, wide] });
    const inFormat = [
      { signer: SIGNER, price: 5_00000000n },
      { signer: moved, price: 5_000000n },
      { signer: wide, price: 5_000000000000000000n, priceExponent: -18 },
    ];
    const publishTimeMs = nowMs - 60_000n;
    const order = [1, 2, 3, 3, 2, 1, 3, 1, 2, 2, 1, 1];
    for (const form of ["hinted", "plain"]) {
      const updates = order.map((number, index) =>
        mixed.signed({
          ...inFormat[number - 1],
          ...{ feedId: BigInt(index + 1), publishTimeMs, hintedAs: form === "hinted" ? number : undefined },
        }),
      );
      const price = { price: 5_00000000n, publishTime: publishTimeMs / 1_000n };
      const expected = order.map((signer, index) => ({ feedId: BigInt(index + 1), signer, price }));
      expect(await mixed.parse(...updates)).toMatchObject(expected);
      expect(await mixed.wouldStore(...updates)).toEqual(order.map(() => true));
      // By another's format, each of them is none.
      const misnamed = order.map((number, index) =>
        mixed.signed({ ...inFormat[number - 1], feedId: BigInt(index + 1), hintedAs: (number % 3) + 1 }),
      );
      const { refused } = await mixed.tryUpdate(...misnamed);
      expect(refused).toHaveLength(order.length);
    }
  });
});

describe("what a signer is entitled to", () => {
  it("is looked at for each of the signers of one call", async () => {
    const now = chain.clock.now();
    const limited = await chain.deployOracle({
      signers: [SIGNER, { signer: successor, validFrom: now }, { signer: reformed, validFrom: now - 60n }],
    });
    await limited.owner.proposeSigner(testSigner("pending"));
    const early = { publishTimeMs: nowMs - 1n };
    const pending = { signer: testSigner("pending"), hintedAs: 4 };
    const options = [first, second, first, third, pending, first, { ...second, publishTimeMs: nowMs }, second];
    const updates = options.map((option, index) => limited.signed({ ...early, ...option, feedId: BigInt(index + 1) }));
    const outside = { name: "PublishTimeOutsideSigner", args: [2, nowMs - 1n, nowMs, 0n] };
    const { stored, refused } = await limited.tryUpdate(...updates);
    expect(refused).toEqual([
      { index: 1, ...outside },
      { index: 4, name: "SignerNotUsable", args: [4, 1] },
      { index: 7, ...outside },
    ]);
    expect(stored).toEqual([true, false, true, true, false, true, true, false]);
  });
});

describe("the first invalid update", () => {
  it("decides what updatePrices reverts with, whatever is wrong with a later one", async () => {
    const faults: readonly (UpdateOptions & { name: string })[] = [
      { forge, name: "InvalidSignature" },
      { price: 0n, name: "ZeroPrice" },
      { xOfR: 1n, name: "WrongHint" },
      { feedId: 0n, name: "InvalidFeedId" },
    ];
    for (const { name, ...fault } of faults) {
      for (const { name: _, ...other } of faults) {
        const updates = signedAll([
          { ...first, feedId: 11n },
          { ...first, feedId: 12n, ...fault },
          { ...first, feedId: 13n },
          { ...first, feedId: 14n, ...other },
        ]);
        expect(await oracle.refusalOf(updates)).toMatchObject({ index: 1, name });
        expect(await oracle.refusalOf(updates, "parsePrices")).toMatchObject({ index: 1, name });
      }
    }
  });
});

describe("two updates of one feed in one call", () => {
  const at = (publishTimeMs: bigint, options: UpdateOptions = {}) => ({ ...first, publishTimeMs, ...options });

  it("are both stored, the newer one second", async () => {
    const { stored, events } = await oracle.update(...signedAll([at(nowMs - 2n, { price: 5n }), at(nowMs - 1n)]));
    expect(stored).toEqual([true, true]);
    expect(events.map(({ eventName }) => eventName)).toEqual(["PriceUpdated", "PriceUpdated", "PriceRevised"]);
  });

  it.each(["older", "of the same time"] as const)(
    "the second one %s is skipped, whatever is wrong with it",
    async (what) => {
      const publishTimeMs = what === "older" ? nowMs - HOUR_MS : nowMs - 1n;
      const faults: UpdateOptions[] = [
        {},
        { forge },
        { xOfR: 1n },
        { price: 0n },
        { date: "no date at" },
        { expiryMs: 1n },
        { rewrite: (message) => message.fill(7, 0, 1) },
        { ...plain, forge },
        { ...third, forge },
        { ...third, ...plain, forge },
      ];
      for (const fault of faults) {
        const updates = signedAll([at(nowMs - 1n), at(publishTimeMs, fault), { ...first, feedId: 2n }]);
        expect(await oracle.wouldStore(...updates)).toEqual([true, false, true]);
        const reversed = signedAll([at(publishTimeMs, fault), at(nowMs - 1n)]);
        if (fault === faults[0]) expect(await oracle.wouldStore(...reversed)).toEqual([true, what === "older"]);
        else expect(await oracle.refusalOf(reversed)).toMatchObject({ index: 0 });
      }
      // What comes before its newness is still looked at.
      const noFeed = signedAll([at(nowMs - 1n), at(publishTimeMs, { feedId: 0n })]);
      expect(await oracle.refusalOf(noFeed)).toMatchObject({ index: 1, name: "InvalidFeedId" });
    },
  );

  it("the second one is looked at when the first one was not stored", async () => {
    const updates = signedAll([at(nowMs - 1n, { forge }), at(nowMs - HOUR_MS, { price: 5n }), at(nowMs - 2n)]);
    const { stored, refused } = await oracle.tryUpdate(...updates);
    expect(stored).toEqual([false, true, true]);
    expect(refused).toMatchObject([{ index: 0, name: "InvalidSignature" }]);
  });

  it("are revised, not skipped, by a newer one that comes between them", async () => {
    const options = [at(nowMs - 9n), at(nowMs - 3n, { price: 5n }), at(nowMs - 6n), at(nowMs - 1n, { price: 6n })];
    const { stored } = await oracle.update(...signedAll(options));
    expect(stored).toEqual([true, true, false, true]);
  });
});

describe("the verifier", () => {
  /** How many calls a transaction's outermost contract has made. */
  const callsOf = async (transactionHash: Hex): Promise<number> => {
    const trace = (await chain.connection.provider.request({
      method: "debug_traceTransaction",
      params: [transactionHash, { disableMemory: true, disableStack: true, disableStorage: true }],
    })) as { structLogs: { op: string; depth: number }[] };
    return trace.structLogs.filter(({ op, depth }) => op === "STATICCALL" && depth === 1).length;
  };

  it("is called once for each signer and form that a call brings", async () => {
    await chain.clock.hold();
    const { address: verifierFactory } = await chain.viem.deployContract("AcceptingVerifier");
    const accepting = await chain.deployOracle({ verifierFactory });
    const bring = async (...forms: (number | undefined)[]) => {
      const updates = forms.map((hintedAs, index) => accepting.signed({ feedId: BigInt(index + 1), hintedAs }));
      const { receipt, stored } = await accepting.update(...updates);
      return { calls: await callsOf(receipt.transactionHash), stored: stored.filter(Boolean).length };
    };
    expect(await bring(1, 1)).toEqual({ calls: 1, stored: 2 });
    // All but the last have the same publish times as what is stored by now.
    expect(await bring(1, 1, 1)).toEqual({ calls: 1, stored: 1 });
    await chain.clock.advance(1n);
    expect(await bring(1, undefined, 1, undefined, 1)).toEqual({ calls: 2, stored: 5 });
    await chain.clock.advance(1n);
    expect(await bring(...Array<number>(33).fill(1))).toEqual({ calls: 1, stored: 33 });
    expect(await bring(1, 1, 1, 1)).toEqual({ calls: 0, stored: 0 });
  });

  it("makes the call revert, whatever it is that it answers instead of verdicts", async () => {
    await chain.clock.hold();
    const scripted = await chain.viem.deployContract("ScriptedVerifier");
    const misled = await chain.deployOracle({ verifierFactory: scripted.address });
    const word = (value: number) => value.toString(16).padStart(64, "0");
    const bytes = (text: string) => `${word(text.length / 2)}${text.padEnd(Math.ceil(text.length / 64) * 64, "0")}`;
    const answers = {
      one: { valid: `0x${word(1)}`, invalid: `0x${word(0)}` },
      two: { valid: `0x${word(32)}${bytes("0101")}`, invalid: `0x${word(32)}${bytes("0100")}` },
    } as const;
    const wrong: Record<keyof typeof answers, Hex[]> = {
      one: ["0x", `0x${word(3)}`, `0x${"f".repeat(64)}`, `0x${word(1)}00`, `0x${word(1).slice(2)}`, answers.two.valid],
      two: [
        "0x",
        answers.one.valid,
        `0x${word(32)}${bytes("01")}`,
        `0x${word(32)}${bytes("010101")}`,
        `0x${word(32)}${bytes("0103")}`,
        `0x${word(32)}${bytes("ff01")}`,
        `0x${word(64)}${bytes("0101")}`,
        `0x${word(32)}${bytes("0101")}00`,
        `0x${word(32)}${bytes("0101")}${word(0)}`,
        `0x${word(32)}${bytes("0101").slice(0, -2)}`,
        `0x${bytes("0101")}`,
      ],
    };
    const error = { name: "VerifierFailed", args: [1, expect.stringMatching(new RegExp(scripted.address, "i"))] };
    for (const hintedAs of [undefined, 1]) {
      for (const [size, count] of [
        ["one", 1],
        ["two", 2],
      ] as const) {
        const updates = [1n, 2n].slice(0, count).map((feedId) => misled.signed({ feedId, hintedAs }));
        const failing = [
          ...wrong[size].map((answer) => [answer, false] as const),
          [answers[size].valid, true] as const,
        ];
        for (const [answer, isFailing] of failing) {
          await chain.mined(() => scripted.write.script([answer, isFailing]));
          expect(await misled.failureOf("tryUpdatePrices", ...updates), answer).toEqual(error);
          expect(await misled.failureOf("updatePrices", ...updates), answer).toEqual(error);
          expect(await misled.failureOf("parsePrices", ...updates), answer).toEqual(error);
        }
        await chain.mined(() => scripted.write.script([answers[size].invalid, false]));
        expect(await misled.refusalOf(updates)).toEqual({ index: count - 1, name: "InvalidSignature", args: [1] });
        await chain.mined(() => scripted.write.script([answers[size].valid, false]));
        expect(await misled.wouldStore(...updates)).toEqual(updates.map(() => true));
      }
    }
  });
});
