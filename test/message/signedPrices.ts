import { parseDecimal } from "../../relayer/message/decimalPrice.ts";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import { feedOf } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { encodePriceMessage, type PriceMessage } from "../../relayer/message/priceMessage.ts";
import { checkReceivedPrice, type ReceivedPrice, type SignedPrice } from "../../relayer/message/signedPrice.ts";
import { createMessageSigner, type MessageSigner } from "../../simulator/messageSigner.ts";

/** The key that signs wherever a test does not say otherwise, and one that nobody knows. */
export const SIGNER: MessageSigner = createMessageSigner(new Uint8Array(32).fill(7));
export const STRANGER: MessageSigner = createMessageSigner(new Uint8Array(32).fill(8));
export const PUBLIC_KEY = decodePublicKey(SIGNER.publicKey);

/** A Wednesday, 10:00 in New York. */
export const NOW = "2026-03-04T15:00:00Z";
export const NOW_MS = timeMs(NOW);

/** Unix milliseconds of an ISO 8601 time. */
export function timeMs(iso: string): bigint {
  return BigInt(Date.parse(iso));
}

/** What a message says where a test does not say otherwise: the sales price of that morning. */
export function priceMessage(changes: Partial<PriceMessage> & { price?: string } = {}): PriceMessage {
  const { price = "216.94", ...fields } = changes;
  const { mantissa, exponent } = parseDecimal(price);
  return {
    feedId: 5_826_765n,
    priceMantissa: mantissa * 10n ** BigInt(exponent + 8),
    priceExponent: -8,
    publishTimeMs: timeMs("2026-03-04T12:30:00Z"),
    expiryMs: timeMs("2026-03-05T13:25:00Z"),
    date: "2026-03-04",
    ...fields,
  };
}

/** A price as an item of a latest answer brings it: signed, with every field beside the message. */
export function receivedPrice(
  message: PriceMessage = priceMessage(),
  {
    layout = DEFAULT_LAYOUT,
    signer = SIGNER,
    bytes = encodePriceMessage(message, layout),
  }: { layout?: MessageLayout; signer?: MessageSigner; bytes?: Uint8Array } = {},
): ReceivedPrice {
  const feed = feedOf(message.feedId);
  if (!feed) throw new Error(`no feed ${message.feedId}`);
  return {
    ...feed,
    message: bytes,
    signature: signer.sign(bytes),
    publicKey: signer.publicKey,
    date: message.date,
    price: { mantissa: message.priceMantissa, exponent: message.priceExponent },
    publishTimeMs: message.publishTimeMs,
    expiryMs: message.expiryMs,
  };
}

/** A price that has passed every check. */
export function signedPrice(message: PriceMessage = priceMessage(), nowMs: bigint = NOW_MS): SignedPrice {
  const checked = checkReceivedPrice(receivedPrice(message), nowMs, { layout: DEFAULT_LAYOUT, publicKey: PUBLIC_KEY });
  if (!checked.ok) throw new Error(checked.refusal.message);
  return checked.value;
}

/** The same item without some of its fields. */
export function without(received: ReceivedPrice, ...names: (keyof ReceivedPrice)[]): ReceivedPrice {
  const rest = { ...received };
  for (const name of names) delete rest[name];
  return rest;
}
