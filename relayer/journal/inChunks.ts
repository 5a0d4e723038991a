/** Rows in one statement: few enough for the number of parameters that an engine takes (SQLite 32,766). */
export const ROWS_PER_STATEMENT = 500;

/** A list in pieces of at most that many, one after the other. */
export function* inChunks<T>(list: readonly T[], size: number = ROWS_PER_STATEMENT): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
