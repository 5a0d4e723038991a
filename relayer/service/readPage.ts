import { toDotPath } from "zod/v4/core";
import { type AccountBlock, readAccount } from "./account.ts";
import type { Endpoint, ItemOf } from "./endpoints/endpoint.ts";
import { valueAt } from "./latestResponseFields.ts";
import { toNeutralNames } from "./makerNames.ts";
import { type RequestFacts, UnexpectedResponseError } from "./serviceErrors.ts";

/** Where the next page is: the query of the service's own link, or the number of rows before it. */
export type NextPage = { readonly query: Readonly<Record<string, string>> } | { readonly offset: number };

/** One page of an answer. */
export type ServicePage<Item> = {
  readonly items: readonly Item[];
  /** Rows over all pages, where the service says so. */
  readonly total: number | undefined;
  /** `undefined` on the last page, as far as the answer tells. */
  readonly next: NextPage | undefined;
  /** Whether the answer itself says if there is another page. */
  readonly saysWhetherMore: boolean;
  readonly account: AccountBlock | undefined;
  /** Fields beside the records: of one market its `svc_id`, and what the figures were narrowed by. */
  readonly echo: Readonly<Record<string, unknown>>;
};

/** Parts of an answer that are read here and no echo. */
const ENVELOPE = [
  "items",
  "data",
  "total",
  "limit",
  "offset",
  "links",
  "account",
  "account_info",
  "metadata",
  "pagination",
];

/**
 * Reads an answer by its endpoint's schema; fields that the schema does not name are kept.
 * @throws UnexpectedResponseError naming the record and field that cannot be read.
 */
export function readPage<AnyEndpoint extends Endpoint>(
  endpoint: AnyEndpoint,
  answer: unknown,
  idPrefix: string,
  facts: RequestFacts,
): ServicePage<ItemOf<AnyEndpoint>> {
  const neutral = toNeutralNames(answer, idPrefix);
  const records = recordsOf(endpoint, neutral);
  if (records === undefined) {
    const where = endpoint.answer === "properties" ? "items or data" : "items";
    throw new UnexpectedResponseError(facts, `answered without a list in ${where}`);
  }
  const items = records.map((record, index) => {
    const read = endpoint.item.safeParse(record);
    if (read.success) return read.data as ItemOf<AnyEndpoint>;
    const problems = read.error.issues.map(({ path, message }) => `${toDotPath(path)}: ${message}`);
    throw new UnexpectedResponseError(
      facts,
      `answered with a record that cannot be read (item ${index}: ${problems.slice(0, 3).join("; ")})`,
    );
  });
  const total = wholeNumber(valueAt(neutral, "total") ?? valueAt(neutral, "metadata.results.total_available"));
  return {
    items,
    total,
    ...nextPage(neutral, items.length, total, facts),
    account: readAccount(neutral, "account") ?? readAccount(neutral, "account_info"),
    echo: echoOf(neutral),
  };
}

/** The records, wherever this form of answer has them. */
function recordsOf({ answer }: Endpoint, neutral: unknown): unknown[] | undefined {
  const items = valueAt(neutral, "items");
  if (answer === "items") return Array.isArray(items) ? items : undefined;
  const data = valueAt(neutral, "data");
  if (Array.isArray(data)) return data;
  return Array.isArray(items) ? items.map(foldMetadata) : undefined;
}

/** A property whose metadata stand beside its events is given the form in which they stand in an object of their own. */
function foldMetadata(record: unknown): unknown {
  if (typeof record !== "object" || record === null || "property_metadata" in record) return record;
  const { svc_property_id, events, ...metadata } = record as Readonly<Record<string, unknown>>;
  return {
    svc_property_id,
    ...(Object.keys(metadata).length > 0 && { property_metadata: metadata }),
    ...(events !== undefined && { events }),
  };
}

function nextPage(
  neutral: unknown,
  received: number,
  total: number | undefined,
  facts: RequestFacts,
): Pick<ServicePage<unknown>, "next" | "saysWhetherMore"> {
  const links = valueAt(neutral, "links");
  const link = valueAt(links, "next");
  if (typeof link === "string") return { next: { query: queryOfLink(link, facts) }, saysWhetherMore: true };
  if (typeof links === "object") return { next: undefined, saysWhetherMore: true };

  const hasMore = valueAt(neutral, "pagination.has_more");
  const offset = wholeNumber(valueAt(neutral, "pagination.offset") ?? valueAt(neutral, "offset")) ?? 0;
  const isMore = typeof hasMore === "boolean" ? hasMore : total === undefined ? undefined : offset + received < total;
  if (isMore === undefined) return { next: undefined, saysWhetherMore: false };
  return { next: isMore ? { offset: offset + received } : undefined, saysWhetherMore: true };
}

/** Only the query of a link is followed: an address is the client's to choose, and the key goes nowhere else. */
function queryOfLink(link: string, { path, origin }: RequestFacts): Record<string, string> {
  const url = URL.canParse(link, origin) ? new URL(link, origin) : undefined;
  if (!url?.pathname.endsWith(path)) {
    throw new UnexpectedResponseError(
      { method: "GET", path, origin },
      "answered with a next page at another path, not followed",
    );
  }
  return Object.fromEntries(url.searchParams);
}

function echoOf(neutral: unknown): Readonly<Record<string, unknown>> {
  if (typeof neutral !== "object" || neutral === null) return {};
  return Object.fromEntries(Object.entries(neutral).filter(([name]) => !ENVELOPE.includes(name)));
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}
