import { isDeepStrictEqual } from "node:util";
import { rewriteJson, spliceJson } from "./editJsonList.ts";
import { parseYaml, rewriteYaml, spliceYaml } from "./editYamlList.ts";
import type { FeedListDifference, MarketChange } from "./feedList.ts";
import { entryText } from "./listEdit.ts";

/**
 * The text of a configuration file with its list `markets` changed. Everything else stays as it is, byte for byte
 * where the file is written in the usual way: other keys, comments, order, quotes.
 *
 * @param nameOf Name of a market, written beside new entries where the file can hold comments.
 * @returns `undefined` when that cannot be done without changing something else.
 */
export function editFeedList(
  text: string,
  format: "yaml" | "json",
  difference: FeedListDifference,
  nameOf: (marketId: bigint) => string | undefined,
): string | undefined {
  const attempts = format === "json" ? [spliceJson, rewriteJson] : [spliceYaml, rewriteYaml];
  const before = read(text, format);
  if (!before) return undefined;
  const entries = entriesAfter(listIn(before), difference);
  for (const attempt of attempts) {
    const edited = attempt(text, { entries, difference, nameOf });
    if (edited !== undefined && isAsMeant(before, read(edited, format), entries)) return edited;
  }
  return undefined;
}

/** The list as it is to be: old entries in their places, new ones behind them. */
function entriesAfter(entries: readonly string[], { added, removed, changed }: FeedListDifference): string[] {
  const changes = [...removed, ...changed];
  const done = new Set<MarketChange>();
  const kept = entries.flatMap((entry) => {
    const change = changes.find(({ before }) => before.includes(entry));
    if (!change) return [entry];
    if (done.has(change)) return [];
    done.add(change);
    return change.after;
  });
  return [...kept, ...added.flatMap(({ after }) => after)];
}

function read(text: string, format: "yaml" | "json"): Record<string, unknown> | undefined {
  try {
    const values: unknown =
      format === "json" ? (text.trim() === "" ? {} : JSON.parse(text)) : toValues(parseYaml(text));
    return typeof values === "object" && !Array.isArray(values) ? { ...values } : undefined;
  } catch {
    return undefined;
  }
}

function toValues(document: ReturnType<typeof parseYaml>): unknown {
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS() ?? {};
}

function listIn({ markets }: Record<string, unknown>): string[] {
  return Array.isArray(markets) ? markets.map(entryText) : [];
}

function isAsMeant(
  before: Record<string, unknown>,
  after: Record<string, unknown> | undefined,
  entries: readonly string[],
): boolean {
  if (!after) return false;
  const { markets: _before, ...restBefore } = before;
  const { markets: _after, ...restAfter } = after;
  return isDeepStrictEqual(listIn(after), entries) && isDeepStrictEqual(restAfter, restBefore);
}
