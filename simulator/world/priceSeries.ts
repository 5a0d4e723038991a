import { formatPrice } from "../../relayer/message/decimalPrice.ts";
import type { FeedKind } from "../../relayer/message/feedId.ts";
import type { PriceRow } from "../priceTable.ts";
import { requireDay } from "./calendarPeriods.ts";
import { itemAt } from "./itemAt.ts";

/** Decimals of generated prices: what the service's own rows have. */
const PRICE_FEED_DECIMALS: Readonly<Record<FeedKind, number>> = { sales: 2, rental: 3 };

/** One market's prices of one kind, day by day. Days count from 1970-01-01. */
export type PriceSeries = {
  /** The price as an unrounded number, in the unit of the feed, knowing every row of the source. */
  levelOn(day: number): number;
  /**
   * The price that the service serves for `day`, on a day `knownOn` not before it: exact decimal text without needless
   * zeros. Rows of the source dated after `knownOn` do not exist yet.
   */
  priceOn(day: number, knownOn: number): string;
};

/** A series of which the source knows nothing: `levelOn`, rounded. */
export function generatedSeries(kind: FeedKind, levelOn: (day: number) => number): PriceSeries {
  return { levelOn, priceOn: (day) => roundedPrice(kind, levelOn(day)) };
}

/**
 * A series through the rows of a source, at least one. A day with a row has that price, unchanged. Between two rows,
 * and before the first, the price follows the curve, scaled so that it meets the rows. After the newest row it stays at
 * it, because that is what the latest endpoint signs for every later day (see `latestSourcePrice`).
 */
export function sourcedSeries(kind: FeedKind, rows: readonly PriceRow[], curve: (day: number) => number): PriceSeries {
  const days = rows.map(({ date }) => requireDay(date));
  const scales = rows.map(({ price }, index) => Number(price) / curve(itemAt(days, index)));
  const last = rows.length - 1;

  const bridgedOn = (day: number, before: number): number => {
    if (before < 0) return curve(day) * itemAt(scales, 0);
    const [start, end] = [itemAt(days, before), itemAt(days, before + 1)];
    const [from, to] = [itemAt(scales, before), itemAt(scales, before + 1)];
    return curve(day) * (from + ((to - from) * (day - start)) / (end - start));
  };
  return {
    levelOn(day) {
      const before = lastNotAfter(days, day);
      return before === last || days[before] === day ? Number(itemAt(rows, before).price) : bridgedOn(day, before);
    },
    priceOn(day, knownOn) {
      const newest = lastNotAfter(days, knownOn);
      const before = lastNotAfter(days, day);
      const isServedAsItIs = before >= 0 && (before === newest || days[before] === day);
      return isServedAsItIs ? itemAt(rows, before).price : roundedPrice(kind, bridgedOn(day, before));
    },
  };
}

function roundedPrice(kind: FeedKind, level: number): string {
  const decimals = PRICE_FEED_DECIMALS[kind];
  return formatPrice(BigInt(Math.round(level * 10 ** decimals)), decimals);
}

/** Position of the last day that is not after `day`, or −1. */
function lastNotAfter(days: readonly number[], day: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(days, middle) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
