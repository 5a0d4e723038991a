import { CsvError, parse } from "csv-parse/sync";
import { InvalidConfigurationError } from "../../../configuration/loadConfiguration.ts";
import { addressLookup } from "../../../service/schemas/addressSearch.ts";
import { readInput } from "../../readInput.ts";
import { defineDataCommand } from "./dataCommand.ts";

const COLUMNS = Object.keys(addressLookup.shape);

/** Wrong lines that are named; the others are counted. */
const NAMED_LINES = 5;

export const addressesCommand = defineDataCommand<{ readonly from: string }>(
  "addresses",
  "properties by address, from a CSV file; 100 a request, a credit a property",
  [
    "homeprice data addresses --from addresses.csv",
    "homeprice data addresses --from addresses.csv --output properties.csv",
    "homeprice data addresses --from - --json < addresses.csv",
    "homeprice data addresses --from addresses.csv --estimate",
  ],
  (command) =>
    command.requiredOption("--from <file>", "CSV file with addresses; - is standard input").addHelpText(
      "after",
      `
Columns: ${COLUMNS.join(", ")}; the last two may be absent, others are passed over. An address that the
service does not find may be absent from the answer: a source_id of your own tells which.
`,
    ),
  async ({ from }) => {
    const lookups = readAddresses(await readInput(from), from === "-" ? "standard input" : from);
    return { calls: [{ endpoint: "property/search_address", request: { lookups } }], what: "row" };
  },
);

type Line = { readonly record: Readonly<Record<string, string>>; readonly info: { readonly lines: number } };

/** @throws InvalidConfigurationError naming the lines that are no addresses. */
export function readAddresses(text: string, name: string): Record<string, string>[] {
  let lines: Line[];
  try {
    lines = parse(text, { columns: true, info: true, bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(`${name} is no CSV: ${error.message}`);
  }
  if (lines.length === 0) throw invalid(`${name} holds no address`);
  const missing = Object.keys(lines[0]?.record ?? {});
  const absent = COLUMNS.filter((column) => !isOptional(column) && !missing.includes(column));
  if (absent.length > 0) throw invalid(`${name} lacks the column ${absent.join(", ")}`);

  const problems: string[] = [];
  const lookups = lines.map(({ record, info }) => {
    const given = COLUMNS.flatMap((column) => (record[column] ? [[column, record[column]]] : []));
    const lookup = Object.fromEntries(given) as Record<string, string>;
    for (const { path, message } of addressLookup.safeParse(lookup).error?.issues ?? []) {
      const column = String(path[0]);
      problems.push(`line ${info.lines}: ${column} ${lookup[column] === undefined ? "is empty" : message}`);
    }
    return lookup;
  });
  if (problems.length === 0) return lookups;
  const more = problems.length > NAMED_LINES ? `; and ${problems.length - NAMED_LINES} more` : "";
  throw invalid(`${name}: ${problems.slice(0, NAMED_LINES).join("; ")}${more}`);
}

function isOptional(column: string): boolean {
  return column === "unit" || column === "source_id";
}

function invalid(message: string): InvalidConfigurationError {
  return new InvalidConfigurationError(
    "INVALID_ADDRESSES",
    message,
    `Give a CSV file with the columns ${COLUMNS.join(", ")}. Spreadsheets take the zeros off ZIP codes that begin with them.`,
  );
}
