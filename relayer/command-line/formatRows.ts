import { columnsOf, type Row } from "./flattenRecord.ts";
import { formatTable } from "./output.ts";

/**
 * Rows for people: a table, or, where that is wider than the terminal, each row as a block of lines. Columns that are
 * empty throughout are left out.
 * @param width Characters in a line; without it, lines are as long as they get.
 */
export function formatRows(rows: readonly Row[], width: number | undefined): string {
  if (rows.length === 0) return "";
  const columns = columnsOf(rows).filter((column) => rows.some((row) => (row[column] ?? null) !== null));
  const cells = rows.map((row) => columns.map((column) => String(row[column] ?? "")));
  // Before and behind every cell there is a space, and between them a line.
  const tableWidth = columns.reduce((sum, column, place) => {
    const longest = cells.reduce((most, row) => Math.max(most, row[place]?.length ?? 0), column.length);
    return sum + longest + 3;
  }, 1);
  if (width === undefined || tableWidth <= width) return `${formatTable(columns, cells)}\n`;
  const margin = columns.reduce((most, column) => Math.max(most, column.length), 0) + 2;
  return cells
    .map((row) => columns.map((column, place) => `${column.padEnd(margin)}${row[place]}\n`).join(""))
    .join("\n");
}
