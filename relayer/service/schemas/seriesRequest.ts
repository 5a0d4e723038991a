import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { requestedIdentifier, requestedIdentifiers } from "./identifier.ts";
import { offsetParameter, pageSizeParameter } from "./page.ts";
import { PORTFOLIO_SIZES, PROPERTY_TYPES } from "./vocabulary.ts";

const span = {
  start_date: calendarDate.optional().describe("first date, inclusive"),
  end_date: calendarDate.optional().describe("last date, inclusive"),
  limit: pageSizeParameter,
  offset: offsetParameter,
};
const market = { svc_id: requestedIdentifier.describe("market id") };
const markets = { svc_ids: requestedIdentifiers.describe("market ids") };
const propertyType = { property_type: z.enum(PROPERTY_TYPES).optional().describe("ALL_PROPERTIES when left out") };
const portfolioSize = { portfolio_size: z.enum(PORTFOLIO_SIZES).optional().describe("ALL_PORTFOLIOS when left out") };

/** What a dated series can be asked for: of one market, or of many; by property type, by portfolio size, or as it is. */
export const seriesRequests = {
  none: { single: z.strictObject({ ...market, ...span }), bulk: z.strictObject({ ...markets, ...span }) },
  property_type: {
    single: z.strictObject({ ...market, ...span, ...propertyType }),
    bulk: z.strictObject({ ...markets, ...span, ...propertyType }),
  },
  portfolio_size: {
    single: z.strictObject({ ...market, ...span, ...portfolioSize }),
    bulk: z.strictObject({ ...markets, ...span, ...portfolioSize }),
  },
} as const;

/** What a series can be narrowed by. */
export type SeriesFilter = keyof typeof seriesRequests;
