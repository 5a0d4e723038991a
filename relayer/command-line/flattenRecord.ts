/** What stands in one cell of a table. */
export type Cell = string | number | bigint | boolean | null;

/** A row by column; columns that a record does not have are absent. */
export type Row = Readonly<Record<string, Cell>>;

/**
 * A record as rows of a table: nested fields become columns whose names are joined by underscores (`price.median.sales`
 * is `price_median_sales`). A list of records inside it (a property's events) makes a row of each, and the fields
 * around it are repeated; any other list is a cell of JSON.
 */
export function flattenRecord(record: Readonly<Record<string, unknown>>): Row[] {
  let rows: Record<string, Cell>[] = [{}];
  for (const [name, value] of Object.entries(record)) {
    const parts = flattenField(name, value);
    rows = rows.flatMap((row) => parts.map((part) => ({ ...row, ...part })));
  }
  return rows;
}

function flattenField(name: string, value: unknown): Row[] {
  if (value === undefined) return [{}];
  if (Array.isArray(value)) {
    if (!value.every(isRecord)) return [{ [name]: JSON.stringify(value, bigintAsText) }];
    return value.length === 0 ? [{}] : value.flatMap((part) => flattenRecord(underName(name, part)));
  }
  if (isRecord(value)) return flattenRecord(underName(name, value));
  return [{ [name]: value as Cell }];
}

function underName(name: string, record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([inner, value]) => [`${name}_${inner}`, value]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/**
 * The columns of some rows, in the order in which they come. A nested field that is null in one record and not in
 * another is known by its inner columns alone.
 */
export function columnsOf(rows: Iterable<Row>): string[] {
  const filled = new Map<string, boolean>();
  for (const row of rows) {
    for (const [column, cell] of Object.entries(row)) filled.set(column, filled.get(column) || cell !== null);
  }
  const columns = [...filled.keys()];
  const isOuter = (column: string) => !filled.get(column) && columns.some((each) => each.startsWith(`${column}_`));
  return columns.filter((column) => !isOuter(column));
}
