import { type ByteOrder, MESSAGE_LENGTH } from "../messageLayout.ts";
import type { PriceReading } from "./fieldReadings.ts";
import { BYTE_ORDERS, bytesToInteger, EXPONENT_WIDTHS } from "./integerBytes.ts";

/** A signed exponent field that is right in every message. */
export type ExponentReading = {
  readonly offset: number;
  readonly width: 1 | 2 | 4;
  readonly byteOrder: ByteOrder;
  readonly place: "after the price" | "before the price" | "elsewhere";
};

/** So many bytes that are no field and not zero may well be an exponent and a version, but hardly a domain. */
const SHORT_REGION = 4;

/**
 * Where the exponent of a price may stand: wherever a signed number is minus the decimals in every message.
 *
 * Where the decimals are always the same, such a number may as well be a constant. It is then an exponent if it stands
 * beside the price, among few other bytes, or is too long to be one by chance: read as an exponent, the messages are
 * understood just as well if it is a constant, but the reverse is not true.
 *
 * @param isFree Whether a byte belongs to none of the five fields.
 */
export function readExponents(
  messages: readonly Uint8Array[],
  price: PriceReading,
  isFree: (byte: number) => boolean,
): ExponentReading[] {
  const isConstant = price.decimals.every((decimals) => decimals === price.decimals[0]);
  // Zeros are everywhere and say nothing.
  if (isConstant && price.decimals[0] === 0) return [];

  const matches: (ExponentReading & { readonly isPlausible: boolean })[] = [];
  for (const width of [...EXPONENT_WIDTHS].reverse()) {
    // The price's own byte order first; one byte has none.
    const otherOrders = BYTE_ORDERS.filter((order) => order !== price.byteOrder && width > 1);
    for (const byteOrder of [price.byteOrder, ...otherOrders]) {
      for (let offset = 0; offset + width <= MESSAGE_LENGTH; offset += 1) {
        const isRight = messages.every((message, index) => {
          const value = BigInt.asIntN(8 * width, bytesToInteger(message, offset, width, byteOrder));
          return value === -BigInt(price.decimals[index] ?? 0);
        });
        const bytes = Array.from({ length: width }, (_, index) => offset + index);
        if (!isRight || !bytes.every(isFree)) continue;
        const place = placeBeside(price, offset, width);
        const isPlausible =
          !isConstant || width > 1 || place !== "elsewhere" || regionLength(messages, offset, isFree) <= SHORT_REGION;
        matches.push({ offset, width, byteOrder, place, isPlausible });
      }
    }
  }
  matches.sort((a, b) => exponentPenalty(a, price) - exponentPenalty(b, price));
  const plausible = matches.filter(({ isPlausible }) => isPlausible);
  // If one byte somewhere is the exponent, it may as well be any other such byte.
  const [best] = plausible;
  const found = best?.width === 1 && best.place === "elsewhere" ? [...new Set([...plausible, ...matches])] : plausible;
  // A part of a wider one, or one shifted into it, is no other possibility; the same bytes in the other order are.
  return found
    .filter((reading, index) => !found.slice(0, index).some((better) => isPartOf(reading, better)))
    .map(({ isPlausible: _, ...reading }) => reading);
}

/** How much speaks against an exponent field: most of all, that so few bytes are what they are by chance. */
export function exponentPenalty({ width, byteOrder, place }: ExponentReading, price: PriceReading): number {
  const placePenalty = { "after the price": 0, "before the price": 1, elsewhere: 3 }[place];
  return placePenalty + (byteOrder === price.byteOrder ? 0 : 2) + { 4: 0, 2: 6, 1: 12 }[width];
}

/** Beside the price in one of the widths that it may have. */
function placeBeside(price: PriceReading, offset: number, width: number): ExponentReading["place"] {
  const ends = price.widths.map((each) => (price.byteOrder === "little" ? price.anchor + each : price.anchor));
  const starts = price.widths.map((each) => (price.byteOrder === "little" ? price.anchor : price.anchor - each));
  if (ends.includes(offset)) return "after the price";
  return starts.includes(offset + width) ? "before the price" : "elsewhere";
}

/** Bytes around one that belong to no field and are not zero. */
function regionLength(messages: readonly Uint8Array[], byte: number, isFree: (byte: number) => boolean): number {
  const belongs = (each: number) =>
    each >= 0 && each < MESSAGE_LENGTH && isFree(each) && messages.some((message) => message[each] !== 0);
  let [start, end] = [byte, byte + 1];
  while (belongs(start - 1)) start -= 1;
  while (belongs(end)) end += 1;
  return end - start;
}

function isPartOf(reading: ExponentReading, better: ExponentReading): boolean {
  if (reading.offset === better.offset && reading.width === better.width) return false;
  return reading.offset < better.offset + better.width && better.offset < reading.offset + reading.width;
}
