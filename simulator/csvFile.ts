import { readFile } from "node:fs/promises";
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";

/** A CSV file with a header line, its cells trimmed. */
export type CsvFile = {
  readonly path: string;
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
};

export type CsvRow = {
  /** Line of the file on which the row ends, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
};

/** A file that is not there or cannot be read. */
export class UnreadableDataFileError extends HomePriceError {
  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
    super("UNREADABLE_DATA_FILE", `${path} cannot be read (${code})`, {
      kind: "configuration",
      hint: "Give the path of a CSV file that exists and may be read.",
      cause,
    });
  }
}

/** A file whose content is not what its format says, with the place. */
export class InvalidDataFileError extends HomePriceError {
  readonly path: string;
  readonly line: number;
  readonly column: string | undefined;

  constructor(path: string, line: number, column: string | undefined, problem: string, hint: string) {
    const place = column === undefined ? `${path}, line ${line}` : `${path}, line ${line}, column ${column}`;
    super("INVALID_DATA_FILE", `${place}: ${problem}`, { kind: "configuration", hint });
    this.path = path;
    this.line = line;
    this.column = column;
  }
}

/**
 * Reads a CSV file whole.
 * @throws UnreadableDataFileError, InvalidDataFileError
 */
export async function readCsvFile(path: string): Promise<CsvFile> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new UnreadableDataFileError(path, cause);
  });
  const [header, ...rows] = parseRows(path, text);
  if (!header) {
    throw new InvalidDataFileError(path, 1, undefined, "the file is empty", "Give a CSV file with a header line.");
  }
  return { path, columns: header.cells, rows };
}

/** Index of a column in the cells of a row, or `undefined` when the file has none of that name. */
export function columnIndex({ columns }: CsvFile, name: string): number | undefined {
  const index = columns.indexOf(name);
  return index === -1 ? undefined : index;
}

function parseRows(path: string, text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      bom: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (cells, { lines }) => {
        rows.push({ line: lines, cells });
        return null; // Kept above, with its line; the parser need not keep it too.
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error["lines"] === "number" ? error["lines"] : 1;
    throw new InvalidDataFileError(path, line, undefined, error.message, "Correct the line: it is no valid CSV.");
  }
  return rows;
}
