import type { FeedKind } from "../../message/feedId.ts";

/** Sales and rental have endpoints of their own, with caches of their own (specification, price feed). */
export const LATEST_PATHS: Readonly<Record<FeedKind, string>> = {
  sales: "/v1/price_feed/latest",
  rental: "/v1/price_feed_rentals/latest",
};
