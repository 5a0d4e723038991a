import { z } from "zod";

/** Whole digits of an amount: more than all native currency there is. */
const MOST_WHOLE_DIGITS = 12;

/**
 * An amount of native currency or of gwei that is more than zero, as decimal text: what is exact in the configuration
 * stays exact. A whole number may stand without quotes; another one would have been rounded before anybody looked.
 */
export function decimalAmount(decimals: number) {
  // Zero is refused by the pattern itself, so that editors know it too.
  const pattern = new RegExp(`^(?!0+(\\.0+)?$)\\d{1,${MOST_WHOLE_DIGITS}}(\\.\\d{1,${decimals}})?$`);
  const error = `must be more than zero: a whole number, or decimal text in quotes such as "0.5", with at most ${decimals} decimals`;
  const whole = z
    .int({ error })
    .min(1, error)
    .max(Number(`1e${MOST_WHOLE_DIGITS}`), error);
  return z.union([whole.transform(String), z.string().regex(pattern, error)], { error });
}
