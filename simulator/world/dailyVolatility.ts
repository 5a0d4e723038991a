import { roundedTo } from "./roundedQuotient.ts";

/** Decimals of the service's volatility. */
const VOLATILITY_DECIMALS = 4;

/** Over how many daily changes volatility is taken. */
export const VOLATILITY_DAYS = 30;

/**
 * How much a price has moved from day to day: the standard deviation of its daily changes, in percent of the price
 * before, rounded to four decimals. `prices` are those of {@link VOLATILITY_DAYS} + 1 successive days.
 */
export function dailyVolatility(prices: readonly number[]): number {
  const changes = prices.slice(1).map((price, index) => {
    const before = prices[index] ?? 0;
    return before > 0 ? (100 * (price - before)) / before : 0;
  });
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const squares = changes.reduce((sum, change) => sum + (change - mean) * (change - mean), 0);
  return roundedTo(Math.sqrt(squares / (changes.length - 1)), VOLATILITY_DECIMALS);
}
