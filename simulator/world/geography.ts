import { type MarketRecord, type MarketTable, namedMarket } from "../marketTable.ts";
import { InvalidWorldError } from "./InvalidWorldError.ts";
import { townName } from "./inventedNames.ts";
import { itemAt } from "./itemAt.ts";
import { KNOWN_PLACES, type KnownMarket, type KnownPlace } from "./knownPlaces.ts";
import type { Randomness } from "./randomness.ts";
import { STATES, type State, stateOfFipsCode } from "./states.ts";

/** A ZIP code, the smallest market, with the markets that it lies in. */
export type ZipCode = {
  /** Five digits. */
  readonly code: string;
  readonly market: MarketRecord;
  readonly city: MarketRecord;
  readonly county: MarketRecord;
  readonly metro: MarketRecord;
  readonly state: State;
  /** Its middle, decimal degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** How many properties it ever has, 20 to 400. */
  readonly propertySlots: number;
};

/** Which markets there are and how they contain one another: nation, states, metros, counties, cities, ZIP codes. */
export type Geography = {
  /** The markets given, and those generated so that every ZIP code lies in a city, a county and a metro. */
  readonly markets: MarketTable;
  /** By code, ascending. */
  readonly zipCodes: readonly ZipCode[];
  /** The ZIP code of five digits. */
  zipCode(code: string): ZipCode | undefined;
  /** The ZIP codes of a market by code, ascending; none of a market that does not exist. */
  zipCodesOf(marketId: bigint): readonly ZipCode[];
};

/**
 * Where generated markets get their ids from, upward. The service's own ids seen so far lie below 5,830,000; the ids of
 * generated ZIP codes end in their five digits.
 */
const FIRST_GENERATED_ID = { ZIP5: 6_000_000n, COUNTY: 6_200_000n, CITY: 6_300_000n, CBSA: 6_400_000n } as const;

const COUNTIES_PER_METRO = 12;
const FEWEST_PROPERTIES = 20;
const MOST_PROPERTIES = 400;

/** A city with the county and metro it lies in, where ZIP codes are put. */
type Site = {
  readonly state: State;
  readonly city: MarketRecord;
  readonly county: MarketRecord;
  readonly metro: MarketRecord;
  readonly latitude: number;
  readonly longitude: number;
};

/** The markets of one state that no ZIP code lies in yet. */
type Unsettled = {
  readonly metros: MarketRecord[];
  readonly counties: MarketRecord[];
  readonly places: MarketRecord[];
  readonly zipCodes: MarketRecord[];
  /** Markets that are the state itself. */
  readonly states: MarketRecord[];
};

/**
 * Puts the given markets into one another. Where the built-in markets lie is known; every other market is placed in its
 * state by its id, as market records do not say more. What a market lacks is generated: a county without a city gets
 * one, a city without ZIP codes gets one to four.
 * @throws InvalidWorldError when five digits do not suffice for all ZIP codes.
 */
export function buildGeography(given: MarketTable, random: Randomness): Geography {
  return new GeographyBuilder(given, random).build();
}

class GeographyBuilder {
  readonly #random: Randomness;
  readonly #markets: Map<bigint, MarketRecord>;
  readonly #given: readonly MarketRecord[];
  readonly #givenByGeoid = new Map<string, MarketRecord>();
  readonly #givenByZipCode = new Map<string, MarketRecord>();
  /** For each id that a search for an unused one has started from, where the next search may start. */
  readonly #unusedFrom = new Map<bigint, bigint>();
  readonly #known = new Map<KnownMarket, MarketRecord>();
  readonly #zipCodes = new Map<string, ZipCode>();
  /** States all of whose codes are taken. */
  readonly #fullStates = new Set<State>();
  /** All codes below this one are taken. */
  #nextCode = 1_000;
  /** Ids of the markets that a ZIP code lies in, with those ZIP codes. */
  readonly #contents = new Map<bigint, ZipCode[]>();

  constructor(given: MarketTable, random: Randomness) {
    this.#random = random;
    this.#markets = new Map(given);
    // In the order of ids, so that the order of the source makes no difference.
    this.#given = [...given.values()].sort((a, b) => (a.marketId < b.marketId ? -1 : 1));
    for (const market of this.#given) {
      if (market.geoid !== null) this.#givenByGeoid.set(geoidKey(market.locationType, market.geoid), market);
      const code = zipCodeOf(market);
      if (code !== undefined && !this.#givenByZipCode.has(code)) this.#givenByZipCode.set(code, market);
    }
  }

  build(): Geography {
    for (const place of KNOWN_PLACES) if (this.#isGiven(place)) this.#settleKnownPlace(place);
    for (const [state, unsettled] of this.#unsettledByState()) this.#settleState(state, unsettled);
    this.#settleEmptyNation();
    return this.#geography();
  }

  #geography(): Geography {
    const zipCodes = [...this.#zipCodes.values()].sort(byCode);
    const contents = this.#contents;
    for (const list of contents.values()) list.sort(byCode);
    for (const market of this.#given) {
      const isInside = containment(market);
      if (isInside) contents.set(market.marketId, zipCodes.filter(isInside));
    }
    return {
      markets: this.#markets,
      zipCodes,
      zipCode: (code) => this.#zipCodes.get(code),
      zipCodesOf: (marketId) => contents.get(marketId) ?? [],
    };
  }

  #isGiven({ city, county }: KnownPlace): boolean {
    return this.#givenMarket(city, "CITY") !== undefined || this.#givenMarket(county, "COUNTY") !== undefined;
  }

  #givenMarket({ marketId, geoid }: KnownMarket, locationType: string): MarketRecord | undefined {
    const byId = marketId === undefined ? undefined : this.#markets.get(marketId);
    return byId ?? this.#givenByGeoid.get(geoidKey(locationType, geoid));
  }

  #settleKnownPlace(place: KnownPlace): void {
    const state = requireState(place.state);
    const site: Site = {
      state,
      city: this.#knownMarket(place.city, "CITY", state),
      county: this.#knownMarket(place.county, "COUNTY", state),
      metro: this.#knownMarket(place.metro, "CBSA", state),
      latitude: place.latitude,
      longitude: place.longitude,
    };
    for (const code of place.zipCodes) this.#addZipCode(site, code, place.zipCodes.length);
  }

  /** The given market with what it does not say filled in, or a new one. */
  #knownMarket(known: KnownMarket, locationType: "CITY" | "COUNTY" | "CBSA", state: State): MarketRecord {
    const settled = this.#known.get(known);
    if (settled) return settled;
    const given = this.#givenMarket(known, locationType);
    const isMetro = locationType === "CBSA";
    const marketId = given?.marketId ?? this.#unusedId(known.marketId ?? FIRST_GENERATED_ID[locationType]);
    const described = namedMarket(marketId, known.name, {
      geoid: known.geoid,
      stateFipsCode: isMetro ? null : state.fipsCode,
      stateAbbreviation: isMetro ? null : state.abbreviation,
      region: isMetro ? null : state.region,
      locationType,
      totalPopulation: known.population,
      medianIncome: this.#medianIncome(marketId),
    });
    const said = Object.entries(given ?? {}).filter(([, value]) => value !== null);
    const market = this.#addMarket({ ...described, ...Object.fromEntries(said) });
    this.#known.set(known, market);
    return market;
  }

  #unsettledByState(): ReadonlyMap<State, Unsettled> {
    const byState = new Map<State, Unsettled>();
    for (const market of this.#given) {
      if (this.#contents.has(market.marketId) || isNation(market) || isRegion(market)) continue;
      const state = this.#stateOf(market);
      const unsettled = byState.get(state) ?? { metros: [], counties: [], places: [], zipCodes: [], states: [] };
      byState.set(state, unsettled);
      unsettled[this.#roleOf(market)].push(market);
    }
    return byState;
  }

  #roleOf(market: MarketRecord): keyof Unsettled {
    const code = zipCodeOf(market);
    if (code !== undefined && this.#givenByZipCode.get(code) === market) return "zipCodes";
    switch (market.locationType) {
      case "CBSA":
        return "metros";
      case "COUNTY":
        return "counties";
      case "STATE":
        return "states";
      default:
        // Cities, towns, villages, census places, and markets of which only the id is known.
        return "places";
    }
  }

  #settleState(state: State, { metros, counties, places, zipCodes }: Unsettled): void {
    const isSettled = [...this.#zipCodes.values()].some((zipCode) => zipCode.state === state);
    if (metros.length + counties.length + places.length + zipCodes.length === 0 && isSettled) return;

    // Every metro has a county, every county a city, every city a ZIP code.
    const countiesNeeded = Math.max(1, counties.length, metros.length);
    const homes = Array.from({ length: countiesNeeded }, (_, index) => {
      return counties[index] ?? this.#generateMarket("COUNTY", state, `number ${index}`);
    });
    const homeMetros = metros.length > 0 ? metros : this.#metrosOf(state, homes);
    const sites: Site[] = [];
    for (let index = 0; index < Math.max(homes.length, places.length); index += 1) {
      const county = itemAt(homes, index % homes.length);
      const city = places[index] ?? this.#generateCity(state, county);
      const middle = this.#random.branch("middle").branch(county.marketId);
      sites.push({
        state,
        city,
        county,
        metro: itemAt(homeMetros, (index % homes.length) % homeMetros.length),
        latitude: state.latitude + middle.between(0, -0.3, 0.3),
        longitude: state.longitude + middle.between(1, -0.3, 0.3),
      });
    }
    for (const [index, site] of sites.entries()) {
      const own = zipCodes.filter((_, position) => position % sites.length === index);
      const codes = own.flatMap((market) => zipCodeOf(market) ?? []);
      const wanted = codes.length > 0 ? codes.length : zipCodesWanted(site.city.totalPopulation);
      for (const code of codes) this.#addZipCode(site, code, wanted);
      for (let number = codes.length; number < wanted; number += 1) {
        this.#addZipCode(site, this.#unusedZipCode(site, number), wanted);
      }
    }
  }

  /** One metro for each dozen of counties, named after one of them, with the people of all. */
  #metrosOf(state: State, counties: readonly MarketRecord[]): MarketRecord[] {
    const metros = Math.ceil(counties.length / COUNTIES_PER_METRO);
    return Array.from({ length: metros }, (_, index) => {
      const seat = itemAt(counties, index).name.replace(/ County$/i, "");
      const name = `${seat}, ${state.abbreviation[0]}${state.abbreviation.slice(1).toLowerCase()}`;
      const metro = this.#generateMarket("CBSA", state, itemAt(counties, index).marketId, name);
      const inside = counties.filter((_, position) => position % metros === index);
      const people = inside.reduce((sum, { totalPopulation }) => sum + (totalPopulation ?? 0), 0);
      return people === 0 ? metro : this.#addMarket({ ...metro, totalPopulation: people });
    });
  }

  /** A nation alone has places all the same. */
  #settleEmptyNation(): void {
    if (this.#zipCodes.size > 0 || !this.#given.some(isNation)) return;
    for (const abbreviation of ["CA", "FL", "GA", "IL", "NY", "TX"]) {
      this.#settleState(requireState(abbreviation), {
        metros: [],
        counties: [],
        places: [],
        zipCodes: [],
        states: [],
      });
    }
  }

  #stateOf(market: MarketRecord): State {
    const named = /, ([A-Z]{2})(?:-[A-Z]{2})*$/i.exec(market.name)?.[1]?.toUpperCase();
    const code = zipCodeOf(market);
    const state =
      (market.stateAbbreviation === null ? undefined : STATES.get(market.stateAbbreviation)) ??
      (market.stateFipsCode === null ? undefined : stateOfFipsCode(market.stateFipsCode)) ??
      (named === undefined ? undefined : STATES.get(named)) ??
      (code === undefined ? undefined : stateOfZipCode(code)) ??
      (market.locationType === "STATE" ? stateNamed(market.name) : undefined);
    if (state) return state;
    const states = [...STATES.values()].filter(({ region }) => region !== null);
    return itemAt(
      states,
      this.#random
        .branch("state")
        .branch(market.marketId)
        .integer(0, 0, states.length - 1),
    );
  }

  /** The largest city of a county. */
  #generateCity(state: State, county: MarketRecord): MarketRecord {
    const city = this.#generateMarket("CITY", state, county.marketId);
    if (county.totalPopulation === null) return city;
    const share = this.#random.branch("largest city").branch(county.marketId).between(0, 0.15, 0.5);
    return this.#addMarket({ ...city, totalPopulation: Math.round(county.totalPopulation * share) });
  }

  #generateMarket(
    locationType: "COUNTY" | "CITY" | "CBSA",
    state: State,
    within: bigint | string,
    name?: string,
  ): MarketRecord {
    const random = this.#random.branch(locationType).branch(state.abbreviation).branch(within);
    const suffix = locationType === "COUNTY" ? " County" : " City";
    const marketId = this.#unusedId(FIRST_GENERATED_ID[locationType]);
    const population = { COUNTY: 80_000, CITY: 20_000, CBSA: 300_000 }[locationType];
    const isMetro = locationType === "CBSA";
    return this.#addMarket(
      namedMarket(marketId, name ?? townName(random) + suffix, {
        stateFipsCode: isMetro ? null : state.fipsCode,
        stateAbbreviation: isMetro ? null : state.abbreviation,
        region: isMetro ? null : state.region,
        locationType,
        totalPopulation: Math.round(population * random.between(2, 0.2, 1.8)),
        medianIncome: this.#medianIncome(marketId),
      }),
    );
  }

  #addZipCode(site: Site, code: string, zipCodesOfSite: number): void {
    const { state, city, county, metro } = site;
    const random = this.#random.branch("zip code").branch(code);
    const market = this.#givenByZipCode.get(code) ?? this.#generateZipMarket(site, code, zipCodesOfSite);
    const zipCode: ZipCode = {
      code,
      market,
      city,
      county,
      metro,
      state,
      latitude: site.latitude + random.between(0, -0.05, 0.05),
      longitude: site.longitude + random.between(1, -0.05, 0.05),
      propertySlots: random.integer(2, FEWEST_PROPERTIES, MOST_PROPERTIES),
    };
    this.#zipCodes.set(code, zipCode);
    for (const { marketId } of new Set([market, city, county, metro])) {
      const contents = this.#contents.get(marketId);
      if (contents) contents.push(zipCode);
      else this.#contents.set(marketId, [zipCode]);
    }
  }

  #generateZipMarket({ state, city }: Site, code: string, zipCodesOfSite: number): MarketRecord {
    const marketId = this.#unusedId(FIRST_GENERATED_ID.ZIP5 + BigInt(code));
    const random = this.#random.branch("ZIP5").branch(code);
    const share = (city.totalPopulation ?? 20_000 * zipCodesOfSite) / zipCodesOfSite;
    return this.#addMarket(
      namedMarket(marketId, code, {
        stateFipsCode: state.fipsCode,
        stateAbbreviation: state.abbreviation,
        region: state.region,
        locationType: "ZIP5",
        totalPopulation: Math.round(Math.min(share, 60_000) * random.between(0, 0.7, 1)),
        medianIncome: this.#medianIncome(marketId),
      }),
    );
  }

  #medianIncome(marketId: bigint): number {
    return this.#random.branch("median income").branch(marketId).integer(0, 42_000, 118_000);
  }

  /** The first id from here on that no market has. */
  #unusedId(from: bigint): bigint {
    let marketId = this.#unusedFrom.get(from) ?? from;
    while (this.#markets.has(marketId)) marketId += 1n;
    this.#unusedFrom.set(from, marketId + 1n);
    return marketId;
  }

  /** A code of the state that no ZIP code has; of another state when all of them are taken. */
  #unusedZipCode({ state, city }: Site, number: number): string {
    const isFree = (code: string) => !this.#zipCodes.has(code) && !this.#givenByZipCode.has(code);
    if (!this.#fullStates.has(state)) {
      const codes = state.zipPrefixes.reduce((count, [first, last]) => count + (last - first + 1) * 100, 0);
      const start = this.#random
        .branch("code")
        .branch(city.marketId)
        .integer(number, 0, codes - 1);
      for (let step = 0; step < codes; step += 1) {
        const code = codeOfState(state, (start + step) % codes);
        if (isFree(code)) return code;
      }
      this.#fullStates.add(state);
    }
    for (; this.#nextCode < 100_000; this.#nextCode += 1) {
      const code = String(this.#nextCode).padStart(5, "0");
      if (isFree(code)) return code;
    }
    throw new InvalidWorldError(
      "the markets need more ZIP codes than five digits can tell apart",
      "Give fewer markets, or ZIP code markets for the cities among them.",
    );
  }

  #addMarket(market: MarketRecord): MarketRecord {
    this.#markets.set(market.marketId, market);
    return market;
  }
}

function zipCodesWanted(population: number | null): number {
  const people = population ?? 0;
  return 1 + Number(people > 40_000) + Number(people > 150_000) + Number(people > 400_000);
}

function codeOfState({ zipPrefixes }: State, index: number): string {
  let rest = index;
  for (const [first, last] of zipPrefixes) {
    const size = (last - first + 1) * 100;
    if (rest < size) return String(first * 100 + rest).padStart(5, "0");
    rest -= size;
  }
  throw new RangeError(`no ZIP code number ${index}`);
}

function stateOfZipCode(code: string): State | undefined {
  const prefix = Number(code.slice(0, 3));
  for (const state of STATES.values()) {
    if (state.zipPrefixes.some(([first, last]) => prefix >= first && prefix <= last)) return state;
  }
  return undefined;
}

function zipCodeOf({ locationType, name }: MarketRecord): string | undefined {
  return locationType === "ZIP5" && /^\d{5}$/.test(name) ? name : undefined;
}

/** Which ZIP codes lie in a market above the metros, or `undefined` for markets below. */
function containment(market: MarketRecord): ((zipCode: ZipCode) => boolean) | undefined {
  if (isNation(market)) return () => true;
  if (isRegion(market)) {
    const region = market.region ?? regionNamed(market.name);
    return (zipCode) => zipCode.state.region === region;
  }
  if (market.locationType !== "STATE") return undefined;
  const state = market.stateAbbreviation ?? stateNamed(market.name)?.abbreviation;
  return (zipCode) => zipCode.state.abbreviation === state;
}

function isNation({ locationType }: MarketRecord): boolean {
  return locationType === "COUNTRY";
}

function isRegion({ locationType }: MarketRecord): boolean {
  return locationType === "REGION";
}

function regionNamed(name: string): string {
  return name.toUpperCase().replaceAll(" ", "_");
}

function stateNamed(name: string): State | undefined {
  const wanted = name.toLowerCase();
  return [...STATES.values()].find((state) => state.name.toLowerCase() === wanted);
}

function requireState(abbreviation: string): State {
  const state = STATES.get(abbreviation);
  if (!state) throw new RangeError(`no state ${abbreviation}`);
  return state;
}

function geoidKey(locationType: string | null, geoid: string): string {
  return `${locationType} ${geoid}`;
}

function byCode(a: ZipCode, b: ZipCode): number {
  return a.code < b.code ? -1 : 1;
}
