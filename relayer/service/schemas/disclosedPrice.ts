import { parseDecimal } from "../../message/decimalPrice.ts";

/**
 * Whether an event's price says what was paid or asked. `null` does not: the price was withheld, as several states do.
 * Nor does 0: in a state that withholds nothing it marks a transfer that was no sale at fair market value
 * (specification, transaction classes).
 * @throws InvalidDecimalError
 */
export function hasDisclosedPrice({ price }: { readonly price?: string | null | undefined }): boolean {
  return price != null && parseDecimal(price).mantissa > 0n;
}
