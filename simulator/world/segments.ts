/** How metric records and properties are divided: by type of home, and by how many homes an owner has. */

export const PROPERTY_TYPES = ["SINGLE_FAMILY", "CONDO", "TOWNHOUSE", "OTHER"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** A type, or all of them: what the metric endpoints take. */
export const PROPERTY_TYPE_FILTERS = [...PROPERTY_TYPES, "ALL_PROPERTIES"] as const;
export type PropertyTypeFilter = (typeof PROPERTY_TYPE_FILTERS)[number];

export const PORTFOLIO_SIZES = [
  "PORTFOLIO_2_TO_9",
  "PORTFOLIO_10_TO_99",
  "PORTFOLIO_100_TO_999",
  "PORTFOLIO_1000_PLUS",
] as const;
export type PortfolioSize = (typeof PORTFOLIO_SIZES)[number];

/** A size, or all of them: what the portfolio endpoints take. */
export const PORTFOLIO_SIZE_FILTERS = [...PORTFOLIO_SIZES, "ALL_PORTFOLIOS"] as const;
export type PortfolioSizeFilter = (typeof PORTFOLIO_SIZE_FILTERS)[number];

/**
 * Who owns a home, as far as metrics tell owners apart. `OTHER_INVESTOR` are investors outside the portfolios of
 * single-family homes: those with one home, and those with other types of homes.
 */
export const OWNER_CLASSES = ["NOT_INVESTOR", "OTHER_INVESTOR", ...PORTFOLIO_SIZES] as const;
export type OwnerClass = (typeof OWNER_CLASSES)[number];

export const INVESTOR_CLASSES = ["OTHER_INVESTOR", ...PORTFOLIO_SIZES] as const satisfies readonly OwnerClass[];

export function propertyTypesOf(filter: PropertyTypeFilter): readonly PropertyType[] {
  return filter === "ALL_PROPERTIES" ? PROPERTY_TYPES : [filter];
}

export function portfolioSizesOf(filter: PortfolioSizeFilter): readonly PortfolioSize[] {
  return filter === "ALL_PORTFOLIOS" ? PORTFOLIO_SIZES : [filter];
}
