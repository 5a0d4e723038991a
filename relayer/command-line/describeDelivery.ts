import type { Delivery, HistoryEntry } from "../journal/journal.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import { feedOf } from "../message/feedId.ts";
import { formatTimeMs } from "../message/timeWindows.ts";

/** A delivery in words and digits: what `homeprice history` prints. */
export type DescribedDelivery = {
  readonly date: string;
  readonly feedId: string;
  readonly marketId: string;
  readonly kind: string;
  readonly chainId: number;
  readonly oracle: string;
  readonly price: string;
  readonly state: Delivery["state"];
  readonly reason: string | null;
  readonly publishTime: string;
  readonly expiry: string;
  readonly receivedAt: string;
  readonly plannedAt: string | null;
  readonly sentAt: string | null;
  readonly minedAt: string | null;
  readonly finalAt: string | null;
  /** The one that was mined; the newest as long as none was. */
  readonly transaction: string | null;
  readonly block: string | null;
};

export function describeDelivery({ delivery, price, attempt }: HistoryEntry, rentalOffset: bigint): DescribedDelivery {
  const feed = feedOf(delivery.feedId, rentalOffset);
  return {
    date: dateOfDay(delivery.day),
    feedId: delivery.feedId.toString(),
    marketId: feed?.marketId.toString() ?? "",
    kind: feed?.kind ?? "",
    chainId: delivery.target.chainId,
    oracle: delivery.target.oracle,
    price: formatPrice(price.price),
    state: delivery.state,
    reason: delivery.reason ?? null,
    publishTime: formatTimeMs(price.publishTimeMs),
    expiry: formatTimeMs(price.expiryMs),
    receivedAt: formatTimeMs(price.receivedAtMs),
    plannedAt: timeOrNull(delivery.plannedAtMs),
    sentAt: timeOrNull(delivery.sentAtMs),
    minedAt: timeOrNull(delivery.minedAtMs),
    finalAt: timeOrNull(delivery.finalAtMs),
    transaction: attempt?.mined?.hash ?? attempt?.transactions.at(-1)?.hash ?? null,
    block: attempt?.mined?.blockNumber.toString() ?? null,
  };
}

function timeOrNull(timeMs: bigint | undefined): string | null {
  return timeMs === undefined ? null : formatTimeMs(timeMs);
}
