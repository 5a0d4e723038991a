import * as fc from "fast-check";
import { expect, test } from "vitest";
import { packLayout, unpackLayout } from "../../relayer/chain/packedLayout.ts";
import { constantBytesOf, MESSAGE_LENGTH, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { decodePriceMessage, encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { anyLayout } from "../message/layouts.ts";

const messageIn = (layout: MessageLayout) => {
  const { price } = layout;
  const fields = {
    feedId: 101n,
    priceMantissa: 216n,
    priceExponent: "decimals" in price ? -price.decimals : -2,
    publishTimeMs: 1_772_456_340_000n,
    expiryMs: 1_772_542_800_000n,
    date: "2026-03-02",
  };
  return { fields, message: encodePriceMessage(fields, layout) };
};

test("a signer's record and one of its messages give back the layout, whatever it is", () =>
  fc.assert(
    fc.property(anyLayout, (layout) => {
      const { fields, message } = messageIn(layout);
      const record = packLayout(layout);
      const unpacked = unpackLayout(record, message);
      if (!unpacked) throw new Error("not unpacked");
      expect(packLayout(unpacked)).toEqual(record);
      expect(constantBytesOf(unpacked)).toEqual(constantBytesOf(layout));
      expect(decodePriceMessage(message, unpacked)).toEqual({ ok: true, value: fields });
    }),
  ));

test("a message with another constant byte is not of that signer", () =>
  fc.assert(
    fc.property(anyLayout, fc.nat({ max: MESSAGE_LENGTH - 1 }), (layout, index) => {
      const { message } = messageIn(layout);
      message[index] = (message[index] ?? 0) ^ 1;
      const isConstant = !decodePriceMessage(message, layout).ok;
      expect(unpackLayout(packLayout(layout), message) === undefined).toBe(isConstant);
    }),
  ));

test.each([0, 73, 75])("%s bytes are no message", (length) => {
  const [layout] = fc.sample(anyLayout, 1);
  if (!layout) throw new Error("no layout");
  expect(unpackLayout(packLayout(layout), new Uint8Array(length))).toBeUndefined();
});
