import { Option } from "commander";
import { configuredClient } from "../../../configured/configuredClient.ts";
import { MARKET_SORT_NAMES, MARKET_SORTS, type MarketSort } from "../../../markets/marketSort.ts";
import {
  LOCATION_TYPES,
  type LocationType,
  REGIONS,
  type Region,
  STATE_ABBREVIATIONS,
  type StateAbbreviation,
} from "../../../service/schemas/vocabulary.ts";
import { searchMarkets } from "../../../service/searchMarkets.ts";
import { defineCommand } from "../../commonOptions.ts";
import { choiceOf, countOf } from "../../optionParsers.ts";
import { EXIT_DONE, formatTable, print } from "../../output.ts";

type SearchOptions = {
  readonly limit: number;
  readonly type?: LocationType;
  readonly state?: StateAbbreviation;
  readonly region?: Region;
  readonly sort?: MarketSort;
};

export const searchCommand = defineCommand<SearchOptions>(
  "search",
  "search the service's markets by name, ZIP code, state or kind of area; free of credits",
  [
    "homeprice markets search new york",
    "homeprice markets search 90210 --json",
    "homeprice markets search --type CBSA --sort population --limit 50",
    "homeprice markets search springfield --state IL --type city",
  ],
  (command) =>
    command
      .argument("[words...]", "what to look for (default: every market)")
      .option("--limit <count>", "most markets to show, up to 1000", countOf(1, 1000), 20)
      .addOption(new Option("--type <type>", "kind of area").argParser(choiceOf(LOCATION_TYPES)))
      .addOption(new Option("--state <state>", "two letters").argParser(choiceOf(STATE_ABBREVIATIONS)))
      .addOption(new Option("--region <region>", "Census division").argParser(choiceOf(REGIONS)))
      .addOption(
        new Option("--sort <field>", `highest first, by ${MARKET_SORT_NAMES.join(", ")}`).argParser(
          choiceOf(MARKET_SORT_NAMES),
        ),
      )
      .addHelpText("after", `\nKinds of areas: ${LOCATION_TYPES.join(", ")}\nRegions: ${REGIONS.join(", ")}\n`),
  async ({ options, json, log, configuration }, ...words) => {
    const client = configuredClient(await configuration(), log);
    const { type, state, region, sort, limit } = options;
    const { markets, total } = await searchMarkets(client, {
      query: words.flat().join(" ") || undefined,
      locationType: type,
      stateAbbreviation: state,
      region,
      sortBy: sort && MARKET_SORTS[sort],
      sortOrder: sort && "DESC",
      limit,
    });
    const document = {
      ok: true,
      total,
      markets: markets.map((market) => ({ ...market, marketId: market.marketId.toString() })),
    };
    print(json, document, () =>
      formatTable(
        ["market", "name", "type", "state", "population"],
        markets.map((market) => [
          market.marketId.toString(),
          market.name,
          market.locationType ?? "",
          market.stateAbbreviation ?? "",
          market.totalPopulation?.toLocaleString("en-US") ?? "",
        ]),
      ),
    );
    return EXIT_DONE;
  },
);
