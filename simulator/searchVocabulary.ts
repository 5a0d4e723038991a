/** The words that the market search takes in its filters; `ALL` filters nothing. */

/** Kinds of areas. The last two are known from answers only. */
export const LOCATION_TYPES = ["COUNTY", "CITY", "ZIP5", "CDP", "VILLAGE", "TOWN", "CBSA", "ALL", "PLACE", "COUNTRY"];

/** Census divisions. */
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
];

/** The fifty states, the District of Columbia, Puerto Rico and the Virgin Islands. */
// biome-ignore format: a list of codes reads best in lines
export const STATE_ABBREVIATIONS = [
  "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "HI", "ID", "IL",
  "IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE",
  "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA", "PR", "RI", "SC",
  "SD", "TN", "TX", "UT", "VT", "VA", "VI", "WA", "WV", "WI", "WY", "ALL",
];

/** Two digits of the census: the states with their gaps, and the territories. */
// biome-ignore format: a list of codes reads best in lines
export const STATE_FIPS_CODES = [
  "01", "02", "04", "05", "06", "08", "09", "10", "11", "12", "13", "15", "16", "17",
  "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
  "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42", "44", "45", "46",
  "47", "48", "49", "50", "51", "53", "54", "55", "56", "60", "66", "69", "72", "78", "ALL",
];
