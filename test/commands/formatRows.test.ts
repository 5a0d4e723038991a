import { expect, test } from "vitest";
import { formatRows } from "../../relayer/command-line/formatRows.ts";

const ROWS = [
  { svc_id: 5826765n, date: "2026-11-21", price_feed: "216.94", note: null },
  { svc_id: 5826765n, date: "2026-11-20", price_feed: null },
];

test("rows are a table, without columns that are empty", () => {
  const lines = formatRows(ROWS, undefined).split("\n");
  expect(lines[1]).toBe("│ svc_id  │ date       │ price_feed │");
  expect(lines[4]).toBe("│ 5826765 │ 2026-11-20 │            │");
});

test("a table that just fits into the terminal is one, a wider one is blocks of lines", () => {
  const width = formatRows(ROWS, undefined).split("\n")[0]?.length ?? 0;
  expect(formatRows(ROWS, width)).toBe(formatRows(ROWS, undefined));
  expect(formatRows(ROWS, width - 1)).toBe(
    "svc_id      5826765\ndate        2026-11-21\nprice_feed  216.94\n\n" +
      "svc_id      5826765\ndate        2026-11-20\nprice_feed  \n",
  );
});

test("no rows are no text", () => {
  expect(formatRows([], 80)).toBe("");
});
