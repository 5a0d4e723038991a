import { dayOfDate } from "../relayer/message/calendarDate.ts";
import { FEED_KINDS, type FeedKind } from "../relayer/message/feedId.ts";
import { type CsvFile, type CsvRow, columnIndex, InvalidDataFileError, readCsvFile } from "./csvFile.ts";
import { type MarketRecord, namedMarket } from "./marketTable.ts";
import { buildPriceTable, type PriceEntry, type PriceTable } from "./priceTable.ts";

/** Which columns of a price file hold what. The header tells the formats apart. */
type PriceFileFormat = {
  readonly name: string;
  /** The column of the market id; in files of the service the maker's name stands where `svc` does. */
  readonly id: RegExp;
  readonly date: string;
  readonly prices: Partial<Record<FeedKind, string>>;
  /** Whether an empty price cell means that there is no price of that date, or is a mistake. */
  readonly mayLackPrices: boolean;
  readonly market?: { readonly name: string; readonly type: string };
};

const FORMATS: readonly PriceFileFormat[] = [
  {
    name: "metro home values (region_id, name, region_type, month, home_value_usd, monthly_rent_usd)",
    id: /^region_id$/,
    date: "month",
    prices: { sales: "home_value_usd", rental: "monthly_rent_usd" },
    mayLackPrices: true,
    market: { name: "name", type: "region_type" },
  },
  {
    name: "sales price feed (svc_id, date, price_feed)",
    id: /^[a-z0-9]+_id$/,
    date: "date",
    prices: { sales: "price_feed" },
    mayLackPrices: false,
  },
  {
    name: "rental price feed (svc_id, date, rental_price_feed)",
    id: /^[a-z0-9]+_id$/,
    date: "date",
    prices: { rental: "rental_price_feed" },
    mayLackPrices: false,
  },
];

/** A format with its columns found in a file. */
type PriceColumns = {
  readonly id: number;
  readonly date: number;
  readonly prices: readonly { readonly kind: FeedKind; readonly index: number }[];
  readonly mayLackPrices: boolean;
  readonly market: { readonly name: number; readonly type: number } | undefined;
};

/** What the market search calls the regions of the metro file. */
const LOCATION_TYPES: Readonly<Record<string, string>> = { msa: "CBSA", country: "COUNTRY" };

/** Plain decimals that are JSON numbers too, so that the service can answer them as they are written. */
const PRICE_SHAPE = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;
const ID_SHAPE = /^[1-9]\d{0,18}$/;

/**
 * Reads a price file: the service's sales feed, its rental feed, or monthly values of metros. Prices stay the text that
 * they are in the file. A price of 0 is read as it is; the service's own checks refuse to sign it.
 * @throws UnreadableDataFileError, InvalidDataFileError
 */
export async function readPriceFile(path: string): Promise<PriceTable> {
  const file = await readCsvFile(path);
  const columns = findColumns(file);
  const entries: PriceEntry[] = [];
  const markets = new Map<bigint, MarketRecord>();
  const firstLine = new Map<string, number>();
  // Neighbouring rows share their dates and ids; checking each text once keeps large files quick.
  const knownDates = new Set<string>();

  for (const row of file.rows) {
    const idText = row.cells[columns.id] ?? "";
    if (!ID_SHAPE.test(idText)) {
      throw invalidCell(file, row, columns.id, `"${idText}" is not a market id`, "Write a whole number from 1.");
    }
    const marketId = BigInt(idText);
    const date = row.cells[columns.date] ?? "";
    if (!knownDates.has(date) && dayOfDate(date) === undefined) {
      const hint = "Write a day of the calendar as YYYY-MM-DD.";
      throw invalidCell(file, row, columns.date, `"${date}" is not a date`, hint);
    }
    knownDates.add(date);
    const key = `${idText} ${date}`;
    const earlierLine = firstLine.get(key);
    if (earlierLine !== undefined) {
      const problem = `market ${idText} has a row of ${date} already, on line ${earlierLine}`;
      throw new InvalidDataFileError(path, row.line, undefined, problem, "Remove one of the two rows.");
    }
    firstLine.set(key, row.line);

    for (const { kind, index } of columns.prices) {
      const price = row.cells[index] ?? "";
      if (price === "" && columns.mayLackPrices) continue;
      if (!PRICE_SHAPE.test(price)) {
        const hint =
          "Write the price as plain decimal text such as 216.94: no sign, no currency, no thousands separator.";
        throw invalidCell(file, row, index, `"${price}" is not a price`, hint);
      }
      entries.push({ marketId, kind, date, price });
    }
    if (columns.market && !markets.has(marketId)) {
      const type = row.cells[columns.market.type] ?? "";
      const locationType = LOCATION_TYPES[type] ?? type.toUpperCase();
      markets.set(marketId, namedMarket(marketId, row.cells[columns.market.name] ?? "", { locationType }));
    }
  }
  if (entries.length === 0) {
    throw new InvalidDataFileError(path, 1, undefined, "the file holds no price", "Give a file with at least one.");
  }
  return buildPriceTable(entries, markets);
}

function findColumns(file: CsvFile): PriceColumns {
  for (const { id, date, prices, market, mayLackPrices } of FORMATS) {
    const idIndex = file.columns.findIndex((column) => id.test(column));
    const dateIndex = columnIndex(file, date);
    const priceIndexes = FEED_KINDS.flatMap((kind) => {
      const column = prices[kind];
      return column === undefined ? [] : [{ kind, index: columnIndex(file, column) }];
    });
    const found = priceIndexes.filter((price): price is { kind: FeedKind; index: number } => price.index !== undefined);
    if (idIndex === -1 || dateIndex === undefined || found.length < priceIndexes.length) continue;
    const name = market && columnIndex(file, market.name);
    const type = market && columnIndex(file, market.type);
    return {
      id: idIndex,
      date: dateIndex,
      prices: found,
      mayLackPrices,
      market: name === undefined || type === undefined ? undefined : { name, type },
    };
  }
  throw new InvalidDataFileError(
    file.path,
    1,
    undefined,
    `the columns ${file.columns.join(", ")} are those of no known price file`,
    `Give a CSV file with the header of one of these: ${FORMATS.map(({ name }) => name).join("; ")}.`,
  );
}

function invalidCell(file: CsvFile, row: CsvRow, index: number, problem: string, hint: string): InvalidDataFileError {
  return new InvalidDataFileError(file.path, row.line, file.columns[index], problem, hint);
}
