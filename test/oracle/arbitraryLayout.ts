import fc from "fast-check";
import { MESSAGE_LENGTH, type MessageLayout } from "../../relayer/message/messageLayout.ts";

const byteOrder = fc.constantFrom("little" as const, "big" as const);

/** Widths of a field, most of them usual ones, so that all of a message's fields find room. */
function widths(min: number) {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min, max: Math.max(8, min) }) },
    { weight: 1, arbitrary: fc.integer({ min, max: 32 }) },
  );
}

const timeEncoding = fc
  .constantFrom("ms" as const, "s" as const)
  .chain((unit) => fc.record({ unit: fc.constant(unit), width: widths(unit === "ms" ? 6 : 4), byteOrder }));

const parts = fc
  .record({
    feedId: fc.record({ width: widths(4), byteOrder }),
    price: fc.record({ width: widths(1), byteOrder }),
    decimals: fc.integer({ min: 0, max: 18 }),
    exponent: fc.option(fc.record({ width: fc.constantFrom(1 as const, 2 as const, 4 as const), byteOrder })),
    publishTime: timeEncoding,
    expiry: timeEncoding,
  })
  .filter(({ feedId, price, exponent, publishTime, expiry }) => {
    const taken = feedId.width + price.width + (exponent?.width ?? 0) + publishTime.width + expiry.width + 10;
    return taken <= MESSAGE_LENGTH;
  });

const FIELDS = ["feedId", "price", "exponent", "publishTime", "expiry", "date"] as const;

/** Layouts that can be: fields of all widths, orders and units in any order, with constants and padding between them. */
export const arbitraryLayout: fc.Arbitrary<MessageLayout> = fc
  .record({
    parts,
    order: fc.shuffledSubarray([...FIELDS], { minLength: FIELDS.length }),
    gapWeights: fc.array(fc.nat(3), { minLength: FIELDS.length + 1, maxLength: FIELDS.length + 1 }),
    constants: fc.uint8Array({ minLength: MESSAGE_LENGTH, maxLength: MESSAGE_LENGTH }),
    arePadding: fc.array(fc.boolean(), { minLength: FIELDS.length + 1, maxLength: FIELDS.length + 1 }),
  })
  .map(({ parts: { feedId, price, decimals, exponent, publishTime, expiry }, ...rest }) => {
    const widthOf = {
      feedId: feedId.width,
      price: price.width,
      exponent: exponent?.width ?? 0,
      publishTime: publishTime.width,
      expiry: expiry.width,
      date: 10,
    };
    const taken = Object.values(widthOf).reduce((sum, width) => sum + width, 0);
    const gaps = distribute(MESSAGE_LENGTH - taken, rest.gapWeights);

    const offsetOf = { feedId: 0, price: 0, exponent: 0, publishTime: 0, expiry: 0, date: 0 };
    const constants: { offset: number; bytes: string }[] = [];
    const padding: { offset: number; length: number }[] = [];
    let end = 0;
    gaps.forEach((length, index) => {
      if (length > 0 && rest.arePadding[index]) padding.push({ offset: end, length });
      if (length > 0 && !rest.arePadding[index]) {
        const bytes = Buffer.from(rest.constants.subarray(end, end + length)).toString("hex");
        constants.push({ offset: end, bytes: `0x${bytes}` });
      }
      end += length;
      const field = rest.order[index];
      if (field === undefined) return;
      offsetOf[field] = end;
      end += widthOf[field];
    });

    const priceField = { ...price, offset: offsetOf.price };
    return {
      feedId: { ...feedId, offset: offsetOf.feedId },
      price: exponent
        ? { ...priceField, exponent: { ...exponent, offset: offsetOf.exponent } }
        : { ...priceField, decimals },
      publishTime: { ...publishTime, offset: offsetOf.publishTime },
      expiry: { ...expiry, offset: offsetOf.expiry },
      date: { offset: offsetOf.date },
      constants,
      padding,
    };
  });

/** Shares a number of bytes out by weights; the last share takes what is left. */
function distribute(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let rest = total;
  return weights.map((weight, index) => {
    const share = index === weights.length - 1 ? rest : Math.floor((total * weight) / Math.max(sum, 1));
    rest -= share;
    return share;
  });
}
