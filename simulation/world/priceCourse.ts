import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { buildPriceTable, type PriceEntry, type PriceTable } from "../../simulator/priceTable.ts";
import type { Randomness } from "../kernel/randomness.ts";
import { FEEDS } from "./worldSettings.ts";

const FIRST_PRICE_CENTS = { sales: 20_000, rental: 150 } as const;

/** A price for every feed on every day, a little other each day. */
export function priceCourse(firstDay: number, days: number, randomness: Randomness): PriceTable {
  const entries: PriceEntry[] = FEEDS.flatMap(({ marketId, kind }) => {
    const course = randomness.stream(`price ${kind} ${marketId}`);
    let cents: number = FIRST_PRICE_CENTS[kind] + course.below(1_000);
    return Array.from({ length: days }, (_, index): PriceEntry => {
      cents = Math.max(100, cents + course.between(-40, 45));
      return { marketId, kind, date: dateOfDay(firstDay + index), price: (cents / 100).toFixed(2) };
    });
  });
  return buildPriceTable(entries);
}
