import type { StoredPrice } from "../../relayer/chain/readPrices.ts";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { formatPrice } from "../../relayer/message/decimalPrice.ts";

/** What a chain should hold for a feed at the end of a day: one of these prices, of this date. */
export type ExpectedPrice = {
  readonly chain: string;
  readonly feedId: bigint;
  readonly day: number;
  readonly prices: readonly bigint[];
  /** Why it is expected: the span in which nothing was wrong. */
  readonly because: string;
};

/**
 * A feed is not current at the end of a day on which the service was right in time and the chain was reachable for an
 * hour.
 */
export function findFeedNotCurrent(expected: ExpectedPrice, stored: StoredPrice | undefined, nowMs: number): string[] {
  const { chain, feedId, day, prices, because } = expected;
  const isCurrent =
    stored !== undefined && stored.day === day && prices.includes(stored.price) && Number(stored.expiry) * 1000 > nowMs;
  if (isCurrent) return [];
  const held = stored && stored.price !== 0n ? `${formatPrice(stored.price)} of ${dateOfDay(stored.day)}` : "nothing";
  const wanted = prices.map((price) => formatPrice(price)).join(" or ");
  return [`${chain} holds ${held} for feed ${feedId}, not ${wanted} of ${dateOfDay(day)}, although ${because}`];
}
