import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeHeader, createCsvWriter } from "../../relayer/command-line/csvOutput.ts";
import { columnsOf, flattenRecord, type Row } from "../../relayer/command-line/flattenRecord.ts";
import { openReplacedFile } from "../../relayer/command-line/replacedFile.ts";
import { folderWith } from "./commandInFolder.ts";

/** The text of some pages of rows. */
async function csvOf(...pages: readonly (readonly Row[])[]): Promise<{ text: string; late: readonly string[] }> {
  let text = "";
  const csv = createCsvWriter(
    async (part) => {
      text += part;
    },
    { keepLateColumns: false },
  );
  for (const page of pages) await csv.write(page);
  return { text, late: csv.lateColumns() };
}

describe("a record as rows", () => {
  test("nested fields are joined by underscores", () => {
    const record = { date: "2024-01-01", price: { median: { sales: "1.5", rentals: null } }, count: 3n };
    expect(flattenRecord(record)).toEqual([
      { date: "2024-01-01", price_median_sales: "1.5", price_median_rentals: null, count: 3n },
    ]);
  });

  test("a list of records makes a row of each, and the fields around it are repeated", () => {
    const record = { id: 7n, events: [{ name: "SOLD", price: "5" }, { name: "LISTED_RENT" }], tags: ["a", 2n] };
    expect(flattenRecord(record)).toEqual([
      { id: 7n, events_name: "SOLD", events_price: "5", tags: '["a","2"]' },
      { id: 7n, events_name: "LISTED_RENT", tags: '["a","2"]' },
    ]);
    expect(flattenRecord({ id: 7n, events: [] })).toEqual([{ id: 7n }]);
  });

  test("what is absent makes no column, nor does a null where others have fields inside", () => {
    const rows = [
      ...flattenRecord({ a: undefined, price: null }),
      ...flattenRecord({ price: { median: "1" }, b: null }),
    ];
    expect(columnsOf(rows)).toEqual(["price_median", "b"]);
  });
});

describe("cells", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+15551234", "'+15551234"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
    ["a,b", '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ["12 Main St\nApt 3", '"12 Main St\nApt 3"'],
  ])("text: %j", async (value, written) => {
    expect((await csvOf([{ value }])).text).toBe(`value\n${written}\n`);
  });

  test.each([
    ["-24000", "-24000"],
    ["12345678901.12345678", "12345678901.12345678"],
    ["02134", "02134"],
    [-3.33, "-3.33"],
    [18446744073709551615n, "18446744073709551615"],
    [0, "0"],
    [null, ""],
  ])("numbers and exact decimal text stay as they are: %s", async (value, written) => {
    expect((await csvOf([{ value, last: 1 }])).text).toBe(`value,last\n${written},1\n`);
  });

  test("column names are text as well", async () => {
    expect((await csvOf([{ "=cmd": 1 }])).text).toBe("'=cmd\n1\n");
  });

  test("whatever text there is reads back as itself, behind at most an apostrophe, and is no formula", async () => {
    const anyRow = fc.dictionary(
      fc.constantFrom("a", "b", "c"),
      fc.oneof(fc.string(), fc.constantFrom("=1", "-1", "+", "\r")),
      { minKeys: 1 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 5 }), async (rows) => {
        const [header = [], ...lines] = parse((await csvOf(rows)).text) as string[][];
        rows.forEach((row, index) => {
          header.forEach((column, place) => {
            const read = lines[index]?.[place] ?? "";
            const given = row[column] ?? "";
            expect([given, `'${given}`]).toContain(read);
            expect(read).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/);
          });
        });
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });
});

describe("columns that come after the header", () => {
  test("are named, and left out of what has been printed", async () => {
    const { text, late } = await csvOf([{ a: 1 }], [{ a: 2, b: 3, c: null }, { a: 4 }]);
    expect(text).toBe("a\n1\n2\n4\n");
    expect(late).toEqual(["b"]);
  });

  test("complete the header of a file, and every row has as many cells", async () => {
    const folder = await folderWith();
    const file = await openReplacedFile(join(folder, "x.csv"));
    const csv = createCsvWriter(file.write, { keepLateColumns: true });
    await csv.write([{ a: "=1", n: 'x\n"y"' }]);
    await csv.write(Array.from({ length: 2500 }, (_, index) => ({ a: index, b: `late ${index}` })));
    await completeHeader(file, [...csv.columns(), ...csv.lateColumns()]);
    await file.commit();
    expect(await readdir(folder)).toEqual(["x.csv"]);
    const [header, first, ...others] = parse(await readFile(join(folder, "x.csv"), "utf8")) as string[][];
    expect(header).toEqual(["a", "n", "b"]);
    expect(first).toEqual(["'=1", 'x\n"y"', ""]);
    expect(others).toHaveLength(2500);
    expect(others.at(-1)).toEqual(["2499", "", "late 2499"]);
  });
});
