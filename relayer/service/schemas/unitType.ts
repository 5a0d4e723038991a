/** The part of a property record by which it is told what kind of unit it is. */
type TypedProperty = { readonly property_type?: string | null | undefined };

/**
 * Whether a property is a single-family home: the only ones that `current_on_market_rental_flag` and the portfolio
 * metrics speak of. So a `null` of that flag means "not known" of a single-family home, and "does not apply" of others.
 */
export function isSingleFamilyHome({ property_type }: TypedProperty): boolean {
  return property_type === "SINGLE_FAMILY";
}
