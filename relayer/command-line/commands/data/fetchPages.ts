import { HomePriceError } from "../../../errors/HomePriceError.ts";
import type { Endpoint } from "../../../service/endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "../../../service/endpoints/endpointTable.ts";
import { fetchItems } from "../../../service/fetchItems.ts";
import type { ServiceRequestOf } from "../../../service/fetchPage.ts";
import { IncompleteResultError } from "../../../service/incompleteResultError.ts";
import type { ServicePage } from "../../../service/readPage.ts";
import type { ServiceClient } from "../../../service/serviceClient.ts";
import type { DataCall } from "./dataCall.ts";

/** Records that came together, and what stood beside them. */
export type RecordsPage = {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** What stood beside them: of a single market its `svc_id`, and what the figures were narrowed by. */
  readonly echo: Readonly<Record<string, unknown>>;
  /** Records that are to come in all, where the answer says so. */
  readonly total: number | undefined;
};

export type FetchPagesOptions = {
  readonly signal: AbortSignal;
  /** Over all calls. */
  readonly maxItems: number | undefined;
};

/**
 * The records of some calls, one call after the other, page by page.
 * @throws what {@link fetchItems} throws; IncompleteResultError whenever something had been handed out before.
 */
export async function* fetchPages(
  client: ServiceClient,
  calls: readonly DataCall[],
  { signal, maxItems = Number.POSITIVE_INFINITY }: FetchPagesOptions,
): AsyncGenerator<RecordsPage, void, undefined> {
  let received = 0;
  let answeredRequests = 0;
  for (const [index, call] of calls.entries()) {
    const left = Math.min(call.maxItems ?? Number.POSITIVE_INFINITY, maxItems - received);
    if (left <= 0) return;
    let page: ServicePage<unknown> | undefined;
    let records: Readonly<Record<string, unknown>>[] = [];
    const isAll = calls.length === 1 && !isSplit(call);
    const market = marketOf(call);
    const pageOf = (part: RecordsPage["records"]): RecordsPage => ({
      records: calls.length > 1 ? part.map((record) => ({ ...market, ...record })) : part,
      echo: calls.length > 1 ? withoutMarket(page?.echo) : { ...market, ...page?.echo },
      total: isAll && page?.total !== undefined ? Math.min(page.total, left) : undefined,
    });
    const items = fetchItems(client, call.endpoint, call.request as ServiceRequestOf<EndpointName>, {
      signal,
      maxItems: left,
      onPage(next) {
        answeredRequests += 1;
        page = next;
      },
    });
    try {
      for await (const item of items) {
        received += 1;
        records.push(item);
        if (records.length < (page?.items.length ?? 0)) continue;
        yield pageOf(records);
        records = [];
      }
      if (records.length > 0) yield pageOf(records);
    } catch (error) {
      if (received === 0 || signal.aborted || !(error instanceof HomePriceError)) throw error;
      if (calls.length === 1) throw error;
      const partial = {
        received,
        answeredRequests,
        answeredIds: calls.slice(0, index).map(({ request }) => request["svc_id"]),
        unansweredIds: calls.slice(index).map(({ request }) => request["svc_id"]),
      };
      throw new IncompleteResultError(
        call.endpoint,
        partial,
        error instanceof IncompleteResultError ? error.cause : error,
      );
    }
  }
}

/** Whether a list of ids is sent in parts: each answer then speaks of its part alone. */
function isSplit({ endpoint, request }: DataCall): boolean {
  const { idList }: Endpoint = ENDPOINTS[endpoint];
  const list = idList && request[idList.field];
  return idList !== undefined && Array.isArray(list) && list.length > idList.most;
}

/** Rows of one market do not say whose they are; the market stands beside them, or is what was asked for. */
function marketOf({ endpoint, request }: DataCall): { readonly svc_id?: unknown } {
  const { cost }: Endpoint = ENDPOINTS[endpoint];
  return cost === "row" && request["svc_id"] !== undefined ? { svc_id: request["svc_id"] } : {};
}

function withoutMarket(echo: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { svc_id: _, ...others } = echo;
  return others;
}
