import { describe, expect, test } from "vitest";
import { packLayout } from "../../relayer/chain/packedLayout.ts";
import type { UsableSigner } from "../../relayer/chain/readSigners.ts";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { matchSigners } from "../../relayer/relay/acceptedSigners.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { PUBLIC_KEY, STRANGER } from "../message/signedPrices.ts";

const OTHER_KEY = decodePublicKey(STRANGER.publicKey);

function signer(number: number, publicKey = PUBLIC_KEY, layout: MessageLayout = DEFAULT_LAYOUT): UsableSigner {
  const { packed, constantsHash } = packLayout(layout);
  return { number, publicKey: publicKey.hex, layout: packed, constantsHash };
}

describe("with a configured key", () => {
  test("only that signer is accepted, by its number in the oracle", () => {
    const { publicKeys, numbers } = matchSigners([signer(2, OTHER_KEY), signer(1)], PUBLIC_KEY, DEFAULT_LAYOUT);
    expect(publicKeys.map(({ hex }) => hex)).toEqual([PUBLIC_KEY.hex]);
    expect([...numbers]).toEqual([[PUBLIC_KEY.hex, 1]]);
  });

  test("which the oracle does not accept, nothing can go on", () => {
    expect(() => matchSigners([signer(3)], OTHER_KEY, DEFAULT_LAYOUT)).toThrow(
      `the oracle accepts no price of ${OTHER_KEY.hex} now; it accepts ${PUBLIC_KEY.hex} (signer 3)`,
    );
    expect(() => matchSigners([], OTHER_KEY, DEFAULT_LAYOUT)).toThrow("it accepts none");
  });

  test("whose layout is another in the oracle, nothing can go on", () => {
    const matching = () => matchSigners([signer(4, PUBLIC_KEY, EXPONENT_LAYOUT)], PUBLIC_KEY, DEFAULT_LAYOUT);
    expect(matching).toThrow("the configured message layout is not the one that the oracle holds for signer 4");
    const constants = [{ offset: 0, bytes: `0x${"22".repeat(32)}` }];
    const otherConstants = () => matchSigners([signer(4)], PUBLIC_KEY, { ...DEFAULT_LAYOUT, constants });
    expect(otherConstants).toThrow("layout is not the one");
  });

  test("that has a record for each of two layouts, the one with the configured layout is taken", () => {
    const records = [signer(5, PUBLIC_KEY, EXPONENT_LAYOUT), signer(1)];
    expect([...matchSigners(records, PUBLIC_KEY, DEFAULT_LAYOUT).numbers.values()]).toEqual([1]);
    expect([...matchSigners(records, PUBLIC_KEY, EXPONENT_LAYOUT).numbers.values()]).toEqual([5]);
  });

  test("that was retired and added again, the newest record is taken", () => {
    // As the oracle gives them: newest first.
    expect([...matchSigners([signer(6), signer(1)], PUBLIC_KEY, DEFAULT_LAYOUT).numbers.values()]).toEqual([6]);
  });
});

describe("without a configured key", () => {
  test("every signer with the configured layout is accepted, newest first", () => {
    const records = [signer(3, OTHER_KEY), signer(1)];
    const { publicKeys, numbers } = matchSigners(records, undefined, DEFAULT_LAYOUT);
    expect(publicKeys.map(({ hex }) => hex)).toEqual([OTHER_KEY.hex, PUBLIC_KEY.hex]);
    expect([...numbers.values()]).toEqual([3, 1]);
  });

  test("those with another layout are passed over", () => {
    const records = [signer(3, OTHER_KEY, EXPONENT_LAYOUT), signer(1)];
    expect([...matchSigners(records, undefined, DEFAULT_LAYOUT).numbers.values()]).toEqual([1]);
  });

  test("an oracle without signers cannot be served", () => {
    expect(() => matchSigners([], undefined, DEFAULT_LAYOUT)).toThrow("the oracle accepts no price of any signer now");
  });
});
