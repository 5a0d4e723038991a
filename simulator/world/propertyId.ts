import { InvalidWorldError } from "./InvalidWorldError.ts";

/** A property by its place: the five digits of its ZIP code, and its number among the properties there, from 0. */
export type PropertyPlace = { readonly zipCode: string; readonly index: number };

/** More than any ZIP code has. */
const SLOTS_PER_ZIP_CODE = 512;
const ZIP_CODES = 100_000;
const PLACES = ZIP_CODES * SLOTS_PER_ZIP_CODE;

/** Ids are 10,000,000 to 199,999,988: of eight or nine digits, like those seen of the service. */
const LOWEST_ID = 10_000_000;

/**
 * A prime. Multiplying by another number modulo a prime visits every value once, so that neighbours get ids far apart,
 * and multiplying by its inverse finds the way back.
 */
const MODULUS = 189_999_989;
const MULTIPLIER = 117_423_091;
const INVERSE = inverseModulo(MULTIPLIER, MODULUS);

/** The id of the property at a place. */
export function propertyIdOf({ zipCode, index }: PropertyPlace): bigint {
  if (index < 0 || index >= SLOTS_PER_ZIP_CODE || !/^\d{5}$/.test(zipCode)) {
    throw new InvalidWorldError(
      `there is no property ${index} in ZIP code ${zipCode}`,
      `Ask for 0 to ${SLOTS_PER_ZIP_CODE - 1} in a ZIP code of five digits.`,
    );
  }
  const place = Number(zipCode) * SLOTS_PER_ZIP_CODE + index;
  // Below 51,200,000 · 117,423,091, which is less than 2^53.
  return BigInt(LOWEST_ID + ((place * MULTIPLIER) % MODULUS));
}

/** The place that an id stands for, or `undefined` of an id that no property can have. */
export function propertyPlaceOf(propertyId: bigint): PropertyPlace | undefined {
  const offset = propertyId - BigInt(LOWEST_ID);
  if (offset < 0n || offset >= BigInt(MODULUS)) return undefined;
  const place = Number((offset * INVERSE) % BigInt(MODULUS));
  if (place >= PLACES) return undefined;
  return {
    zipCode: String(Math.floor(place / SLOTS_PER_ZIP_CODE)).padStart(5, "0"),
    index: place % SLOTS_PER_ZIP_CODE,
  };
}

/** By Fermat's little theorem: `value^(modulus − 2)`. */
function inverseModulo(value: number, modulus: number): bigint {
  const m = BigInt(modulus);
  let [base, exponent, result] = [BigInt(value) % m, m - 2n, 1n];
  for (; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = (result * base) % m;
    base = (base * base) % m;
  }
  return result;
}
