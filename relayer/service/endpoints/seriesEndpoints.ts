import type * as z from "zod";
import { idListLength } from "../rules/idListLength.ts";
import { notBeforeDataStart } from "../rules/notBeforeDataStart.ts";
import { notReversed } from "../rules/notReversed.ts";
import { pageSize } from "../rules/pageSize.ts";
import { identifier } from "../schemas/identifier.ts";
import { type SeriesFilter, seriesRequests } from "../schemas/seriesRequest.ts";
import { defineEndpoint, type Endpoint, type OtherPath } from "./endpoint.ts";
import { MAX_MARKETS_PER_REQUEST } from "./marketsPerRequest.ts";

/** Rows of a page when nothing is said, and at most, of one market and of many (observed). */
const PAGES = { single: { usual: 12, most: 1000 }, bulk: { usual: 1000, most: 10_000 } } as const;

type Series<Filter extends SeriesFilter, Item extends z.ZodObject> = {
  readonly filter: Filter;
  readonly item: Item;
  readonly path: string;
  readonly otherPaths?: readonly OtherPath[];
  readonly dataStart?: string | undefined;
} & Pick<Endpoint, "summary" | "cadence" | "deprecated">;

const DATE_ORDER = notReversed("start_date", "end_date");

/** GET of one market: its rows, newest first; the market stands beside them, not in each. */
export function seriesOfOneMarket<Filter extends SeriesFilter, Item extends z.ZodObject>({
  filter,
  dataStart,
  ...row
}: Series<Filter, Item>): Endpoint<(typeof seriesRequests)[Filter]["single"], Item> {
  return defineEndpoint({
    ...row,
    method: "GET",
    request: seriesRequests[filter].single,
    page: PAGES.single,
    cost: "row",
    rules: [DATE_ORDER, pageSize(PAGES.single.most), ...startRules(dataStart)],
    ...(dataStart !== undefined && { dataStart }),
  });
}

/** POST of many markets: rows by market, highest id first, then newest first; `limit` counts over all of them. */
export function seriesOfManyMarkets<Filter extends SeriesFilter, Item extends z.ZodObject>({
  filter,
  dataStart,
  item,
  ...row
}: Series<Filter, Item>) {
  const list = "svc_ids";
  return defineEndpoint({
    ...row,
    method: "POST",
    request: seriesRequests[filter].bulk as (typeof seriesRequests)[Filter]["bulk"],
    item: item.extend({ svc_id: identifier.describe("market id") }) as OfManyMarkets<Item>,
    queryFields: ["limit", "offset"],
    page: PAGES.bulk,
    idList: { field: list, most: MAX_MARKETS_PER_REQUEST },
    cost: "row",
    rules: [
      idListLength(list, MAX_MARKETS_PER_REQUEST),
      DATE_ORDER,
      pageSize(PAGES.bulk.most),
      ...startRules(dataStart),
    ],
    ...(dataStart !== undefined && { dataStart }),
  });
}

/** A record that also says which market it is of. */
export type OfManyMarkets<Item extends z.ZodObject> = z.ZodObject<
  Item["shape"] & { svc_id: typeof identifier },
  z.core.$loose
>;

function startRules(dataStart: string | undefined) {
  return dataStart === undefined ? [] : [notBeforeDataStart(dataStart)];
}
