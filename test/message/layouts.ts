import * as fc from "fast-check";
import { DATE_LENGTH, MESSAGE_LENGTH, type MessageLayout } from "../../relayer/message/messageLayout.ts";

const byteOrder = fc.constantFrom("little" as const, "big" as const);
const numberField = (min: number, max: number) => fc.record({ width: fc.integer({ min, max }), byteOrder });
const timeField = fc.oneof(
  fc.record({ width: fc.integer({ min: 6, max: 10 }), byteOrder, unit: fc.constant("ms" as const) }),
  fc.record({ width: fc.integer({ min: 4, max: 10 }), byteOrder, unit: fc.constant("s" as const) }),
);
const NAMES = ["feedId", "price", "publishTime", "expiry", "date", "exponent"] as const;

/**
 * Any layout that can be: fields of every width, byte order and unit in any order, and between them constants and padding.
 * The widest fields together take 56 bytes, so that there is always something between them.
 */
export const anyLayout: fc.Arbitrary<MessageLayout> = fc
  .record({
    feedId: numberField(4, 10),
    price: numberField(1, 12),
    decimals: fc.integer({ min: 0, max: 18 }),
    exponent: fc.option(fc.record({ width: fc.constantFrom(1 as const, 2 as const, 4 as const), byteOrder })),
    publishTime: timeField,
    expiry: timeField,
    order: fc.shuffledSubarray([...NAMES], { minLength: NAMES.length, maxLength: NAMES.length }),
    gaps: fc.array(fc.record({ weight: fc.nat(5), constant: fc.boolean() }), { minLength: 7, maxLength: 7 }),
    constants: fc.uint8Array({ minLength: MESSAGE_LENGTH, maxLength: MESSAGE_LENGTH }),
  })
  .map(({ decimals, order, gaps, constants: bytes, ...fields }) => {
    const { feedId, price, exponent, publishTime, expiry } = fields;
    const widths = {
      feedId: feedId.width,
      price: price.width,
      publishTime: publishTime.width,
      expiry: expiry.width,
      date: DATE_LENGTH,
      exponent: exponent?.width ?? 0,
    };
    const free = MESSAGE_LENGTH - Object.values(widths).reduce((sum, width) => sum + width);
    const constants: { offset: number; bytes: string }[] = [];
    const padding: { offset: number; length: number }[] = [];
    const offsets = { feedId: 0, price: 0, publishTime: 0, expiry: 0, date: 0, exponent: 0 };
    let [end, left] = [0, free];
    gaps.forEach(({ weight, constant }, index) => {
      const length = index === gaps.length - 1 ? left : Math.min(weight, left);
      if (length > 0 && constant) constants.push({ offset: end, bytes: hexOf(bytes.subarray(end, end + length)) });
      else if (length > 0) padding.push({ offset: end, length });
      end += length;
      left -= length;
      const name = order[index];
      if (name === undefined) return;
      offsets[name] = end;
      end += widths[name];
    });
    const place = { offset: offsets.price, ...price };
    return {
      feedId: { offset: offsets.feedId, ...feedId },
      price: exponent ? { ...place, exponent: { offset: offsets.exponent, ...exponent } } : { ...place, decimals },
      publishTime: { offset: offsets.publishTime, ...publishTime },
      expiry: { offset: offsets.expiry, ...expiry },
      date: { offset: offsets.date },
      constants,
      padding,
    };
  });

/** A layout as different from the default as can be: an exponent field, big-endian, times in seconds, padding. */
export const EXPONENT_LAYOUT: MessageLayout = {
  date: { offset: 0 },
  feedId: { offset: 10, width: 4, byteOrder: "big" },
  price: {
    offset: 14,
    width: 16,
    byteOrder: "big",
    exponent: { offset: 30, width: 4, byteOrder: "big" },
  },
  publishTime: { offset: 34, width: 8, byteOrder: "big", unit: "s" },
  expiry: { offset: 42, width: 4, byteOrder: "little", unit: "s" },
  constants: [
    { offset: 46, bytes: "0xc0ffee" },
    { offset: 59, bytes: `0x${"5a".repeat(15)}` },
  ],
  padding: [{ offset: 49, length: 10 }],
};

function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
