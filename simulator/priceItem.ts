import { exactNumber } from "./exactJson.ts";

/** One price of a latest answer before it is written as JSON. */
export type PriceItem = {
  /** The base market id, for rental prices too. */
  readonly marketId: bigint;
  readonly date: string;
  /** Plain decimal text, USD in the unit of the feed. */
  readonly price: string;
  /** Unix milliseconds. */
  readonly publishTimeMs: bigint;
  /** Unix milliseconds. */
  readonly expiryMs: bigint;
  readonly signature: Uint8Array;
  readonly publicKey: Uint8Array | undefined;
  readonly message: Uint8Array | undefined;
  readonly encoding: "hex" | "base64";
};

/**
 * The item as the service answers it; fields without a value are left out by `JSON.stringify`. Their names are our
 * reading: the specification does not show them.
 */
export function priceItemJson(item: PriceItem, idPrefix: string): Record<string, unknown> {
  const encode = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString(item.encoding);
  return {
    [`${idPrefix}_id`]: exactNumber(item.marketId),
    date: item.date,
    price: exactNumber(item.price),
    publish_timestamp: exactNumber(item.publishTimeMs),
    expiry: exactNumber(item.expiryMs),
    signature: encode(item.signature),
    public_key: encode(item.publicKey),
    message: encode(item.message),
  };
}
