import type { Decimal } from "../decimalPrice.ts";
import { type ByteOrder, DATE_LENGTH, MESSAGE_LENGTH, type TimeField } from "../messageLayout.ts";
import { BYTE_ORDERS, bytesToInteger, fitsInto, NUMBER_WIDTHS } from "./integerBytes.ts";
import { type KnownValues, withoutTrailingZeros } from "./knownValues.ts";

/** An item with the bytes that its signature was found to belong to. */
export type KnownMessage = { readonly known: KnownValues; readonly message: Uint8Array };

/**
 * A place where every message says what is known of it. The lowest byte stays where it is whatever the width: `anchor`
 * is the first byte of a little-endian number, or the one after the last of a big-endian number.
 */
export type NumberReading = {
  readonly byteOrder: ByteOrder;
  readonly anchor: number;
  /** Widths with which the number is right, ascending: wider ones take in bytes that are zero in every message. */
  readonly widths: readonly number[];
};

export type TimeReading = NumberReading & { readonly unit: TimeField["unit"]; readonly isExact: boolean };

/** `decimals` of the number in each message; they differ only where the message has an exponent of its own. */
export type PriceReading = NumberReading & { readonly decimals: readonly number[]; readonly isExact: boolean };

/** All readings of the five fields. */
export type FieldReadings = {
  readonly feedId: readonly NumberReading[];
  readonly price: readonly PriceReading[];
  readonly publishTime: readonly TimeReading[];
  readonly expiry: readonly TimeReading[];
  /** First bytes of the date. */
  readonly date: readonly number[];
};

/** First byte of a reading with one of its widths. */
export function offsetOf({ byteOrder, anchor }: NumberReading, width: number): number {
  return byteOrder === "little" ? anchor : anchor - width;
}

/**
 * Every way to read the five known values out of all messages.
 * @param exact Whether only exact values count. Otherwise also times that are the known ones without their
 * milliseconds, and prices that are the known ones rounded, or of which the known ones are rounded.
 */
export function readFields(messages: readonly KnownMessage[], rentalOffset: bigint, exact: boolean): FieldReadings {
  const feedIdWidth = NUMBER_WIDTHS.find((width) => fitsInto(width, 2n * rentalOffset - 1n)) ?? 32;
  const times = (timeOf: (known: KnownValues) => bigint): TimeReading[] =>
    [true, ...(exact ? [] : [false])].flatMap((isExact) => [
      ...numberReadings(
        messages,
        8,
        ({ known }, value) => (isExact ? value === timeOf(known) : isSameSecond(value, timeOf(known))) || undefined,
      ).map(({ reading }) => ({ ...reading, unit: "ms" as const, isExact })),
      ...numberReadings(
        messages,
        4,
        ({ known }, value) =>
          (isExact ? value * 1000n === timeOf(known) : isSecondOf(value, timeOf(known))) || undefined,
      ).map(({ reading }) => ({ ...reading, unit: "s" as const, isExact })),
    ]);
  return {
    feedId: numberReadings(messages, feedIdWidth, ({ known }, value) => known.feedIds.includes(value) || undefined).map(
      ({ reading }) => reading,
    ),
    price: priceReadings(messages, exact),
    publishTime: withoutRepetitions(times(({ publishTimeMs }) => publishTimeMs)),
    expiry: withoutRepetitions(times(({ expiryMs }) => expiryMs)),
    date: datesOf(messages),
  };
}

function priceReadings(messages: readonly KnownMessage[], exact: boolean): PriceReading[] {
  const exactReadings = numberReadings(messages, 4, ({ known }, value) => exactDecimals(value, known.price)).map(
    ({ reading, results }) => ({ ...reading, decimals: results, isExact: true }),
  );
  if (exact) return exactReadings;
  const shownDecimals = Math.max(0, ...messages.map(({ known }) => -known.price.exponent));
  const rounded = numberReadings(messages, 4, ({ known }, value) =>
    roundedDecimals(value, known.price, shownDecimals),
  ).map(({ reading, results }) => ({ ...reading, decimals: results, isExact: false }));
  return withoutRepetitions([...exactReadings, ...rounded]);
}

/**
 * Places and byte orders at which `match` finds something in every message, with what it finds; `undefined` is nothing.
 */
function numberReadings<Result>(
  messages: readonly KnownMessage[],
  minWidth: number,
  match: (message: KnownMessage, value: bigint) => Result | undefined,
): { reading: NumberReading; results: Result[] }[] {
  const found: { reading: NumberReading & { widths: number[] }; results: Result[]; value: bigint }[] = [];
  for (const byteOrder of BYTE_ORDERS) {
    for (const width of NUMBER_WIDTHS) {
      if (width < minWidth) continue;
      for (let offset = 0; offset + width <= MESSAGE_LENGTH; offset += 1) {
        const results: Result[] = [];
        let value = 0n;
        for (const each of messages) {
          value = bytesToInteger(each.message, offset, width, byteOrder);
          const result = match(each, value);
          if (result === undefined) break;
          results.push(result);
        }
        if (results.length < messages.length) continue;
        const anchor = byteOrder === "little" ? offset : offset + width;
        const narrower = found.find(
          ({ reading, value: narrow }) =>
            reading.byteOrder === byteOrder && reading.anchor === anchor && narrow === value,
        );
        if (narrower) narrower.reading.widths.push(width);
        else found.push({ reading: { byteOrder, anchor, widths: [width] }, results, value });
      }
    }
  }
  return found;
}

/** The decimals with which a number is exactly a price: none or one, because the price is not 0. */
function exactDecimals(value: bigint, price: Decimal): number | undefined {
  if (value === 0n) return undefined;
  const number = withoutTrailingZeros({ mantissa: value, exponent: 0 });
  return number.mantissa === price.mantissa ? number.exponent - price.exponent : undefined;
}

/**
 * The decimals with which a number is a price as far as either has digits: the price cut off or rounded, or a price
 * that is shown cut off or rounded to `shownDecimals`.
 */
function roundedDecimals(value: bigint, { mantissa, exponent }: Decimal, shownDecimals: number): number | undefined {
  if (value === 0n) return undefined;
  for (let decimals = 0; decimals <= 18; decimals += 1) {
    // Both in units of the finest digit that either can have.
    const finest = Math.max(decimals, -exponent);
    const signed = value * 10n ** BigInt(finest - decimals);
    const shown = mantissa * 10n ** BigInt(finest + exponent);
    const difference = signed > shown ? signed - shown : shown - signed;
    if (difference < 10n ** BigInt(finest - Math.min(decimals, shownDecimals))) return decimals;
  }
  return undefined;
}

/** Milliseconds of which only the seconds are known, or the reverse. */
function isSameSecond(valueMs: bigint, timeMs: bigint): boolean {
  return valueMs / 1000n === timeMs / 1000n && (valueMs % 1000n === 0n || timeMs % 1000n === 0n);
}

/** A time in seconds, cut off or rounded. */
function isSecondOf(value: bigint, timeMs: bigint): boolean {
  return value === timeMs / 1000n || value === (timeMs + 500n) / 1000n;
}

function datesOf(messages: readonly KnownMessage[]): number[] {
  const offsets = Array.from({ length: MESSAGE_LENGTH - DATE_LENGTH + 1 }, (_, offset) => offset);
  return offsets.filter((offset) =>
    messages.every(
      ({ known, message }) => String.fromCharCode(...message.subarray(offset, offset + DATE_LENGTH)) === known.date,
    ),
  );
}

/** What was found exactly need not be found again as nearly right. */
function withoutRepetitions<Reading extends NumberReading & { unit?: string }>(
  readings: readonly Reading[],
): Reading[] {
  const keyOf = ({ byteOrder, anchor, unit }: Reading) => `${byteOrder} ${anchor} ${unit}`;
  return readings.filter((reading, index) => readings.findIndex((other) => keyOf(other) === keyOf(reading)) === index);
}
