import type { MessageLayout } from "../../relayer/message/messageLayout.ts";

/** Fields all over the 74 bytes: nothing constant, no padding. Two decimals, times in seconds. */
export const FIELDS_ONLY_LAYOUT: MessageLayout = {
  price: { offset: 0, width: 16, byteOrder: "big", decimals: 2 },
  feedId: { offset: 16, width: 16, byteOrder: "big" },
  expiry: { offset: 32, width: 16, byteOrder: "little", unit: "s" },
  publishTime: { offset: 48, width: 16, byteOrder: "big", unit: "s" },
  date: { offset: 64 },
  constants: [],
  padding: [],
};
