import { createHash } from "node:crypto";

/** One thing that a specification says. */
export type Statement = {
  /** Slug of the heading above it, and its number below that: `limits-3`. */
  readonly id: string;
  /** As it is written. Of a table row that says several things: what the row is about, and one of them. */
  readonly text: string;
  /** First ten hex digits of the SHA-256 of the slug and the text, so that the same words elsewhere are another statement. */
  readonly fingerprint: string;
};

/** Introduces a list or a table, and says nothing by itself. */
const CAPTION = /^(\S+\s+){0,3}\S+:$/;

/**
 * Splits a specification in Markdown into its statements: sentences of paragraphs and of list items, and table rows, of
 * which each sentence behind the first cell counts by itself.
 */
export function statementsOf(markdown: string): Statement[] {
  const statements: Statement[] = [];
  const counts = new Map<string, number>();
  let slug = "";
  const add = (text: string) => {
    const number = (counts.get(slug) ?? 0) + 1;
    counts.set(slug, number);
    statements.push({ id: `${slug}-${number}`, text, fingerprint: fingerprintOf(`${slug}: ${text}`) });
  };
  for (const block of blocksOf(markdown)) {
    const [, level, heading = ""] = /^(#{1,6}) (.+)$/.exec(block) ?? [];
    if (level !== undefined) slug = level === "#" ? "introduction" : slugOf(heading);
    else if (block.startsWith("|")) for (const text of textsOfRow(block)) add(text);
    else for (const text of sentencesOf(block.replace(/^(?:[-*]|\d+\.) /, ""))) if (!CAPTION.test(text)) add(text);
  }
  return statements;
}

function fingerprintOf(text: string): string {
  return createHash("sha256").update(text.replaceAll(/\s+/g, " ").trim()).digest("hex").slice(0, 10);
}

/** Headings, table rows, list items and paragraphs, each in one line. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  const lines = markdown.split("\n").map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    const isTableHead = line.startsWith("|") && /^\|[\s|:-]+\|$/.test(lines[index + 1] ?? "");
    const isRule = /^\|[\s|:-]+\|$/.test(line);
    const begins = /^(#{1,6} |\||[-*] |\d+\. )/.test(line);
    if (line === "" || isTableHead || isRule) {
      isOpen = false;
    } else if (begins || !isOpen) {
      blocks.push(line);
      isOpen = !/^[#|]/.test(line);
    } else {
      blocks[blocks.length - 1] += ` ${line}`;
    }
  }
  return blocks;
}

/** A row that says one thing is one statement; otherwise each sentence of its cells, below the name of the row. */
function textsOfRow(row: string): string[] {
  const cells = row
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
  const last = sentencesOf(cells.at(-1) ?? "");
  const before = cells.slice(0, -1).join(" | ");
  return last.length === 0 ? [before] : last.map((sentence) => `${before} | ${sentence}`);
}

/** A full stop ends a sentence, three dots do not, and four do. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=(?:[^.]|\.{3})\.)\s+/).filter((sentence) => sentence !== "");
}

/** Without what stands in parentheses. */
function slugOf(heading: string): string {
  return heading
    .replaceAll(/\([^)]*\)/g, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
