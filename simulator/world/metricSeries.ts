import type { MarketRecord } from "../marketTable.ts";
import {
  dateText,
  firstDayOfMonth,
  mondayOnOrAfter,
  mondayOnOrBefore,
  monthOfDay,
  requireDay,
} from "./calendarPeriods.ts";
import {
  HISTORY_START,
  LISTINGS_START,
  PORTFOLIO_FOR_RENT_START,
  PORTFOLIO_FOR_SALE_START,
  PORTFOLIO_OWNERSHIP_START,
} from "./dataStarts.ts";
import { LeastRecentlyUsed } from "./leastRecentlyUsed.ts";
import { createMarketModel, type MarketModel } from "./marketModel.ts";
import * as forSaleMarketMetrics from "./metrics/forSaleMarketMetrics.ts";
import * as investorMetrics from "./metrics/investorMetrics.ts";
import * as marketMetrics from "./metrics/marketMetrics.ts";
import * as newConstructionMetrics from "./metrics/newConstructionMetrics.ts";
import * as portfolioMetrics from "./metrics/portfolioMetrics.ts";
import * as rentalMarketMetrics from "./metrics/rentalMarketMetrics.ts";
import type { PriceLevels } from "./priceLevels.ts";
import type { Randomness } from "./randomness.ts";
import {
  type PortfolioSize,
  type PortfolioSizeFilter,
  type PropertyType,
  type PropertyTypeFilter,
  portfolioSizesOf,
  propertyTypesOf,
} from "./segments.ts";

/** How often a metric has a row: on the first of each month, or on each Monday. */
export type Cadence = "monthly" | "weekly";

/** Which filter the endpoint of a metric takes. */
export type Segmentation = "property_type" | "portfolio_size" | "none";

/** What rows are wanted of; defaults `ALL_PROPERTIES` and `ALL_PORTFOLIOS`. Filters that a metric has not are ignored. */
export type Segment = {
  readonly propertyType?: PropertyTypeFilter | undefined;
  readonly portfolioSize?: PortfolioSizeFilter | undefined;
};

/** The fields of each metric's records beside `date` (and, in bulk answers, `svc_id`), by the tail of its path. */
export type MetricFigures = {
  "market_metrics/all_cash": marketMetrics.AllCash;
  "market_metrics/housing_event_counts": marketMetrics.HousingEventCounts;
  "market_metrics/housing_event_prices": marketMetrics.HousingEventPrices;
  "market_metrics/housing_event_property_attributes": marketMetrics.HousingEventPropertyAttributes;
  "market_metrics/housing_stock": marketMetrics.HousingStock;
  "for_sale_market_metrics/for_sale_inventory": forSaleMarketMetrics.ForSaleInventory;
  "for_sale_market_metrics/for_sale_inventory_price_changes": forSaleMarketMetrics.ForSaleInventoryPriceChanges;
  "for_sale_market_metrics/new_listings_rolling_counts": ReturnType<
    typeof forSaleMarketMetrics.newListingsRollingCounts
  >;
  "rental_market_metrics/gross_yield": rentalMarketMetrics.GrossYield;
  "rental_market_metrics/rental_units_concentration": rentalMarketMetrics.RentalUnitsConcentration;
  "rental_market_metrics/new_listings_for_rent_rolling_counts": ReturnType<
    typeof rentalMarketMetrics.newListingsForRentRollingCounts
  >;
  "investor_metrics/housing_stock_ownership": investorMetrics.HousingStockOwnership;
  "investor_metrics/housing_event_counts": ReturnType<typeof investorMetrics.investorHousingEventCounts>;
  "investor_metrics/housing_event_prices": investorMetrics.InvestorEventPrices;
  "investor_metrics/purchase_to_sale_ratio": investorMetrics.PurchaseToSaleRatio;
  "investor_metrics/new_listings_for_sale_rolling_counts": investorMetrics.InvestorListingsRollingCounts;
  "portfolio_metrics/sf_housing_stock_ownership": portfolioMetrics.SingleFamilyStockOwnership;
  "portfolio_metrics/sf_housing_event_counts": ReturnType<typeof portfolioMetrics.singleFamilyHousingEventCounts>;
  "portfolio_metrics/sf_new_listings_for_sale_rolling_counts": portfolioMetrics.PortfolioForSaleRollingCounts;
  "portfolio_metrics/sf_new_listings_for_rent_rolling_counts": portfolioMetrics.PortfolioForRentRollingCounts;
  "new_construction_metrics/housing_event_counts": marketMetrics.HousingEventCounts;
  "new_construction_metrics/housing_event_prices": newConstructionMetrics.NewConstructionPrices;
};

export type MetricName = keyof MetricFigures;

/** One record of a metric, its date (`YYYY-MM-DD`) first. */
export type MetricRow<Name extends MetricName> = { readonly date: string } & MetricFigures[Name];

export type MetricDescription = {
  readonly cadence: Cadence;
  readonly segmentation: Segmentation;
  /** Date of the first row. */
  readonly firstDate: string;
};

/** First and last date wanted, both included. */
export type DateRange = { readonly startDate?: string | undefined; readonly endDate?: string | undefined };

/** Computes a record's figures; `period` is a month (months since 1970) or, of weekly metrics, a Monday (days). */
type Compute<Figures> = (model: MarketModel, period: number, segment: ResolvedSegment) => Figures;

type ResolvedSegment = { readonly types: readonly PropertyType[]; readonly sizes: readonly PortfolioSize[] };

type Metric<Figures> = {
  readonly cadence: Cadence;
  readonly segmentation: Segmentation;
  /** First day of the first row. */
  readonly start: number;
  readonly compute: Compute<Figures>;
};

type ByType<Figures> = (model: MarketModel, period: number, types: readonly PropertyType[]) => Figures;
type BySize<Figures> = (model: MarketModel, period: number, sizes: readonly PortfolioSize[]) => Figures;

function perType<Figures>(cadence: Cadence, start: number, compute: ByType<Figures>): Metric<Figures> {
  const computeOf: Compute<Figures> = (model, period, { types }) => compute(model, period, types);
  return { cadence, segmentation: "property_type", start, compute: computeOf };
}

function perSize<Figures>(cadence: Cadence, start: number, compute: BySize<Figures>): Metric<Figures> {
  const computeOf: Compute<Figures> = (model, period, { sizes }) => compute(model, period, sizes);
  return { cadence, segmentation: "portfolio_size", start, compute: computeOf };
}

function undivided<Figures>(start: number, compute: (model: MarketModel, month: number) => Figures): Metric<Figures> {
  return { cadence: "monthly", segmentation: "none", start, compute };
}

const METRICS: { readonly [Name in MetricName]: Metric<MetricFigures[Name]> } = {
  "market_metrics/all_cash": perType("monthly", HISTORY_START, marketMetrics.allCash),
  "market_metrics/housing_event_counts": perType("monthly", HISTORY_START, marketMetrics.housingEventCounts),
  "market_metrics/housing_event_prices": perType("monthly", HISTORY_START, marketMetrics.housingEventPrices),
  "market_metrics/housing_event_property_attributes": perType(
    "monthly",
    HISTORY_START,
    marketMetrics.housingEventPropertyAttributes,
  ),
  "market_metrics/housing_stock": undivided(HISTORY_START, marketMetrics.housingStock),
  "for_sale_market_metrics/for_sale_inventory": perType(
    "weekly",
    LISTINGS_START,
    forSaleMarketMetrics.forSaleInventory,
  ),
  "for_sale_market_metrics/for_sale_inventory_price_changes": perType(
    "weekly",
    LISTINGS_START,
    forSaleMarketMetrics.forSaleInventoryPriceChanges,
  ),
  "for_sale_market_metrics/new_listings_rolling_counts": perType(
    "weekly",
    LISTINGS_START,
    forSaleMarketMetrics.newListingsRollingCounts,
  ),
  "rental_market_metrics/gross_yield": perType("monthly", LISTINGS_START, rentalMarketMetrics.grossYield),
  "rental_market_metrics/rental_units_concentration": perType(
    "monthly",
    HISTORY_START,
    rentalMarketMetrics.rentalUnitsConcentration,
  ),
  "rental_market_metrics/new_listings_for_rent_rolling_counts": perType(
    "weekly",
    LISTINGS_START,
    rentalMarketMetrics.newListingsForRentRollingCounts,
  ),
  "investor_metrics/housing_stock_ownership": undivided(HISTORY_START, investorMetrics.investorHousingStockOwnership),
  "investor_metrics/housing_event_counts": undivided(HISTORY_START, investorMetrics.investorHousingEventCounts),
  "investor_metrics/housing_event_prices": undivided(HISTORY_START, investorMetrics.investorHousingEventPrices),
  "investor_metrics/purchase_to_sale_ratio": undivided(HISTORY_START, investorMetrics.purchaseToSaleRatio),
  "investor_metrics/new_listings_for_sale_rolling_counts": perType(
    "weekly",
    LISTINGS_START,
    investorMetrics.investorNewListingsForSaleRollingCounts,
  ),
  "portfolio_metrics/sf_housing_stock_ownership": undivided(
    PORTFOLIO_OWNERSHIP_START,
    portfolioMetrics.singleFamilyStockOwnership,
  ),
  "portfolio_metrics/sf_housing_event_counts": perSize(
    "monthly",
    HISTORY_START,
    portfolioMetrics.singleFamilyHousingEventCounts,
  ),
  "portfolio_metrics/sf_new_listings_for_sale_rolling_counts": perSize(
    "weekly",
    PORTFOLIO_FOR_SALE_START,
    portfolioMetrics.singleFamilyForSaleRollingCounts,
  ),
  "portfolio_metrics/sf_new_listings_for_rent_rolling_counts": perSize(
    "weekly",
    PORTFOLIO_FOR_RENT_START,
    portfolioMetrics.singleFamilyForRentRollingCounts,
  ),
  "new_construction_metrics/housing_event_counts": perType(
    "monthly",
    HISTORY_START,
    newConstructionMetrics.newConstructionEventCounts,
  ),
  "new_construction_metrics/housing_event_prices": perType(
    "monthly",
    HISTORY_START,
    newConstructionMetrics.newConstructionEventPrices,
  ),
};

/** All 22 metrics: the tails of their paths, `market_metrics/all_cash`. */
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

export function isMetricName(text: string): text is MetricName {
  return Object.hasOwn(METRICS, text);
}

export function describeMetric(name: MetricName): MetricDescription {
  const { cadence, segmentation, start } = METRICS[name];
  const firstDay = cadence === "monthly" ? start : mondayOnOrAfter(start);
  return { cadence, segmentation, firstDate: dateText(firstDay) };
}

/** Models kept for markets that are asked about again. */
const MODELS_KEPT = 2_048;

/** Rows of the metrics of any market. */
export class MetricSeries {
  readonly #lastDay: number;
  readonly #models: LeastRecentlyUsed<MarketRecord, MarketModel>;

  /** Rows exist up to `lastDay`, in days since 1970-01-01. */
  constructor(levels: PriceLevels, world: Randomness, lastDay: number) {
    this.#lastDay = lastDay;
    this.#models = new LeastRecentlyUsed((market) => createMarketModel(market, levels, world), MODELS_KEPT);
  }

  /**
   * The dates of a metric's rows within a range, newest first; every market has all of them. A monthly row is there once
   * its month is over, a weekly one from its Monday on.
   * @throws InvalidWorldError when a bound of the range is no date.
   */
  dates(name: MetricName, { startDate, endDate }: DateRange = {}): readonly string[] {
    const { cadence, start } = METRICS[name];
    const from = Math.max(start, startDate === undefined ? start : requireDay(startDate));
    const to = Math.min(this.#lastDay, endDate === undefined ? this.#lastDay : requireDay(endDate));
    const dates: string[] = [];
    if (cadence === "weekly") {
      for (let day = mondayOnOrBefore(to); day >= from; day -= 7) dates.push(dateText(day));
      return dates;
    }
    const lastComplete = monthOfDay(this.#lastDay) - 1;
    for (let month = Math.min(lastComplete, monthOfDay(to)); firstDayOfMonth(month) >= from; month -= 1) {
      dates.push(dateText(firstDayOfMonth(month)));
    }
    return dates;
  }

  /** The row of a market on one of the metric's {@link dates}. */
  row<Name extends MetricName>(
    name: Name,
    market: MarketRecord,
    date: string,
    { propertyType = "ALL_PROPERTIES", portfolioSize = "ALL_PORTFOLIOS" }: Segment = {},
  ): MetricRow<Name> {
    const { cadence, compute }: Metric<MetricFigures[Name]> = METRICS[name];
    const day = requireDay(date);
    const segment = { types: propertyTypesOf(propertyType), sizes: portfolioSizesOf(portfolioSize) };
    return { date, ...compute(this.#models.get(market), cadence === "monthly" ? monthOfDay(day) : day, segment) };
  }
}
