import type { Randomness } from "./randomness.ts";

/** Names of towns, streets and operators. All are made up; where one is somebody's, that is chance. */

const TOWN_BEGINNINGS = [
  "Ash",
  "Birch",
  "Brook",
  "Cedar",
  "Clear",
  "Copper",
  "Elm",
  "Fair",
  "Fox",
  "Glen",
  "Granite",
  "Harbor",
  "Hazel",
  "Iron",
  "Juniper",
  "Lake",
  "Maple",
  "Mill",
  "North",
  "Oak",
  "Pine",
  "Quarry",
  "River",
  "Rock",
  "Silver",
  "Spring",
  "Stone",
  "Sun",
  "Timber",
  "West",
  "Willow",
  "Wood",
] as const;

const TOWN_ENDINGS = [
  "bridge",
  "brook",
  "burg",
  "dale",
  "field",
  "ford",
  "gate",
  "haven",
  "hill",
  "land",
  "mont",
  "port",
  "side",
  "ton",
  "vale",
  "view",
  "ville",
  "wick",
] as const;

/** `Cedarford`. */
export function townName(random: Randomness): string {
  return random.pick(0, TOWN_BEGINNINGS) + random.pick(1, TOWN_ENDINGS);
}

/**
 * Names of streets. Any two differ by at least three edits, so that a name with one misspelt letter can only be meant
 * as one of them. Their number is prime, so that every step through them reaches all.
 */
export const STREET_NAMES = [
  "MAGNOLIA",
  "CHESTNUT",
  "SYCAMORE",
  "JEFFERSON",
  "LIBERTY",
  "ORCHARD",
  "PROSPECT",
  "HIGHLAND",
  "RIVERSIDE",
  "LAKEVIEW",
  "MEADOWBROOK",
  "SUMMIT",
  "COTTAGE",
  "FOREST",
  "BROADWAY",
  "COLUMBIA",
  "DIVISION",
  "FRANKLIN",
  "HAWTHORNE",
  "INDUSTRIAL",
  "JUNIPER",
  "KENSINGTON",
  "LOCUST",
  "MULBERRY",
  "NORTHFIELD",
  "OLD MILL",
  "PERSIMMON",
  "QUAIL HOLLOW",
  "RAILROAD",
  "SHADY OAK",
  "TELEGRAPH",
  "UNIVERSITY",
  "VALLEY FORGE",
  "WHISPERING PINES",
  "YELLOWSTONE",
  "ZEPHYR",
  "ELDERBERRY",
] as const;

/** Large operators of rental homes, as the service writes such names: upper case, words joined by underscores. */
export const OPERATOR_NAMES = [
  "BRINDLEWICK_HOMES",
  "CORVANE_RESIDENTIAL",
  "DUNMARROW_RENTALS",
  "FENNOWICK_LIVING",
  "HALVERTHORNE_HOMES",
  "LARKENFELL_PROPERTIES",
  "OSTERMOOR_HOUSING",
  "QUILLHAVEN_HOMES",
  "TAMBREL_RESIDENCES",
  "WINDERSHOLM_PORTFOLIO",
] as const;

export type OperatorName = (typeof OPERATOR_NAMES)[number];
