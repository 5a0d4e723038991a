import { DEFAULT_RENTAL_OFFSET, InvalidIdError, isMarketId } from "../relayer/message/feedId.ts";
import { readId } from "./readId.ts";

declare const market: unique symbol;

/**
 * The id of a geographic area in the price service, checked by {@link toMarketId}. A plain bigint is not taken for one.
 */
export type MarketId = bigint & { readonly [market]: true };

export type ToMarketIdOptions = {
  /** Of the oracle (`RENTAL_OFFSET`). Default 2,000,000,000. */
  readonly rentalOffset?: bigint | undefined;
};

export type ToMarketIdErrorType = InvalidIdError;

/**
 * Checks a market id: 1 … rental offset − 1. The id of a rental feed is refused, so that it cannot pass for a market.
 *
 * @throws InvalidIdError
 * @example
 * const market = toMarketId(5_826_765n);
 */
export function toMarketId(
  id: bigint | number | string,
  { rentalOffset = DEFAULT_RENTAL_OFFSET }: ToMarketIdOptions = {},
): MarketId {
  const marketId = readId(id);
  if (marketId === undefined || !isMarketId(marketId, rentalOffset)) {
    throw new InvalidIdError("market id", id, rentalOffset);
  }
  return marketId as MarketId;
}
