import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import type { DiscoveryItem } from "../message/discovery/knownValues.ts";
import type { FeedKind } from "../message/feedId.ts";
import { parseExactJson } from "../service/exactJson.ts";
import type { CleanText } from "../service/foreignText.ts";
import { type LatestResponseFields, valueAt } from "../service/latestResponseFields.ts";
import { readLatestItem, readMarketId } from "../service/readLatestItem.ts";

/** The signed items of a saved answer, and why others of it could not be read. */
export type SignedItems = { readonly items: readonly DiscoveryItem[]; readonly unreadable: readonly string[] };

/**
 * Reads signed items from the text of a latest answer, of its list of items, of one item, or of several answers in a
 * list.
 * @param kind Which of the two series they belong to, if that is known.
 * @throws InvalidConfigurationError when the text is not JSON, or holds none of these.
 */
export function readSignedItems(
  text: string,
  name: string,
  { fields, kind }: { readonly fields: LatestResponseFields; readonly kind: FeedKind | undefined },
): SignedItems {
  let parsed: unknown;
  try {
    parsed = parseExactJson(text);
  } catch {
    throw new InvalidConfigurationError("INPUT_INVALID", `${name} is not JSON`, "Save the answer as it was received.");
  }
  const items: DiscoveryItem[] = [];
  const unreadable: string[] = [];
  for (const item of itemsIn(parsed, fields)) {
    const marketId = readMarketId(item, fields);
    if (marketId === undefined) {
      unreadable.push(`an entry of ${name} has no market id in ${fields.marketId}`);
      continue;
    }
    // What an item is read into wants a kind; where it is open, none is kept.
    const read = readLatestItem(item, marketId, kind ?? "sales", fields, shorten);
    if (read.ok) items.push({ ...read.value, kind });
    else unreadable.push(`market ${marketId} of ${name}: ${read.refusal.message}`);
  }
  if (items.length === 0 && unreadable.length === 0) {
    throw new InvalidConfigurationError(
      "INPUT_INVALID",
      `${name} holds no items`,
      `Give the answer of a latest endpoint, with its list in ${fields.items}; other names of fields are set with responseFields.`,
    );
  }
  return { items, unreadable };
}

/** A file of the caller's own holds no secret; values come in quotes, without control characters. */
const shorten: CleanText = (text, maxLength = 300) =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;

/** Answers are taken apart into their items, lists into their entries. */
function itemsIn(parsed: unknown, fields: LatestResponseFields): unknown[] {
  if (Array.isArray(parsed)) return parsed.flatMap((entry) => itemsIn(entry, fields));
  const items = valueAt(parsed, fields.items);
  if (Array.isArray(items)) return items;
  return typeof parsed === "object" && parsed !== null && !isEmptyAnswer(parsed, fields) ? [parsed] : [];
}

/** Has the account block of an answer, but no items. */
function isEmptyAnswer(parsed: object, fields: LatestResponseFields): boolean {
  return valueAt(parsed, fields.account) !== undefined && readMarketId(parsed, fields) === undefined;
}
