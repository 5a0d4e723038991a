import type { Geography, ZipCode } from "./geography.ts";
import { LeastRecentlyUsed } from "./leastRecentlyUsed.ts";
import { isWithinOneEdit } from "./oneEdit.ts";
import type { Properties, Property, PropertyRecord } from "./properties.ts";

/** One address that is looked up. */
export type AddressLookup = {
  readonly address: string;
  readonly city: string;
  readonly state_abbreviation: string;
  readonly zip_code: string;
  readonly unit?: string | undefined;
  readonly source_id?: string | undefined;
};

/** A lookup without a match, where these are answered too. */
export type UnmatchedAddress = {
  readonly svc_property_id: null;
  readonly address: string;
  readonly unit: string | null;
  readonly city: string;
  readonly zip_code: string;
  readonly state_abbreviation: string;
  readonly source_id?: string;
};

/** Whether a lookup without a match is answered with a null id, or left out; the service has been seen doing either. */
export type UnmatchedAnswer = "null id" | "left out";

const ZIP_CODES_KEPT = 64;

/** Words that addresses are written with in a long and a short form. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  STREET: "ST",
  STR: "ST",
  AVENUE: "AVE",
  AV: "AVE",
  DRIVE: "DR",
  ROAD: "RD",
  LANE: "LN",
  COURT: "CT",
  BOULEVARD: "BLVD",
  PLACE: "PL",
  TERRACE: "TER",
  TERR: "TER",
  CIRCLE: "CIR",
  PARKWAY: "PKWY",
  PKY: "PKWY",
};
const SUFFIX_FORMS = new Set([...Object.values(SHORT_FORMS), "WAY"]);

/** What stands before the number of a unit. */
const UNIT_WORDS = /^(?:UNIT|APARTMENT|APT|SUITE|STE|NO)? ?#? ?/;

/** A property's address in the parts that are compared. */
type Entry = Address & { readonly property: Property };

type Address = {
  /** The house number, compared exactly: the neighbour's house is another house. */
  readonly number: string;
  /** The name of the street, without its suffix. */
  readonly street: string;
  readonly suffix: string;
  readonly unit: string;
};

/**
 * Finds properties by address. Case, spaces, punctuation and the form of suffixes and unit words make no difference; the
 * street and the city may each have one letter wrong, missing, too many or swapped with its neighbour. House number,
 * suffix, unit, state and ZIP code must be right. An address that could mean several properties means none.
 */
export class AddressBook {
  readonly #geography: Geography;
  readonly #entries: LeastRecentlyUsed<ZipCode, readonly Entry[]>;

  constructor(geography: Geography, properties: Properties) {
    this.#geography = geography;
    this.#entries = new LeastRecentlyUsed(
      (zipCode) =>
        [...properties.ofZipCode(zipCode)].map((property) => ({
          property,
          ...addressParts(property.record.address, property.record.unit ?? ""),
        })),
      ZIP_CODES_KEPT,
    );
  }

  /** The one property that a lookup means. */
  find(lookup: AddressLookup): Property | undefined {
    const zipCode = this.#geography.zipCode(lookup.zip_code.trim());
    if (zipCode?.state.abbreviation !== lookup.state_abbreviation.trim().toUpperCase()) return undefined;
    const sought = addressParts(lookup.address, lookup.unit ?? "");
    const city = withoutSpaces(lookup.city);
    const found = this.#entries.get(zipCode).filter((entry) => isMeant(sought, entry));
    const [only] = found;
    if (found.length !== 1 || !only) return undefined;
    return isWithinOneEdit(city, withoutSpaces(only.property.record.city)) ? only.property : undefined;
  }

  /** A record for each lookup in the order of the lookups, with its `source_id` where there is one. */
  search(lookups: readonly AddressLookup[], unmatched: UnmatchedAnswer): (PropertyRecord | UnmatchedAddress)[] {
    return lookups.flatMap((lookup): (PropertyRecord | UnmatchedAddress)[] => {
      const source = lookup.source_id === undefined ? {} : { source_id: lookup.source_id };
      const property = this.find(lookup);
      if (property) return [{ ...property.record, ...source }];
      return unmatched === "left out" ? [] : [{ ...unmatchedAddress(lookup), ...source }];
    });
  }
}

function unmatchedAddress({ address, unit, city, state_abbreviation, zip_code }: AddressLookup): UnmatchedAddress {
  return {
    svc_property_id: null,
    address: address.toUpperCase(),
    unit: unit === undefined || unit === "" ? null : unit.toUpperCase(),
    city: city.toUpperCase(),
    zip_code,
    state_abbreviation: state_abbreviation.toUpperCase(),
  };
}

/** A lookup without a unit means the only property at the address. */
function isMeant(sought: Address, entry: Address): boolean {
  return (
    sought.number === entry.number &&
    (sought.unit === entry.unit || sought.unit === "") &&
    (sought.suffix === entry.suffix || sought.suffix === "") &&
    isWithinOneEdit(sought.street, entry.street)
  );
}

function addressParts(address: string, unit: string): Address {
  const words = wordsOf(address);
  const number = words.shift() ?? "";
  // A unit may be written after the street.
  const unitAt = words.findIndex((word) => /^(?:UNIT|APARTMENT|APT|SUITE|STE|#.*)$/.test(word));
  const written = unitAt === -1 ? [] : words.splice(unitAt);
  const last = words.at(-1) ?? "";
  const short = SHORT_FORMS[last] ?? last;
  const suffix = words.length > 1 && SUFFIX_FORMS.has(short) ? short : "";
  if (suffix !== "") words.pop();
  const unitWords = unit.trim() === "" ? written : wordsOf(unit);
  return {
    number,
    street: words.join(""),
    suffix,
    unit: unitWords.join(" ").replace(UNIT_WORDS, "").replaceAll(" ", ""),
  };
}

function wordsOf(text: string): string[] {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9#]+/g, " ")
    .trim()
    .split(" ");
}

function withoutSpaces(text: string): string {
  return wordsOf(text).join("");
}
