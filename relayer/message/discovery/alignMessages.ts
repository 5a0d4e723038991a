import { DATE_LENGTH, MESSAGE_LENGTH, type MessageLayout, type NumberField } from "../messageLayout.ts";
import { type ExponentReading, exponentPenalty, readExponents } from "./exponentReadings.ts";
import {
  type FieldReadings,
  type KnownMessage,
  type NumberReading,
  offsetOf,
  type PriceReading,
  readFields,
  type TimeReading,
} from "./fieldReadings.ts";

/**
 * Finding the layout where the signed bytes themselves are known: each known value is looked for in every message, and
 * a layout is a choice of one place for each that is right in all of them.
 *
 * @module
 */

/** A layout under which every message says what is known of it. */
export type Alignment = {
  readonly layout: MessageLayout;
  /** How much speaks against it; 0 is the default layout's like. */
  readonly penalty: number;
  /** Whether every value is found exactly, and none only as rounded. */
  readonly isExact: boolean;
};

export type Alignments = {
  /** Most plausible first. */
  readonly alignments: readonly Alignment[];
  /** Choices of places that were looked at. */
  readonly tried: number;
  /** Why there is none. */
  readonly problem?: string;
};

/** More choices than any message of real values has; only values like 1 stand in so many places. */
const MAX_CHOICES = 20_000;

type Choice = {
  readonly feedId: NumberReading;
  readonly price: PriceReading;
  readonly publishTime: TimeReading;
  readonly expiry: TimeReading;
  readonly date: number;
};

/**
 * Every layout that fits all messages.
 * @param exact Whether values must be found exactly, or may be rounded in the message or beside it.
 */
export function alignMessages(messages: readonly KnownMessage[], rentalOffset: bigint, exact: boolean): Alignments {
  const readings = readFields(messages, rentalOffset, exact);
  const absent = (["feedId", "price", "publishTime", "expiry", "date"] as const).filter(
    (name) => readings[name].length === 0,
  );
  if (absent.length > 0) {
    const names = absent.map((name) => FIELD_WORDS[name]).join(", ");
    return { alignments: [], tried: 0, problem: `no bytes of the message are its ${names} in all of the items` };
  }
  const bytes = messages.map(({ message }) => message);
  const differing = bytesWhere((byte) => bytes.some((message) => message[byte] !== bytes[0]?.[byte]));
  const zero = bytesWhere((byte) => bytes.every((message) => message[byte] === 0));

  const alignments: Alignment[] = [];
  let tried = 0;
  let problem = "the places of the five fields overlap";
  for (const choice of choicesOf(readings)) {
    tried += 1;
    if (tried > MAX_CHOICES) break;
    const occupied = occupiedBy(choice);
    const exponents = readExponents(bytes, choice.price, (byte) => !occupied.has(byte));
    for (const exponent of exponents.length > 0 ? exponents : [undefined]) {
      if (!exponent && !hasFixedDecimals(choice.price)) {
        problem = "the price has different decimals in different items, and no bytes say how many";
        continue;
      }
      const taken = new Set([...occupied, ...bytesOf(exponent)]);
      const unexplained = [...differing].filter((byte) => !taken.has(byte));
      if (unexplained.length > 0) {
        problem = `bytes ${unexplained.join(", ")} differ between the items and are none of the five fields`;
        continue;
      }
      const layout = completeLayout(choice, exponent, { taken, zero, first: bytes[0] ?? new Uint8Array() });
      alignments.push({
        layout,
        penalty: penaltyOf(layout, choice, exponent) + chancePenalty(bytes, choice.price),
        isExact: choice.price.isExact && choice.publishTime.isExact && choice.expiry.isExact,
      });
    }
  }
  alignments.sort((a, b) => a.penalty - b.penalty);
  return alignments.length > 0 ? { alignments, tried } : { alignments, tried, problem };
}

const FIELD_WORDS = {
  feedId: "feed id",
  price: "price",
  publishTime: "publish time",
  expiry: "expiry",
  date: "date",
} as const;

/** Every choice of places that do not overlap with the least width that each can have. */
function* choicesOf(readings: FieldReadings): Generator<Choice> {
  for (const date of readings.date) {
    const dateBytes = span(date, DATE_LENGTH);
    for (const publishTime of readings.publishTime) {
      const withPublishTime = joined(dateBytes, footprint(publishTime));
      if (!withPublishTime) continue;
      for (const expiry of readings.expiry) {
        const withExpiry = joined(withPublishTime, footprint(expiry));
        if (!withExpiry) continue;
        for (const feedId of readings.feedId) {
          const withFeedId = joined(withExpiry, footprint(feedId));
          if (!withFeedId) continue;
          for (const price of readings.price) {
            if (joined(withFeedId, footprint(price))) yield { feedId, price, publishTime, expiry, date };
          }
        }
      }
    }
  }
}

function occupiedBy({ feedId, price, publishTime, expiry, date }: Choice): Set<number> {
  return new Set([feedId, price, publishTime, expiry].flatMap(footprint).concat(span(date, DATE_LENGTH)));
}

/** The bytes of a reading with its least width. */
function footprint(reading: NumberReading): number[] {
  const width = reading.widths[0] ?? 0;
  return span(offsetOf(reading, width), width);
}

function joined(bytes: readonly number[], more: readonly number[]): number[] | undefined {
  return more.some((byte) => bytes.includes(byte)) ? undefined : [...bytes, ...more];
}

function hasFixedDecimals({ decimals: [first = 0, ...others] }: PriceReading): boolean {
  return first >= 0 && first <= 18 && others.every((each) => each === first);
}

/** Widths beyond which a field's values never go, as far as they are accepted at all. */
function widthWanted(name: "feedId" | "price" | "publishTime" | "expiry", { price }: Choice): number {
  // Prices are below 2^60 at 8 decimals, so below 2^64 at 9 and below 2^94 at 18.
  if (name === "price") return hasFixedDecimals(price) && (price.decimals[0] ?? 0) <= 9 ? 8 : 16;
  return 8;
}

/**
 * The layout of a choice. Bytes that are zero in all messages beside the high end of a number may be part of it or
 * padding: today's messages do not tell. They go to the price first, whose future values may need them, then to the
 * others up to 8 bytes, then to whichever number they complete to 16 or 32 bytes without a rest. So a value that is
 * larger than today's is read right if it is one, and the others do not change.
 */
function completeLayout(
  choice: Choice,
  exponent: ExponentReading | undefined,
  { taken, zero, first }: { taken: ReadonlySet<number>; zero: ReadonlySet<number>; first: Uint8Array },
): MessageLayout {
  const occupied = new Set(taken);
  const names = ["price", "publishTime", "expiry", "feedId"] as const;
  const widths = { feedId: 0, price: 0, publishTime: 0, expiry: 0 };
  for (const name of names) widths[name] = choice[name].widths[0] ?? 0;
  const beyond = (name: (typeof names)[number], width: number) => {
    const reading = choice[name];
    const present = new Set(span(offsetOf(reading, widths[name]), widths[name]));
    return span(offsetOf(reading, width), width).filter((byte) => !present.has(byte));
  };
  const growTo = (name: (typeof names)[number], fits: (width: number) => boolean) => {
    const possible = choice[name].widths.filter(
      (width) => width > widths[name] && fits(width) && beyond(name, width).every((byte) => !occupied.has(byte)),
    );
    const width = possible.at(-1);
    if (width === undefined) return;
    for (const byte of beyond(name, width)) occupied.add(byte);
    widths[name] = width;
  };
  for (const name of names) growTo(name, (width) => width <= widthWanted(name, choice));
  for (const name of names) {
    growTo(name, (width) => {
      const { byteOrder, anchor } = choice[name];
      const next = byteOrder === "little" ? anchor + width : anchor - width - 1;
      return next < 0 || next >= MESSAGE_LENGTH || occupied.has(next) || !zero.has(next);
    });
  }

  const number = (name: (typeof names)[number]) => ({
    offset: offsetOf(choice[name], widths[name]),
    width: widths[name],
    byteOrder: choice[name].byteOrder,
  });
  return {
    feedId: number("feedId"),
    price: exponent
      ? {
          ...number("price"),
          exponent: { offset: exponent.offset, width: exponent.width, byteOrder: exponent.byteOrder },
        }
      : { ...number("price"), decimals: choice.price.decimals[0] ?? 0 },
    publishTime: { ...number("publishTime"), unit: choice.publishTime.unit },
    expiry: { ...number("expiry"), unit: choice.expiry.unit },
    date: { offset: choice.date },
    ...fixedRegions(occupied, zero, first),
  };
}

/** Zeros inside a constant region are part of it if they are fewer than this. */
const PADDING_INSIDE_CONSTANTS = 4;

/** Every byte that is no field: padding where it is zero, constant elsewhere. */
function fixedRegions(
  occupied: ReadonlySet<number>,
  zero: ReadonlySet<number>,
  first: Uint8Array,
): Pick<MessageLayout, "constants" | "padding"> {
  const constants: { offset: number; bytes: string }[] = [];
  const padding: { offset: number; length: number }[] = [];
  for (let byte = 0; byte < MESSAGE_LENGTH; ) {
    if (occupied.has(byte)) {
      byte += 1;
      continue;
    }
    const start = byte;
    const isPadding = zero.has(start);
    const runOfZeros = (from: number) => {
      let end = from;
      while (end < MESSAGE_LENGTH && !occupied.has(end) && zero.has(end)) end += 1;
      return end;
    };
    if (isPadding) {
      byte = runOfZeros(start);
      padding.push({ offset: start, length: byte - start });
      continue;
    }
    while (byte < MESSAGE_LENGTH && !occupied.has(byte)) {
      const end = runOfZeros(byte);
      const isInside = end < MESSAGE_LENGTH && !occupied.has(end) && end - byte < PADDING_INSIDE_CONSTANTS;
      if (end > byte && !isInside) break;
      byte = end + 1;
    }
    constants.push({ offset: start, bytes: `0x${Buffer.from(first.subarray(start, byte)).toString("hex")}` });
  }
  return { constants, padding };
}

/** What speaks against a choice: what is usual is not certain, but all there is to go by where bytes do not decide. */
function penaltyOf(layout: MessageLayout, choice: Choice, exponent: ExponentReading | undefined): number {
  const { feedId, price, publishTime, expiry } = choice;
  const inexact = [price, publishTime, expiry].filter(({ isExact }) => !isExact).length;
  const bigEndian = [feedId, price, publishTime, expiry].filter(({ byteOrder }) => byteOrder === "big").length;
  const offsets = [feedId, price, publishTime, expiry].map((reading) => footprint(reading)[0] ?? 0).concat(choice.date);
  const inversions = offsets.flatMap((offset, index) => offsets.slice(index + 1).filter((later) => later < offset));
  return (
    100 * inexact +
    (exponent ? exponentPenalty(exponent, price) : price.decimals[0] === 8 ? 0 : 1) +
    3 * Math.min(bigEndian, 4 - bigEndian) +
    (publishTime.unit === expiry.unit ? 0 : 4) +
    layout.constants.length +
    layout.padding.length +
    inversions.length / 10
  );
}

/** A price of one or two bytes may stand anywhere by chance. */
function chancePenalty(messages: readonly Uint8Array[], price: PriceReading): number {
  const low = footprint(price);
  if (price.byteOrder === "big") low.reverse();
  const lengths = messages.map((message) => low.findLastIndex((byte) => message[byte] !== 0) + 1);
  return 5 * Math.max(0, 3 - Math.max(...lengths));
}

/**
 * Where a layout reads its five fields, and in which unit. Layouts that agree in this read no message differently that
 * both accept: they may differ in bytes that are zero today, and in what they call constant.
 */
export function readingPlacesOf({ feedId, price, publishTime, expiry, date }: MessageLayout): string {
  const place = ({ byteOrder, offset, width }: NumberField) =>
    `${byteOrder} ${byteOrder === "little" ? offset : offset + width}`;
  return [
    place(feedId),
    place(price),
    `${place(publishTime)} ${publishTime.unit}`,
    `${place(expiry)} ${expiry.unit}`,
    date.offset,
  ].join(", ");
}

/** The same, and where the exponent stands: of two places for it, only one can be right. */
export function meaningOf(layout: MessageLayout): string {
  const { price } = layout;
  const scale =
    "exponent" in price
      ? `exponent ${price.exponent.byteOrder} ${price.exponent.offset}`
      : `${price.decimals} decimals`;
  return `${readingPlacesOf(layout)}, ${scale}`;
}

function bytesOf(exponent: ExponentReading | undefined): number[] {
  return exponent ? span(exponent.offset, exponent.width) : [];
}

function bytesWhere(holds: (byte: number) => boolean): Set<number> {
  return new Set(span(0, MESSAGE_LENGTH).filter(holds));
}

function span(start: number, length: number): number[] {
  return Array.from({ length }, (_, index) => start + index);
}
