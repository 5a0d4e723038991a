import { bytesToHex, type Hex, keccak256 } from "viem";
import {
  constantBytesOf,
  DATE_LENGTH,
  MESSAGE_LENGTH,
  type MessageLayout,
  type NumberField,
  type TimeField,
} from "../message/messageLayout.ts";

/** A layout as the contract takes it (`PriceMessageLayout`). */
export type OnChainLayout = {
  feedId: OnChainNumberField;
  price: OnChainNumberField;
  priceDecimals: number;
  priceExponent: OnChainNumberField;
  publishTime: OnChainTimeField;
  expiry: OnChainTimeField;
  dateOffset: number;
  constantBytes: Hex;
};

type OnChainNumberField = { offset: number; width: number; bigEndian: boolean };
type OnChainTimeField = OnChainNumberField & { inSeconds: boolean };

/** The contract's form of a layout. */
export function toOnChainLayout(layout: MessageLayout): OnChainLayout {
  const { price } = layout;
  const exponent = "exponent" in price ? price.exponent : undefined;
  return {
    feedId: toNumberField(layout.feedId),
    price: toNumberField(price),
    priceDecimals: "decimals" in price ? price.decimals : 0,
    priceExponent: exponent ? toNumberField(exponent) : { offset: 0, width: 0, bigEndian: false },
    publishTime: toTimeField(layout.publishTime),
    expiry: toTimeField(layout.expiry),
    dateOffset: layout.date.offset,
    constantBytes: bytesToHex(constantBytesOf(layout)),
  };
}

/**
 * What the contract stores of a layout (`PackedLayout` and the hash of the constant bytes), to compare a configured
 * layout with a signer's record.
 */
export function packLayout(layout: MessageLayout): { packed: bigint; constantsHash: Hex } {
  const { feedId, price, priceDecimals, priceExponent, publishTime, expiry, dateOffset, constantBytes } =
    toOnChainLayout(layout);
  const packed =
    packField(feedId) |
    (packField(price) << 14n) |
    (packField(priceExponent) << 28n) |
    (BigInt(priceDecimals) << 42n) |
    (packTimeField(publishTime) << 47n) |
    (packTimeField(expiry) << 62n) |
    (BigInt(dateOffset) << 77n);
  return { packed, constantsHash: keccak256(constantBytes) };
}

/**
 * The layout of a signer's record. The record keeps only the hash of the constant bytes, so a message of that signer
 * has to say what they are; `undefined` when the bytes that it has there are not the signer's.
 * @param message The 74 bytes of a price message.
 */
export function unpackLayout(
  { packed, constantsHash }: { readonly packed: bigint; readonly constantsHash: Hex },
  message: Uint8Array,
): MessageLayout | undefined {
  if (message.length !== MESSAGE_LENGTH) return undefined;
  const feedId = unpackField(packed);
  const price = unpackField(packed >> 14n);
  const exponent = unpackField(packed >> 28n);
  const publishTime = unpackTimeField(packed >> 47n);
  const expiry = unpackTimeField(packed >> 62n);
  const date = { offset: Number((packed >> 77n) & 0x7fn) };
  const exponentWidth = ([1, 2, 4] as const).find((width) => width === exponent.width);

  const fields = [feedId, price, exponent, publishTime, expiry, { ...date, width: DATE_LENGTH }];
  const constants: { offset: number; bytes: Hex }[] = [];
  let end = 0;
  for (const { offset, width } of fields.filter((field) => field.width > 0).sort((a, b) => a.offset - b.offset)) {
    if (offset > end) constants.push({ offset: end, bytes: bytesToHex(message.subarray(end, offset)) });
    end = offset + width;
  }
  if (end < MESSAGE_LENGTH) constants.push({ offset: end, bytes: bytesToHex(message.subarray(end)) });

  const layout: MessageLayout = {
    feedId,
    price: exponentWidth
      ? { ...price, exponent: { ...exponent, width: exponentWidth } }
      : { ...price, decimals: Number((packed >> 42n) & 0x1fn) },
    publishTime,
    expiry,
    date,
    constants,
    padding: [],
  };
  return keccak256(constantBytesOf(layout)) === constantsHash ? layout : undefined;
}

function unpackField(packed: bigint): NumberField {
  return {
    offset: Number(packed & 0x7fn),
    width: Number((packed >> 7n) & 0x3fn),
    byteOrder: (packed >> 13n) & 1n ? "big" : "little",
  };
}

function unpackTimeField(packed: bigint): TimeField {
  return { ...unpackField(packed), unit: (packed >> 14n) & 1n ? "s" : "ms" };
}

function toNumberField({ offset, width, byteOrder }: NumberField): OnChainNumberField {
  return { offset, width, bigEndian: byteOrder === "big" };
}

function toTimeField(field: TimeField): OnChainTimeField {
  return { ...toNumberField(field), inSeconds: field.unit === "s" };
}

function packField({ offset, width, bigEndian }: OnChainNumberField): bigint {
  return BigInt(offset) | (BigInt(width) << 7n) | (bigEndian ? 1n << 13n : 0n);
}

function packTimeField(field: OnChainTimeField): bigint {
  return packField(field) | (field.inSeconds ? 1n << 14n : 0n);
}
