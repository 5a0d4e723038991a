import { isMap, parseDocument, type YAMLMap } from "yaml";
import { fileValue, type ListEditor, lineStart } from "./listEdit.ts";

/** Puts the new list into the place of the old one, or behind the other keys. */
export const spliceJson: ListEditor = (text, { entries }) => {
  const indent = indentOf(text);
  const range = listRange(text);
  const margin = range ? (/^[ \t]*/.exec(text.slice(lineStart(text, range[0])))?.[0] ?? "") : indent;
  const list = JSON.stringify(entries.map(fileValue), undefined, indent).replaceAll("\n", `\n${margin}`);
  if (range) return text.slice(0, range[0]) + list + text.slice(range[1]);
  const close = text.lastIndexOf("}");
  if (close === -1) return undefined;
  const others = text.slice(0, close).trimEnd();
  return `${others}${others.endsWith("{") ? "" : ","}\n${indent}"markets": ${list}\n${text.slice(close)}`;
};

/** Writes the whole file anew. */
export const rewriteJson: ListEditor = (text, { entries }) => {
  const values = text.trim() === "" ? {} : (JSON.parse(text) as object);
  return `${JSON.stringify({ ...values, markets: entries.map(fileValue) }, undefined, indentOf(text))}\n`;
};

function indentOf(text: string): string {
  return /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? "  ";
}

/** Where the list stands. JSON is YAML, whose parser says where things are. */
function listRange(text: string): readonly [number, number] | undefined {
  const { contents, errors } = parseDocument(text);
  const list = errors.length === 0 && isMap(contents) ? (contents as YAMLMap).get("markets", true) : undefined;
  return list?.range ? [list.range[0], list.range[1]] : undefined;
}
