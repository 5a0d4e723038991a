import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import { stringify } from "csv-stringify/sync";
import { type Cell, columnsOf, type Row } from "./flattenRecord.ts";
import type { ReplacedFile } from "./replacedFile.ts";

/** Rows that are turned into text at a time. */
const ROWS_AT_A_TIME = 1000;

/** Writes rows as CSV (RFC 4180, lines that end with \n) while they come. */
export type CsvWriter = {
  /** The first rows decide which columns the header has. */
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /** Columns of the header. */
  readonly columns: () => readonly string[];
  /** Columns with a value that came after the header had been written. */
  readonly lateColumns: () => readonly string[];
};

/**
 * @param keepLateColumns Whether later rows get cells for columns that the header does not have; for a file, whose
 *   header can be completed with {@link completeHeader}. They are left out otherwise.
 */
export function createCsvWriter(
  write: (text: string) => Promise<void>,
  { keepLateColumns }: { readonly keepLateColumns: boolean },
): CsvWriter {
  let columns: string[] | undefined;
  const late = new Set<string>();
  return {
    async write(rows) {
      if (rows.length === 0) return;
      if (!columns) {
        columns = columnsOf(rows);
        await write(csvText([columns.map(protectText)]));
      }
      for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME) {
        const part = rows.slice(start, start + ROWS_AT_A_TIME);
        noteLateColumns(part, columns, late);
        const written = keepLateColumns ? [...columns, ...late] : columns;
        await write(csvText(part.map((row) => written.map((column) => cellText(row[column])))));
      }
    },
    columns: () => columns ?? [],
    lateColumns: () => [...late],
  };
}

function noteLateColumns(rows: readonly Row[], columns: readonly string[], late: Set<string>): void {
  const known = new Set(columns);
  for (const row of rows) {
    for (const [column, cell] of Object.entries(row)) if (!known.has(column) && cell !== null) late.add(column);
  }
}

/** Gives a file whose rows have grown longer the header of the longest, and every row as many cells. */
export async function completeHeader(file: ReplacedFile, columns: readonly string[]): Promise<void> {
  await file.rewrite(async (from, write) => {
    let lines: string[][] = [columns.map(protectText)];
    let isHeader = true;
    for await (const cells of createReadStream(from).pipe(parse({ relax_column_count: true }))) {
      if (!isHeader) lines.push(columns.map((_, index) => (cells as string[])[index] ?? ""));
      isHeader = false;
      if (lines.length < ROWS_AT_A_TIME) continue;
      await write(csvText(lines));
      lines = [];
    }
    await write(csvText(lines));
  });
}

function csvText(lines: readonly (readonly string[])[]): string {
  return stringify(lines.map((line) => [...line]));
}

function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "string" ? protectText(cell) : String(cell);
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Spreadsheets run text that begins with one of these characters as a formula, and some of it can do harm. An
 * apostrophe before it makes it text to them. Numbers stay numbers, exact decimal text included.
 */
function protectText(text: string): string {
  return /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
