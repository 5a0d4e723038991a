import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, HOUR, MARKET, OTHER_LAYOUT, SIGNER, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
const second = testSigner("second");
beforeEach(async () => {
  oracle = await chain.deployOracle({ signers: [SIGNER, second] });
});

const REVOKED = 4;
const statusOf = async (signer: number) => (await oracle.contract.read.signerInfo([signer])).status;

describe("a revoked signer", () => {
  it("is announced with the day, and no longer usable", async () => {
    const receipt = await oracle.owner.revokeSigner(1, 20_000);
    expect(oracle.eventsOf(receipt)).toEqual([{ eventName: "SignerRevoked", args: { signer: 1, sinceDay: 20_000 } }]);
    expect(await oracle.contract.read.signerInfo([1])).toMatchObject({ status: REVOKED, revokedSinceDay: 20_000 });
    expect(await oracle.contract.read.usableSigners()).toEqual([2]);
  });

  it("has nothing of it accepted by any function, in any form", async () => {
    const updates = [undefined, 1].map((hintedAs) => oracle.signed({ hintedAs }));
    await oracle.owner.revokeSigner(1);
    const names = ["InvalidSignature", "SignerNotUsable"];
    for (const [index, update] of updates.entries()) {
      const name = names[index];
      expect(await oracle.refusalOf(update)).toMatchObject({ name });
      expect(await oracle.refusalOf(update, "parsePrices")).toMatchObject({ name });
      expect(await oracle.tryUpdate(update)).toMatchObject({ stored: [false], refused: [{ name }] });
    }
    expect(await oracle.wouldStore(oracle.signed({ signer: second }))).toEqual([true]);
  });

  it("has nothing of it served by any function, whatever the day of the revocation", async () => {
    for (const sinceDay of [0, 4_294_967_295]) {
      oracle = await chain.deployOracle({ signers: [SIGNER, second] });
      const { read } = oracle.contract;
      const feedIds = [MARKET, MARKET + 1n] as const;
      await oracle.update(oracle.signed({ feedId: feedIds[0] }), oracle.signed({ feedId: feedIds[1], signer: second }));
      await oracle.owner.revokeSigner(1, sinceDay);
      const expected = { name: "PriceSignerRevoked", args: [MARKET, 1] };
      expect(await errorOf(read.salesPrice([MARKET]))).toEqual(expected);
      expect(await errorOf(read.latestPrice([MARKET]))).toEqual(expected);
      expect(await errorOf(read.latestPrices([feedIds]))).toEqual(expected);
      expect(await errorOf(read.priceNoOlderThan([MARKET, 2n ** 256n - 1n]))).toEqual(expected);
      const nothing = { price: 0n, publishTime: 0n, expiry: 0n, day: 0 };
      expect(await read.priceUnsafe([MARKET])).toEqual(nothing);
      expect(await read.pricesUnsafe([feedIds])).toMatchObject([nothing, { price: 21_694_000_000n }]);
      expect(await read.freshness([MARKET])).toBe(3);
      expect(await read.freshness([MARKET + 1n])).toBe(0);
      // A price of another signer is served again.
      await oracle.update(oracle.signed({ signer: second, price: 5n }));
      expect(await read.salesPrice([MARKET])).toMatchObject({ price: 5n });
    }
  });

  it("is revoked with every record of its key, whatever their state", async () => {
    const now = chain.clock.now();
    await oracle.owner.retireSigner(1, now + HOUR);
    await oracle.owner.proposeSigner(testSigner("first", OTHER_LAYOUT), now + 9n * DAY);
    await oracle.guardian.cancelSigner(3);
    await oracle.owner.proposeSigner(testSigner("first", OTHER_LAYOUT), now + 10n * DAY);
    await chain.clock.set(now + HOUR + 2n * DAY);
    expect(await Promise.all([1, 2, 3, 4].map(statusOf))).toEqual([3, 2, 5, 2]);
    const receipt = await oracle.owner.revokeSigner(3, 7);
    expect(oracle.eventsOf(receipt)).toEqual(
      [1, 3, 4].map((signer) => ({ eventName: "SignerRevoked", args: { signer, sinceDay: 7 } })),
    );
    expect(await Promise.all([1, 2, 3, 4].map(statusOf))).toEqual([REVOKED, 2, REVOKED, REVOKED]);
    expect(await oracle.contract.read.usableSigners()).toEqual([2]);
  });

  it("can be revoked while it is pending", async () => {
    await oracle.owner.proposeSigner(testSigner("third"));
    await oracle.owner.revokeSigner(3);
    await chain.clock.advance(2n * DAY);
    expect(await statusOf(3)).toBe(REVOKED);
    expect(await oracle.contract.read.usableSigners()).toEqual([2, 1]);
  });

  it("is so for good: its key cannot come back, nor can anything else be done with it", async () => {
    await oracle.owner.revokeSigner(1);
    const expected = { name: "SignerStatusIs", args: [1, REVOKED] };
    expect(await errorOf(oracle.owner.revokeSigner(1, 5))).toEqual(expected);
    expect(await errorOf(oracle.owner.cancelSigner(1))).toEqual(expected);
    expect(await errorOf(oracle.owner.retireSigner(1, chain.clock.now() + DAY))).toEqual(expected);
    for (const again of [SIGNER, testSigner("first", OTHER_LAYOUT)]) {
      expect(await errorOf(oracle.owner.proposeSigner(again, chain.clock.now() + 30n * DAY))).toEqual({
        name: "PublicKeyRevoked",
        args: [SIGNER.publicKey.hex, 1],
      });
    }
  });
});
