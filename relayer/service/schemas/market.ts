import * as z from "zod";
import { flag } from "./flag.ts";
import { identifier, requestedIdentifier } from "./identifier.ts";
import { offsetParameter, pageSizeParameter } from "./page.ts";
import { quantity } from "./quantity.ts";
import { LOCATION_TYPES, MARKET_SORT_FIELDS, REGIONS, STATE_ABBREVIATIONS, STATE_FIPS_CODES } from "./vocabulary.ts";

/** A market, as market search returns it. */
export const marketRecord = z.looseObject({
  svc_id: identifier.describe("market id"),
  country: z.string().nullish().describe("USA"),
  geoid: z
    .string()
    .nullish()
    .describe("Census id: 5 digits of a metro or county, 7 of a place; null for ZIP codes and the nation"),
  state_fips_code: z.string().nullish().describe("null for metros and the nation, which lie in no one state"),
  name: z.string().describe("with its kind behind it: Miami City; of a ZIP code, the digits"),
  state_abbreviation: z.string().nullish().describe("null for metros and the nation"),
  region: z.string().nullish().describe("Census division"),
  location_type: z.string().nullish().describe("CITY, COUNTY, ZIP5, CDP, VILLAGE, TOWN, CBSA, PLACE or COUNTRY"),
  total_population: quantity.nullish(),
  median_income: quantity.nullish().describe("USD a year"),
  svc_exchange_market: flag.describe("1: traded on the maker's exchange"),
  pricefeed_market: flag.describe("1: has price feeds"),
  case_shiller_10_market: flag.describe("1: one of the ten markets of that index"),
  case_shiller_20_market: flag.describe("1: one of the twenty markets of that index"),
});

/** Everything may be left out; only `query` is in the specification, the rest is what public clients send. */
export const marketSearchRequest = z.strictObject({
  query: z.string().min(1).optional().describe("words of a name, a ZIP code, United States"),
  location_type: z.enum(LOCATION_TYPES).optional(),
  region: z.enum(REGIONS).optional(),
  state_abbreviation: z.enum(STATE_ABBREVIATIONS).optional().describe("two letters, or ALL"),
  state_fips_code: z.enum(STATE_FIPS_CODES).optional().describe("two digits, or ALL"),
  svc_id: requestedIdentifier.optional().describe("market id"),
  geoid: z.string().regex(/^\d+$/, "must be digits").optional().describe("Census id"),
  sort_by: z.enum(MARKET_SORT_FIELDS).optional(),
  sort_order: z.enum(["ASC", "DESC"]).optional().describe("DESC when left out"),
  limit: pageSizeParameter,
  offset: offsetParameter,
});
