import { HomePriceError } from "../../../errors/HomePriceError.ts";
import { completeHeader, createCsvWriter } from "../../csvOutput.ts";
import { flattenRecord, type Row } from "../../flattenRecord.ts";
import { formatRows } from "../../formatRows.ts";
import { openReplacedFile } from "../../replacedFile.ts";
import { writeToStandardOutput } from "../../standardOutput.ts";
import type { RecordsPage } from "./fetchPages.ts";

export const DATA_FORMATS = ["table", "csv", "json"] as const;
export type DataFormat = (typeof DATA_FORMATS)[number];

/** Takes records as they come and brings them to where they are wanted. */
export type DataSink = {
  readonly take: (page: RecordsPage) => Promise<void>;
  /** Everything has come; the document is what is written as JSON. */
  readonly complete: (document: () => string) => Promise<void>;
  /**
   * It broke off: what has come is printed, or kept as a part; without any, nothing is left behind.
   * @returns The file that holds the part, if there is one.
   */
  readonly breakOff: (document: () => string) => Promise<string | undefined>;
};

/** Columns that came too late for a header that had been printed: what is printed is not everything. */
class LateColumnsError extends HomePriceError {
  constructor(columns: readonly string[]) {
    super("LATE_COLUMNS", `the output lacks columns that came only after its header: ${columns.join(", ")}`, {
      hint: "Use --output, which completes the header, or --format json.",
    });
  }
}

/** CSV on standard output, line by line as it comes. */
export function csvToStandardOutput(): DataSink {
  const csv = createCsvWriter(writeToStandardOutput, { keepLateColumns: false });
  return {
    take: (page) => csv.write(rowsOf(page)),
    async complete() {
      if (csv.lateColumns().length > 0) throw new LateColumnsError(csv.lateColumns());
    },
    breakOff: async () => undefined,
  };
}

/** CSV in a file that appears when it is complete. */
export async function csvToFile(path: string): Promise<DataSink> {
  const file = await openReplacedFile(path);
  const csv = createCsvWriter(file.write, { keepLateColumns: true });
  const finishHeader = async () => {
    if (csv.lateColumns().length > 0) await completeHeader(file, [...csv.columns(), ...csv.lateColumns()]);
  };
  return {
    take: (page) => csv.write(rowsOf(page)),
    async complete() {
      await finishHeader();
      await file.commit();
    },
    async breakOff() {
      if (csv.columns().length === 0) {
        await file.discard();
        return undefined;
      }
      await finishHeader();
      await file.keepAs(partialPath(path));
      return partialPath(path);
    },
  };
}

/** A table or a document, which need everything first. */
export async function wholeText(format: "table" | "json", path: string | undefined): Promise<DataSink> {
  // Opened before anything is asked for: a folder that is not there must not cost credits.
  const file = path === undefined ? undefined : await openReplacedFile(path);
  const rows: Row[] = [];
  let isEmpty = true;
  const textOf = (document: () => string) =>
    format === "json" ? document() : formatRows(rows, file ? undefined : process.stdout.columns);
  return {
    async take(page) {
      isEmpty = false;
      if (format === "table") for (const row of rowsOf(page)) rows.push(row);
    },
    async complete(document) {
      const text = textOf(document);
      if (!file) return writeToStandardOutput(text);
      await file.write(text);
      await file.commit();
    },
    async breakOff(document) {
      if (isEmpty) {
        await file?.discard();
        return undefined;
      }
      const text = textOf(document);
      if (!file || path === undefined) {
        await writeToStandardOutput(text);
        return undefined;
      }
      await file.write(text);
      await file.keepAs(partialPath(path));
      return partialPath(path);
    },
  };
}

/** What broke off is kept beside the file that it was meant for: it has been paid for, and must not pass for the whole. */
function partialPath(path: string): string {
  return `${path}.partial`;
}

/** Records as rows, each with the single values that stood beside them: a market's rows are the same, alone or among others. */
function rowsOf({ records, echo }: RecordsPage): Row[] {
  const { svc_id: market, ...beside } = Object.fromEntries(
    Object.entries(echo).filter(([, value]) => typeof value !== "object"),
  );
  return records.flatMap((record) => {
    const svc_id = record["svc_id"] ?? market;
    return flattenRecord({ ...(svc_id !== undefined && { svc_id }), ...beside, ...record });
  });
}
