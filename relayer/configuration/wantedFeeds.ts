import type { Feed } from "../message/feedId.ts";
import type { Configuration } from "./configurationSchema.ts";
import { InvalidConfigurationError } from "./loadConfiguration.ts";

/**
 * The feeds to carry: each market in each configured kind, or in the one that its entry names. Without duplicates.
 * @throws InvalidConfigurationError when no market is configured.
 */
export function wantedFeeds({ markets, kinds }: Pick<Configuration, "markets" | "kinds">): Feed[] {
  if (!markets) {
    throw new InvalidConfigurationError(
      "NO_MARKETS",
      "no market is configured",
      "Set markets (HOMEPRICE_MARKETS) to the market ids to carry, separated by commas, such as 5826765,5822447.",
    );
  }
  const feeds = markets.flatMap(({ marketId, kind }) =>
    (kind ? [kind] : kinds).map((each) => ({ marketId, kind: each })),
  );
  return [...new Map(feeds.map((feed) => [`${feed.marketId}:${feed.kind}`, feed])).values()];
}
