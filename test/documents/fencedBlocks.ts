import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "../endToEnd/commandLine.ts";

/** A block of code in a document. */
export type FencedBlock = {
  /** As the fence says it: `solidity`, `ts`, … */
  readonly language: string;
  /** What the fence says in `title="…"`. */
  readonly title: string | undefined;
  /** Heading of the second level above it. */
  readonly chapter: string;
  /** Line of the document in which its text begins, counted from 1. */
  readonly line: number;
  readonly text: string;
};

/** The fenced blocks of a Markdown document, in their order. Fences within lists are not indented in ours. */
export function fencedBlocksOf(document: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  const lines = readFileSync(join(CHECKOUT, document), "utf8").split("\n");
  let chapter = "";
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    chapter = /^## (.+)$/.exec(line)?.[1] ?? chapter;
    const [fence, language = "", rest = ""] = /^```(\w*)(.*)$/.exec(line) ?? [];
    if (fence === undefined) continue;
    const end = lines.indexOf("```", index + 1);
    if (end === -1) throw new Error(`${document}: the block of line ${index + 1} does not end`);
    const title = /title="([^"]+)"/.exec(rest)?.[1];
    const text = lines.slice(index + 1, end).join("\n");
    blocks.push({ language, title, chapter, line: index + 2, text });
    index = end;
  }
  return blocks;
}
