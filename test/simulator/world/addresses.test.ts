import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AddressLookup } from "../../../simulator/world/addresses.ts";
import { STREET_NAMES } from "../../../simulator/world/inventedNames.ts";
import { isWithinOneEdit } from "../../../simulator/world/oneEdit.ts";
import type { PropertyRecord } from "../../../simulator/world/properties.ts";
import { always, requireMarket, testWorld } from "./worldsUnderTest.ts";

const world = testWorld("first");
const MIAMI_BEACH = 5353022n;
const records = [...world.properties.inMarket(requireMarket(world, MIAMI_BEACH))].map(({ record }) => record);
const houses = records.filter(({ unit }) => unit === null);
const condos = records.filter(({ unit }) => unit !== null);

const lookupOf = ({ address, unit, city, state_abbreviation, zip_code }: PropertyRecord): AddressLookup => ({
  address,
  city,
  state_abbreviation,
  zip_code,
  ...(unit === null ? {} : { unit }),
});
const idFound = (lookup: AddressLookup) => world.addresses.find(lookup)?.record.svc_property_id;

const anyRecord = fc.constantFrom(...records);
const anyHouse = fc.constantFrom(...houses);
const anyCondo = fc.constantFrom(...condos);

/** One letter of a text changed, left out, doubled or swapped with the next. */
const misspelt = (text: string, position: number, kind: number) => {
  const letters = [...text].flatMap((letter, index) => (/[A-Z]/.test(letter) ? [index] : []));
  const at = letters[position % letters.length] ?? 0;
  const [before, letter, after] = [text.slice(0, at), text[at] ?? "", text.slice(at + 1)];
  return (
    [`${before}${letter === "Q" ? "X" : "Q"}${after}`, before + after, before + letter + letter + after][kind % 3] ?? ""
  );
};

const words = (address: string) => {
  const [number = "", ...rest] = address.split(" ");
  const suffix = rest.pop() ?? "";
  return { number, street: rest.join(" "), suffix };
};

describe("an address search", () => {
  it("finds every property by its own address, and only it", () => {
    for (const record of records) expect(idFound(lookupOf(record))).toBe(record.svc_property_id);
  });

  it("does not mind case, spaces, punctuation or the form of the suffix", () => {
    const long: Record<string, string> = {
      ST: "Street",
      AVE: "Avenue",
      DR: "Drive",
      RD: "Road",
      LN: "Lane",
      CT: "Court",
    };
    always(fc.tuple(anyRecord, fc.boolean()), ([record, isSpaced]) => {
      const { number, street, suffix } = words(record.address);
      const written = [number, street.toLowerCase(), `${long[suffix] ?? suffix}.`].join(isSpaced ? "   " : " ");
      const found = idFound({
        ...lookupOf(record),
        address: ` ${written} `,
        city: isSpaced ? " miami  beach" : "MiamiBeach",
        state_abbreviation: "fl",
      });
      expect(found).toBe(record.svc_property_id);
    });
  });

  it("does not mind how a unit is written, beside the address or in it", () => {
    always(fc.tuple(anyCondo, fc.constantFrom("UNIT ", "Apt ", "#", "apt. #", "Apartment ", "")), ([record, word]) => {
      const unit = word + (record.unit ?? "").replace("UNIT ", "");
      expect(idFound({ ...lookupOf(record), unit })).toBe(record.svc_property_id);
      if (word === "") return;
      const { unit: _, ...rest } = lookupOf(record);
      expect(idFound({ ...rest, address: `${record.address} ${unit}` })).toBe(record.svc_property_id);
    });
  });

  it("forgives one wrong letter in the street and one in the city", () => {
    always(fc.tuple(anyRecord, fc.nat(), fc.nat(), fc.nat()), ([record, position, kind, cityKind]) => {
      const { number, street, suffix } = words(record.address);
      const address = `${number} ${misspelt(street, position, kind)} ${suffix}`;
      const city = misspelt(record.city, position, cityKind);
      expect(idFound({ ...lookupOf(record), address, city })).toBe(record.svc_property_id);
    });
  });

  it("does not forgive another house number, suffix, unit, state or ZIP code, nor two wrong letters", () => {
    always(fc.tuple(anyHouse, fc.nat({ max: 9_999 })), ([record, otherNumber]) => {
      const lookup = lookupOf(record);
      const { number, street, suffix } = words(record.address);
      const other = idFound({ ...lookup, address: `${otherNumber} ${street} ${suffix}` });
      expect(other === record.svc_property_id).toBe(String(otherNumber) === number);
      expect(idFound({ ...lookup, address: `${number} ${street} ${suffix === "ST" ? "AVE" : "ST"}` })).toBeUndefined();
      expect(idFound({ ...lookup, address: `${number} QX${street.slice(2)} ${suffix}` })).toBeUndefined();
      expect(idFound({ ...lookup, state_abbreviation: "GA" })).toBeUndefined();
      expect(idFound({ ...lookup, zip_code: "33138" })).toBeUndefined();
      expect(idFound({ ...lookup, city: "MIAMI" })).toBeUndefined();
      expect(idFound({ ...lookup, unit: "UNIT 5" })).toBeUndefined();
    });
    always(anyCondo, (record) => expect(idFound({ ...lookupOf(record), unit: "UNIT 999" })).toBeUndefined());
  });

  it("without a unit means nothing in a building of several", () => {
    let several = 0;
    for (const record of condos) {
      const { unit: _, ...lookup } = lookupOf(record);
      const inBuilding = condos.filter(({ address, zip_code }) => {
        return address === record.address && zip_code === record.zip_code;
      });
      expect(idFound(lookup)).toBe(inBuilding.length === 1 ? record.svc_property_id : undefined);
      several += Number(inBuilding.length > 1);
    }
    expect(several).toBeGreaterThan(0);
  });

  it.each(["", "   ", "NOWHERE", "12", "12 #", "#"])("makes nothing of the address %j", (address) => {
    const [house] = houses;
    if (!house) throw new Error("no house");
    expect(idFound({ ...lookupOf(house), address })).toBeUndefined();
  });

  it("answers in the order of the lookups, echoes source ids, and leaves out or names what it has not found", () => {
    const [first, second] = houses;
    if (!first || !second) throw new Error("too few houses");
    const lookups: AddressLookup[] = [
      { ...lookupOf(second), source_id: "b" },
      { address: "1 nowhere st", city: "Miami Beach", state_abbreviation: "fl", zip_code: "33139", source_id: "?" },
      lookupOf(first),
    ];
    const missing = {
      svc_property_id: null,
      address: "1 NOWHERE ST",
      unit: null,
      city: "MIAMI BEACH",
      zip_code: "33139",
      state_abbreviation: "FL",
      source_id: "?",
    };
    expect(world.addresses.search(lookups, "null id")).toEqual([{ ...second, source_id: "b" }, missing, first]);
    expect(world.addresses.search(lookups, "left out")).toEqual([{ ...second, source_id: "b" }, first]);
    expect(world.addresses.search([], "null id")).toEqual([]);
  });
});

describe("the names of streets", () => {
  it("are so different that a name with one edit means one of them at most", () => {
    const names = STREET_NAMES.map((name) => name.replaceAll(" ", ""));
    for (const [index, name] of names.entries()) {
      for (const other of names.slice(index + 1))
        expect(editDistance(name, other), `${name} ${other}`).toBeGreaterThan(2);
    }
  });

  it("are a prime number of names", () => {
    const count = STREET_NAMES.length;
    for (let divisor = 2; divisor < count; divisor += 1) expect(count % divisor).not.toBe(0);
  });
});

describe("one edit", () => {
  const anyText = fc.string({ unit: fc.constantFrom("A", "B", "C"), maxLength: 7 });

  it("is what the edit distance with swaps says", () => {
    always(
      fc.tuple(anyText, anyText),
      ([a, b]) => {
        expect(isWithinOneEdit(a, b)).toBe(editDistance(a, b) <= 1);
        expect(isWithinOneEdit(b, a)).toBe(isWithinOneEdit(a, b));
      },
      5_000,
    );
  });
});

/** Letters changed, added, left out, and neighbours swapped: the textbook table (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const changed = at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]);
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
      const row = table[i];
      if (row) row[j] = best;
    }
  }
  return at(a.length, b.length);
}
