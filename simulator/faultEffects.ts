import { dateOfDay, dayOfDate, startOfDayMs } from "../relayer/message/calendarDate.ts";
import { formatDecimal, formatPrice, parseDecimal } from "../relayer/message/decimalPrice.ts";
import { feedIdOf, feedOf } from "../relayer/message/feedId.ts";
import type { MessageLayout } from "../relayer/message/messageLayout.ts";
import type { PriceMessage } from "../relayer/message/priceMessage.ts";
import { DEFAULT_WINDOWS } from "../relayer/message/timeWindows.ts";
import type { FeedFaultKind } from "./faults.ts";
import type { PriceItem } from "./priceItem.ts";
import type { PriceRow } from "./priceTable.ts";
import { reversedLayout } from "./reversedLayout.ts";

const SECOND_MS = 1_000n;
const MINUTE_MS = 60n * SECOND_MS;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 24n * HOUR_MS;

/** How long after an edition a price of it is revised at the latest. */
const REVISED_AFTER_MS = 30n * MINUTE_MS;

/** What a fault may depend on. */
export type FaultCircumstances = {
  /** Unix milliseconds. */
  readonly nowMs: bigint;
  readonly rentalOffset: bigint;
};

/** At which steps of making an item a fault takes hold. Several faults of one feed add up. */
export type FaultEffect = {
  /** On the price as its source has it. */
  readonly row?: (row: PriceRow) => PriceRow;
  /** On what the service knows, before its own checks. */
  readonly source?: (fields: PriceMessage, circumstances: FaultCircumstances) => PriceMessage;
  /** On what is signed, after the service's own checks. */
  readonly fields?: (fields: PriceMessage, circumstances: FaultCircumstances) => PriceMessage;
  /** On where the fields stand in the message. */
  readonly layout?: (layout: MessageLayout) => MessageLayout;
  /** On the bytes that are signed. */
  readonly bytes?: (message: Uint8Array) => Uint8Array;
  /** A key other than the service's present one signs. */
  readonly key?: "foreign" | "next";
  /** On the finished item. */
  readonly item?: (item: PriceItem) => PriceItem;
};

/** Feed faults that change an item; the others decide which items there are. */
export type ItemFaultKind = Exclude<FeedFaultKind, "omitted" | "server-error" | "late-edition">;

const EFFECTS: Readonly<Record<ItemFaultKind, FaultEffect>> = {
  "bad-signature": { item: (item) => ({ ...item, signature: withFlippedBitOfS(item.signature) }) },
  "unknown-signer": { key: "foreign" },
  "rotated-key": { key: "next" },
  "changed-layout": { layout: reversedLayout },
  "wrong-kind": {
    fields: (fields, { rentalOffset }) => ({ ...fields, feedId: feedIdOfOtherKind(fields.feedId, rentalOffset) }),
  },
  mismatch: { item: (item) => ({ ...item, price: nextDecimal(item.price) }) },
  "short-message": { bytes: (message) => message.slice(0, -1) },
  "long-message": { bytes: (message) => Uint8Array.of(...message, 0) },
  expired: { fields: (fields, { nowMs }) => ({ ...fields, expiryMs: nowMs - SECOND_MS }) },
  "expiry-too-far": {
    // The clock runs on between signing and checking: with less to spare a slow check would find nothing wrong.
    fields: (fields, { nowMs }) => ({
      ...fields,
      expiryMs: nowMs + DEFAULT_WINDOWS.maxExpiryAheadMs + 30n * SECOND_MS,
    }),
  },
  "publish-too-old": { fields: (fields, { nowMs }) => publishedAt(nowMs - 49n * HOUR_MS, fields, nowMs) },
  "publish-too-far-ahead": {
    fields: (fields, { nowMs }) => ({ ...fields, publishTimeMs: nowMs + 61n * MINUTE_MS }),
  },
  "wrong-date": { fields: (fields) => ({ ...fields, date: daysLater(fields.date, -1) }) },
  "future-date": { fields: (fields) => ({ ...fields, date: daysLater(fields.date, 1) }) },
  "revised-price": {
    row: (row) => ({ ...row, price: onePercentHigher(row.price) }),
    source: (fields, { nowMs }) => ({ ...fields, publishTimeMs: revisedAtMs(fields.publishTimeMs, nowMs) }),
  },
  "invalid-date": { fields: (fields) => ({ ...fields, date: "2026-02-30" }) },
  "zero-price": { fields: (fields) => ({ ...fields, priceMantissa: 0n }) },
  refuse: { source: (fields) => ({ ...fields, priceMantissa: 0n }) },
  "no-message": { item: (item) => ({ ...item, message: undefined }) },
  "no-public-key": { item: (item) => ({ ...item, publicKey: undefined }) },
  base64: { item: (item) => ({ ...item, encoding: "base64" }) },
};

export function faultEffect(kind: ItemFaultKind): FaultEffect {
  return EFFECTS[kind];
}

/** S is the second half of a signature (RFC 8032, section 5.1.6), little-endian. */
function withFlippedBitOfS(signature: Uint8Array): Uint8Array {
  const flipped = Uint8Array.from(signature);
  flipped[32] = (flipped[32] ?? 0) ^ 1;
  return flipped;
}

function feedIdOfOtherKind(feedId: bigint, rentalOffset: bigint): bigint {
  const feed = feedOf(feedId, rentalOffset);
  if (!feed) return feedId;
  return feedIdOf({ marketId: feed.marketId, kind: feed.kind === "sales" ? "rental" : "sales" }, rentalOffset);
}

/** One per cent more, or at least the smallest change, at the text's own decimals. */
function onePercentHigher(price: string): string {
  const { mantissa, exponent } = parseDecimal(price);
  const percent = mantissa / 100n;
  return formatDecimal({ mantissa: mantissa + (percent > 0n ? percent : 1n), exponent });
}

/** Half an hour after the edition, or now while that is still to come; newer than the edition in any case. */
function revisedAtMs(editionMs: bigint, nowMs: bigint): bigint {
  const latestMs = editionMs + REVISED_AFTER_MS;
  const earliestMs = editionMs + SECOND_MS;
  if (nowMs >= latestMs) return latestMs;
  return nowMs > earliestMs ? nowMs : earliestMs;
}

function daysLater(date: string, days: number): string {
  const day = dayOfDate(date);
  return day === undefined ? date : dateOfDay(day + days);
}

/** The smallest change that the text's own decimals allow. */
function nextDecimal(price: string): string {
  const { mantissa, exponent } = parseDecimal(price);
  return formatPrice(mantissa + 1n, -exponent);
}

/**
 * An earlier publish time with the date of that day, and an expiry as late as that date allows, so that the age is the
 * only thing wrong. In the hour where that is past already, the age is still the first check to fail.
 */
function publishedAt(publishTimeMs: bigint, fields: PriceMessage, nowMs: bigint): PriceMessage {
  const day = Number(publishTimeMs / DAY_MS);
  const latestMs = startOfDayMs(day) + DEFAULT_WINDOWS.maxExpiryAfterDateMs;
  return { ...fields, publishTimeMs, date: dateOfDay(day), expiryMs: latestMs > nowMs ? latestMs : nowMs + HOUR_MS };
}
