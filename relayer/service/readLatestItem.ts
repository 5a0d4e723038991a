import { type Decimal, parseDecimal } from "../message/decimalPrice.ts";
import type { FeedKind } from "../message/feedId.ts";
import { MESSAGE_LENGTH } from "../message/messageLayout.ts";
import { accepted, type Checked, refused } from "../message/refusal.ts";
import type { ReceivedPrice } from "../message/signedPrice.ts";
import { SIGNATURE_LENGTH } from "../message/update.ts";
import { decodeBytes, decodeBytesOfAnyLength } from "./byteEncoding.ts";
import type { CleanText } from "./foreignText.ts";
import { type LatestResponseFields, valueAt } from "./latestResponseFields.ts";

/** Bytes of an Ed25519 public key (RFC 8032, section 5.1.5). */
const PUBLIC_KEY_LENGTH = 32;

/** Longest number or text of one that is looked at. */
const MAX_NUMBER_LENGTH = 100;

/** A field that does not hold what it should; caught below, where it becomes a refusal. */
class UnreadableField extends Error {}

/** The market that an item speaks of, or `undefined` when it does not say so in digits. */
export function readMarketId(item: unknown, { marketId }: LatestResponseFields): bigint | undefined {
  return toInteger(valueAt(item, marketId));
}

/** Reads one item of a latest answer. Nothing is verified here; an item that cannot be read is refused with the field's name. */
export function readLatestItem(
  item: unknown,
  marketId: bigint,
  kind: FeedKind,
  fields: LatestResponseFields,
  clean: CleanText,
): Checked<ReceivedPrice> {
  const unreadable = (path: string, expected: string): never => {
    throw new UnreadableField(`${path} is ${show(valueAt(item, path), clean)}, not ${expected}`);
  };
  const text = (path: string): string | undefined => {
    const value = valueAt(item, path);
    return value === undefined || typeof value === "string" ? value : unreadable(path, "text");
  };
  const bytes = (path: string, length: number, decode = decodeBytes): Uint8Array | undefined => {
    const encoded = text(path);
    if (encoded === undefined) return undefined;
    return decode(encoded, length) ?? unreadable(path, `${length} bytes in hex, 0x-hex, base64 or base64url`);
  };
  const price = (path: string): Decimal | undefined => {
    const value = valueAt(item, path);
    return value === undefined ? undefined : (toDecimal(value) ?? unreadable(path, "a decimal number"));
  };
  const timeMs = (path: string, unit: "ms" | "s"): bigint | undefined => {
    const value = valueAt(item, path);
    if (value === undefined) return undefined;
    const time = toInteger(value) ?? unreadable(path, `a whole number of ${unit} since 1970`);
    return unit === "s" ? time * 1000n : time;
  };

  try {
    const signature = bytes(fields.signature, SIGNATURE_LENGTH);
    if (!signature) return refused("MalformedItem", `the item has no ${fields.signature}`);
    return accepted({
      marketId,
      kind,
      signature,
      ...present("message", bytes(fields.message, MESSAGE_LENGTH, decodeBytesOfAnyLength)),
      ...present("publicKey", bytes(fields.publicKey, PUBLIC_KEY_LENGTH)),
      ...present("date", text(fields.date)),
      ...present("price", price(fields.price)),
      ...present("publishTimeMs", timeMs(fields.publishTime, fields.publishTimeUnit)),
      ...present("expiryMs", timeMs(fields.expiry, fields.expiryUnit)),
    });
  } catch (error) {
    if (error instanceof UnreadableField) return refused("MalformedItem", error.message);
    throw error;
  }
}

/** An optional property: absent rather than undefined. */
function present<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: Value };
}

/** A number or its text, exactly; numbers that a double cannot hold arrive as text. */
function toDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const text = String(value);
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  try {
    return parseDecimal(text);
  } catch {
    return undefined;
  }
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > MAX_NUMBER_LENGTH || !/^\d+$/.test(value)) return undefined;
  return BigInt(value);
}

/** A value for a message: short, and with its length where it is longer. */
function show(value: unknown, clean: CleanText): string {
  if (typeof value !== "string")
    return value === null || typeof value !== "object"
      ? String(value)
      : `an ${Array.isArray(value) ? "array" : "object"}`;
  return value.length > 40
    ? `${clean(JSON.stringify(value), 40)} (${value.length} characters)`
    : clean(JSON.stringify(value));
}
