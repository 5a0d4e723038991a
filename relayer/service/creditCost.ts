import { dayOfDate } from "../message/calendarDate.ts";
import type { Cadence, Endpoint } from "./endpoints/endpoint.ts";
import type { RequestValues } from "./rules/requestRule.ts";

/** Where no start of a series is known: nothing of the service's is older (specification, coverage). */
const HISTORY_START = "2010-01-01";

/** What a call may cost at most. */
export type CreditEstimate = {
  /** `undefined` when only the answer tells, as of a search without an end. */
  readonly atMost: number | undefined;
  /** How the number comes about, in words. */
  readonly basis: string;
};

/** What one request may cost at most: every row that it can ask for, but no more than a page. */
export function creditsOfRequest(endpoint: Endpoint, request: RequestValues, nowMs: number): number {
  const { atMost } = estimateCredits(endpoint, request, { nowMs });
  const limit = typeof request["limit"] === "number" ? request["limit"] : endpoint.page?.usual;
  const bounds = [atMost, limit].filter((bound) => bound !== undefined);
  return endpoint.cost === "free" ? 0 : Math.min(...bounds);
}

/**
 * What all pages of a call may cost together.
 * @param maxItems Rows after which the caller stops.
 */
export function estimateCredits(
  endpoint: Endpoint,
  request: RequestValues,
  { nowMs, maxItems }: { readonly nowMs: number; readonly maxItems?: number | undefined },
): CreditEstimate {
  const found = estimateAll(endpoint, request, nowMs);
  if (maxItems === undefined || endpoint.cost === "free") return found;
  if (found.atMost !== undefined && found.atMost <= maxItems) return found;
  return { atMost: maxItems, basis: `at most ${counted(maxItems, "row", "rows")}` };
}

function estimateAll(endpoint: Endpoint, request: RequestValues, nowMs: number): CreditEstimate {
  const ids = idsOf(endpoint, request);
  switch (endpoint.cost) {
    case "free":
      return { atMost: 0, basis: "free of credits" };
    case "price":
      return { atMost: ids, basis: counted(ids, "price", "prices") };
    case "row": {
      const dates = datesOf(endpoint, request, nowMs);
      return {
        atMost: ids * dates,
        basis: `${counted(ids, "market", "markets")} × ${counted(dates, "date", "dates")}`,
      };
    }
    case "property":
      // Markets and circles hold as many properties as they do.
      return ids === 0
        ? { atMost: undefined, basis: "1 credit for each property that is found" }
        : { atMost: ids, basis: counted(ids, "property", "properties") };
  }
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** Things asked for by id or lookup: markets of a series, else what the endpoint splits. */
function idsOf({ idList, cost }: Endpoint, request: RequestValues): number {
  const list = idList === undefined ? undefined : request[idList.field];
  if (Array.isArray(list)) return new Set(list).size;
  return cost === "row" ? 1 : 0;
}

/** Dates between the ends of a series; never fewer than it can have. */
function datesOf({ cadence = "daily", dataStart }: Endpoint, request: RequestValues, nowMs: number): number {
  const { start_date, end_date } = request;
  // A day ahead: somewhere it is tomorrow already.
  const today = Math.floor(nowMs / 86_400_000) + 1;
  const earliest = dayOfDate(dataStart ?? HISTORY_START) ?? 0;
  const first = Math.max(typeof start_date === "string" ? (dayOfDate(start_date) ?? 0) : 0, earliest);
  const last = Math.min(typeof end_date === "string" ? (dayOfDate(end_date) ?? 0) : today, today);
  return last < first ? 0 : datesBetween(cadence, first, last);
}

function datesBetween(cadence: Cadence, first: number, last: number): number {
  switch (cadence) {
    case "daily":
      return last - first + 1;
    case "weekly":
      return Math.floor((last - first) / 7) + 1;
    case "monthly":
      return monthOf(last) - monthOf(first) + 1;
  }
}

function monthOf(day: number): number {
  const date = new Date(day * 86_400_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
