import { requireDay } from "./calendarPeriods.ts";

/** First days of the service's data, in days since 1970-01-01. */

/** Listings for sale and for rent, counts and events, and the inventory for sale (specification, Limits). */
export const LISTINGS_START = requireDay("2022-09-01");

/** Ownership of the stock by portfolio size (specification, Limits). */
export const PORTFOLIO_OWNERSHIP_START = requireDay("2024-03-01");

/** Rolling counts of the portfolios' listings for sale (specification, Limits). */
export const PORTFOLIO_FOR_SALE_START = requireDay("2024-04-15");

/** Rolling counts of the portfolios' listings for rent (specification, Limits). */
export const PORTFOLIO_FOR_RENT_START = requireDay("2024-04-22");

/** History of properties (specification, Limits); also taken for the monthly series of sales and of the housing stock. */
export const HISTORY_START = requireDay("2010-01-01");

/** Price feeds: of the nation, and of every other market (seen in public clients' requests). */
export const NATIONAL_PRICES_START = HISTORY_START;
export const MARKET_PRICES_START = requireDay("2011-01-01");

/** The day that records present before tracking began carry (specification, Limits). */
export const RECORD_TRACKING_START = requireDay("2024-12-13");
