import { LISTINGS_START } from "../dataStarts.ts";
import type { FlowKind } from "../eventFlow.ts";
import { type InvestorEventCounts, investorEventCounts, ownedHomes } from "../investorActivity.ts";
import { type MarketModel, stockOf } from "../marketModel.ts";
import { type RollingCounts, rollingCounts, rollingPercentages } from "../rollingCounts.ts";
import { percentage } from "../roundedQuotient.ts";
import type { PortfolioSize } from "../segments.ts";

/** A figure for each size of portfolio, and one for all of them. */
type BySize<Figure> = {
  readonly portfolio_2_to_9: Figure;
  readonly portfolio_10_to_99: Figure;
  readonly portfolio_100_to_999: Figure;
  readonly portfolio_1000_plus: Figure;
  readonly all_portfolios: Figure;
};

export type SingleFamilyStockOwnership = {
  readonly count: BySize<number>;
  readonly pct_sf_housing_stock: BySize<number | null>;
};

export type PortfolioForSaleRollingCounts = {
  readonly count: RollingCounts;
  readonly pct_sf_for_sale_market: RollingCounts;
};

export type PortfolioForRentRollingCounts = {
  readonly count: RollingCounts;
  readonly pct_sf_for_rent_market: RollingCounts;
};

const SINGLE_FAMILY = ["SINGLE_FAMILY"] as const;

export function singleFamilyStockOwnership(model: MarketModel, month: number): SingleFamilyStockOwnership {
  const stock = stockOf(model, "SINGLE_FAMILY", month);
  const sizes = {
    portfolio_2_to_9: ownedHomes(model, "PORTFOLIO_2_TO_9", month),
    portfolio_10_to_99: ownedHomes(model, "PORTFOLIO_10_TO_99", month),
    portfolio_100_to_999: ownedHomes(model, "PORTFOLIO_100_TO_999", month),
    portfolio_1000_plus: ownedHomes(model, "PORTFOLIO_1000_PLUS", month),
  };
  const count = { ...sizes, all_portfolios: Object.values(sizes).reduce((sum, homes) => sum + homes, 0) };
  return {
    count,
    pct_sf_housing_stock: {
      portfolio_2_to_9: percentage(count.portfolio_2_to_9, stock),
      portfolio_10_to_99: percentage(count.portfolio_10_to_99, stock),
      portfolio_100_to_999: percentage(count.portfolio_100_to_999, stock),
      portfolio_1000_plus: percentage(count.portfolio_1000_plus, stock),
      all_portfolios: percentage(count.all_portfolios, stock),
    },
  };
}

export function singleFamilyHousingEventCounts(
  model: MarketModel,
  month: number,
  sizes: readonly PortfolioSize[],
): InvestorEventCounts {
  return investorEventCounts(model, month, SINGLE_FAMILY, sizes);
}

export function singleFamilyForSaleRollingCounts(
  model: MarketModel,
  day: number,
  sizes: readonly PortfolioSize[],
): PortfolioForSaleRollingCounts {
  const { count, percentages } = listings(model, "newListingsForSale", day, sizes);
  return { count, pct_sf_for_sale_market: percentages };
}

export function singleFamilyForRentRollingCounts(
  model: MarketModel,
  day: number,
  sizes: readonly PortfolioSize[],
): PortfolioForRentRollingCounts {
  const { count, percentages } = listings(model, "newRentalListings", day, sizes);
  return { count, pct_sf_for_rent_market: percentages };
}

function listings(model: MarketModel, kind: FlowKind, day: number, sizes: readonly PortfolioSize[]) {
  const types = SINGLE_FAMILY;
  const count = rollingCounts(model, { kind, types, owners: sizes }, day, LISTINGS_START);
  const market = rollingCounts(model, { kind, types }, day, LISTINGS_START);
  return { count, percentages: rollingPercentages(count, market) };
}
