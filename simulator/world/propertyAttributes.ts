import type { FeedKind } from "../../relayer/message/feedId.ts";
import { monthOfDay, requireDay } from "./calendarPeriods.ts";
import { HISTORY_START, RECORD_TRACKING_START } from "./dataStarts.ts";
import type { ZipCode } from "./geography.ts";
import { OPERATOR_NAMES, type OperatorName, STREET_NAMES } from "./inventedNames.ts";
import { itemAt } from "./itemAt.ts";
import type { PriceLevels } from "./priceLevels.ts";
import { propertyIdOf } from "./propertyId.ts";
import type { Randomness } from "./randomness.ts";
import type { PropertyType } from "./segments.ts";

/** What does not change about a property. */
export type PropertyAttributes = {
  readonly propertyId: bigint;
  readonly zipCode: ZipCode;
  readonly random: Randomness;
  /** `118 CHESTNUT AVE`. */
  readonly address: string;
  /** `UNIT 204`; none of a house. */
  readonly unit: string | null;
  /** Decimal degrees, six decimals. */
  readonly latitude: number;
  readonly longitude: number;
  readonly propertyType: PropertyType;
  readonly bedrooms: number;
  /** Whole or half. */
  readonly bathrooms: number;
  readonly squareFootage: number;
  readonly yearBuilt: number;
  readonly hasPool: boolean;
  /** Day since 1970-01-01 from which the record of the property exists; the first day of tracking for most. */
  readonly addedDay: number;
  /** Day since 1970-01-01 on which its history can begin: when it was built, or when history begins. */
  readonly firstDay: number;
  /** Whether its first owner in the history is its builder. */
  readonly isBuiltInHistory: boolean;
  /** Its price per square foot in parts of the ZIP code's. */
  readonly priceFactor: number;
};

/** Properties of a ZIP code that have something in common. */
export type ZipCharacter = {
  readonly random: Randomness;
  readonly blocks: Randomness;
  readonly suffixes: Randomness;
  /** USD per square foot (sales) or per square foot a month (rental) on a day. */
  readonly perSquareFoot: Readonly<Record<FeedKind, (day: number) => number>>;
  /** Operators that buy here. */
  readonly operators: readonly OperatorName[];
  readonly condoShare: number;
  readonly firstStreet: number;
  readonly streetStep: number;
  readonly streets: number;
  readonly poolShare: number;
  readonly oldest: number;
};

/** Properties in one block have one street; a block of condos is one building. */
const BLOCK = 8;
const BLOCKS_PER_STREET = 4;
const SUFFIXES = ["ST", "AVE", "DR", "RD", "LN", "CT", "BLVD", "PL", "TER", "WAY", "CIR", "PKWY"] as const;

/** These were there before tracking began, so that every ZIP code has some properties at any time. */
const ALWAYS_THERE = 20;
const SHARE_ADDED_LATER = 0.04;
const LAST_ADDED = requireDay("2026-12-31");
const OLDEST_YEAR = 1900;
const NEWEST_YEAR = 2025;
/** A property that was there when tracking began was built some weeks before. */
const LAST_BUILT_BEFORE_TRACKING = RECORD_TRACKING_START - 60;

const OPERATOR_PRESENCE = 0.3;

export function zipCharacter(zipCode: ZipCode, levels: PriceLevels, world: Randomness): ZipCharacter {
  const { code, market, propertySlots, latitude } = zipCode;
  const random = world.branch("properties").branch(code);
  const present = random.branch("operators");
  return {
    random,
    blocks: random.branch("blocks"),
    suffixes: random.branch("suffixes"),
    perSquareFoot: { sales: levels.perSquareFoot(market, "sales"), rental: levels.perSquareFoot(market, "rental") },
    operators: OPERATOR_NAMES.filter((_, index) => present.happens(index, OPERATOR_PRESENCE)),
    condoShare: random.between(0, 0, 0.5),
    firstStreet: random.integer(1, 0, STREET_NAMES.length - 1),
    streetStep: random.integer(2, 1, STREET_NAMES.length - 1),
    streets: Math.min(STREET_NAMES.length, Math.ceil(propertySlots / (BLOCK * BLOCKS_PER_STREET))),
    // Pools are for the south.
    poolShare: latitude < 35 ? 0.3 : 0.06,
    oldest: random.integer(3, OLDEST_YEAR, 1970),
  };
}

export function propertyAttributes(zipCode: ZipCode, character: ZipCharacter, index: number): PropertyAttributes {
  const random = character.random.branch(index);
  const block = Math.floor(index / BLOCK);
  const isCondo = character.blocks.happens(block, character.condoShare);
  const propertyType: PropertyType = isCondo ? "CONDO" : houseType(random);
  const addedDay = dayAdded(random, index);
  const yearBuilt = builtYear(random, character, addedDay);
  const builtDay = dayBuilt(random, yearBuilt, addedDay);
  const bedrooms = bedroomsOf(propertyType, random);
  return {
    propertyId: propertyIdOf({ zipCode: zipCode.code, index }),
    zipCode,
    random,
    ...addressOf(character, index, isCondo),
    latitude: degrees(zipCode.latitude + random.between(0, -0.015, 0.015)),
    longitude: degrees(zipCode.longitude + random.between(1, -0.015, 0.015)),
    propertyType,
    bedrooms,
    bathrooms: Math.max(1, Math.round(2 * (bedrooms * random.between(2, 0.5, 0.95))) / 2),
    squareFootage: 10 * Math.round((bedrooms * random.between(3, 340, 700) + 250) / 10),
    yearBuilt,
    hasPool: !isCondo && random.happens(4, character.poolShare),
    addedDay,
    firstDay: Math.max(HISTORY_START, builtDay),
    isBuiltInHistory: builtDay > HISTORY_START,
    priceFactor: random.between(5, 0.82, 1.22),
  };
}

function houseType(random: Randomness): PropertyType {
  const u = random.uniform(10);
  if (u < 0.82) return "SINGLE_FAMILY";
  return u < 0.95 ? "TOWNHOUSE" : "OTHER";
}

function bedroomsOf(type: PropertyType, random: Randomness): number {
  return type === "SINGLE_FAMILY" ? 2 + random.integer(11, 0, 1) + random.integer(12, 0, 2) : random.integer(11, 1, 3);
}

function dayAdded(random: Randomness, index: number): number {
  const isLater = index >= ALWAYS_THERE && random.happens(13, SHARE_ADDED_LATER);
  return isLater ? random.integer(14, RECORD_TRACKING_START + 1, LAST_ADDED) : RECORD_TRACKING_START;
}

/** Of properties added later most are new. */
function builtYear(random: Randomness, { oldest }: ZipCharacter, addedDay: number): number {
  if (addedDay > RECORD_TRACKING_START && random.happens(15, 0.6)) return Math.min(NEWEST_YEAR, yearOf(addedDay));
  const lastYear = yearOf(LAST_BUILT_BEFORE_TRACKING);
  return random.integer(16, random.integer(17, oldest, lastYear), lastYear);
}

function dayBuilt(random: Randomness, yearBuilt: number, addedDay: number): number {
  if (yearBuilt < 1970) return 0;
  const built = requireDay(`${yearBuilt}-01-01`) + random.integer(18, 0, 364);
  const latest = addedDay > RECORD_TRACKING_START ? addedDay : LAST_BUILT_BEFORE_TRACKING;
  return Math.min(built, latest);
}

function yearOf(day: number): number {
  return 1970 + Math.floor(monthOfDay(day) / 12);
}

/** No two properties of a ZIP code have the same address and unit. */
function addressOf(
  { suffixes, firstStreet, streetStep, streets }: ZipCharacter,
  index: number,
  isCondo: boolean,
): { readonly address: string; readonly unit: string | null } {
  const block = Math.floor(index / BLOCK);
  const position = index % BLOCK;
  const streetIndex = block % streets;
  const street = itemAt(STREET_NAMES, (firstStreet + streetIndex * streetStep) % STREET_NAMES.length);
  const suffix = suffixes.pick(streetIndex, SUFFIXES);
  const hundred = 100 * (1 + Math.floor(block / streets));
  const number = isCondo ? hundred : hundred + 4 + 10 * position + (block % 2);
  const unit = `UNIT ${100 * (1 + Math.floor(position / 4)) + 1 + (position % 4)}`;
  return { address: `${number} ${street} ${suffix}`, unit: isCondo ? unit : null };
}

function degrees(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}
