import { HomePriceError } from "../errors/HomePriceError.ts";

/** Which of a market's two price series. */
export type FeedKind = "sales" | "rental";

export const FEED_KINDS: readonly FeedKind[] = ["sales", "rental"];

/**
 * What the service adds to a market id inside a signed rental price ("2B" in its specification, read as two billion),
 * so that a signed sales price can never pass for a rental price or the reverse.
 */
export const DEFAULT_RENTAL_OFFSET = 2_000_000_000n;

/** A market and the kind of its series: what a feed id stands for. */
export type Feed = { readonly marketId: bigint; readonly kind: FeedKind };

/** An id outside 1 … offset − 1 (markets) or outside both feed ranges. */
export class InvalidIdError extends HomePriceError {
  constructor(what: string, id: bigint | number | string, rentalOffset: bigint) {
    super("INVALID_ID", `${what} ${id} is not a valid id`, {
      kind: "configuration",
      hint: `Market ids are 1 to ${rentalOffset - 1n}; rental feed ids are market id + ${rentalOffset}. Give the plain market id.`,
    });
  }
}

export function isMarketId(id: bigint, rentalOffset: bigint = DEFAULT_RENTAL_OFFSET): boolean {
  return id >= 1n && id < rentalOffset;
}

/**
 * The id inside the signed message: the market id for sales, market id + offset for rental.
 * @throws InvalidIdError when the market id is 0 or would reach into the rental range.
 */
export function feedIdOf({ marketId, kind }: Feed, rentalOffset: bigint = DEFAULT_RENTAL_OFFSET): bigint {
  if (!isMarketId(marketId, rentalOffset)) throw new InvalidIdError("market id", marketId, rentalOffset);
  return kind === "sales" ? marketId : marketId + rentalOffset;
}

/** The feed that an id inside a message names, or `undefined` when it names none (0, the offset itself, beyond 2·offset − 1). */
export function feedOf(feedId: bigint, rentalOffset: bigint = DEFAULT_RENTAL_OFFSET): Feed | undefined {
  if (isMarketId(feedId, rentalOffset)) return { marketId: feedId, kind: "sales" };
  const marketId = feedId - rentalOffset;
  return isMarketId(marketId, rentalOffset) ? { marketId, kind: "rental" } : undefined;
}
