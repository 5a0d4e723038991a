import type { FeedListDifference } from "./feedList.ts";

/** What is to become of the list in a text. */
export type ListEdit = {
  /** All entries, in their places. */
  readonly entries: readonly string[];
  readonly difference: FeedListDifference;
  /** Name of a market, to stand beside its new entry where there can be comments. */
  readonly nameOf: (marketId: bigint) => string | undefined;
};

/** One way to edit a text; `undefined` where the text is not written in a way that it knows. */
export type ListEditor = (text: string, edit: ListEdit) => string | undefined;

/** An entry of a file as differences write it: without quotes and leading zeros. */
export function entryText(value: unknown): string {
  return String(value).replace(/^0+(?=\d)/, "");
}

/** An entry as files hold it: an id alone is a number. */
export function fileValue(entry: string): number | string {
  const number = Number(entry);
  return Number.isSafeInteger(number) ? number : entry;
}

/** Where the line of a position begins. */
export function lineStart(text: string, position: number): number {
  return text.lastIndexOf("\n", position - 1) + 1;
}

/** Where the line of a position ends, behind its line break. */
export function lineEnd(text: string, position: number): number {
  const at = text.indexOf("\n", position);
  return at === -1 ? text.length : at + 1;
}
