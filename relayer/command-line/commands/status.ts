import { readPrices } from "../../chain/readPrices.ts";
import { wantedFeeds } from "../../configuration/wantedFeeds.ts";
import { feedIdOf } from "../../message/feedId.ts";
import { formatTimeMs } from "../../message/timeWindows.ts";
import { nextRunMs } from "../../relay/schedule.ts";
import { defineCommand } from "../commonOptions.ts";
import { connectOracle } from "../connectOracle.ts";
import { EXIT_DONE, EXIT_FAILED, formatTable, print } from "../output.ts";
import { describeFeed, type ServedFeed } from "../servedFeed.ts";

/** Feeds asked about at a time: enough to be quick, few enough for a public node. */
const CONCURRENCY = 20;

export const statusCommand = defineCommand<object>(
  "status",
  "every configured feed: price on-chain, age, expiry, next expected edition; exits 0 only if all are fresh",
  ["homeprice status", "HOMEPRICE_MARKETS=5826765 homeprice status --json"],
  (command) => command,
  async ({ json, configuration: load }) => {
    const configuration = await load();
    const wanted = wantedFeeds(configuration).map((feed) => ({
      ...feed,
      feedId: feedIdOf(feed, configuration.rentalOffset),
    }));
    const { connection, oracle } = await connectOracle(configuration);
    const stored = await readPrices(
      connection,
      oracle,
      wanted.map(({ feedId }) => feedId),
    );
    const feeds: ServedFeed[] = [];
    for (let start = 0; start < wanted.length; start += CONCURRENCY) {
      const described = wanted
        .slice(start, start + CONCURRENCY)
        .map((feed) => describeFeed(connection, oracle, feed.feedId, feed, stored.get(feed.feedId)));
      feeds.push(...(await Promise.all(described)));
    }
    const ok = feeds.every(({ fresh }) => fresh);
    const nextEdition = formatTimeMs(
      nextRunMs({ expression: configuration.schedule, timeZone: configuration.timeZone }),
    );
    print(json, { ok, chainId: connection.chain.id, oracle, nextEdition, feeds }, () =>
      [
        formatTable(
          ["market", "kind", "price", "date", "published", "expires", "state"],
          feeds.map((feed) => [
            feed.marketId,
            feed.kind,
            feed.price ?? "",
            feed.date ?? "",
            feed.publishTime ?? "",
            feed.expiry ?? "",
            feed.fresh ? "fresh" : (feed.reason ?? ""),
          ]),
        ),
        `Next edition expected at ${nextEdition}.`,
      ].join("\n"),
    );
    return ok ? EXIT_DONE : EXIT_FAILED;
  },
);
