import { HomePriceError } from "../errors/HomePriceError.ts";

/** Decimals of every price that the oracle stores and serves. */
export const PRICE_DECIMALS = 8;

/** Stored prices are below this. */
export const PRICE_LIMIT = 2n ** 60n;

/** A decimal number as it was written: `mantissa · 10^exponent`, exactly. */
export type Decimal = { readonly mantissa: bigint; readonly exponent: number };

const DECIMAL_SHAPE = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Text that is no plain decimal number. */
export class InvalidDecimalError extends HomePriceError {
  constructor(text: string) {
    super("INVALID_DECIMAL", `"${text}" is not a decimal number`, {
      hint: "Write prices as plain decimal text such as 216.94.",
    });
  }
}

/**
 * Reads decimal text (`216.94`, `1e-3`) without ever passing through a floating-point number.
 * @throws InvalidDecimalError
 */
export function parseDecimal(text: string): Decimal {
  const match = DECIMAL_SHAPE.exec(text.trim());
  if (!match) throw new InvalidDecimalError(text);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const magnitude = BigInt(whole + fraction);
  return { mantissa: sign === "-" ? -magnitude : magnitude, exponent: Number(exponent) - fraction.length };
}

/** `mantissa · 10^exponent` at `decimals` decimals, truncated towards zero. */
export function scaleDecimal({ mantissa, exponent }: Decimal, decimals: number): bigint {
  const shift = exponent + decimals;
  if (mantissa === 0n) return 0n;
  if (shift >= 0) return mantissa * 10n ** BigInt(shift);
  // A divisor longer than the number gives zero; saying so first keeps absurd exponents cheap.
  if (-shift > mantissa.toString().length) return 0n;
  return mantissa / 10n ** BigInt(-shift);
}

/** Plain decimal text of a stored price (8 decimals), without trailing zeros: `21694000000n` is `216.94`. */
export function formatPrice(price: bigint, decimals: number = PRICE_DECIMALS): string {
  const digits = price.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Plain text of a decimal as far as that is readable; `mantissa·10^exponent` of one with an absurd exponent. */
export function formatDecimal({ mantissa, exponent }: Decimal): string {
  if (exponent > 30 || exponent < -80) return `${mantissa}·10^${exponent}`;
  if (exponent >= 0) return (mantissa * 10n ** BigInt(exponent)).toString();
  const sign = mantissa < 0n ? "-" : "";
  return sign + formatPrice(mantissa < 0n ? -mantissa : mantissa, -exponent);
}

/** Whether two exactly written decimals are the same number, whatever zeros they carry. */
export function sameDecimal(a: Decimal, b: Decimal): boolean {
  const exponent = Math.min(a.exponent, b.exponent);
  return scaleDecimal(a, -exponent) === scaleDecimal(b, -exponent);
}
