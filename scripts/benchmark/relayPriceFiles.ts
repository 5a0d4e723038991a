import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FeedKind } from "../../relayer/message/feedId.ts";

/** Markets with prices of both kinds, as price files of the service hold them. */
export type PriceFiles = { readonly marketIds: readonly number[]; readonly paths: readonly string[] };

/** A date from which on a price is carried forward to every later one. */
export const CARRIED_FORWARD_DATE = "2026-01-01";

const FIRST_MARKET_ID = 5_000_001;
const CENTS = 100;

/**
 * Writes price files of some markets, with a row for each date.
 * @param dates YYYY-MM-DD; prices differ from one to the next.
 */
export async function writePriceFiles(
  folder: string,
  { markets, dates }: { readonly markets: number; readonly dates: readonly string[] },
): Promise<PriceFiles> {
  const marketIds = Array.from({ length: markets }, (_, index) => FIRST_MARKET_ID + index);
  const rows = (kind: FeedKind) =>
    dates.flatMap((date, dateIndex) =>
      marketIds.map((id, market) => `${id},${date},${priceOfMarket(kind, market, dateIndex)}`),
    );
  const paths = [join(folder, "sales.csv"), join(folder, "rental.csv")] as const;
  await writeFile(paths[0], `svc_id,date,price_feed\n${rows("sales").join("\n")}\n`);
  await writeFile(paths[1], `svc_id,date,rental_price_feed\n${rows("rental").join("\n")}\n`);
  return { marketIds, paths };
}

/** The price of a market on a date of the files, both as their index; USD per square foot (and month), decimal text. */
export function priceOfMarket(kind: FeedKind, market: number, date: number): string {
  const cents = kind === "sales" ? 10_000 + (market % 40_000) + (date % 500) : 100 + (market % 400) + (date % 50);
  return (cents / CENTS).toFixed(2);
}
