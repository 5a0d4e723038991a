/** What an endpoint charges for: rows with a date (metrics and prices), properties whatever their events, or nothing. */
export type ChargedFor = "dated-row" | "property" | "nothing";

/**
 * Credits for one of each. Properties cost 1 (specification, limits); rows cost 1 and market search nothing as the
 * service's public documentation has it.
 */
const CREDITS_FOR: Readonly<Record<ChargedFor, number>> = { "dated-row": 1, property: 1, nothing: 0 };

/** Credits that an answer with so many rows or properties costs. */
export function creditCost(chargedFor: ChargedFor, count: number): number {
  return CREDITS_FOR[chargedFor] * count;
}

/** Whether requests of this kind cost credits at all. */
export function costsCredits(chargedFor: ChargedFor): boolean {
  return CREDITS_FOR[chargedFor] > 0;
}
