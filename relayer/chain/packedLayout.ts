import { bytesToHex, type Hex, keccak256 } from "viem";
import { constantBytesOf, type MessageLayout, type NumberField, type TimeField } from "../message/messageLayout.ts";

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
