import type { FeedKind } from "../relayer/message/feedId.ts";
import { toDate } from "./calendarDay.ts";
import type { FeedId } from "./feedId.ts";
import { type PriceValue, toPriceValue } from "./priceValue.ts";

/** The price of a date, from a feed's history. */
export type DailyPrice<kind extends FeedKind = FeedKind> = {
  readonly feedId: FeedId<kind>;
  readonly price: PriceValue;
  /** When the service published it, Unix seconds. */
  readonly publishTime: bigint;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The same as `YYYY-MM-DD`. */
  readonly date: string;
  /** Number of the signer whose signature it carried. */
  readonly signer: number;
  /** Whether the oracle took another price for this date before. */
  readonly isRevised: boolean;
};

/** `DailyPrice` of the contract. */
export type ContractDailyPrice = {
  readonly price: bigint;
  readonly publishTime: bigint;
  readonly day: number;
  readonly signer: number;
  readonly isRevised: boolean;
};

export function toDailyPrice<kind extends FeedKind>(
  feedId: FeedId<kind>,
  { price, publishTime, day, signer, isRevised }: ContractDailyPrice,
): DailyPrice<kind> {
  return { feedId, price: toPriceValue(price), publishTime, day, date: toDate(day), signer, isRevised };
}
