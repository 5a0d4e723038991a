import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, HOUR_MS, OTHER_LAYOUT, SIGNER, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());

const P = 2n ** 255n - 19n;

/** The same format as the first signer's, as after a change of keys. */
const successor = testSigner("successor");
/** Another format, as after a change of the message. */
const reformed = testSigner("reformed", OTHER_LAYOUT);

const forge = (_: Uint8Array, signature: Uint8Array) => signature.fill(0, 32, 33);

describe("the form with a hint", () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await chain.deployOracle({ signers: [SIGNER, successor, reformed] });
  });

  it("names its signer: a number that nobody has is refused", async () => {
    for (const hintedAs of [0, 4, 63, 64, 255]) {
      const expected = { index: 0, name: "UnknownSigner", args: [hintedAs] };
      expect(await oracle.refusalOf(oracle.signed({ hintedAs }))).toEqual(expected);
      expect(await oracle.refusalOf(oracle.signed({ hintedAs }), "parsePrices")).toEqual(expected);
    }
  });

  it("is refused, never repaired, under another signer's number", async () => {
    expect(await oracle.refusalOf(oracle.signed({ hintedAs: 2 }))).toEqual({
      index: 0,
      name: "InvalidSignature",
      args: [2],
    });
    expect(await oracle.refusalOf(oracle.signed({ hintedAs: 3 }))).toEqual({
      index: 0,
      name: "UnexpectedConstantBytes",
      args: [3],
    });
    for (const [hintedAs, signer] of [
      [1, SIGNER],
      [2, successor],
      [3, reformed],
    ] as const) {
      const { events } = await oracle.update(oracle.signed({ feedId: BigInt(hintedAs), hintedAs, signer }));
      expect(events).toMatchObject([{ args: { signer: hintedAs } }]);
    }
  });

  it("is refused, never repaired, with an x that is not the one of R", async () => {
    const right = BigInt(`0x${oracle.signed({ hintedAs: 1 }).slice(-64)}`);
    for (const xOfR of [0n, 1n, right ^ 1n, P - right, right + P, P, 2n ** 256n - 1n]) {
      const expected = { index: 0, name: "WrongHint", args: [1, xOfR] };
      expect(await oracle.refusalOf(oracle.signed({ hintedAs: 1, xOfR }))).toEqual(expected);
    }
    expect(await oracle.wouldStore(oracle.signed({ hintedAs: 1, xOfR: right }))).toEqual([true]);
  });

  it("is refused as not this signer's with the right hint and a wrong signature", async () => {
    const expected = { index: 0, name: "InvalidSignature", args: [1] };
    expect(await oracle.refusalOf(oracle.signed({ hintedAs: 1, forge }))).toEqual(expected);
    const repriced = (message: Uint8Array) => message.fill(9, 40, 41);
    expect(await oracle.refusalOf(oracle.signed({ hintedAs: 1, forge: repriced }))).toEqual(expected);
  });
});

describe("the form without a hint", () => {
  it("is accepted from every usable signer, each in its own format", async () => {
    const oracle = await chain.deployOracle({ signers: [SIGNER, successor, reformed] });
    for (const [index, signer] of [SIGNER, successor, reformed].entries()) {
      const feedId = BigInt(index + 1);
      const { stored, events } = await oracle.update(oracle.signed({ feedId, signer }));
      expect(stored).toEqual([true]);
      expect(events).toMatchObject([{ args: { feedId, signer: index + 1 } }]);
      expect(await oracle.parse(oracle.signed({ signer }))).toMatchObject([{ signer: index + 1 }]);
    }
  });

  it("is refused with the one signer's number where only one can have made it, else with 0", async () => {
    const oracle = await chain.deployOracle({ signers: [SIGNER, successor, reformed] });
    const refusal = (name: string, signer: number) => ({ index: 0, name, args: [signer] });
    expect(await oracle.refusalOf(oracle.signed({ forge }))).toEqual(refusal("InvalidSignature", 0));
    expect(await oracle.refusalOf(oracle.signed({ forge, signer: reformed }))).toEqual(refusal("InvalidSignature", 3));
    const rewrite = (message: Uint8Array) => message.fill(1, 0, 32);
    expect(await oracle.refusalOf(oracle.signed({ rewrite }))).toEqual(refusal("UnexpectedConstantBytes", 0));
    const alone = await chain.deployOracle();
    expect(await alone.refusalOf(alone.signed({ forge }))).toEqual(refusal("InvalidSignature", 1));
    expect(await alone.refusalOf(alone.signed({ rewrite }))).toEqual(refusal("UnexpectedConstantBytes", 1));
  });

  it("is refused for what is wrong with the message, however many signers there are", async () => {
    const oracle = await chain.deployOracle({ signers: [SIGNER, successor, reformed] });
    expect(await oracle.refusalOf(oracle.signed({ price: 0n }))).toMatchObject({ name: "ZeroPrice" });
    expect(await oracle.refusalOf(oracle.signed({ feedId: 0n }))).toMatchObject({ name: "InvalidFeedId" });
    expect(await oracle.refusalOf(oracle.signed({ expiryMs: 0n }))).toMatchObject({ name: "ExpiryPassed" });
  });

  it("is refused when no signer is usable", async () => {
    const none = await chain.deployOracle({ signers: [] });
    expect(await none.refusalOf(none.signed())).toEqual({ index: 0, name: "NoUsableSigner", args: [] });
    expect(await none.refusalOf(none.signed(), "parsePrices")).toMatchObject({ name: "NoUsableSigner" });
    expect(await none.refusalOf(none.signed({ hintedAs: 1 }))).toMatchObject({ name: "UnknownSigner" });
    expect(await none.contract.read.usableSigners()).toEqual([]);
  });

  it("tells the signers of one key apart by their publish times", async () => {
    const now = chain.clock.now();
    const oracle = await chain.deployOracle();
    const change = now + 2n * DAY;
    await oracle.owner.retireSigner(1, change);
    await oracle.owner.proposeSigner(testSigner("first", OTHER_LAYOUT), change);
    await chain.clock.set(change);
    const [before, after] = [change * 1_000n - 1n, change * 1_000n];
    const old = { feedId: 1n, publishTimeMs: before };
    expect(await oracle.update(oracle.signed(old))).toMatchObject({ events: [{ args: { signer: 1 } }] });
    const signer = testSigner("first", OTHER_LAYOUT);
    const fresh = oracle.signed({ feedId: 2n, publishTimeMs: after, signer });
    expect(await oracle.update(fresh)).toMatchObject({ events: [{ args: { signer: 2 } }] });
    for (const [wrong, number] of [
      [{ publishTimeMs: after }, 1],
      [{ publishTimeMs: before, signer }, 2],
    ] as const) {
      expect(await oracle.refusalOf(oracle.signed(wrong))).toMatchObject({
        name: "PublishTimeOutsideSigner",
        args: [number, wrong.publishTimeMs, number === 1 ? 0n : after, number === 1 ? after : 0n],
      });
    }
  });
});

describe("two formats that nothing in a message tells apart", () => {
  const plainLayout: MessageLayout = { ...DEFAULT_LAYOUT, constants: [], padding: [{ offset: 0, length: 32 }] };
  /** Price and feed id have changed places. */
  const swappedLayout: MessageLayout = {
    ...plainLayout,
    feedId: DEFAULT_LAYOUT.price,
    price: { ...DEFAULT_LAYOUT.feedId, decimals: 8 },
  };
  const older = testSigner("older", plainLayout);
  const newer = testSigner("newer", swappedLayout);
  let oracle: TestOracle;
  beforeEach(async () => {
    oracle = await chain.deployOracle({
      signers: [older, newer].map(({ publicKey, sign, layout }) => {
        const { byteOrder, offset, width } = layout.feedId;
        return { publicKey, sign, layout: { ...layout, feedId: { byteOrder, offset, width } } };
      }),
    });
  });

  it("are both tried, and the signature decides", async () => {
    const { events } = await oracle.update(
      oracle.signed({ signer: older, feedId: 42n, price: 7n }),
      oracle.signed({ signer: newer, feedId: 43n, price: 8n }),
    );
    expect(events).toMatchObject([
      { args: { feedId: 42n, price: 7n, signer: 1 } },
      { args: { feedId: 43n, price: 8n, signer: 2 } },
    ]);
    for (const feedId of [7n, 8n]) expect(await oracle.contract.read.freshness([feedId])).toBe(4);
  });

  it("do not keep each other's prices out: not newer by one reading is still stored by the other", async () => {
    const nowMs = chain.clock.nowMs();
    await oracle.update(oracle.signed({ signer: newer, feedId: 7n, price: 1n, publishTimeMs: nowMs }));
    const misread = oracle.signed({ signer: older, feedId: 42n, price: 7n, publishTimeMs: nowMs - HOUR_MS });
    expect(await oracle.update(misread)).toMatchObject({ stored: [true], events: [{ args: { feedId: 42n } }] });
  });

  it("skip what is not newer by its own reading", async () => {
    const update = oracle.signed({ signer: older, feedId: 42n, price: 7n });
    await oracle.update(update);
    expect(await oracle.update(update)).toMatchObject({ stored: [false], events: [] });
    const other = oracle.signed({ signer: newer, feedId: 42n, price: 7n });
    await oracle.update(other);
    expect(await oracle.update(other)).toMatchObject({ stored: [false], events: [] });
  });
});
