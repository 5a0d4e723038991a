import type { Series, SeriesOf } from "./series.ts";

const SALES: Series = {
  feedKind: "sales",
  dates: ({ priceFeeds }, market, range) => priceFeeds.dates(market, "sales", range),
  row: ({ priceFeeds }, market, date) => priceFeeds.salesRow(market, date),
};

const RENTAL: Series = {
  feedKind: "rental",
  dates: ({ priceFeeds }, market, range) => priceFeeds.dates(market, "rental", range),
  row: ({ priceFeeds }, market, date) => priceFeeds.rentalRow(market, date),
};

const VOLATILITY: Series = {
  feedKind: "sales",
  dates: ({ priceFeeds }, market, range) => priceFeeds.volatilityDates(market, range),
  row: ({ priceFeeds }, market, date) => priceFeeds.volatilityRow(market, date),
};

/** Daily sales prices. Rows of the source are served as they are written there. */
export const salesPrices: SeriesOf = () => SALES;

/** Daily rental prices, likewise. A cache that mixes the kinds up has sales prices under the same ids. */
export const rentalPrices: SeriesOf = ({ faults }) => (faults.has("sales-for-rental") ? SALES : RENTAL);

/** Daily volatility of the sales prices. */
export const volatility: SeriesOf = () => VOLATILITY;
