import type { Feed } from "../message/feedId.ts";

/** A feed for people: `market 5826765 (sales)`. */
export function feedName({ marketId, kind }: Feed): string {
  return `market ${marketId} (${kind})`;
}
