import type { FeedKind } from "../../message/feedId.ts";
import { idListLength } from "../rules/idListLength.ts";
import { latestRequest } from "../schemas/latestRequest.ts";
import { latestPriceItem } from "../schemas/priceFeedItems.ts";
import { defineEndpoint, type Endpoint } from "./endpoint.ts";
import { MAX_MARKETS_PER_REQUEST } from "./marketsPerRequest.ts";

const latestPrices = {
  method: "POST",
  request: latestRequest,
  item: latestPriceItem,
  idList: { field: "svc_ids", most: MAX_MARKETS_PER_REQUEST },
  rules: [idListLength("svc_ids", MAX_MARKETS_PER_REQUEST)],
  cost: "price",
  cadence: "daily",
} as const;

/** Sales and rental have endpoints of their own, with caches of their own (specification, price feed). */
export const LATEST_ENDPOINTS: Readonly<Record<FeedKind, Endpoint<typeof latestRequest, typeof latestPriceItem>>> = {
  sales: defineEndpoint({
    ...latestPrices,
    summary: "Latest sales prices, each signed with Ed25519 over a 74-byte message.",
    path: "/v1/price_feed/latest",
  }),
  rental: defineEndpoint({
    ...latestPrices,
    summary: "Latest rental prices, signed the same way over the market id plus the rental offset.",
    path: "/v1/price_feed_rentals/latest",
  }),
};
