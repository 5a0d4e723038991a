import { dayOfDate } from "./calendarDate.ts";
import { formatDecimal, PRICE_DECIMALS, PRICE_LIMIT, scaleDecimal } from "./decimalPrice.ts";
import { DEFAULT_RENTAL_OFFSET, feedOf } from "./feedId.ts";
import {
  type ByteOrder,
  constantBytesOf,
  DATE_LENGTH,
  fixedRegionsOf,
  MESSAGE_LENGTH,
  type MessageLayout,
  type NumberField,
  type TimeField,
} from "./messageLayout.ts";
import { accepted, type Checked, refused } from "./refusal.ts";

/** What the 74 signed bytes say, exactly as they say it. */
export type PriceMessage = {
  /** Market id for sales, market id + rental offset for rental. */
  readonly feedId: bigint;
  /** The price is `priceMantissa · 10^priceExponent`. */
  readonly priceMantissa: bigint;
  readonly priceExponent: number;
  /** Unix milliseconds. */
  readonly publishTimeMs: bigint;
  /** Unix milliseconds. */
  readonly expiryMs: bigint;
  /** The ten date bytes as text; not yet known to be a date. */
  readonly date: string;
};

/** A message whose own fields are in order: a feed that exists, a price that can be stored, a day of the calendar. */
export type CheckedPriceMessage = PriceMessage & {
  /** 8 decimals, truncated towards zero; 1 … 2^60 − 1. */
  readonly price: bigint;
  /** Days since 1970-01-01. */
  readonly day: number;
};

/**
 * Reads the fields of a message, whatever their values.
 * Refuses a length other than 74 and constant or padding bytes that differ from the layout's.
 */
export function decodePriceMessage(message: Uint8Array, layout: MessageLayout): Checked<PriceMessage> {
  if (message.length !== MESSAGE_LENGTH) {
    return refused("InvalidMessageLength", `the message has ${message.length} bytes, not ${MESSAGE_LENGTH}`);
  }
  const constants = constantBytesOf(layout);
  for (const { offset, length } of fixedRegionsOf(layout)) {
    for (let index = offset; index < offset + length; index += 1) {
      if (message[index] !== constants[index]) {
        return refused(
          "UnexpectedConstantBytes",
          `byte ${index} of the message is not what the layout says it always is: another format, or another service`,
        );
      }
    }
  }
  const { price, date } = layout;
  return accepted({
    feedId: readNumber(message, layout.feedId),
    priceMantissa: readNumber(message, price),
    priceExponent: "exponent" in price ? readSigned(message, price.exponent) : -price.decimals,
    publishTimeMs: readTimeMs(message, layout.publishTime),
    expiryMs: readTimeMs(message, layout.expiry),
    date: String.fromCharCode(...message.subarray(date.offset, date.offset + DATE_LENGTH)),
  });
}

/** Checks of a message against itself: feed id, price, calendar date. In the order of the contract. */
export function checkPriceMessage(
  message: PriceMessage,
  rentalOffset: bigint = DEFAULT_RENTAL_OFFSET,
): Checked<CheckedPriceMessage> {
  if (!feedOf(message.feedId, rentalOffset)) {
    return refused("InvalidFeedId", `${message.feedId} is neither a market id nor market id + ${rentalOffset}`);
  }
  const written = formatDecimal({ mantissa: message.priceMantissa, exponent: message.priceExponent });
  const tooLarge = refused("PriceTooLarge", `the price ${written} is not below 2^60 at ${PRICE_DECIMALS} decimals`);
  // 10^19 is above 2^60 already; a four-byte exponent must not make us compute 10^2147483647.
  if (message.priceMantissa > 0n && message.priceExponent + PRICE_DECIMALS > 18) return tooLarge;
  const price = scaleDecimal({ mantissa: message.priceMantissa, exponent: message.priceExponent }, PRICE_DECIMALS);
  if (price === 0n) return refused("ZeroPrice", `the price ${written} is 0 at ${PRICE_DECIMALS} decimals`);
  if (price >= PRICE_LIMIT) return tooLarge;
  const day = dayOfDate(message.date);
  if (day === undefined) {
    return refused("InvalidDate", `${JSON.stringify(message.date)} is not a date YYYY-MM-DD of the calendar`);
  }
  return accepted({ ...message, price, day });
}

/** A value that does not fit the field that the layout gives it. */
export class FieldOverflowError extends RangeError {
  constructor(field: string, value: bigint, width: number) {
    super(`${field} ${value} does not fit in ${width} bytes`);
  }
}

/**
 * Writes the 74 bytes of a message. The inverse of {@link decodePriceMessage} for every value that the fields can hold;
 * with a layout of fixed decimals the exponent must be minus these, with times in seconds milliseconds must be whole seconds.
 * @throws FieldOverflowError, RangeError
 */
export function encodePriceMessage(fields: PriceMessage, layout: MessageLayout): Uint8Array {
  const bytes = constantBytesOf(layout);
  const { price, date } = layout;
  writeNumber(bytes, "feedId", fields.feedId, layout.feedId);
  writeNumber(bytes, "price", fields.priceMantissa, price);
  if ("exponent" in price) {
    const { width } = price.exponent;
    const half = 256n ** BigInt(width) / 2n;
    const exponent = BigInt(fields.priceExponent);
    if (exponent < -half || exponent >= half) throw new FieldOverflowError("price.exponent", exponent, width);
    writeNumber(bytes, "price.exponent", BigInt.asUintN(8 * width, exponent), price.exponent);
  } else if (fields.priceExponent !== -price.decimals) {
    throw new RangeError(`the layout fixes ${price.decimals} decimals, the price has ${-fields.priceExponent}`);
  }
  writeTimeMs(bytes, "publishTime", fields.publishTimeMs, layout.publishTime);
  writeTimeMs(bytes, "expiry", fields.expiryMs, layout.expiry);
  if (!/^[\x20-\x7e]{10}$/.test(fields.date)) throw new RangeError(`date "${fields.date}" is not ten ASCII characters`);
  bytes.set(
    Uint8Array.from(fields.date, (character) => character.charCodeAt(0)),
    date.offset,
  );
  return bytes;
}

function readNumber(message: Uint8Array, { offset, width, byteOrder }: NumberField): bigint {
  return bytesToNumber(message.subarray(offset, offset + width), byteOrder);
}

function readSigned(message: Uint8Array, field: NumberField): number {
  return Number(BigInt.asIntN(8 * field.width, readNumber(message, field)));
}

function readTimeMs(message: Uint8Array, field: TimeField): bigint {
  const time = readNumber(message, field);
  return field.unit === "s" ? time * 1000n : time;
}

function writeNumber(bytes: Uint8Array, name: string, value: bigint, { offset, width, byteOrder }: NumberField): void {
  if (value < 0n || value >= 256n ** BigInt(width)) throw new FieldOverflowError(name, value, width);
  let rest = value;
  for (let index = 0; index < width; index += 1) {
    bytes[offset + (byteOrder === "little" ? index : width - 1 - index)] = Number(rest & 0xffn);
    rest >>= 8n;
  }
}

function writeTimeMs(bytes: Uint8Array, name: string, timeMs: bigint, field: TimeField): void {
  if (field.unit === "s" && timeMs % 1000n !== 0n) {
    throw new RangeError(`${name} ${timeMs} ms is not a whole number of seconds, which the layout wants`);
  }
  writeNumber(bytes, name, field.unit === "s" ? timeMs / 1000n : timeMs, field);
}

function bytesToNumber(bytes: Uint8Array, byteOrder: ByteOrder): bigint {
  const bigEndian = byteOrder === "big" ? bytes : bytes.toReversed();
  return bigEndian.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}
