import { expect, it } from "vitest";
import { checkLayout, DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { decodePriceMessage, encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { reversedLayout } from "../../simulator/reversedLayout.ts";

/** Exponent, seconds, several constants, padding between. */
const VARIED: MessageLayout = {
  date: { offset: 3 },
  feedId: { offset: 13, width: 5, byteOrder: "big" },
  price: { offset: 18, width: 8, byteOrder: "big", exponent: { offset: 26, width: 1, byteOrder: "big" } },
  publishTime: { offset: 29, width: 5, byteOrder: "big", unit: "s" },
  expiry: { offset: 34, width: 5, byteOrder: "little", unit: "s" },
  constants: [
    { offset: 0, bytes: "0x010203" },
    { offset: 39, bytes: "0xff" },
  ],
  padding: [
    { offset: 27, length: 2 },
    { offset: 40, length: 34 },
  ],
};

it.each([
  ["the default", DEFAULT_LAYOUT, -8],
  ["another", VARIED, -3],
])("%s layout reversed is a layout, another one, and holds the same fields", (_name, layout, priceExponent) => {
  const reversed = checkLayout(reversedLayout(layout));
  expect(reversed).not.toEqual(layout);
  expect(reversedLayout(reversed)).toEqual(layout);
  const fields = {
    feedId: 2_005_826_765n,
    priceMantissa: 1_474n,
    priceExponent,
    publishTimeMs: 1_717_587_000_000n,
    expiryMs: 1_717_676_700_000n,
    date: "2024-06-05",
  };
  const message = encodePriceMessage(fields, reversed);
  expect(decodePriceMessage(message, reversed)).toMatchObject({ ok: true, value: fields });
  expect(decodePriceMessage(message, layout)).toMatchObject({ ok: false });
});
