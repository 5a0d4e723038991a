import { Command } from "commander";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { searchMarkets } from "../../service/searchMarkets.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, formatTable, print } from "../output.ts";
import { configuredClient } from "../relayContext.ts";

type SearchOptions = { readonly limit: string };

const searchCommand = defineCommand<SearchOptions>(
  "search",
  "search the service's markets by name, ZIP code or state",
  ["homeprice markets search new york", "homeprice markets search 90210 --json"],
  (command) =>
    command
      .argument("<words...>", "what to look for")
      .option("--limit <count>", "most markets to show, up to 1000", "20"),
  async ({ options, json, log, configuration }, ...words) => {
    const client = configuredClient(await configuration(), log);
    const { markets, total } = await searchMarkets(client, {
      query: words.flat().join(" "),
      limit: parseLimit(options.limit),
    });
    const document = {
      ok: true,
      total,
      markets: markets.map((market) => ({ ...market, marketId: market.marketId.toString() })),
    };
    print(json, document, () =>
      formatTable(
        ["market", "name", "type", "state"],
        markets.map((market) => [
          market.marketId.toString(),
          market.name,
          market.locationType ?? "",
          market.stateAbbreviation ?? "",
        ]),
      ),
    );
    return EXIT_DONE;
  },
);

export const marketsCommand = new Command("markets")
  .description("markets of the price service")
  .addCommand(searchCommand);

/** @throws InvalidConfigurationError */
function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new InvalidConfigurationError("USAGE", `--limit is "${text}"`, "Give a whole number from 1 to 1000.");
}
