import type { PendingPrice } from "../chain/readPendingPrices.ts";
import type { StoredPrice } from "../chain/readPrices.ts";
import type { Attempt } from "../journal/journal.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import { formatTimeMs } from "../message/timeWindows.ts";

/** What is compared of a signed price. */
export type ComparablePrice = {
  /** 8 decimals. */
  readonly price: bigint;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly publishTimeMs: bigint;
  readonly expiryMs: bigint;
};

/**
 * What a feed's newest price calls for, and why. `planned`: a transaction; `current`: none, the chain's own will do;
 * `failed`: the chain's will not do until the next run, and this one cannot help; `waiting`: it is on the chain, in
 * quarantine; `under-way`: it is in a transaction of ours; `none`: there is no price.
 */
export type PriceJudgement =
  | { readonly status: "planned" | "current" | "failed" | "waiting" | "none"; readonly reason: string }
  | { readonly status: "under-way"; readonly reason: string; readonly attempt: Attempt };

/**
 * Compares a checked price with what the chain holds.
 *
 * Nothing is sent when the chain has the same date and value for long enough, a later date, or a newer word on the same
 * date; the service may sign anew on every request, and paying for each signature would buy nothing.
 *
 * @param nextRunMs When the relayer will look again.
 */
export function judgePrice(
  price: ComparablePrice,
  stored: StoredPrice | undefined,
  nextRunMs: bigint,
): { readonly status: "planned" | "current" | "failed"; readonly reason: string } {
  if (!stored || stored.price === 0n) return { status: "planned", reason: "the chain holds no price of this feed" };
  if (stored.day > price.day) {
    return leave(price, stored, nextRunMs, `the chain holds a later date, ${dateOfDay(stored.day)}`);
  }
  if (stored.day < price.day) {
    return { status: "planned", reason: `new date, the chain holds ${dateOfDay(stored.day)}` };
  }
  // The chain gives whole seconds: within the same second it cannot be told which is newer, and a try costs a simulation.
  if (price.publishTimeMs / 1000n < stored.publishTime) {
    return leave(price, stored, nextRunMs, "the chain holds a newer price of this date");
  }
  if (stored.price !== price.price) {
    return { status: "planned", reason: `revised, the chain holds ${formatPrice(stored.price)}` };
  }
  if (lastsLongEnough(price, stored, nextRunMs)) return { status: "current", reason: "the chain holds the same price" };
  return { status: "planned", reason: "the same price, but the one on the chain would expire before the next run" };
}

/** Whether the chain holds just this price. */
export function isSame(price: ComparablePrice, stored: StoredPrice | undefined): boolean {
  return (
    stored?.day === price.day && stored.publishTime === price.publishTimeMs / 1000n && stored.price === price.price
  );
}

/** Whether what waits in quarantine is this price, or a newer word on its date. */
export function waitsAlready(price: ComparablePrice, waiting: PendingPrice): boolean {
  if (waiting.day !== price.day) return waiting.day > price.day;
  return waiting.price === price.price || waiting.publishTime > price.publishTimeMs / 1000n;
}

/** Whether the chain's price is served until the relayer looks again, or as long as the one received would be. */
function lastsLongEnough(price: ComparablePrice, { expiry }: StoredPrice, nextRunMs: bigint): boolean {
  return expiry >= price.expiryMs / 1000n || expiry * 1000n >= nextRunMs;
}

/** For a price that the contract would not take, because the chain's is newer. */
function leave(price: ComparablePrice, stored: StoredPrice, nextRunMs: bigint, reason: string) {
  if (lastsLongEnough(price, stored, nextRunMs)) return { status: "current" as const, reason };
  const expiry = formatTimeMs(stored.expiry * 1000n);
  return {
    status: "failed" as const,
    reason: `${reason}, but that expires at ${expiry}, and the service's older one cannot replace it`,
  };
}
