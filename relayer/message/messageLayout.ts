import * as z from "zod";
import { toDotPath } from "zod/v4/core";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { DEFAULT_RENTAL_OFFSET } from "./feedId.ts";

/** Bytes of every price message (specification, price feed records). */
export const MESSAGE_LENGTH = 74;

/** Bytes of the ASCII date inside it. */
export const DATE_LENGTH = 10;

/**
 * Where each field of the 74 signed bytes stands and how it is encoded: data, because the specification leaves it open
 * and the service has changed it once already. Every byte is a field, a constant (compared) or padding (zero).
 */
// Made in a function that is marked pure, so that a bundle for browsers, which parses no configuration, can leave it out.
export const messageLayoutSchema = /* @__PURE__ */ (() => {
  const place = {
    offset: z.int().min(0).describe("first byte of the field, counted from 0"),
    width: z.int().min(1).max(32).describe("bytes that the field takes"),
    byteOrder: z.enum(["little", "big"]).describe("order of the bytes of a number"),
  };
  const numberField = z.strictObject(place);
  const timeField = z.strictObject({ ...place, unit: z.enum(["ms", "s"]).describe("unit of the Unix time") });
  const exponentField = z.strictObject({
    ...place,
    width: z.literal([1, 2, 4]).describe("bytes of the signed exponent (two's complement)"),
  });
  const priceField = z.union([
    z.strictObject({ ...place, decimals: z.int().min(0).max(18).describe("fixed decimals of the price") }),
    z.strictObject({ ...place, exponent: exponentField.describe("the price is number · 10^exponent") }),
  ]);
  return z.strictObject({
    feedId: numberField,
    price: priceField,
    publishTime: timeField,
    expiry: timeField,
    date: z.strictObject({ offset: place.offset }).describe("ten ASCII bytes YYYY-MM-DD"),
    constants: z
      .array(z.strictObject({ offset: place.offset, bytes: z.string().regex(/^0x([0-9a-fA-F]{2})+$/) }))
      .default([])
      .describe("regions whose bytes never change; a message with others is refused"),
    padding: z
      .array(z.strictObject({ offset: place.offset, length: z.int().min(1) }))
      .default([])
      .describe("regions that are zero"),
  });
})();

export type MessageLayout = Readonly<z.output<typeof messageLayoutSchema>>;
export type NumberField = MessageLayout["feedId"];
export type TimeField = MessageLayout["publishTime"];
export type ByteOrder = NumberField["byteOrder"];

/** A layout that cannot be: its fields overlap, leave bytes uncovered, or are too narrow for what they must hold. */
export class InvalidLayoutError extends HomePriceError {
  constructor(problem: string) {
    super("INVALID_LAYOUT", `the message layout cannot be: ${problem}`, {
      kind: "configuration",
      hint: `Correct \`layout\` in the configuration: fields, constants and padding must cover the ${MESSAGE_LENGTH} bytes of a message exactly once.`,
    });
  }
}

/** SHA-256 of the ASCII text `home-price-oracle/price-message/v1`. */
const DEFAULT_DOMAIN = "0xf2300b11ee892955bafa8749406daffa6970cb01b498f7705eda21a3a71825f6";

/**
 * The layout used wherever no other is configured. The service's own is not public; this one is ours, so that the
 * simulator and the contracts have something to agree on. See ASSUMPTIONS.md.
 */
export const DEFAULT_LAYOUT: MessageLayout = {
  feedId: { offset: 32, width: 8, byteOrder: "little" },
  price: { offset: 40, width: 8, byteOrder: "little", decimals: 8 },
  publishTime: { offset: 48, width: 8, byteOrder: "little", unit: "ms" },
  expiry: { offset: 56, width: 8, byteOrder: "little", unit: "ms" },
  date: { offset: 64 },
  constants: [{ offset: 0, bytes: DEFAULT_DOMAIN }],
  padding: [],
};

type Region = { readonly name: string; readonly offset: number; readonly length: number };

/** Every region of a layout, in the order of its bytes. */
function regionsOf(layout: MessageLayout): Region[] {
  const { feedId, price, publishTime, expiry, date } = layout;
  const regions: Region[] = [
    { name: "feedId", offset: feedId.offset, length: feedId.width },
    { name: "price", offset: price.offset, length: price.width },
    { name: "publishTime", offset: publishTime.offset, length: publishTime.width },
    { name: "expiry", offset: expiry.offset, length: expiry.width },
    { name: "date", offset: date.offset, length: DATE_LENGTH },
  ];
  if ("exponent" in price) {
    regions.push({ name: "price.exponent", offset: price.exponent.offset, length: price.exponent.width });
  }
  layout.constants.forEach(({ offset, bytes }, index) => {
    regions.push({ name: `constants[${index}]`, offset, length: (bytes.length - 2) / 2 });
  });
  layout.padding.forEach(({ offset, length }, index) => {
    regions.push({ name: `padding[${index}]`, offset, length });
  });
  return regions.sort((a, b) => a.offset - b.offset);
}

/** Narrowest width that holds today's Unix time and some centuries more. */
const MIN_TIME_WIDTH = { ms: 6, s: 4 } as const;

/**
 * Checks a layout and returns it: no overlap, no gap, nothing outside the message, numbers wide enough.
 * @throws InvalidLayoutError naming the fields and bytes concerned.
 */
export function checkLayout(layout: MessageLayout, rentalOffset: bigint = DEFAULT_RENTAL_OFFSET): MessageLayout {
  // A program may hand over a layout that no schema has seen.
  const parsed = messageLayoutSchema.safeParse(layout);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${toDotPath(path)}: ${message}`);
    throw new InvalidLayoutError(problems.join("; "));
  }
  let end = 0;
  let previous = "the start";
  for (const region of regionsOf(layout)) {
    if (region.offset < end) {
      throw new InvalidLayoutError(
        `${region.name} (from byte ${region.offset}) overlaps ${previous} (to byte ${end - 1})`,
      );
    }
    if (region.offset > end) {
      throw new InvalidLayoutError(
        `bytes ${end} to ${region.offset - 1}, between ${previous} and ${region.name}, are not covered`,
      );
    }
    end = region.offset + region.length;
    previous = region.name;
    if (end > MESSAGE_LENGTH) {
      throw new InvalidLayoutError(
        `${region.name} ends at byte ${end - 1}, beyond the last byte ${MESSAGE_LENGTH - 1}`,
      );
    }
  }
  if (end < MESSAGE_LENGTH) throw new InvalidLayoutError(`bytes ${end} to ${MESSAGE_LENGTH - 1} are not covered`);

  // The largest rental feed id, 2·offset − 1, has to fit, or some market's rental price could not be expressed.
  const largestFeedId = 2n * rentalOffset - 1n;
  if (largestFeedId >= 256n ** BigInt(layout.feedId.width)) {
    throw new InvalidLayoutError(
      `feedId has ${layout.feedId.width} bytes, no room for rental feed ids up to ${largestFeedId}`,
    );
  }
  for (const name of ["publishTime", "expiry"] as const) {
    const { width, unit } = layout[name];
    if (width < MIN_TIME_WIDTH[unit]) {
      throw new InvalidLayoutError(`${name} in ${unit} needs at least ${MIN_TIME_WIDTH[unit]} bytes, has ${width}`);
    }
  }
  return layout;
}

/** The 74 bytes of a message with every constant in place and zero elsewhere. */
export function constantBytesOf(layout: MessageLayout): Uint8Array {
  const bytes = new Uint8Array(MESSAGE_LENGTH);
  for (const { offset, bytes: hex } of layout.constants) {
    bytes.set(hexBytes(hex), offset);
  }
  return bytes;
}

/** Offset and length of every region that is constant or padding, so that its bytes are known beforehand. */
export function fixedRegionsOf(layout: MessageLayout): { offset: number; length: number }[] {
  return regionsOf(layout).filter(({ name }) => name.startsWith("constants") || name.startsWith("padding"));
}

function hexBytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
