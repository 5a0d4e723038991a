import { formatPrice as formatDecimals, type PRICE_DECIMALS } from "../relayer/message/decimalPrice.ts";

/**
 * A price of the oracle: `value / 10^8`, in the service's unit (USD per square foot, or per square foot a month). The
 * decimals are part of the type, so that a number of another scale cannot be taken for one.
 */
export type PriceValue = { readonly value: bigint; readonly decimals: typeof PRICE_DECIMALS };

/** The price that a contract's number of 8 decimals stands for. */
export function toPriceValue(value: bigint): PriceValue {
  return { value, decimals: 8 };
}

/**
 * Plain decimal text of a price, exact, without trailing zeros.
 *
 * @example
 * formatPrice({ value: 21_694_000_000n, decimals: 8 }); // "216.94"
 */
export function formatPrice({ value, decimals }: PriceValue): string {
  return value < 0n ? `-${formatDecimals(-value, decimals)}` : formatDecimals(value, decimals);
}
