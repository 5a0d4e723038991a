import { type Decimal, scaleDecimal } from "../decimalPrice.ts";
import { fitsInto } from "./integerBytes.ts";

/** One way to write a price into a message: a number, and the decimals that the number has. */
export type PriceForm = { readonly mantissa: bigint; readonly decimals: number };

/** Decimals that a layout may have (`messageLayoutSchema`). */
const MAX_DECIMALS = 18;

/**
 * Every way to write a price exactly into a field of so many bytes: the usual decimals first, then the fewest that the
 * price needs, then the others.
 * @param price Without zeros at its end.
 * @param exponentWidth Bytes of the exponent field beside it, if there is one. Only such a field can say that a number
 * has less than no decimals (300 as 3 · 10^2).
 */
export function priceFormsOf(price: Decimal, width: number, exponentWidth: number | undefined): PriceForm[] {
  const needed = -price.exponent;
  const fewest = exponentWidth ? needed : Math.max(needed, 0);
  const all = Array.from({ length: Math.max(0, MAX_DECIMALS + 1 - fewest) }, (_, index) => fewest + index);
  return [...new Set([8, needed, 6, 18, 2, ...all])]
    .filter((decimals) => decimals >= fewest && decimals <= MAX_DECIMALS)
    .map((decimals) => ({ decimals, mantissa: price.mantissa * 10n ** BigInt(price.exponent + decimals) }))
    .filter(({ mantissa }) => fitsInto(width, mantissa));
}

/**
 * Ways to write a price into a field of fewer decimals than it has: cut off, or rounded to the nearest. Not 0, which no
 * price is.
 */
export function roundedPriceFormsOf(price: Decimal, width: number): PriceForm[] {
  const forms: PriceForm[] = [];
  for (let decimals = Math.min(-price.exponent - 1, MAX_DECIMALS); decimals >= 0; decimals -= 1) {
    const cutOff = scaleDecimal(price, decimals);
    const isNearerAbove = scaleDecimal(price, decimals + 1) % 10n >= 5n;
    for (const mantissa of isNearerAbove ? [cutOff, cutOff + 1n] : [cutOff]) {
      if (mantissa > 0n && fitsInto(width, mantissa)) forms.push({ decimals, mantissa });
    }
  }
  return forms;
}
