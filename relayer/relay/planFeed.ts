import type { PendingPrice } from "../chain/readPendingPrices.ts";
import type { StoredPrice } from "../chain/readPrices.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import type { SignedPrice } from "../message/signedPrice.ts";
import { formatTimeMs } from "../message/timeWindows.ts";

/**
 * What a checked price calls for, and why. `planned`: a transaction; `current`: none, the chain's own will do; `failed`:
 * the chain's will not do until the next run, and this one cannot replace it, because it is older.
 */
export type FeedPlan = { readonly status: "planned" | "current" | "failed"; readonly reason: string };

/**
 * Compares a checked price with what the chain holds.
 *
 * Nothing is sent when the chain has the same date and value for long enough, a later date, or a newer word on the same
 * date; the service may sign anew on every request, and paying for each signature would buy nothing.
 *
 * @param nextRunMs When the relayer will look again.
 */
export function planFeed(price: SignedPrice, stored: StoredPrice | undefined, nextRunMs: bigint): FeedPlan {
  const { message } = price;
  if (!stored || stored.price === 0n) return { status: "planned", reason: "the chain holds no price of this feed" };
  if (stored.day > message.day) {
    return leave(price, stored, nextRunMs, `the chain holds a later date, ${dateOfDay(stored.day)}`);
  }
  if (stored.day < message.day) {
    return { status: "planned", reason: `new date, the chain holds ${dateOfDay(stored.day)}` };
  }
  // The chain gives whole seconds: within the same second it cannot be told which is newer, and a try costs a simulation.
  if (message.publishTimeMs / 1000n < stored.publishTime) {
    return leave(price, stored, nextRunMs, "the chain holds a newer price of this date");
  }
  if (stored.price !== message.price) {
    return { status: "planned", reason: `revised, the chain holds ${formatPrice(stored.price)}` };
  }
  if (lastsLongEnough(price, stored, nextRunMs)) return { status: "current", reason: "the chain holds the same price" };
  return { status: "planned", reason: "the same price, but the one on the chain would expire before the next run" };
}

/** Whether the chain's price is served until the relayer looks again, or as long as the one received would be. */
export function lastsLongEnough({ message }: SignedPrice, { expiry }: StoredPrice, nextRunMs: bigint): boolean {
  return expiry >= message.expiryMs / 1000n || expiry * 1000n >= nextRunMs;
}

/** Whether what waits in quarantine is this price, or a newer word on its date. */
export function waitsAlready({ message }: SignedPrice, waiting: PendingPrice): boolean {
  if (waiting.day !== message.day) return waiting.day > message.day;
  return waiting.price === message.price || waiting.publishTime > message.publishTimeMs / 1000n;
}

/** For a price that the contract would not take, because the chain's is newer. */
function leave(price: SignedPrice, stored: StoredPrice, nextRunMs: bigint, reason: string): FeedPlan {
  if (lastsLongEnough(price, stored, nextRunMs)) return { status: "current", reason };
  const expiry = formatTimeMs(stored.expiry * 1000n);
  return {
    status: "failed",
    reason: `${reason}, but that expires at ${expiry}, and the service's older one cannot replace it`,
  };
}
