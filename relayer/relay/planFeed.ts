import type { StoredPrice } from "../chain/readPrices.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import type { SignedPrice } from "../message/signedPrice.ts";

/** Whether a checked price is worth a transaction, and why. */
export type FeedPlan = { readonly send: boolean; readonly reason: string };

/**
 * Compares a checked price with what the chain holds.
 *
 * Nothing is sent when the chain has the same date and value for long enough, a later date, or a newer word on the same
 * date; the service may sign anew on every request, and paying for each signature would buy nothing.
 *
 * @param nextRunMs When the relayer will look again.
 */
export function planFeed({ message }: SignedPrice, stored: StoredPrice | undefined, nextRunMs: bigint): FeedPlan {
  if (!stored || stored.price === 0n) return { send: true, reason: "the chain holds no price of this feed" };
  if (stored.day > message.day) {
    return { send: false, reason: `the chain holds a later date, ${dateOfDay(stored.day)}` };
  }
  if (stored.day < message.day) {
    return { send: true, reason: `new date, the chain holds ${dateOfDay(stored.day)}` };
  }
  // The chain gives whole seconds: within the same second it cannot be told which is newer, and a try costs a simulation.
  if (message.publishTimeMs / 1000n < stored.publishTime) {
    return { send: false, reason: "the chain holds a newer price of this date" };
  }
  if (stored.price !== message.price) {
    return { send: true, reason: `revised, the chain holds ${formatPrice(stored.price)}` };
  }
  const storedExpiryMs = stored.expiry * 1000n;
  if (stored.expiry >= message.expiryMs / 1000n || storedExpiryMs >= nextRunMs) {
    return { send: false, reason: "the chain holds the same price" };
  }
  return { send: true, reason: "the same price, but the one on the chain would expire before the next run" };
}
