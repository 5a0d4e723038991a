import { type CsvFile, type CsvRow, columnIndex, InvalidDataFileError, readCsvFile } from "./csvFile.ts";
import type { MarketRecord, MarketTable } from "./marketTable.ts";

/**
 * Reads market search records, one a line, with the field names of the service's answers as header. Columns other than
 * the id and the name may be absent.
 * @throws UnreadableDataFileError, InvalidDataFileError
 */
export async function readMarketFile(path: string): Promise<MarketTable> {
  const file = await readCsvFile(path);
  // The maker's name stands where svc does in files of the live service.
  const idColumn = file.columns.find((column) => /^[a-z0-9]+_id$/.test(column));
  const exchangeColumn = file.columns.find((column) => /^[a-z0-9]+_exchange_market$/.test(column));
  if (idColumn === undefined || columnIndex(file, "name") === undefined) {
    throw new InvalidDataFileError(
      path,
      1,
      undefined,
      `the columns ${file.columns.join(", ")} are not those of a market file`,
      "Give a CSV file whose header has at least svc_id and name.",
    );
  }
  const markets = new Map<bigint, MarketRecord>();
  for (const row of file.rows) {
    const cells = new RowReader(file, row);
    const marketId = cells.marketId(idColumn);
    markets.set(marketId, {
      marketId,
      country: cells.text("country") ?? "USA",
      geoid: cells.text("geoid"),
      stateFipsCode: cells.text("state_fips_code"),
      name: cells.text("name") ?? "",
      stateAbbreviation: cells.text("state_abbreviation"),
      region: cells.text("region"),
      locationType: cells.text("location_type"),
      totalPopulation: cells.integer("total_population"),
      medianIncome: cells.integer("median_income"),
      isExchangeMarket: exchangeColumn !== undefined && cells.flag(exchangeColumn),
      hasPriceFeed: cells.flag("pricefeed_market"),
      isCaseShiller10Market: cells.flag("case_shiller_10_market"),
      isCaseShiller20Market: cells.flag("case_shiller_20_market"),
    });
  }
  return markets;
}

/** Reads the cells of one row by column name. */
class RowReader {
  readonly #file: CsvFile;
  readonly #row: CsvRow;

  constructor(file: CsvFile, row: CsvRow) {
    this.#file = file;
    this.#row = row;
  }

  text(column: string): string | null {
    const index = columnIndex(this.#file, column);
    const text = index === undefined ? "" : (this.#row.cells[index] ?? "");
    return text === "" ? null : text;
  }

  /** Whole numbers, also where a spreadsheet has written them as `54858.0`. */
  integer(column: string): number | null {
    const text = this.text(column);
    if (text === null) return null;
    if (!/^\d{1,15}(?:\.0*)?$/.test(text)) throw this.#invalid(column, text, "Write a whole number, or nothing.");
    return Number.parseInt(text, 10);
  }

  flag(column: string): boolean {
    const text = this.text(column);
    if (text !== null && text !== "0" && text !== "1") throw this.#invalid(column, text, "Write 0 or 1.");
    return text === "1";
  }

  marketId(column: string): bigint {
    const text = this.text(column) ?? "";
    if (!/^[1-9]\d{0,18}$/.test(text)) throw this.#invalid(column, text, "Write a whole number from 1.");
    return BigInt(text);
  }

  #invalid(column: string, text: string, hint: string): InvalidDataFileError {
    return new InvalidDataFileError(this.#file.path, this.#row.line, column, `"${text}" does not belong here`, hint);
  }
}
