import { hexToBytes } from "viem";
import { HomePriceError } from "../../../errors/HomePriceError.ts";
import type { ArchivedPrice } from "../../../journal/journal.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../../../message/ed25519.ts";
import { feedOf } from "../../../message/feedId.ts";
import type { MessageLayout } from "../../../message/messageLayout.ts";
import { accepted, type Checked, refused } from "../../../message/refusal.ts";
import { checkReceivedPrice, type SignedPrice } from "../../../message/signedPrice.ts";
import { DEFAULT_WINDOWS } from "../../../message/timeWindows.ts";
import { checkNotFuture } from "../../../relay/futureDate.ts";

/** What a price was checked against when it came. */
export type RecheckRules = {
  readonly layout: MessageLayout;
  readonly rentalOffset: bigint;
  readonly maxExpiryAfterDateMs: bigint;
  readonly timeZone: string;
};

/**
 * Takes an archived price through every check once more, as of the time at which it was received: message, windows,
 * signature, date; and compares what the archive says beside the bytes with the bytes themselves.
 *
 * The key is the archived one: whose it is, is not for the archive to say.
 */
export function recheckPrice(archived: ArchivedPrice, rules: RecheckRules): Checked<SignedPrice> {
  const { layout, rentalOffset, maxExpiryAfterDateMs, timeZone } = rules;
  const { feedId, messageBytes, signature, receivedAtMs } = archived;
  const feed = feedOf(feedId, rentalOffset);
  if (!feed) return refused("InvalidFeedId", `${feedId} is neither a market id nor market id + ${rentalOffset}`);
  const publicKey = keyOf(archived);
  if (!publicKey.ok) return publicKey;
  const checked = checkReceivedPrice({ ...feed, message: messageBytes, signature }, receivedAtMs, {
    layout,
    publicKey: publicKey.value,
    rentalOffset,
    windows: { ...DEFAULT_WINDOWS, maxExpiryAfterDateMs },
  });
  if (!checked.ok) return checked;
  const dated = checkNotFuture(checked.value, receivedAtMs, timeZone);
  return dated.ok ? checkColumns(archived, dated.value) : dated;
}

function keyOf({ publicKey }: ArchivedPrice): Checked<Ed25519PublicKey> {
  try {
    return accepted(decodePublicKey(hexToBytes(publicKey)));
  } catch (error) {
    if (error instanceof HomePriceError) return refused("UnknownSigner", error.message);
    throw error;
  }
}

/** What the journal says beside the signed bytes may only repeat them. */
function checkColumns(archived: ArchivedPrice, price: SignedPrice): Checked<SignedPrice> {
  const { message, xOfR } = price;
  const differences = [
    archived.price !== message.price && `price ${archived.price}, signed ${message.price}`,
    archived.day !== message.day && `day ${archived.day}, signed ${message.day}`,
    archived.publishTimeMs !== message.publishTimeMs &&
      `publish time ${archived.publishTimeMs}, signed ${message.publishTimeMs}`,
    archived.expiryMs !== message.expiryMs && `expiry ${archived.expiryMs}, signed ${message.expiryMs}`,
    archived.xOfR !== xOfR && "the x of R is another one",
  ].filter((difference) => difference !== false);
  if (differences.length === 0) return accepted(price);
  return refused("MessageMismatch", `the archive differs from the message that it holds: ${differences.join("; ")}`);
}
