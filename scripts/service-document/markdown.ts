/** A Markdown table that is not padded: its texts are too long for that. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}

/** Names or words as code, separated by commas. */
export function inCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

/** A link to a heading of the same document, as GitHub makes its anchor. */
export function linkTo(heading: string, text: string = heading): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return `[${text}](#${words.replaceAll(" ", "-")})`;
}

/** With commas between thousands. */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}
