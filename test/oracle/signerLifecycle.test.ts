import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { packLayout, toOnChainLayout } from "../../relayer/chain/packedLayout.ts";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, dayOf, HOUR, MARKET, OTHER_LAYOUT, SECOND_MS, SIGNER, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
let now: bigint;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle();
  now = chain.clock.now();
});

/** The contract's enum, in its order. */
const STATUS = { Unknown: 0, Pending: 1, Usable: 2, Retired: 3, Revoked: 4, Cancelled: 5 } as const;

const second = testSigner("second");

const statusOf = async (signer: number) => (await oracle.contract.read.signerInfo([signer])).status;

describe("a signer of the constructor", () => {
  it("is usable at once, and announced like every other", async () => {
    expect(await oracle.contract.read.signerCount()).toBe(1);
    expect(await oracle.contract.read.usableSigners()).toEqual([1]);
    const verifier = await chain.factory.read.verifierAddress([SIGNER.publicKey.hex]);
    const { packed, constantsHash } = packLayout(DEFAULT_LAYOUT);
    expect(await oracle.contract.read.signerInfo([1])).toEqual({
      publicKey: SIGNER.publicKey.hex,
      verifier,
      status: STATUS.Usable,
      usableFrom: now,
      validFrom: 0n,
      retirement: 0n,
      revokedSinceDay: 0,
      messageLayout: packed,
      constantsHash,
    });
    const [announced] = await oracle.contract.getEvents.SignerProposed({}, { fromBlock: 0n });
    expect(announced?.args).toEqual({
      signer: 1,
      publicKey: SIGNER.publicKey.hex,
      verifier,
      usableFrom: now,
      validFrom: 0n,
      messageLayout: toOnChainLayout(DEFAULT_LAYOUT),
    });
    expect(await oracle.wouldStore(oracle.signed())).toEqual([true]);
  });

  it("gets its number by its place", async () => {
    const several = await chain.deployOracle({ signers: [second, SIGNER, testSigner("third")] });
    expect(await several.contract.read.usableSigners()).toEqual([3, 2, 1]);
    expect(await several.contract.read.signerInfo([1])).toMatchObject({ publicKey: second.publicKey.hex });
    expect(await several.contract.read.signerInfo([2])).toMatchObject({ publicKey: SIGNER.publicKey.hex });
  });

  it("has a span of publish times that may begin later", async () => {
    oracle = await chain.deployOracle({ signers: [{ signer: SIGNER, validFrom: now }] });
    expect(await oracle.contract.read.signerInfo([1])).toMatchObject({ status: STATUS.Usable, validFrom: now });
    expect(await oracle.wouldStore(oracle.signed({ publishTimeMs: now * SECOND_MS }))).toEqual([true]);
    expect(await oracle.refusalOf(oracle.signed({ publishTimeMs: now * SECOND_MS - 1n }))).toMatchObject({
      name: "PublishTimeOutsideSigner",
    });
  });
});

describe("a number that no signer has", () => {
  it("is Unknown, with nothing else to say", async () => {
    for (const signer of [0, 2, 64, 255]) {
      expect(await oracle.contract.read.signerInfo([signer])).toMatchObject({
        status: 0,
        usableFrom: 0n,
        verifier: `0x${"00".repeat(20)}`,
      });
      // One after the other: each mines a block, for which the clock is held.
      for (const change of [
        () => oracle.owner.cancelSigner(signer),
        () => oracle.owner.retireSigner(signer, now + DAY),
        () => oracle.owner.revokeSigner(signer),
      ]) {
        expect(await errorOf(change())).toEqual({ name: "SignerStatusIs", args: [signer, STATUS.Unknown] });
      }
    }
  });
});

describe("a proposed signer", () => {
  const reformed = testSigner("reformed", OTHER_LAYOUT);

  it("is announced with all that it is, and its verifier deployed", async () => {
    const receipt = await oracle.owner.proposeSigner(reformed, now + 5n * DAY);
    const verifier = await chain.factory.read.verifierAddress([reformed.publicKey.hex]);
    expect(oracle.eventsOf(receipt)).toEqual([
      {
        eventName: "SignerProposed",
        args: {
          signer: 2,
          publicKey: reformed.publicKey.hex,
          verifier,
          usableFrom: now + DAY,
          validFrom: now + 5n * DAY,
          messageLayout: toOnChainLayout(OTHER_LAYOUT),
        },
      },
    ]);
    expect(await chain.publicClient.getCode({ address: verifier })).toBeDefined();
    expect(await oracle.contract.read.signerCount()).toBe(2);
  });

  it("is pending until its delay is over, and usable from that second on", async () => {
    await oracle.owner.proposeSigner(second);
    const hinted = () => oracle.signed({ signer: second, hintedAs: 2 });
    const plain = () => oracle.signed({ signer: second });
    await chain.clock.set(now + DAY - 1n);
    expect(await statusOf(2)).toBe(STATUS.Pending);
    expect(await oracle.contract.read.usableSigners()).toEqual([1]);
    const expected = { index: 0, name: "SignerNotUsable", args: [2, STATUS.Pending] };
    expect(await oracle.refusalOf(hinted())).toEqual(expected);
    expect(await oracle.refusalOf(hinted(), "parsePrices")).toEqual(expected);
    expect(await oracle.refusalOf(plain())).toEqual({ index: 0, name: "InvalidSignature", args: [1] });
    await chain.clock.set(now + DAY);
    expect(await statusOf(2)).toBe(STATUS.Usable);
    expect(await oracle.contract.read.usableSigners()).toEqual([2, 1]);
    expect(await oracle.wouldStore(hinted())).toEqual([true]);
    expect(await oracle.wouldStore(plain())).toEqual([true]);
  });

  it("may have signed before it was usable, if its span covers it", async () => {
    await oracle.owner.proposeSigner(second);
    await chain.clock.set(now + DAY);
    const earlier = { signer: second, publishTimeMs: now * SECOND_MS, date: dateOfDay(dayOf(now)) };
    expect(await oracle.wouldStore(oracle.signed(earlier))).toEqual([true]);
  });

  it("is accepted for publish times from validFrom on", async () => {
    const validFrom = now + DAY + HOUR;
    await oracle.owner.proposeSigner(second, validFrom);
    await chain.clock.set(validFrom);
    const at = (publishTimeMs: bigint) => oracle.signed({ signer: second, hintedAs: 2, publishTimeMs });
    expect(await oracle.wouldStore(at(validFrom * SECOND_MS))).toEqual([true]);
    expect(await oracle.refusalOf(at(validFrom * SECOND_MS - 1n))).toEqual({
      index: 0,
      name: "PublishTimeOutsideSigner",
      args: [2, validFrom * SECOND_MS - 1n, validFrom * SECOND_MS, 0n],
    });
  });

  it("can be cancelled by guardian and owner while it is pending, for good", async () => {
    for (const [signer, account] of [
      [2, oracle.guardian],
      [3, oracle.owner],
    ] as const) {
      await oracle.owner.proposeSigner(second);
      const receipt = await account.cancelSigner(signer);
      expect(oracle.eventsOf(receipt)).toEqual([{ eventName: "SignerCancelled", args: { signer } }]);
      expect(await statusOf(signer)).toBe(STATUS.Cancelled);
    }
    await chain.clock.set(now + 2n * DAY);
    expect(await oracle.contract.read.usableSigners()).toEqual([1]);
    expect(await oracle.refusalOf(oracle.signed({ signer: second, hintedAs: 2 }))).toMatchObject({
      name: "SignerNotUsable",
      args: [2, STATUS.Cancelled],
    });
    const expected = { name: "SignerStatusIs", args: [2, STATUS.Cancelled] };
    expect(await errorOf(oracle.guardian.cancelSigner(2))).toEqual(expected);
    expect(await errorOf(oracle.owner.retireSigner(2, now + 9n * DAY))).toEqual(expected);
  });

  it("can no longer be cancelled from the second on in which it is usable", async () => {
    await oracle.owner.proposeSigner(second);
    await chain.clock.set(now + DAY);
    const expected = { name: "SignerStatusIs", args: [2, STATUS.Usable] };
    expect(await errorOf(oracle.guardian.cancelSigner(2))).toEqual(expected);
    expect(await errorOf(oracle.owner.cancelSigner(1))).toMatchObject({ args: [1, STATUS.Usable] });
  });

  it("cannot begin further away than its record can hold", async () => {
    const largest = 2n ** 32n - 1n;
    await oracle.owner.proposeSigner(second, largest);
    const third = testSigner("third");
    for (const validFrom of [largest + 1n, 2n ** 64n - 1n]) {
      expect(await errorOf(oracle.owner.proposeSigner(third, validFrom))).toEqual({
        name: "TimeOutOfRange",
        args: [validFrom],
      });
    }
  });
});

describe("a retired signer", () => {
  it("is announced, and usable as before until its retirement", async () => {
    const receipt = await oracle.owner.retireSigner(1, now + DAY);
    expect(oracle.eventsOf(receipt)).toEqual([
      { eventName: "SignerRetired", args: { signer: 1, retirement: now + DAY } },
    ]);
    expect(await oracle.contract.read.signerInfo([1])).toMatchObject({ status: STATUS.Usable, retirement: now + DAY });
    expect(await oracle.wouldStore(oracle.signed())).toEqual([true]);
  });

  it("is refused for publish times from its retirement on, to the millisecond", async () => {
    const retirement = now + HOUR;
    await oracle.owner.retireSigner(1, retirement);
    const last = oracle.signed({ publishTimeMs: retirement * SECOND_MS - 1n });
    expect(await oracle.wouldStore(last)).toEqual([true]);
    for (const hintedAs of [undefined, 1]) {
      const late = oracle.signed({ publishTimeMs: retirement * SECOND_MS, hintedAs });
      const expected = {
        index: 0,
        name: "PublishTimeOutsideSigner",
        args: [1, retirement * SECOND_MS, 0n, retirement * SECOND_MS],
      };
      expect(await oracle.refusalOf(late)).toEqual(expected);
      expect(await oracle.refusalOf(late, "parsePrices")).toEqual(expected);
    }
  });

  it("is usable for earlier publish times until 48 hours after it, and then not at all", async () => {
    const retirement = now + HOUR;
    await oracle.owner.retireSigner(1, retirement);
    const last = {
      publishTimeMs: retirement * SECOND_MS - 1n,
      date: dateOfDay(dayOf(now)),
      expiryMs: (retirement + 48n * HOUR) * SECOND_MS,
    };
    await chain.clock.set(retirement + 48n * HOUR - 1n);
    expect(await statusOf(1)).toBe(STATUS.Usable);
    expect(await oracle.wouldStore(oracle.signed(last))).toEqual([true]);
    await chain.clock.set(retirement + 48n * HOUR);
    expect(await statusOf(1)).toBe(STATUS.Retired);
    expect(await oracle.contract.read.usableSigners()).toEqual([]);
    const update = oracle.signed(last);
    expect(await oracle.refusalOf(update, "parsePrices")).toMatchObject({ name: "NoUsableSigner" });
    expect(await oracle.refusalOf(oracle.signed({ ...last, hintedAs: 1 }), "parsePrices")).toEqual({
      index: 0,
      name: "SignerNotUsable",
      args: [1, STATUS.Retired],
    });
    const expected = { name: "SignerStatusIs", args: [1, STATUS.Retired] };
    expect(await errorOf(oracle.owner.retireSigner(1, chain.clock.now()))).toEqual(expected);
  });

  it("keeps the prices it signed served", async () => {
    await oracle.update(oracle.signed());
    await oracle.owner.retireSigner(1, now);
    await chain.clock.set(now + 12n * HOUR);
    expect(await oracle.contract.read.latestPrice([MARKET])).toMatchObject({ price: 21_694_000_000n });
    await chain.clock.set(now + 49n * HOUR);
    expect(await oracle.contract.read.priceUnsafe([MARKET])).toMatchObject({ price: 21_694_000_000n });
    expect(await oracle.contract.read.priceNoOlderThan([MARKET, 3n * DAY])).toMatchObject({ price: 21_694_000_000n });
  });

  it("can be retired at once or later, then only earlier", async () => {
    await oracle.owner.retireSigner(1, now + 5n * DAY);
    expect(await errorOf(oracle.owner.retireSigner(1, now + 5n * DAY + 1n))).toEqual({
      name: "InvalidRetirement",
      args: [1, now + 5n * DAY + 1n],
    });
    await oracle.owner.retireSigner(1, now + DAY);
    await oracle.owner.retireSigner(1, now);
    expect(await errorOf(oracle.owner.retireSigner(1, now - 1n))).toMatchObject({ name: "InvalidRetirement" });
    expect(await oracle.contract.read.signerInfo([1])).toMatchObject({ retirement: now });
  });

  it("retired before its first publish time has none, and its key may be proposed again", async () => {
    await oracle.owner.proposeSigner(second, now + 3n * DAY);
    expect(await errorOf(oracle.owner.proposeSigner(second, now + 4n * DAY))).toMatchObject({ name: "SignerOverlap" });
    await oracle.owner.retireSigner(2, now + DAY);
    await oracle.owner.proposeSigner(second, now + 2n * DAY);
    expect(await statusOf(3)).toBe(STATUS.Pending);
  });
});

describe("the delay of signers", () => {
  it("is 1 hour to 14 days, and 0 on chain id 31337 only", async () => {
    const mainnet = await startChain({ chainId: 1 });
    try {
      for (const elsewhere of [chain, mainnet]) {
        for (const signerDelay of [HOUR, DAY, 14n * DAY]) {
          const deployed = await elsewhere.deployOracle({ signerDelay });
          expect(await deployed.contract.read.SIGNER_DELAY()).toBe(signerDelay);
        }
        for (const signerDelay of [1n, HOUR - 1n, 14n * DAY + 1n, 2n ** 256n - 1n]) {
          const expected = { name: "InvalidSignerDelay", args: [signerDelay] };
          expect(await errorOf(elsewhere.deployOracle({ signerDelay }))).toEqual(expected);
        }
      }
      expect(await errorOf(mainnet.deployOracle({ signerDelay: 0n }))).toEqual({
        name: "InvalidSignerDelay",
        args: [0n],
      });
    } finally {
      await mainnet.close();
    }
    oracle = await chain.deployOracle({ signerDelay: 0n });
    await oracle.owner.proposeSigner(second);
    expect(await oracle.contract.read.usableSigners()).toEqual([2, 1]);
  });
});
