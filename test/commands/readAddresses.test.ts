import { expect, test } from "vitest";
import { readAddresses } from "../../relayer/command-line/commands/data/addresses.ts";

const HEAD = "address,city,state_abbreviation,zip_code";

test("cells are read by the name of their column; empty ones and other columns are left out", () => {
  const csv = `\uFEFFnotes,zip_code,address,city,state_abbreviation,unit\r\nx,02134,"1 Main St, rear", Boston ,MA,\r\n`;
  expect(readAddresses(csv, "a.csv")).toEqual([
    { zip_code: "02134", address: "1 Main St, rear", city: "Boston", state_abbreviation: "MA" },
  ]);
});

test.each([
  ["address,city,state_abbreviation\n1 Main St,Denver,CO\n", /a\.csv lacks the column zip_code/],
  [
    `${HEAD}\n1 Main St,Denver,CO,2134\n1 Main St,,CO,80202\n`,
    /line 2: zip_code must be five digits; line 3: city is empty/,
  ],
  [
    `${HEAD}\n${"1 Main St,Denver,Colorado,80202\n".repeat(9)}`,
    /line 6: state_abbreviation must be two letters; and 4 more/,
  ],
  [`${HEAD}\n`, /a\.csv holds no address/],
  ["", /holds no address/],
  [`${HEAD}\n1,2\n`, /is no CSV/],
  ['address\n"1 Main', /is no CSV/],
])("what holds no addresses is refused, by line: %j", (csv, message) => {
  expect(() => readAddresses(csv, "a.csv")).toThrow(message);
});
