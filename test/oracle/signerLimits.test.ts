import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toOnChainLayout } from "../../relayer/chain/packedLayout.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, HOUR, MARKET, OTHER_LAYOUT, SIGNER, testSigner } from "./signedUpdate.ts";

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

const signers = ["first", "second", "third", "fourth", "fifth", "sixth"].map((name) => testSigner(name));
const [, second = SIGNER, third = SIGNER, fourth = SIGNER, fifth = SIGNER, sixth = SIGNER] = signers;

describe("at most four signers are live", () => {
  const full = { name: "TooManyUsableSigners", args: [] };

  it("in the constructor", async () => {
    expect(await errorOf(chain.deployOracle({ signers: signers.slice(0, 5) }))).toEqual(full);
    const four = await chain.deployOracle({ signers: signers.slice(0, 4) });
    expect(await four.contract.read.usableSigners()).toEqual([4, 3, 2, 1]);
    for (const signer of signers.slice(0, 4)) expect(await four.parse(four.signed({ signer }))).toHaveLength(1);
  });

  it("pending ones included; cancelling and revoking make room at once", async () => {
    for (const signer of [second, third, fourth]) await oracle.owner.proposeSigner(signer);
    expect(await errorOf(oracle.owner.proposeSigner(fifth))).toEqual(full);
    await oracle.guardian.cancelSigner(3);
    await oracle.owner.proposeSigner(fifth);
    expect(await errorOf(oracle.owner.proposeSigner(sixth))).toEqual(full);
    await oracle.owner.revokeSigner(2);
    await oracle.owner.proposeSigner(sixth);
    expect(await errorOf(oracle.owner.proposeSigner(third))).toEqual(full);
    await chain.clock.set(now + DAY);
    expect(await oracle.contract.read.usableSigners()).toEqual([6, 5, 4, 1]);
    for (const [number, signer] of [
      [6, sixth],
      [5, fifth],
      [4, fourth],
      [1, SIGNER],
    ] as const) {
      expect(await oracle.parse(oracle.signed({ signer }))).toMatchObject([{ signer: number }]);
    }
  });

  it("a retired one until its 48 hours are over", async () => {
    for (const signer of [second, third, fourth]) await oracle.owner.proposeSigner(signer);
    await oracle.owner.retireSigner(1, now);
    await oracle.owner.retireSigner(3, now + 1n);
    await chain.clock.set(now + 48n * HOUR - 1n);
    expect(await errorOf(oracle.owner.proposeSigner(fifth))).toEqual(full);
    await chain.clock.set(now + 48n * HOUR);
    await oracle.owner.proposeSigner(fifth);
    expect(await errorOf(oracle.owner.proposeSigner(sixth))).toEqual(full);
    await chain.clock.set(now + 48n * HOUR + 1n);
    await oracle.owner.proposeSigner(sixth);
    await chain.clock.advance(DAY);
    expect(await oracle.contract.read.usableSigners()).toEqual([6, 5, 4, 2]);
  });
});

describe("63 numbers", () => {
  it("are all there are, none is used twice, and the last one works as the first", async () => {
    for (let number = 2; number <= 62; number += 1) {
      await oracle.owner.proposeSigner(second);
      await oracle.guardian.cancelSigner(number);
    }
    await oracle.owner.proposeSigner(second);
    expect(await errorOf(oracle.owner.proposeSigner(third))).toEqual({ name: "SignerNumbersExhausted", args: [] });
    expect(await oracle.contract.read.signerCount()).toBe(63);
    expect(await oracle.contract.read.MAX_SIGNERS()).toBe(63n);
    await chain.clock.set(now + DAY);
    expect(await oracle.contract.read.usableSigners()).toEqual([63, 1]);
    await oracle.update(oracle.signed({ signer: second, hintedAs: 63 }));
    expect(await oracle.contract.read.freshness([MARKET])).toBe(0);
    expect(await oracle.refusalOf(oracle.signed({ feedId: 9n, hintedAs: 62 }))).toMatchObject({ args: [62, 5] });
    const receipt = await oracle.owner.revokeSigner(63, 1);
    expect(oracle.eventsOf(receipt)).toHaveLength(62);
    expect(await errorOf(oracle.contract.read.latestPrice([MARKET]))).toEqual({
      name: "PriceSignerRevoked",
      args: [MARKET, 63],
    });
    expect(await oracle.contract.read.usableSigners()).toEqual([1]);
    expect(await oracle.update(oracle.signed({ price: 3n }))).toMatchObject({ stored: [true] });
  });
});

describe("two records of one key", () => {
  const reformed = testSigner("first", OTHER_LAYOUT);

  it("are refused where their publish times would overlap", async () => {
    const overlap = (validFrom: bigint) => ({ name: "SignerOverlap", args: [1, validFrom] });
    for (const validFrom of [0n, now, now + 30n * DAY]) {
      expect(await errorOf(oracle.owner.proposeSigner(reformed, validFrom))).toEqual(overlap(validFrom));
    }
    const retirement = now + 2n * DAY;
    await oracle.owner.retireSigner(1, retirement);
    for (const validFrom of [0n, retirement - 1n]) {
      expect(await errorOf(oracle.owner.proposeSigner(reformed, validFrom))).toEqual(overlap(validFrom));
    }
    await oracle.owner.proposeSigner(reformed, retirement);
    expect(await errorOf(oracle.owner.proposeSigner(SIGNER, retirement + DAY))).toMatchObject({
      name: "SignerOverlap",
      args: [2, retirement + DAY],
    });
  });

  it("are refused in the constructor", async () => {
    const deployment = chain.deployOracle({ signers: [SIGNER, { signer: reformed, validFrom: now + DAY }] });
    expect(await errorOf(deployment)).toEqual({ name: "SignerOverlap", args: [1, now + DAY] });
  });

  it("do not stand in each other's way when one was cancelled", async () => {
    await oracle.owner.proposeSigner(second, now + DAY);
    await oracle.guardian.cancelSigner(2);
    await oracle.owner.proposeSigner(second, now);
    expect(await oracle.contract.read.signerInfo([3])).toMatchObject({ publicKey: second.publicKey.hex });
  });
});

describe("a key is refused that is", () => {
  const layout = toOnChainLayout(DEFAULT_LAYOUT);
  const P = 2n ** 255n - 19n;
  const encode = (y: bigint, sign = 0n) =>
    `0x${Buffer.from((y | (sign << 255n)).toString(16).padStart(64, "0"), "hex")
      .reverse()
      .toString("hex")}` as const;

  it.each([
    ["not canonical: y is p", "NonCanonicalPublicKey", encode(P)],
    ["not canonical: y is 2^255 − 1", "NonCanonicalPublicKey", encode(2n ** 255n - 1n)],
    ["not canonical: x is 0 and its sign 1", "NonCanonicalPublicKey", encode(1n, 1n)],
    ["not on the curve", "PublicKeyNotOnCurve", encode(2n)],
    ["of order 1", "PublicKeyNotPrimeOrder", encode(1n)],
    ["of order 2", "PublicKeyNotPrimeOrder", encode(P - 1n)],
    ["of order 4", "PublicKeyNotPrimeOrder", encode(0n)],
    ["of mixed order", "PublicKeyNotPrimeOrder", mixedOrderKey()],
  ] as const)("%s", async (_, name, publicKey) => {
    const from = { account: chain.accounts.owner.account.address };
    const proposal = oracle.contract.simulate.proposeSigner([publicKey, layout, 0n], from);
    expect(await errorOf(proposal)).toEqual({ name, args: [publicKey] });
  });
});

/** The first signer's point plus the point of order 2, (0, −1): (−x, −y). */
function mixedOrderKey(): `0x${string}` {
  const { x, y } = SIGNER.publicKey.point.negate().toAffine();
  const negatedY = 2n ** 255n - 19n - y;
  const number = negatedY | ((x & 1n) << 255n);
  return `0x${Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse().toString("hex")}`;
}
