import { dateOfDay, startOfDayMs } from "../relayer/message/calendarDate.ts";
import { formatPrice, parseDecimal } from "../relayer/message/decimalPrice.ts";
import { feedIdOf, feedOf } from "../relayer/message/feedId.ts";
import type { PriceMessage } from "../relayer/message/priceMessage.ts";
import { DEFAULT_WINDOWS } from "../relayer/message/timeWindows.ts";
import type { FeedFaultKind } from "./faults.ts";
import type { PriceItem } from "./priceItem.ts";

const SECOND_MS = 1_000n;
const MINUTE_MS = 60n * SECOND_MS;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 24n * HOUR_MS;

/** What a fault may depend on. */
export type FaultCircumstances = {
  /** Unix milliseconds. */
  readonly nowMs: bigint;
  readonly rentalOffset: bigint;
};

/** At which steps of making an item a fault takes hold. A fault has one; several faults of one feed add up. */
export type FaultEffect = {
  /** On what the service knows, before its own checks. */
  readonly source?: (fields: PriceMessage) => PriceMessage;
  /** On what is signed, after the service's own checks. */
  readonly fields?: (fields: PriceMessage, circumstances: FaultCircumstances) => PriceMessage;
  /** On the bytes that are signed. */
  readonly bytes?: (message: Uint8Array) => Uint8Array;
  /** A key other than the service's signs. */
  readonly foreignKey?: true;
  /** On the finished item. */
  readonly item?: (item: PriceItem) => PriceItem;
};

/** Feed faults that change an item; the others concern the request as a whole. */
export type ItemFaultKind = Exclude<FeedFaultKind, "omitted" | "server-error">;

const EFFECTS: Readonly<Record<ItemFaultKind, FaultEffect>> = {
  "bad-signature": { item: (item) => ({ ...item, signature: withFlippedBitOfS(item.signature) }) },
  "unknown-signer": { foreignKey: true },
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
