import type * as z from "zod";
import {
  allCash,
  forSaleInventory,
  forSaleInventoryPriceChanges,
  grossYield,
  housingEventCounts,
  housingEventPrices,
  housingEventPropertyAttributes,
  housingStock,
  housingStockOwnership,
  investorHousingEventCounts,
  investorHousingEventPrices,
  investorNewListingsRollingCounts,
  newListingsRollingCounts,
  portfolioForRentRollingCounts,
  portfolioForSaleRollingCounts,
  portfolioStockOwnership,
  purchaseToSaleRatio,
  rentalUnitsConcentration,
} from "../schemas/metricItems.ts";
import type { SeriesFilter } from "../schemas/seriesRequest.ts";
import type { Cadence } from "./endpoint.ts";

/** A metric: asked of one market by GET, and of many by POST. */
export type Metric = {
  readonly summary: string;
  readonly cadence: Cadence;
  /** What it can be narrowed by. */
  readonly filter: SeriesFilter;
  readonly item: z.ZodObject;
  readonly dataStart?: string;
};

/** For-sale and rental listing series, and for-sale inventory metrics (specification, data start dates). */
const LISTINGS_START = "2022-09-01";

/**
 * The 22 metrics in their six categories (specification, endpoints). A metric is one row here; its two endpoints follow
 * from it.
 *
 * Housing event counts and prices have sales from before their listings begin, and so no data start of their own.
 */
export const METRICS = {
  "market_metrics/all_cash": {
    summary: "Sales and transfers paid in cash: counts, and percentages of all sales and all transfers.",
    cadence: "monthly",
    filter: "property_type",
    item: allCash,
  },
  "market_metrics/housing_event_counts": {
    summary: "Monthly sales, new for-sale listings, new rental listings and transfers.",
    cadence: "monthly",
    filter: "property_type",
    item: housingEventCounts,
  },
  "market_metrics/housing_event_prices": {
    summary: "Monthly prices of sales, for-sale listings and rental listings: median, deviation, percentiles.",
    cadence: "monthly",
    filter: "property_type",
    item: housingEventPrices,
  },
  "market_metrics/housing_event_property_attributes": {
    summary: "Monthly statistics of the physical attributes of properties in sales and listings.",
    cadence: "monthly",
    filter: "property_type",
    item: housingEventPropertyAttributes,
  },
  "market_metrics/housing_stock": {
    summary: "Properties in the market: all, and by type.",
    cadence: "monthly",
    filter: "none",
    item: housingStock,
  },
  "for_sale_market_metrics/for_sale_inventory": {
    summary: "Active for-sale listings.",
    cadence: "weekly",
    filter: "property_type",
    item: forSaleInventory,
    dataStart: LISTINGS_START,
  },
  "for_sale_market_metrics/for_sale_inventory_price_changes": {
    summary: "Price changes and reductions among active for-sale listings.",
    cadence: "weekly",
    filter: "property_type",
    item: forSaleInventoryPriceChanges,
    dataStart: LISTINGS_START,
  },
  "for_sale_market_metrics/new_listings_rolling_counts": {
    summary: "New for-sale listings of the last 7, 30, 60 and 90 days, updated weekly.",
    cadence: "weekly",
    filter: "property_type",
    item: newListingsRollingCounts,
    dataStart: LISTINGS_START,
  },
  "rental_market_metrics/gross_yield": {
    summary: "Monthly median new rental listing price × 12, as a percentage of the median new for-sale listing price.",
    cadence: "monthly",
    filter: "property_type",
    item: grossYield,
    dataStart: LISTINGS_START,
  },
  "rental_market_metrics/new_listings_for_rent_rolling_counts": {
    summary: "New rental listings of the last 7, 30, 60 and 90 days, updated weekly.",
    cadence: "weekly",
    filter: "property_type",
    item: newListingsRollingCounts,
    dataStart: LISTINGS_START,
  },
  "rental_market_metrics/rental_units_concentration": {
    summary: "Rental units, all units, and the percentage of rental units.",
    cadence: "monthly",
    filter: "property_type",
    item: rentalUnitsConcentration,
  },
  "investor_metrics/housing_event_counts": {
    summary: "Monthly acquisitions, dispositions, listings and transfers of investors.",
    cadence: "monthly",
    filter: "none",
    item: investorHousingEventCounts,
  },
  "investor_metrics/housing_event_prices": {
    summary: "Monthly median prices of investors' acquisitions, dispositions and listings.",
    cadence: "monthly",
    filter: "none",
    item: investorHousingEventPrices,
  },
  "investor_metrics/housing_stock_ownership": {
    summary: "Investor-owned properties: how many, and which percentage of all.",
    cadence: "monthly",
    filter: "none",
    item: housingStockOwnership,
  },
  "investor_metrics/new_listings_for_sale_rolling_counts": {
    summary: "Investors' new for-sale listings of the last 7, 30, 60 and 90 days, updated weekly.",
    cadence: "weekly",
    filter: "property_type",
    item: investorNewListingsRollingCounts,
    dataStart: LISTINGS_START,
  },
  "investor_metrics/purchase_to_sale_ratio": {
    summary: "Investors' acquisitions of the month divided by their dispositions; 0: no purchases; null: no sales.",
    cadence: "monthly",
    filter: "none",
    item: purchaseToSaleRatio,
  },
  "portfolio_metrics/sf_housing_event_counts": {
    summary: "Monthly events of single-family homes by portfolio size.",
    cadence: "monthly",
    filter: "portfolio_size",
    item: investorHousingEventCounts,
  },
  "portfolio_metrics/sf_housing_stock_ownership": {
    summary: "Single-family homes owned, by portfolio size.",
    cadence: "monthly",
    filter: "none",
    item: portfolioStockOwnership,
    dataStart: "2024-03-01",
  },
  "portfolio_metrics/sf_new_listings_for_rent_rolling_counts": {
    summary: "New rental listings of single-family homes by portfolio size, last 7, 30, 60 and 90 days.",
    cadence: "weekly",
    filter: "portfolio_size",
    item: portfolioForRentRollingCounts,
    dataStart: "2024-04-22",
  },
  "portfolio_metrics/sf_new_listings_for_sale_rolling_counts": {
    summary: "New for-sale listings of single-family homes by portfolio size, last 7, 30, 60 and 90 days.",
    cadence: "weekly",
    filter: "portfolio_size",
    item: portfolioForSaleRollingCounts,
    dataStart: "2024-04-15",
  },
  "new_construction_metrics/housing_event_counts": {
    summary: "Monthly events of new construction.",
    cadence: "monthly",
    filter: "property_type",
    item: housingEventCounts,
  },
  "new_construction_metrics/housing_event_prices": {
    summary: "Monthly median prices of new construction.",
    cadence: "monthly",
    filter: "property_type",
    item: housingEventPrices,
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** `category/metric`, as in the paths. */
export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];
