import Table from "cli-table3";

/** A Markdown table: columns are as wide as their content, so that it is also readable as it is. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isNumeric = (_: string, column: number) => rows.every((row) => /^[\d,–-]*$/.test(row[column] ?? ""));
  const markdown = new Table({
    head: [...head],
    colAligns: head.map((text, column) => (isNumeric(text, column) ? "right" : "left")),
    chars: {
      ...NO_FRAME,
      left: "|",
      right: "|",
      middle: "|",
      "left-mid": "|",
      "mid-mid": "|",
      "right-mid": "|",
      mid: "-",
    },
    style: { head: [], border: [], compact: true },
  });
  markdown.push(...rows.map((row) => [...row]));
  return markdown.toString();
}

/** cli-table3 draws a frame unless it is told not to. */
const NO_FRAME = {
  top: "",
  "top-left": "",
  "top-mid": "",
  "top-right": "",
  bottom: "",
  "bottom-left": "",
  "bottom-mid": "",
  "bottom-right": "",
};

/** With commas between thousands; a dash for none. */
export function number(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toLocaleString("en-US");
}
