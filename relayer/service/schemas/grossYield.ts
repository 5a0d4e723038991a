import { formatPrice, parseDecimal, scaleDecimal } from "../../message/decimalPrice.ts";

/** The two medians of a month that a gross yield is of, as `housing_event_prices` has them in `price.median`. */
export type ListingMedians = {
  /** Median new rental listing price, USD a month, as decimal text. */
  readonly new_rental_listings?: string | null | undefined;
  /** Median new for-sale listing price, USD, as decimal text. */
  readonly new_listings_for_sale?: string | null | undefined;
};

/** Enough for prices to the cent; what a median has beyond it is cut off. */
const DECIMALS_OF_MEDIANS = 8;

/**
 * The gross yield of a month in percent: twelve median new rental listing prices for one median new for-sale listing
 * price (specification, other facts on metrics). Computed in whole numbers and rounded half up; a market without either
 * median, or with a listing price of 0, has none.
 *
 * @param decimals Of the percentage. The service writes two.
 * @throws InvalidDecimalError
 * @example
 * grossYieldOf({ new_rental_listings: "2100", new_listings_for_sale: "420000" }); // "6"
 */
export function grossYieldOf(median: ListingMedians | null | undefined, decimals = 2): string | undefined {
  const [rent, price] = [toWhole(median?.new_rental_listings), toWhole(median?.new_listings_for_sale)];
  if (rent === undefined || price === undefined || price <= 0n || rent < 0n) return undefined;
  const percentage = rent * 12n * 100n * 10n ** BigInt(decimals);
  return formatPrice((percentage * 2n + price) / (price * 2n), decimals);
}

function toWhole(money: string | null | undefined): bigint | undefined {
  return money == null ? undefined : scaleDecimal(parseDecimal(money), DECIMALS_OF_MEDIANS);
}
