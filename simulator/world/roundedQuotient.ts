const PERCENT_DECIMALS = 2;

/**
 * A quotient of two counts, rounded half up to `decimals` (at most 4), or `null` when the denominator is 0. Whole-number
 * arithmetic decides the rounding, and one division by a power of ten writes it, so that JSON shows exactly these decimals.
 */
export function roundedQuotient(numerator: number, denominator: number, decimals: number): number | null {
  if (denominator === 0) return null;
  const scale = powerOfTen(decimals);
  return Math.floor((2 * numerator * scale + denominator) / (2 * denominator)) / scale;
}

/** Percent with two decimals, or `null` of nothing. */
export function percentage(part: number, whole: number): number | null {
  return roundedQuotient(part * 100, whole, PERCENT_DECIMALS);
}

/** A number rounded to `decimals`, such that JSON shows no more. */
export function roundedTo(value: number, decimals: number): number {
  const scale = powerOfTen(decimals);
  return Math.round(value * scale) / scale;
}

function powerOfTen(decimals: number): number {
  let power = 1;
  for (let count = 0; count < decimals; count += 1) power *= 10;
  return power;
}
