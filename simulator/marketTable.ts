/** One market as the market search describes it; `null` where the service says nothing. */
export type MarketRecord = {
  readonly marketId: bigint;
  /** `USA` in every record seen. */
  readonly country: string;
  /** Census id: 5 digits for a metro or county, 7 for a place; none for ZIP codes and the country. */
  readonly geoid: string | null;
  readonly stateFipsCode: string | null;
  /** For a ZIP code its five digits. */
  readonly name: string;
  /** None for metros and the country. */
  readonly stateAbbreviation: string | null;
  /** Census division, `SOUTH_ATLANTIC`. */
  readonly region: string | null;
  /** `CITY`, `COUNTY`, `ZIP5`, `CBSA`, `COUNTRY` and others. */
  readonly locationType: string | null;
  readonly totalPopulation: number | null;
  /** USD a year. */
  readonly medianIncome: number | null;
  /** Traded at the exchange that consumes the prices. */
  readonly isExchangeMarket: boolean;
  readonly hasPriceFeed: boolean;
  readonly isCaseShiller10Market: boolean;
  readonly isCaseShiller20Market: boolean;
};

export type MarketTable = ReadonlyMap<bigint, MarketRecord>;

/** A record of which only the id and the name are known. */
export function namedMarket(
  marketId: bigint,
  name: string,
  known: Partial<Omit<MarketRecord, "marketId" | "name">> = {},
): MarketRecord {
  return {
    marketId,
    country: "USA",
    geoid: null,
    stateFipsCode: null,
    name,
    stateAbbreviation: null,
    region: null,
    locationType: null,
    totalPopulation: null,
    medianIncome: null,
    isExchangeMarket: false,
    hasPriceFeed: false,
    isCaseShiller10Market: false,
    isCaseShiller20Market: false,
    ...known,
  };
}
