import type { FeedKind } from "../relayer/message/feedId.ts";
import { BUILT_IN_MARKETS } from "./builtInMarkets.ts";
import { buildPriceTable, type PriceTable } from "./priceTable.ts";

/** Kind, market, date, price: only figures that the service really published; none is made up or interpolated. */
const PUBLISHED: readonly (readonly [FeedKind, bigint, string, string])[] = [
  // USD per square foot. Recorded answers of the service's sales price feed, 2024.
  ["sales", 5826765n, "2023-01-01", "188.4"], // United States Of America
  ["sales", 5826765n, "2024-06-05", "216.94"],
  ["sales", 5822447n, "2023-02-14", "565.54"], // Kings County (Brooklyn)
  ["sales", 5822447n, "2024-06-05", "601.89"],
  ["sales", 5306725n, "2024-06-13", "414.61"], // Denver City
  ["sales", 5306725n, "2024-06-14", "414.58"],
  ["sales", 5306725n, "2024-06-15", "414.92"],
  ["sales", 5306725n, "2024-06-16", "415.16"],
  ["sales", 5306725n, "2024-06-17", "415.29"],
  // USD per square foot a month. One recorded answer of the service's rental price feed for fourteen markets.
  ["rental", 5826765n, "2024-06-05", "1.474"], // United States Of America
  ["rental", 5822447n, "2024-06-05", "4.517"], // Kings County (Brooklyn)
  ["rental", 5372594n, "2024-06-05", "5.295"], // New York City
  ["rental", 5353022n, "2024-06-05", "4.103"], // Miami Beach City
  ["rental", 5374321n, "2024-06-05", "3.941"], // San Francisco City
  ["rental", 5352987n, "2024-06-05", "3.835"], // Miami City
  ["rental", 5407714n, "2024-06-05", "3.724"], // Boston City
  ["rental", 5373892n, "2024-06-05", "3.24"], // Los Angeles City
  ["rental", 5374167n, "2024-06-05", "3.173"], // San Diego City
  ["rental", 5387853n, "2024-06-05", "2.317"], // Chicago City
  ["rental", 5306725n, "2024-06-05", "2.013"], // Denver City
  ["rental", 5380879n, "2024-06-05", "1.787"], // Austin City
  ["rental", 5384169n, "2024-06-05", "1.733"], // Atlanta City
  ["rental", 5377230n, "2024-06-05", "1.325"], // Las Vegas City
];

/** The prices of a service that runs without a price file: 3 sales and 14 rental feeds, real, of June 2024. */
export const BUILT_IN_PRICES: PriceTable = buildPriceTable(
  PUBLISHED.map(([kind, marketId, date, price]) => ({ kind, marketId, date, price })),
  BUILT_IN_MARKETS,
);
