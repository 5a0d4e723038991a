import { bytesToHex } from "viem";
import { type Decimal, formatDecimal, sameDecimal, scaleDecimal } from "./decimalPrice.ts";
import { checkSignature, type Ed25519PublicKey } from "./ed25519.ts";
import { DEFAULT_RENTAL_OFFSET, type FeedKind, feedIdOf, feedOf } from "./feedId.ts";
import { MESSAGE_LENGTH, type MessageLayout } from "./messageLayout.ts";
import {
  type CheckedPriceMessage,
  checkPriceMessage,
  decodePriceMessage,
  encodePriceMessage,
  type PriceMessage,
} from "./priceMessage.ts";
import { accepted, type Checked, refused } from "./refusal.ts";
import { checkTimeWindows, DEFAULT_WINDOWS, type TimeWindows } from "./timeWindows.ts";
import { SIGNATURE_LENGTH } from "./update.ts";

/** One price of a latest answer as received: the bytes that were signed, and what the answer says beside them. */
export type ReceivedPrice = {
  readonly marketId: bigint;
  readonly kind: FeedKind;
  readonly signature: Uint8Array;
  /** The signed bytes. Where they are absent, they are rebuilt from the fields below. */
  readonly message?: Uint8Array;
  readonly publicKey?: Uint8Array;
  readonly date?: string;
  readonly price?: Decimal;
  readonly publishTimeMs?: bigint;
  readonly expiryMs?: bigint;
};

/** A price whose message, signature and time windows have all been checked. */
export type SignedPrice = {
  readonly feedId: bigint;
  readonly marketId: bigint;
  readonly kind: FeedKind;
  /** The 74 signed bytes. */
  readonly messageBytes: Uint8Array;
  readonly signature: Uint8Array;
  /** x of the signature's R: the hint that spares the contract an inversion. */
  readonly xOfR: bigint;
  readonly message: CheckedPriceMessage;
  readonly publicKey: Ed25519PublicKey;
};

export type SignedPriceRules = {
  readonly layout: MessageLayout;
  readonly publicKey: Ed25519PublicKey;
  readonly rentalOffset?: bigint;
  readonly windows?: TimeWindows;
};

/**
 * Every check of a received price that needs no chain, in the order of the contract: message, price, date, windows,
 * agreement with the fields beside it, signature. Refuses with the first that fails.
 *
 * A message that is present is the only thing verified; the fields beside it may only repeat it.
 */
export function checkReceivedPrice(
  received: ReceivedPrice,
  nowMs: bigint,
  { layout, publicKey, rentalOffset = DEFAULT_RENTAL_OFFSET, windows = DEFAULT_WINDOWS }: SignedPriceRules,
): Checked<SignedPrice> {
  const bytes = messageBytesOf(received, layout, rentalOffset);
  if (!bytes.ok) return bytes;
  const decoded = decodePriceMessage(bytes.value, layout);
  if (!decoded.ok) return decoded;
  const checked = checkPriceMessage(decoded.value, rentalOffset);
  if (!checked.ok) return checked;
  const message = checked.value;

  const feed = checkFeed(received, message, rentalOffset);
  if (!feed.ok) return feed;
  const windowed = checkTimeWindows(message, nowMs, windows);
  if (!windowed.ok) return windowed;
  const agreeing = checkAgreement(received, message);
  if (!agreeing.ok) return agreeing;
  if (received.publicKey && !sameBytes(received.publicKey, publicKey.bytes)) {
    return refused(
      "UnknownSigner",
      `signed with key ${bytesToHex(received.publicKey)}, not with the configured ${publicKey.hex}`,
    );
  }
  if (received.signature.length !== SIGNATURE_LENGTH) {
    return refused("InvalidSignature", `the signature has ${received.signature.length} bytes, not ${SIGNATURE_LENGTH}`);
  }
  const signature = checkSignature(publicKey, bytes.value, received.signature);
  if (!signature.valid) return refused("InvalidSignature", signature.reason);
  return accepted({
    feedId: message.feedId,
    marketId: received.marketId,
    kind: received.kind,
    messageBytes: bytes.value,
    signature: received.signature,
    xOfR: signature.xOfR,
    message,
    publicKey,
  });
}

/** 10^78 is above 2^256, more than the widest price field holds. */
const MAX_REBUILT_SHIFT = 78;

/** The bytes to verify: those received, or those rebuilt from the fields when none were. Nothing is verified here. */
export function messageBytesOf(
  received: ReceivedPrice,
  layout: MessageLayout,
  rentalOffset: bigint,
): Checked<Uint8Array> {
  if (received.message) {
    const { length } = received.message;
    if (length === MESSAGE_LENGTH) return accepted(received.message);
    return refused("InvalidMessageLength", `the message has ${length} bytes, not ${MESSAGE_LENGTH}`);
  }
  const { date, price, publishTimeMs, expiryMs } = received;
  if (date === undefined || price === undefined || publishTimeMs === undefined || expiryMs === undefined) {
    const absent = Object.entries({ date, price, publishTimeMs, expiryMs })
      .filter(([, value]) => value === undefined)
      .map(([name]) => name);
    return refused("MalformedItem", `no message came, and without ${absent.join(", ")} it cannot be rebuilt`);
  }
  if ("exponent" in layout.price) {
    return refused("MalformedItem", "no message came, and the layout's price exponent does not follow from the price");
  }
  const { decimals } = layout.price;
  const shift = price.exponent + decimals;
  if (shift < 0 && price.mantissa % 10n ** BigInt(-shift) !== 0n) {
    return refused("MalformedItem", `no message came, and the price has more than the layout's ${decimals} decimals`);
  }
  if (shift > MAX_REBUILT_SHIFT) {
    return refused("MalformedItem", "no message came, and the price is too large for any message");
  }
  const fields: PriceMessage = {
    feedId: feedIdOf(received, rentalOffset),
    priceMantissa: scaleDecimal(price, decimals),
    priceExponent: -decimals,
    publishTimeMs,
    expiryMs,
    date,
  };
  try {
    return accepted(encodePriceMessage(fields, layout));
  } catch (error) {
    if (error instanceof RangeError) return refused("MalformedItem", `the message cannot be rebuilt: ${error.message}`);
    throw error;
  }
}

/** A price answers for one market and kind only; the rental offset inside the message tells them apart. */
export function checkFeed(received: ReceivedPrice, message: PriceMessage, rentalOffset: bigint): Checked<PriceMessage> {
  const expected = feedIdOf(received, rentalOffset);
  if (message.feedId === expected) return accepted(message);
  const feed = feedOf(message.feedId, rentalOffset);
  const found = feed ? `the ${feed.kind} price of market ${feed.marketId}` : `feed ${message.feedId}`;
  return refused(
    "WrongFeed",
    `the message is ${found}, sent as the ${received.kind} price of market ${received.marketId}`,
  );
}

/** The fields beside a message may only repeat it. */
export function checkAgreement(received: ReceivedPrice, message: PriceMessage): Checked<PriceMessage> {
  const { date, price, publishTimeMs, expiryMs } = received;
  const signed: Decimal = { mantissa: message.priceMantissa, exponent: message.priceExponent };
  const differences = [
    date !== undefined && date !== message.date && `date ${date}, signed ${message.date}`,
    price !== undefined &&
      !sameDecimal(price, signed) &&
      `price ${formatDecimal(price)}, signed ${formatDecimal(signed)}`,
    publishTimeMs !== undefined &&
      publishTimeMs !== message.publishTimeMs &&
      `publish time ${publishTimeMs}, signed ${message.publishTimeMs}`,
    expiryMs !== undefined && expiryMs !== message.expiryMs && `expiry ${expiryMs}, signed ${message.expiryMs}`,
  ].filter((difference) => difference !== false);
  if (differences.length === 0) return accepted(message);
  return refused("MessageMismatch", `the answer differs from the message it carries: ${differences.join("; ")}`);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
