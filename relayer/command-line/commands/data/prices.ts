import { Option } from "commander";
import type { FeedKind } from "../../../message/feedId.ts";
import { defineDataCommand } from "./dataCommand.ts";
import { type SeriesOptions, seriesCalls, withSeriesOptions } from "./seriesCalls.ts";

export const pricesCommand = defineDataCommand<SeriesOptions & { readonly kind: FeedKind }>(
  "prices",
  "the history of price feeds, one row a day: USD per square foot, of rental a month; not signed",
  [
    "homeprice data prices --kind sales --market 5826765",
    "homeprice data prices --kind rental --market 5826765 5822447 --from 2024-01-01 --to 2024-06-30 --format csv",
    "homeprice data prices --kind sales --market 5306725 --all --output denver.csv",
    "homeprice data prices --kind sales --market 5306725 --all --estimate",
  ],
  (command) =>
    withSeriesOptions(
      command.addOption(new Option("--kind <kind>", "which price").choices(["sales", "rental"]).makeOptionMandatory()),
    ),
  (options) => {
    const endpoints = { single: `price_feed/${options.kind}`, bulk: `price_feed/${options.kind}/bulk` } as const;
    return { calls: seriesCalls(endpoints, options), what: "row" };
  },
);
