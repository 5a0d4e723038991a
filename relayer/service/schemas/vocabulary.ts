/** Words that the service uses for property types and portfolio sizes. */

/** What a unit can be. */
export const UNIT_TYPES = ["SINGLE_FAMILY", "CONDO", "TOWNHOUSE", "OTHER"] as const;
export type UnitType = (typeof UNIT_TYPES)[number];

/** What figures can be asked for; ALL_PROPERTIES is what the service takes when nothing is said. */
export const PROPERTY_TYPES = [...UNIT_TYPES, "ALL_PROPERTIES"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** Single-family homes that an owner has; ALL_PORTFOLIOS is what the service takes when nothing is said. */
export const PORTFOLIO_SIZES = [
  "PORTFOLIO_2_TO_9",
  "PORTFOLIO_10_TO_99",
  "PORTFOLIO_100_TO_999",
  "PORTFOLIO_1000_PLUS",
  "ALL_PORTFOLIOS",
] as const;
export type PortfolioSize = (typeof PORTFOLIO_SIZES)[number];

/** Kinds of areas that the market search takes. Answers know more (PLACE, COUNTRY). */
export const LOCATION_TYPES = ["COUNTY", "CITY", "ZIP5", "CDP", "VILLAGE", "TOWN", "CBSA", "ALL"] as const;
export type LocationType = (typeof LOCATION_TYPES)[number];

export const REGIONS = [
  "EAST_NORTH_CENTRAL",
  "EAST_SOUTH_CENTRAL",
  "MIDDLE_ATLANTIC",
  "MOUNTAIN",
  "NEW_ENGLAND",
  "PACIFIC",
  "SOUTH_ATLANTIC",
  "WEST_NORTH_CENTRAL",
  "WEST_SOUTH_CENTRAL",
  "ALL",
] as const;
export type Region = (typeof REGIONS)[number];

/** What market search can sort by. `SVC` stands for the maker's name, as in identifiers. */
export const MARKET_SORT_FIELDS = [
  "TOTAL_POPULATION",
  "MEDIAN_INCOME",
  "CASE_SHILLER_20_MARKET",
  "CASE_SHILLER_10_MARKET",
  "PRICEFEED_MARKET",
  "SVC_EXCHANGE_MARKET",
] as const;
export type MarketSortField = (typeof MARKET_SORT_FIELDS)[number];

/** State codes and what else the market search takes in their place. */
// biome-ignore format: a list of codes reads best in lines
export const STATE_ABBREVIATIONS = [
  "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "HI", "ID", "IL",
  "IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE",
  "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA", "PR", "RI", "SC",
  "SD", "TN", "TX", "UT", "VT", "VA", "VI", "WA", "WV", "WI", "WY", "ALL",
] as const;
export type StateAbbreviation = (typeof STATE_ABBREVIATIONS)[number];

/** Two digits of the Census, or ALL. */
// biome-ignore format: a list of codes reads best in lines
export const STATE_FIPS_CODES = [
  "01", "02", "04", "05", "06", "08", "09", "10", "11", "12", "13", "15", "16", "17",
  "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
  "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "44", "45", "46",
  "47", "48", "49", "50", "51", "53", "54", "55", "56", "60", "66", "69", "72", "78",
  "ALL",
] as const;
