import { FEED_KINDS, type FeedKind } from "../relayer/message/feedId.ts";
import type { MarketTable } from "./marketTable.ts";

/** One price of one feed, as its source wrote it. */
export type PriceRow = {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Plain decimal text in the unit of the feed, exactly as in the source: `216.90` stays `216.90`. */
  readonly price: string;
};

/** A {@link PriceRow} with the feed that it belongs to. */
export type PriceEntry = PriceRow & { readonly marketId: bigint; readonly kind: FeedKind };

/** Per market the rows of one kind, earliest first, no date twice. */
export type PriceSeries = ReadonlyMap<bigint, readonly PriceRow[]>;

/** What the simulated service knows: prices of both kinds, and the markets that the source described beside them. */
export type PriceTable = Readonly<Record<FeedKind, PriceSeries>> & { readonly markets: MarketTable };

/** Gathers entries in any order; of two for the same feed and date the later one counts. */
export function buildPriceTable(entries: Iterable<PriceEntry>, markets: MarketTable = new Map()): PriceTable {
  const prices = { sales: new Map<bigint, Map<string, PriceRow>>(), rental: new Map<bigint, Map<string, PriceRow>>() };
  for (const { marketId, kind, date, price } of entries) {
    const rows = prices[kind].get(marketId) ?? new Map<string, PriceRow>();
    prices[kind].set(marketId, rows.set(date, { date, price }));
  }
  return { sales: sortedSeries(prices.sales), rental: sortedSeries(prices.rental), markets };
}

/** One table of several; where two know the same feed and date, or the same market, the later table counts. */
export function mergePriceTables(tables: readonly PriceTable[]): PriceTable {
  const markets = new Map(tables.flatMap((table) => [...table.markets]));
  return buildPriceTable(tables.flatMap(entriesOf), markets);
}

/**
 * The row that a feed stands at on a date (`YYYY-MM-DD`): its newest one dated on or before it. An earlier row is
 * carried forward without limit, as a source that publishes monthly needs; `undefined` when there is none yet.
 */
export function latestSourcePrice(
  table: PriceTable,
  marketId: bigint,
  kind: FeedKind,
  date: string,
): PriceRow | undefined {
  // ISO dates sort as text.
  return table[kind].get(marketId)?.findLast((row) => row.date <= date);
}

function entriesOf(table: PriceTable): PriceEntry[] {
  return FEED_KINDS.flatMap((kind) =>
    [...table[kind]].flatMap(([marketId, rows]) => rows.map((row) => ({ marketId, kind, ...row }))),
  );
}

function sortedSeries(prices: ReadonlyMap<bigint, ReadonlyMap<string, PriceRow>>): PriceSeries {
  const byDate = (a: PriceRow, b: PriceRow) => (a.date < b.date ? -1 : 1);
  return new Map([...prices].map(([marketId, rows]) => [marketId, [...rows.values()].sort(byDate)]));
}
