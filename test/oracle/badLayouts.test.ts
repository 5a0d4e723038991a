import { concatHex, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OnChainLayout, packLayout, toOnChainLayout } from "../../relayer/chain/packedLayout.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
  oracle = await chain.deployOracle();
});
afterAll(() => chain.close());

const { publicKey } = testSigner("second");
const GOOD = toOnChainLayout(DEFAULT_LAYOUT);
const NO_CONSTANTS: Hex = `0x${"00".repeat(74)}`;
/** The default layout without a domain: bytes 0 to 31 are free for what a test needs. */
const FREE: OnChainLayout = { ...GOOD, constantBytes: NO_CONSTANTS };

/** What a proposal with the default layout changed in some fields comes to. */
function proposing(layout: OnChainLayout) {
  return oracle.contract.simulate.proposeSigner([publicKey.hex, layout, 0n], {
    account: chain.accounts.owner.account.address,
  });
}

async function expectRefused(layout: OnChainLayout, name: string, args: readonly unknown[]) {
  expect(await errorOf(proposing(layout))).toEqual({ name, args });
}

describe("a layout is refused on-chain when", () => {
  it("its constant bytes are not 74", async () => {
    for (const length of [0, 73, 75]) {
      const constantBytes: Hex = `0x${"00".repeat(length)}`;
      await expectRefused({ ...GOOD, constantBytes }, "InvalidConstantBytesLength", [BigInt(length)]);
    }
  });

  it("a field reaches beyond the message", async () => {
    for (const [offset, width] of [
      [67, 8],
      [74, 1],
      [255, 32],
      [43, 32],
    ] as const) {
      const layout = { ...FREE, price: { offset, width, bigEndian: false } };
      await expectRefused(layout, "FieldOutsideMessage", [offset, width]);
    }
    await expectRefused({ ...FREE, dateOffset: 65 }, "FieldOutsideMessage", [65, 10]);
    await expectRefused({ ...FREE, dateOffset: 255 }, "FieldOutsideMessage", [255, 10]);
    const exponent = { offset: 74, width: 1, bigEndian: false };
    await expectRefused({ ...FREE, priceDecimals: 0, priceExponent: exponent }, "FieldOutsideMessage", [74, 1]);
  });

  it("two fields share a byte", async () => {
    const fields = ["feedId", "price", "publishTime", "expiry"] as const;
    for (const [index, field] of fields.entries()) {
      // One byte into the field that follows; the later of the two is named.
      const moved = { ...FREE, [field]: { ...FREE[field], offset: FREE[field].offset + 1 } };
      const next = fields[index + 1];
      const named = next === undefined ? [64, 10] : [FREE[next].offset, FREE[next].width];
      await expectRefused(moved, "FieldOverlap", named);
    }
    const exponent = { offset: 73, width: 1, bigEndian: false };
    await expectRefused({ ...FREE, priceDecimals: 0, priceExponent: exponent }, "FieldOverlap", [73, 1]);
  });

  it("a constant byte that is not zero lies under a field", async () => {
    const overFeedId = concatHex([`0x${"00".repeat(39)}`, "0x01", `0x${"00".repeat(34)}`]);
    await expectRefused({ ...GOOD, constantBytes: overFeedId }, "FieldOverlap", [32, 8]);
    const overDate = concatHex([`0x${"00".repeat(73)}`, "0x80"]);
    await expectRefused({ ...GOOD, constantBytes: overDate }, "FieldOverlap", [64, 10]);
    const exponent = { offset: 30, width: 2, bigEndian: false };
    await expectRefused({ ...GOOD, priceDecimals: 0, priceExponent: exponent }, "FieldOverlap", [30, 2]);
  });

  it("a field has a width that its content cannot have", async () => {
    for (const width of [0, 33, 64, 255]) {
      await expectRefused({ ...FREE, price: { offset: 0, width, bigEndian: true } }, "InvalidFieldWidth", [0, width]);
    }
    for (const width of [1, 2, 3]) {
      await expectRefused({ ...FREE, feedId: { offset: 0, width, bigEndian: true } }, "InvalidFieldWidth", [0, width]);
    }
    for (const field of ["publishTime", "expiry"] as const) {
      for (const [width, inSeconds] of [
        [5, false],
        [3, true],
        [1, false],
      ] as const) {
        const time = { offset: 0, width, bigEndian: true, inSeconds };
        await expectRefused({ ...FREE, [field]: time }, "InvalidFieldWidth", [0, width]);
      }
    }
    for (const width of [3, 5, 8, 32, 33, 255]) {
      const exponent = { offset: 0, width, bigEndian: false };
      await expectRefused({ ...FREE, priceDecimals: 0, priceExponent: exponent }, "InvalidFieldWidth", [0, width]);
    }
  });

  it("the feed id has no room for the largest rental feed id", async () => {
    const feedId = { offset: 0, width: 1, bigEndian: false };
    const small = await chain.deployOracle({ rentalOffset: 128n });
    const tooLarge = await chain.deployOracle({ rentalOffset: 129n });
    const from = { account: chain.accounts.owner.account.address };
    await small.contract.simulate.proposeSigner([publicKey.hex, { ...FREE, feedId }, 0n], from);
    expect(
      await errorOf(tooLarge.contract.simulate.proposeSigner([publicKey.hex, { ...FREE, feedId }, 0n], from)),
    ).toEqual({ name: "InvalidFieldWidth", args: [0, 1] });
  });

  it("it has more than 18 decimals, or decimals beside an exponent", async () => {
    for (const priceDecimals of [19, 31, 32, 255]) {
      await expectRefused({ ...FREE, priceDecimals }, "InvalidPriceDecimals", [priceDecimals]);
    }
    const priceExponent = { offset: 0, width: 1, bigEndian: false };
    await expectRefused({ ...FREE, priceExponent }, "InvalidPriceDecimals", [8]);
  });

  it("an exponent field of no bytes stands somewhere", async () => {
    // Packed as it is, an offset from 128 on would run over into the width, and read the exponent from the signature.
    for (const offset of [128, 129, 255]) {
      const layout = { ...FREE, priceExponent: { offset, width: 0, bigEndian: false } };
      const proposal = await proposing(layout).then(
        () => "accepted",
        () => "refused",
      );
      expect(proposal, `exponent at ${offset}`).toBe("refused");
    }
  });
});

describe("a layout is stored on-chain", () => {
  it("packed, as the relayer packs it", async () => {
    const { messageLayout, constantsHash } = await oracle.contract.read.signerInfo([1]);
    expect({ packed: messageLayout, constantsHash }).toEqual(packLayout(DEFAULT_LAYOUT));
  });

  it("at the limits of what it may be", async () => {
    const wide = { width: 32, bigEndian: true };
    await proposing({
      ...FREE,
      feedId: { offset: 0, width: 4, bigEndian: false },
      price: { ...wide, offset: 4 },
      priceDecimals: 18,
      publishTime: { offset: 36, width: 4, bigEndian: false, inSeconds: true },
      expiry: { offset: 40, width: 6, bigEndian: false, inSeconds: false },
      dateOffset: 64,
    });
    await proposing({ ...FREE, feedId: { ...wide, offset: 0 }, priceDecimals: 0, dateOffset: 64 });
  });
});
