import type { FeedKind } from "../relayer/message/feedId.ts";
import { toDate } from "./calendarDay.ts";
import type { FeedId } from "./feedId.ts";
import { type PriceValue, toPriceValue } from "./priceValue.ts";

/** A price that the oracle serves. */
export type FeedPrice<kind extends FeedKind = FeedKind> = {
  readonly feedId: FeedId<kind>;
  readonly price: PriceValue;
  /** When the service published it, Unix seconds. */
  readonly publishTime: bigint;
  /** Until when it is served, Unix seconds. */
  readonly expiry: bigint;
  /** The date that it is for, days since 1970-01-01. */
  readonly day: number;
  /** The same as `YYYY-MM-DD`. */
  readonly date: string;
};

/** `Price` of the contract. */
export type ContractPrice = {
  readonly price: bigint;
  readonly publishTime: bigint;
  readonly expiry: bigint;
  readonly day: number;
};

export function toFeedPrice<kind extends FeedKind>(
  feedId: FeedId<kind>,
  { price, publishTime, expiry, day }: ContractPrice,
): FeedPrice<kind> {
  return { feedId, price: toPriceValue(price), publishTime, expiry, day, date: toDate(day) };
}
