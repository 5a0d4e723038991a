import { type Document, isMap, isScalar, isSeq, parseDocument, Scalar, type YAMLSeq } from "yaml";
import { withoutHexNumbers } from "../configuration/configurationFile.ts";
import type { FeedListDifference, MarketChange } from "./feedList.ts";
import { entryText, fileValue, type ListEditor, lineEnd, lineStart } from "./listEdit.ts";

/** Changes the lines of the list, or what stands between its brackets, and nothing else. */
export const spliceYaml: ListEditor = (text, { entries, difference, nameOf }) => {
  const { contents } = parseYaml(text);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = (prefix: string, changes: readonly MarketChange[]) =>
    changes.flatMap((change) =>
      change.after.map((entry) => prefix + entry + comment(nameOf(change.marketId)) + newline),
    );
  // New lines go behind whole ones.
  const whole = text === "" || text.endsWith("\n") ? text : text + newline;

  if (contents === null || (isMap(contents) && !contents.flow && !contents.has("markets"))) {
    const start = (isMap(contents) && contents.range?.[0]) || 0;
    const margin = text.slice(lineStart(text, start), start);
    return `${whole}${margin}markets:${newline}${lines(`${margin}  - `, difference.added).join("")}`;
  }
  if (!isMap(contents)) return undefined;
  const list = contents.get("markets", true);
  if (isScalar(list) && list.value === null && list.range && !contents.flow) {
    const end = lineEnd(whole, list.range[0]);
    return whole.slice(0, end) + lines("  - ", difference.added).join("") + whole.slice(end);
  }
  if (!isSeq(list) || !list.items.every((item) => isScalar(item))) return undefined;
  return list.flow ? spliceFlow(text, list, entries) : spliceBlock(whole, list, difference, lines);
};

/** A list with an entry a line: lines go, come, or have their entry replaced. */
function spliceBlock(
  text: string,
  list: YAMLSeq,
  { added, removed, changed }: FeedListDifference,
  lines: (prefix: string, changes: readonly MarketChange[]) => string[],
): string | undefined {
  type Edit = { readonly from: number; readonly to: number; readonly put: string };
  const edits: Edit[] = [];
  const done = new Set<MarketChange>();
  let prefix = "";
  let end = 0;
  for (const item of list.items as Scalar[]) {
    if (!item.range) return undefined;
    const [from, to] = item.range;
    const start = lineStart(text, from);
    end = lineEnd(text, to);
    prefix = text.slice(start, from);
    if (!/^[ \t]*-[ \t]+$/.test(prefix)) return undefined;
    const change = [...removed, ...changed].find(({ before }) => before.includes(entryText(item.value)));
    const [first, ...others] = change && !done.has(change) ? change.after : [];
    if (change) done.add(change);
    if (change && first === undefined) edits.push({ from: start, to: end, put: "" });
    if (change && first !== undefined) {
      edits.push({ from, to, put: first });
      edits.push({ from: end, to: end, put: lines(prefix, [{ ...change, after: others }]).join("") });
    }
  }
  edits.push({ from: end, to: end, put: lines(prefix, added).join("") });
  return edits.reduceRight((edited, { from, to, put }) => edited.slice(0, from) + put + edited.slice(to), text);
}

/** A list in brackets. */
function spliceFlow(text: string, list: YAMLSeq, entries: readonly string[]): string | undefined {
  if (!list.range) return undefined;
  const [from, to] = list.range;
  // Comments within brackets would be lost.
  if (text.slice(from, to).includes("#")) return undefined;
  const padding = /^\[\s/.test(text.slice(from)) ? " " : "";
  return `${text.slice(0, from)}[${padding}${entries.join(", ")}${padding}]${text.slice(to)}`;
}

/** Writes the whole file anew, for any other way to write YAML: what it says stays, comments as well, but not every space. */
export const rewriteYaml: ListEditor = (text, { entries, difference }) => {
  const document = parseYaml(text);
  const list = isMap(document.contents) ? document.contents.get("markets", true) : undefined;
  if (isSeq(list) && list.items.every((item) => isScalar(item))) changeItems(list, difference);
  else document.set("markets", entries.map(fileValue));
  return document.toString({ lineWidth: 0 });
};

function changeItems(list: YAMLSeq, { added, removed, changed }: FeedListDifference): void {
  const done = new Set<MarketChange>();
  list.items = (list.items as Scalar[]).flatMap((item) => {
    const change = [...removed, ...changed].find(({ before }) => before.includes(entryText(item.value)));
    if (!change) return [item];
    const [first, ...others] = done.has(change) ? [] : change.after;
    done.add(change);
    if (first === undefined) return [];
    const own = new Scalar(fileValue(first));
    own.comment = item.comment ?? null;
    own.commentBefore = item.commentBefore ?? null;
    return [own, ...others.map((entry) => new Scalar(fileValue(entry)))];
  });
  list.items.push(...added.flatMap(({ after }) => after.map((entry) => new Scalar(fileValue(entry)))));
}

/** A configuration file as the program reads it, with the place of everything. */
export function parseYaml(text: string): Document.Parsed {
  return parseDocument(text, { customTags: withoutHexNumbers });
}

function comment(name: string | undefined): string {
  // A name is foreign text: nothing of it may begin a new line.
  const words =
    name
      ?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
      .trim()
      .slice(0, 100) ?? "";
  return words === "" ? "" : ` # ${words}`;
}
