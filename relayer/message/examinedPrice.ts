import type { MessageLayout } from "./messageLayout.ts";
import { type CheckedPriceMessage, checkPriceMessage, decodePriceMessage } from "./priceMessage.ts";
import type { Checked } from "./refusal.ts";
import { checkAgreement, checkFeed, messageBytesOf, type ReceivedPrice } from "./signedPrice.ts";

/** A price as it came, with what can be said of it without a clock and without a key. */
export type ExaminedPrice = {
  readonly received: ReceivedPrice;
  /** The signed bytes, received or rebuilt. */
  readonly bytes: Checked<Uint8Array>;
  /** What they say by the configured layout, when that makes sense and agrees with the fields beside them. */
  readonly message: Checked<CheckedPriceMessage>;
};

/** Takes a received price apart by the configured layout. */
export function examinePrice(
  received: ReceivedPrice,
  { layout, rentalOffset }: { readonly layout: MessageLayout; readonly rentalOffset: bigint },
): ExaminedPrice {
  const bytes = messageBytesOf(received, layout, rentalOffset);
  if (!bytes.ok) return { received, bytes, message: bytes };
  const decoded = decodePriceMessage(bytes.value, layout);
  if (!decoded.ok) return { received, bytes, message: decoded };
  const message = checkPriceMessage(decoded.value, rentalOffset);
  if (!message.ok) return { received, bytes, message };
  const feed = checkFeed(received, message.value, rentalOffset);
  if (!feed.ok) return { received, bytes, message: feed };
  const agreement = checkAgreement(received, message.value);
  return { received, bytes, message: agreement.ok ? message : agreement };
}
