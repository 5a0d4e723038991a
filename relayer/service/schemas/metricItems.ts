import * as z from "zod";
import { calendarDate } from "./calendarDate.ts";
import { money, quantity } from "./quantity.ts";

/**
 * Records of the market metrics, one date each (specification, market metric records). Any figure may be null or absent:
 * a series has no value before its start, and the service adds fields with every minor release.
 *
 * "Sales", "acquisitions" and "dispositions" count only sales at arm's length; "transfers" counts every SALE.
 */

const count = quantity.nullish();
const percentage = quantity.nullish();
const amount = money.nullish();

/** A record: its date, and what else it holds. */
function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({ date: calendarDate, ...shape });
}

/** The same value for each of several names. */
function each<const Names extends readonly string[], Value extends z.ZodType>(names: Names, value: Value) {
  return Object.fromEntries(names.map((name) => [name, value])) as { [Name in Names[number]]: Value };
}

const EVENTS = ["sales", "new_listings_for_sale", "new_rental_listings"] as const;
const INVESTOR_EVENTS = ["acquisitions", "dispositions", "new_listings_for_sale", "new_rental_listings"] as const;
const STATISTICS = ["median", "standard_deviation", "percentile_20th", "percentile_80th"] as const;
const WINDOWS = ["rolling_7_day", "rolling_30_day", "rolling_60_day", "rolling_90_day"] as const;
const SIZES = [
  "portfolio_2_to_9",
  "portfolio_10_to_99",
  "portfolio_100_to_999",
  "portfolio_1000_plus",
  "all_portfolios",
] as const;

/** Rolling counts: the 7, 30, 60 and 90 days that end on the date, updated weekly. */
const windows = each(WINDOWS, count.describe("new listings of the days that end on the date"));

/** The percentages that go with rolling counts. */
function shares(whole: string) {
  return z.looseObject(each(WINDOWS, percentage.describe(`percent of ${whole}`))).nullish();
}

/** Transfers of the month. */
const transfers = count.describe("every SALE event, at arm's length or not");

/** USD, and USD per square foot, each by statistic and kind of event. */
function prices<const Names extends readonly string[]>(events: Names) {
  const statistics = z.looseObject(each(STATISTICS, z.looseObject(each(events, amount)).nullish())).nullish();
  return {
    price: statistics.describe("USD, by statistic and kind of event"),
    price_per_square_foot: statistics.describe("USD per square foot, by statistic and kind of event"),
  };
}

/** All-cash sales and transfers within the market: how many, and their percentage of all sales and all transfers. */
export const allCash = record({
  count_sales: count.describe("sales at arm's length that were paid in cash"),
  pct_sales: percentage.describe("percent of all sales"),
  count_transfers: count.describe("transfers that were paid in cash"),
  pct_transfers: percentage.describe("percent of all transfers"),
});

/** Monthly counts. */
export const housingEventCounts = record({
  ...each(EVENTS, count),
  sales: count.describe("sales at arm's length"),
  transfers,
});

/** Monthly prices, by arms-length sales alone. Of new construction, medians alone are documented. */
export const housingEventPrices = record(prices(EVENTS));

/** Monthly statistics of the physical attributes of properties in events. Its fields are not public: all are kept as they come. */
export const housingEventPropertyAttributes = record({});

/** Properties in the market, in all and by type. */
export const housingStock = record(
  each(["single_family", "condo", "townhouse", "other", "all_properties"], count.describe("properties")),
);

/** Active for-sale listings. */
export const forSaleInventory = record({ for_sale_inventory: count.describe("active listings") });

/** Price changes of active for-sale listings. Percentages are of the listing price, or of the active inventory. */
export const forSaleInventoryPriceChanges = record({
  count_price_change: count.describe("listings whose price changed"),
  count_price_drop: count.describe("listings whose price was reduced"),
  median_days_bt_change: quantity.nullish().describe("days between changes"),
  median_price_change: amount.describe("USD, negative for a reduction"),
  median_pct_price_change: percentage.describe("percent of the listing price, negative for a reduction"),
  pct_inventory_price_change: percentage.describe("percent of active inventory with changes"),
  pct_inventory_price_drop: percentage.describe("percent of active inventory with reductions"),
});

/** New listings of the days that end on the date. */
export const newListingsRollingCounts = record(windows);

/** (Monthly median new rental listing price · 12) ÷ (median new for-sale listing price), as a percentage. */
export const grossYield = record({ pct_gross_yield: percentage.describe("percent") });

/** Rental units, all units, and the percentage of the former. */
export const rentalUnitsConcentration = record({
  rental_units: count.describe("rental units"),
  total_units: count.describe("all units"),
  pct_rental_concentration: percentage.describe("percent of all units"),
});

/** Investor-owned properties: how many, and which percentage of all. */
export const housingStockOwnership = record({
  count: count.describe("investor-owned properties"),
  pct_ownership: percentage.describe("percent of all properties"),
});

/** Monthly counts of what investors did; a portfolio's are of single-family homes. */
export const investorHousingEventCounts = record({
  ...each(INVESTOR_EVENTS, count),
  acquisitions: count.describe("purchases at arm's length"),
  dispositions: count.describe("sales at arm's length"),
  transfers,
});

/** Medians alone. */
export const investorHousingEventPrices = record(prices(INVESTOR_EVENTS));

/** Acquisitions divided by dispositions of the month; see {@link readPurchaseToSaleRatio}. */
export const purchaseToSaleRatio = record({
  purchase_to_sale_ratio: quantity.nullish().describe("above 1: more purchases; 0: no purchases; null: no sales"),
});

/** New for-sale listings of investors, and their percentage of the for-sale market. */
export const investorNewListingsRollingCounts = record({
  count: z.looseObject(windows).nullish(),
  pct_for_sale_market: shares("the for-sale market"),
});

/** Single-family homes by the size of their owner's portfolio, and their percentage of the single-family stock. */
export const portfolioStockOwnership = record({
  count: z.looseObject(each(SIZES, count.describe("homes owned, by portfolio size"))).nullish(),
  pct_sf_housing_stock: z
    .looseObject(each(SIZES, percentage.describe("percent of single-family homes, by portfolio size")))
    .nullish(),
});

export const portfolioForSaleRollingCounts = record({
  count: z.looseObject(windows).nullish(),
  pct_sf_for_sale_market: shares("single-family homes listed for sale"),
});

export const portfolioForRentRollingCounts = record({
  count: z.looseObject(windows).nullish(),
  pct_sf_for_rent_market: shares("single-family homes listed for rent"),
});

/** What a purchase-to-sale ratio says. */
export type PurchaseToSaleRatio =
  | "more purchases"
  | "as many purchases as sales"
  | "more sales"
  | "no purchases"
  | "no sales"
  | "not given";

/** Tells the meanings of a purchase-to-sale ratio apart; `null` is the service's word for a month without a sale. */
export function readPurchaseToSaleRatio(ratio: number | null | undefined): PurchaseToSaleRatio {
  if (ratio === undefined) return "not given";
  if (ratio === null) return "no sales";
  if (ratio === 0) return "no purchases";
  if (ratio === 1) return "as many purchases as sales";
  return ratio > 1 ? "more purchases" : "more sales";
}
