import fc from "fast-check";
import { DATE_LENGTH, MESSAGE_LENGTH, type MessageLayout } from "../../../relayer/message/messageLayout.ts";

const WIDTHS = [4, 8, 16, 32] as const;
const byteOrder = fc.constantFrom("little" as const, "big" as const);
const number = fc.record({ width: fc.constantFrom(...WIDTHS), byteOrder });
const time = fc
  .record({ width: fc.constantFrom(...WIDTHS), byteOrder, unit: fc.constantFrom("ms" as const, "s" as const) })
  .filter(({ width, unit }) => width >= 8 || unit === "s");
const exponent = fc.option(fc.record({ width: fc.constantFrom(1 as const, 2 as const, 4 as const), byteOrder }));

type Numbers = {
  feedId: { width: number; byteOrder: "little" | "big" };
  price: { width: number; byteOrder: "little" | "big" };
  publishTime: { width: number; byteOrder: "little" | "big"; unit: "ms" | "s" };
  expiry: { width: number; byteOrder: "little" | "big"; unit: "ms" | "s" };
  exponent: { width: 1 | 2 | 4; byteOrder: "little" | "big" } | null;
  decimals: number;
};

const numbers: fc.Arbitrary<Numbers> = fc
  .record({
    feedId: number,
    price: number,
    publishTime: time,
    expiry: time,
    exponent,
    decimals: fc.integer({ min: 0, max: 18 }),
  })
  .map((drawn) => {
    // Narrow what does not fit together, one number after the other, so that every drawing is a layout.
    const fitted = structuredClone(drawn);
    for (const name of ["expiry", "feedId", "publishTime", "price"] as const) {
      while (takenBy(fitted) > MESSAGE_LENGTH && fitted[name].width > 8) fitted[name].width /= 2;
    }
    return fitted;
  });

function takenBy({ feedId, price, publishTime, expiry, exponent }: Numbers): number {
  return DATE_LENGTH + feedId.width + price.width + publishTime.width + expiry.width + (exponent?.width ?? 0);
}

const FIELDS = ["feedId", "price", "publishTime", "expiry", "date", "exponent"] as const;

/**
 * The family of layouts that can be found in signed bytes: fields in any order with anything between them, each number
 * with a width and byte order of its own.
 */
export const layoutWithMessage: fc.Arbitrary<MessageLayout> = fc
  .record({
    numbers,
    order: fc.shuffledSubarray([...FIELDS], { minLength: FIELDS.length }),
    gaps: fc.array(
      fc.record({
        weight: fc.nat(4),
        kind: fc.constantFrom("version" as const, "constant" as const, "padding" as const),
      }),
      { minLength: 7, maxLength: 7 },
    ),
    constants: fc.uint8Array({ minLength: MESSAGE_LENGTH, maxLength: MESSAGE_LENGTH }),
  })
  .map(({ numbers, order, gaps, constants }) => {
    const weights = gaps.map(({ weight, kind }) => (kind === "version" ? Math.min(weight, 1) : weight));
    const free = MESSAGE_LENGTH - takenBy(numbers);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let left = free;
    const lengths = gaps.map(({ kind }, index) => {
      const share = Math.floor((free * (weights[index] ?? 0)) / Math.max(1, total));
      const length = kind === "version" ? Math.min(1, share) : share;
      left -= length;
      return length;
    });
    // Some gap takes the rest.
    const last = lengths.length - 1;
    lengths[last] = (lengths[last] ?? 0) + left;
    const regions = gaps.map(({ kind }, index) => ({ length: lengths[index] ?? 0, isZero: kind === "padding" }));
    return layoutFrom(numbers, order, regions, constants);
  });

/** Widths of feed id, price, publish time and expiry that fill a message: with an exponent of four bytes, or without. */
const FILLING_WIDTHS = WIDTHS.flatMap((a) =>
  WIDTHS.flatMap((b) => WIDTHS.flatMap((c) => WIDTHS.map((d) => [a, b, c, d] as const))),
).filter((widths) => [60, 64].includes(widths.reduce((sum, width) => sum + width, 0)));

/** A layout that can be found from signatures alone, and the constant bytes that have to be given for it. */
export type GivenLayout = { readonly layout: MessageLayout; readonly constants: readonly Uint8Array[] };

/**
 * The family of layouts that can be found from signatures alone: one byte order and no padding. Without constant bytes
 * the exponent is anywhere; with them it stands behind the price, they stand first, and a version byte before them.
 */
export const layoutWithoutMessage: fc.Arbitrary<GivenLayout> = fc
  .record({
    numbers,
    order: fc.shuffledSubarray([...FIELDS], { minLength: FIELDS.length }),
    byteOrder,
    hasConstants: fc.boolean(),
    version: fc.option(fc.constantFrom(0, 1)),
    constants: fc.uint8Array({ minLength: MESSAGE_LENGTH, maxLength: MESSAGE_LENGTH }),
    filling: fc.constantFrom(...FILLING_WIDTHS),
  })
  .map(({ numbers: drawn, order, byteOrder, hasConstants, version, constants, filling }) => {
    const numbers = withByteOrder(drawn, byteOrder);
    if (!hasConstants) {
      const [feedId, price, publishTime, expiry] = filling as [number, number, number, number];
      numbers.feedId.width = feedId;
      numbers.price.width = price;
      numbers.publishTime = timeOfWidth(numbers.publishTime, publishTime);
      numbers.expiry = timeOfWidth(numbers.expiry, expiry);
      numbers.exponent = feedId + price + publishTime + expiry === 60 ? { width: 4, byteOrder } : null;
      return { layout: layoutFrom(numbers, order, [], constants), constants: [] };
    }
    const behindPrice: (typeof FIELDS)[number][] = order.filter((name) => name !== "exponent");
    behindPrice.splice(behindPrice.indexOf("price") + 1, 0, "exponent");
    const free = MESSAGE_LENGTH - takenBy(numbers);
    const bytes = Uint8Array.from(constants);
    const hasVersion = version !== null && free > 1;
    if (hasVersion) bytes[0] = version;
    const layout = layoutFrom(numbers, behindPrice, [{ length: free, isZero: false }], bytes);
    return { layout, constants: free === 0 ? [] : [bytes.slice(hasVersion ? 1 : 0, free)] };
  });

function withByteOrder(drawn: Numbers, byteOrder: "little" | "big"): Numbers {
  const { feedId, price, publishTime, expiry, exponent, decimals } = drawn;
  return {
    feedId: { ...feedId, byteOrder },
    price: { ...price, byteOrder },
    publishTime: { ...publishTime, byteOrder },
    expiry: { ...expiry, byteOrder },
    exponent: exponent && { ...exponent, byteOrder },
    decimals,
  };
}

function timeOfWidth(time: Numbers["expiry"], width: number): Numbers["expiry"] {
  return { ...time, width, unit: width < 8 ? "s" : time.unit };
}

/** Fields in an order, with a region before each and one after the last. */
function layoutFrom(
  numbers: Numbers,
  order: readonly (typeof FIELDS)[number][],
  regions: readonly { length: number; isZero: boolean }[],
  bytes: Uint8Array,
): MessageLayout {
  const { feedId, price, publishTime, expiry, exponent, decimals } = numbers;
  const widths = {
    feedId: feedId.width,
    price: price.width,
    publishTime: publishTime.width,
    expiry: expiry.width,
    date: DATE_LENGTH,
    exponent: exponent?.width ?? 0,
  };
  const offsets = { feedId: 0, price: 0, publishTime: 0, expiry: 0, date: 0, exponent: 0 };
  const constants: { offset: number; bytes: string }[] = [];
  const padding: { offset: number; length: number }[] = [];
  let end = 0;
  const last = Math.max(regions.length, order.length);
  Array.from({ length: last }, (_, index) => regions[index] ?? { length: 0, isZero: false }).forEach(
    (region, index) => {
      const { length, isZero } = region;
      if (length > 0 && isZero) padding.push({ offset: end, length });
      else if (length > 0) {
        constants.push({ offset: end, bytes: `0x${Buffer.from(bytes.subarray(end, end + length)).toString("hex")}` });
      }
      end += length;
      const name = order[index];
      if (name === undefined) return;
      offsets[name] = end;
      end += widths[name];
    },
  );
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
}
