import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_MARKETS } from "../../../simulator/builtInMarkets.ts";
import { type MarketTable, namedMarket } from "../../../simulator/marketTable.ts";
import { buildGeography } from "../../../simulator/world/geography.ts";
import { InvalidWorldError } from "../../../simulator/world/InvalidWorldError.ts";
import { Randomness } from "../../../simulator/world/randomness.ts";
import { STATES } from "../../../simulator/world/states.ts";
import { always, anyWorld, MIXED_MARKETS, requireMarket, testWorld } from "./worldsUnderTest.ts";

const world = testWorld("first");
const USA = 5826765n;
const names = (ids: readonly { name: string }[]) => [...new Set(ids.map(({ name }) => name))].sort();

/** Tables of markets of any type, whose records say much or little. */
const anyMarkets: fc.Arbitrary<MarketTable> = fc
  .uniqueArray(
    fc.record({
      id: fc.bigInt({ min: 1n, max: 9_000_000n }),
      type: fc.constantFrom("CITY", "TOWN", "COUNTY", "CBSA", "ZIP5", "STATE", "REGION", "COUNTRY", null),
      state: fc.constantFrom("TX", "RI", "NY", "XX", null),
      zip: fc.nat({ max: 99_999 }),
      population: fc.option(fc.nat({ max: 2_000_000 })),
    }),
    { selector: ({ id }) => id, maxLength: 60 },
  )
  .map(
    (rows) =>
      new Map(
        rows.map(({ id, type, state, zip, population }) => {
          const name = type === "ZIP5" ? String(zip).padStart(5, "0") : `Place ${zip}`;
          const known = { locationType: type, stateAbbreviation: state, totalPopulation: population };
          return [id, namedMarket(id, name, known)];
        }),
      ),
  );

describe("the geography of the built-in markets", () => {
  it("puts every given city, county, metro, ZIP code and nation around some ZIP codes", () => {
    for (const marketId of [...BUILT_IN_MARKETS.keys(), ...MIXED_MARKETS.keys()]) {
      expect(world.geography.zipCodesOf(marketId).length, `market ${marketId}`).toBeGreaterThan(0);
    }
  });

  it("has them where they are", () => {
    const [brooklyn] = world.geography.zipCodesOf(5822447n);
    expect(brooklyn?.city.marketId).toBe(5372594n);
    expect(brooklyn?.metro.marketId).toBe(2900187n);
    expect(brooklyn?.state.abbreviation).toBe("NY");
    const miamiBeach = world.geography.zipCodesOf(5353022n);
    expect(miamiBeach.map(({ code }) => code)).toEqual(["33139", "33140", "33141"]);
    const [miami] = world.geography.zipCodesOf(5352987n);
    expect(miami?.county).toBe(miamiBeach[0]?.county);
    expect(names(world.geography.zipCodesOf(miami?.county.marketId ?? 0n).map(({ city }) => city))).toEqual([
      "Miami Beach City",
      "Miami City",
    ]);
  });

  it("keeps what a given record says, and adds what it does not", () => {
    expect(requireMarket(world, 5821868n)).toEqual(MIXED_MARKETS.get(5821868n));
    const miami = requireMarket(world, 5352987n);
    expect(miami).toMatchObject({ name: "Miami City", isExchangeMarket: true, hasPriceFeed: true, geoid: "1245000" });
    expect(miami.totalPopulation).toBeGreaterThan(400_000);
  });

  it("uses given counties and metros for known cities, found by their census id", () => {
    const given = new Map([
      [5352987n, namedMarket(5352987n, "Miami City", { locationType: "CITY" })],
      [5821687n, namedMarket(5821687n, "Dade", { locationType: "COUNTY", geoid: "12086" })],
      [42n, namedMarket(42n, "Miami Metro", { locationType: "CBSA", geoid: "33100" })],
      [43n, namedMarket(43n, "33129", { locationType: "ZIP5" })],
    ]);
    const { zipCode } = buildGeography(given, Randomness.ofSeed("x"));
    expect(zipCode("33129")?.market.marketId).toBe(43n);
    expect(zipCode("33129")?.county.name).toBe("Dade");
    expect(zipCode("33129")?.metro.name).toBe("Miami Metro");
  });

  it("has all ZIP codes in the nation, and those of a state or a region in it", () => {
    expect(world.geography.zipCodesOf(USA)).toEqual(world.geography.zipCodes);
    expect(new Set(world.geography.zipCodesOf(900n).map(({ state }) => state.abbreviation))).toEqual(new Set(["OR"]));
    const newEngland = new Set(world.geography.zipCodesOf(901n).map(({ state }) => state.abbreviation));
    expect(newEngland).toEqual(new Set(["MA", "VT"]));
  });

  it("answers nothing for markets and ZIP codes that do not exist", () => {
    expect(world.geography.zipCodesOf(123_456_789n)).toEqual([]);
    expect(world.geography.zipCode("00000")).toBeUndefined();
    expect(world.market(123_456_789n)).toBeUndefined();
  });
});

describe("every geography", () => {
  const holds = (given: MarketTable, seed: string) => {
    const geography = buildGeography(given, Randomness.ofSeed(seed));
    const codes = geography.zipCodes.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].sort());
    for (const zipCode of geography.zipCodes) {
      expect(zipCode.code).toMatch(/^\d{5}$/);
      expect(zipCode.propertySlots).toBeGreaterThanOrEqual(20);
      expect(zipCode.propertySlots).toBeLessThanOrEqual(400);
      expect(geography.zipCode(zipCode.code)).toBe(zipCode);
      const { market, city, county, metro } = zipCode;
      for (const { marketId } of [market, city, county, metro]) {
        expect(geography.markets.has(marketId)).toBe(true);
        expect(geography.zipCodesOf(marketId)).toContain(zipCode);
      }
      expect(geography.zipCodesOf(market.marketId)).toEqual([zipCode]);
    }
    return geography;
  };

  it("has each ZIP code once, in one city, county and metro, whatever markets are given", () => {
    always(
      fc.tuple(anyMarkets, fc.string()),
      ([given, seed]) => {
        const geography = holds(given, seed);
        for (const market of given.values()) {
          expect(geography.markets.get(market.marketId)?.name).toBe(market.name);
          if (market.locationType !== "REGION" && market.locationType !== "STATE") {
            expect(geography.zipCodesOf(market.marketId).length).toBeGreaterThan(0);
          }
        }
      },
      150,
    );
  });

  it("does not depend on the order in which markets are given", () => {
    always(
      fc.tuple(anyMarkets, fc.string()),
      ([given, seed]) => {
        const reversed = new Map([...given].toReversed());
        expect(holds(reversed, seed).zipCodes).toEqual(holds(given, seed).zipCodes);
      },
      40,
    );
  });

  it("has codes that begin as those of their state, unless they were given elsewhere", () => {
    always(anyWorld, ({ geography }) => {
      for (const { code, state, market } of geography.zipCodes) {
        if (MIXED_MARKETS.has(market.marketId)) continue;
        const prefix = Number(code.slice(0, 3));
        expect(state.zipPrefixes.some(([first, last]) => prefix >= first && prefix <= last)).toBe(true);
      }
    });
  });

  it("says so when five digits do not suffice", () => {
    const zipCodes = Array.from({ length: 99_000 }, (_, index) => String(1_000 + index).padStart(5, "0"));
    const given = new Map([
      [1n, namedMarket(1n, "Washington", { locationType: "CITY", stateAbbreviation: "DC" })],
      ...zipCodes.map((code, index) => {
        const id = BigInt(index + 2);
        return [id, namedMarket(id, code, { locationType: "ZIP5", stateAbbreviation: "TX" })] as const;
      }),
    ]);
    expect(() => buildGeography(given, Randomness.ofSeed("x"))).toThrow(InvalidWorldError);
  });
});

describe("the table of states", () => {
  it("has the fifty, the district and five territories, each ZIP prefix in at most two", () => {
    expect(STATES.size).toBe(56);
    expect(new Set([...STATES.values()].map(({ fipsCode }) => fipsCode)).size).toBe(56);
    const prefixes = [...STATES.values()].flatMap(({ region, zipPrefixes }) =>
      region === null
        ? []
        : zipPrefixes.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
    );
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });
});
