import { DEFAULT_RENTAL_OFFSET, type FeedKind, feedIdOf, feedOf, InvalidIdError } from "../relayer/message/feedId.ts";
import { type MarketId, type ToMarketIdOptions, toMarketId } from "./marketId.ts";
import { readId } from "./readId.ts";

declare const feed: unique symbol;

/**
 * The id of one market's sales or rental prices, as it stands in the signed messages: market id for sales, market id +
 * rental offset for rental. Made by {@link salesFeedId}, {@link rentalFeedId} or {@link toFeedId}; a plain bigint is
 * not taken for one.
 */
export type FeedId<kind extends FeedKind = FeedKind> = bigint & { readonly [feed]: kind };

export type ToFeedIdErrorType = InvalidIdError;

/**
 * The feed of a market's sales prices.
 *
 * @throws InvalidIdError when a plain number is no market id.
 * @example
 * const feedId = salesFeedId(5_826_765n);
 */
export function salesFeedId(marketId: MarketId | bigint, options: ToMarketIdOptions = {}): FeedId<"sales"> {
  return feedIdOf({ marketId: toMarketId(marketId, options), kind: "sales" }, options.rentalOffset) as FeedId<"sales">;
}

/**
 * The feed of a market's rental prices.
 *
 * @throws InvalidIdError when a plain number is no market id.
 * @example
 * const feedId = rentalFeedId(5_826_765n); // 2_005_826_765n
 */
export function rentalFeedId(marketId: MarketId | bigint, options: ToMarketIdOptions = {}): FeedId<"rental"> {
  return feedIdOf(
    { marketId: toMarketId(marketId, options), kind: "rental" },
    options.rentalOffset,
  ) as FeedId<"rental">;
}

/**
 * Checks an id that came from elsewhere, an event or a file.
 *
 * @throws InvalidIdError
 * @example
 * const feedId = toFeedId("2005826765"); // FeedId, sales or rental
 */
export function toFeedId(
  id: bigint | number | string,
  { rentalOffset = DEFAULT_RENTAL_OFFSET }: ToMarketIdOptions = {},
): FeedId {
  const feedId = readId(id);
  if (feedId === undefined || !feedOf(feedId, rentalOffset)) throw new InvalidIdError("feed id", id, rentalOffset);
  return feedId as FeedId;
}

/**
 * The market and the kind that a feed id stands for.
 *
 * @throws InvalidIdError when the feed id is not one of an oracle with this offset.
 * @example
 * const { marketId, kind } = marketOfFeed(toFeedId("2005826765")); // 5_826_765n, "rental"
 */
export function marketOfFeed<kind extends FeedKind>(
  feedId: FeedId<kind>,
  { rentalOffset = DEFAULT_RENTAL_OFFSET }: ToMarketIdOptions = {},
): { readonly marketId: MarketId; readonly kind: kind } {
  const found = feedOf(feedId, rentalOffset);
  if (!found) throw new InvalidIdError("feed id", feedId, rentalOffset);
  return { marketId: found.marketId as MarketId, kind: found.kind as kind };
}
