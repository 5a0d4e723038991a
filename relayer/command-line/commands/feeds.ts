import { Command, Option } from "commander";
import { readPrices } from "../../chain/readPrices.ts";
import { describeFeed } from "../../chain/servedFeed.ts";
import { chainNamed } from "../../configuration/chainNamed.ts";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { connectOracle } from "../../configured/connectOracle.ts";
import { type FeedKind, feedIdOf } from "../../message/feedId.ts";
import { type ChainOption, withChainOption } from "../chainOption.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, EXIT_FAILED, print } from "../output.ts";

type ReadOptions = ChainOption & { readonly market: string; readonly kind: FeedKind };

const readCommand = defineCommand<ReadOptions>(
  "read",
  "read one price from the oracle; exits 0 only if it is fresh",
  ["homeprice feeds read --market 5826765 --kind sales", "homeprice feeds read --market 5826765 --kind rental --json"],
  (command) =>
    withChainOption(command, "from which of several chains")
      .requiredOption("--market <id>", "market id")
      .addOption(new Option("--kind <kind>", "which price").choices(["sales", "rental"]).makeOptionMandatory()),
  async ({ options, json, configuration: load }) => {
    const configuration = await load();
    const feed = { marketId: parseMarketId(options.market), kind: options.kind };
    const feedId = feedIdOf(feed, configuration.rentalOffset);
    const { connection, oracle } = await connectOracle(chainNamed(configuration, options.chain));
    const stored = await readPrices(connection, oracle, [feedId]);
    const described = await describeFeed(connection, oracle, feedId, feed, stored.get(feedId));
    const document = described.fresh
      ? { ok: true, ...described }
      : {
          ok: false,
          ...described,
          error: {
            code: "NOT_SERVED",
            message: `the ${feed.kind} price of market ${feed.marketId} is not served: ${described.reason}`,
            hint: "Bring the latest price with homeprice relay --once.",
          },
        };
    print(json, document, () =>
      described.price === null
        ? `No ${feed.kind} price of market ${feed.marketId}: ${described.reason}`
        : `${described.price} USD (${feed.kind}, market ${feed.marketId}, ${described.date}), ${
            described.fresh ? `fresh until ${described.expiry}` : described.reason
          }`,
    );
    return described.fresh ? EXIT_DONE : EXIT_FAILED;
  },
);

export const feedsCommand = new Command("feeds").description("prices that the oracle holds").addCommand(readCommand);

/** @throws InvalidConfigurationError */
function parseMarketId(text: string): bigint {
  if (/^[0-9]{1,19}$/.test(text)) return BigInt(text);
  throw new InvalidConfigurationError(
    "USAGE",
    `"${text}" is not a market id`,
    "Market ids are digits, such as 5826765.",
  );
}
