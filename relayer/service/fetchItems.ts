import { HomePriceError } from "../errors/HomePriceError.ts";
import { checkRequest } from "./checkRequest.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "./endpoints/endpointTable.ts";
import { askForPage, type ServiceItemOf, type ServiceRequestOf, warnIfDeprecated, withPageSize } from "./fetchPage.ts";
import { IncompleteResultError } from "./incompleteResultError.ts";
import type { NextPage, ServicePage } from "./readPage.ts";
import { RequestRuleError } from "./requestRuleError.ts";
import { idListLength } from "./rules/idListLength.ts";
import type { RequestValues } from "./rules/requestRule.ts";
import type { ServiceClient } from "./serviceClient.ts";

export type FetchItemsOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Records after which the caller has enough; no more are asked for. Default: all. */
  readonly maxItems?: number | undefined;
  /** Called for every page, before its records: account, totals, echoes. */
  readonly onPage?: ((page: ServicePage<unknown>) => void) | undefined;
};

/**
 * Every record that answers a request: pages are followed to the end, and id lists longer than one request takes are
 * split and joined again, one request after the other. Ids given twice are asked for once; ids that the service does not
 * know are silently left out by it.
 *
 * What is handed out is never passed off as complete: a failure after the first answer, or fewer records than the
 * service announced, ends the iteration with an error that says what had arrived.
 *
 * @throws RequestRuleError before anything is sent; ServiceError or CreditBudgetError of the first request;
 * IncompleteResultError after it; the signal's reason when the caller aborts.
 * @example
 * for await (const row of fetchItems(client, "market_metrics/all_cash/bulk", { svc_ids })) console.log(row.svc_id, row.pct_sales);
 */
export async function* fetchItems<Name extends EndpointName>(
  client: ServiceClient,
  name: Name,
  request: ServiceRequestOf<Name>,
  { signal, maxItems = Number.POSITIVE_INFINITY, onPage }: FetchItemsOptions = {},
): AsyncGenerator<ServiceItemOf<Name>, void, undefined> {
  const endpoint: Endpoint = ENDPOINTS[name];
  warnIfDeprecated(client, name, endpoint);
  const { idList } = endpoint;
  const splitRule = idList && idListLength(idList.field, idList.most).name;
  const values = checkRequest(name, endpoint, request, client.ruleContext(), (rule) => rule.name === splitRule);
  const parts = splitIds(name, endpoint, values);

  const answeredIds: unknown[] = [];
  let received = 0;
  let answeredRequests = 0;
  for (const [index, part] of parts.entries()) {
    try {
      for await (const page of pagesOf(client, endpoint, part.values, { signal, left: () => maxItems - received })) {
        answeredRequests += 1;
        onPage?.(page);
        for (const item of page.items) {
          if (received === maxItems) return;
          received += 1;
          yield item as ServiceItemOf<Name>;
        }
      }
      answeredIds.push(...part.ids);
    } catch (error) {
      // An abort is the caller's own doing; before the first answer, the failure is all that there is to say.
      if (signal?.aborted || answeredRequests === 0 || !(error instanceof HomePriceError)) throw error;
      const unansweredIds = parts.slice(index).flatMap(({ ids }) => ids);
      throw new IncompleteResultError(name, { received, answeredRequests, answeredIds, unansweredIds }, error);
    }
    if (received >= maxItems) return;
  }
}

/** The same as a list, complete. */
export async function fetchAll<Name extends EndpointName>(
  client: ServiceClient,
  name: Name,
  request: ServiceRequestOf<Name>,
  options: FetchItemsOptions = {},
): Promise<ServiceItemOf<Name>[]> {
  const items: ServiceItemOf<Name>[] = [];
  for await (const item of fetchItems(client, name, request, options)) items.push(item);
  return items;
}

/** The parts that a request is sent in, with the ids of each. */
function splitIds(
  name: string,
  { idList }: Endpoint,
  values: RequestValues,
): { readonly values: RequestValues; readonly ids: readonly unknown[] }[] {
  const list = idList && values[idList.field];
  if (!idList || !Array.isArray(list)) return [{ values, ids: [] }];
  const ids = [...new Set(list)];
  if (ids.length > idList.most && values["offset"] !== undefined) {
    const message = `cannot be given with ${ids.length} ids: they are asked for in several requests`;
    throw new RequestRuleError(name, [
      { rule: "no-offset-over-parts", at: "offset", value: values["offset"], message },
    ]);
  }
  const count = Math.max(1, Math.ceil(ids.length / idList.most));
  return Array.from({ length: count }, (_, index) => {
    const part = ids.slice(index * idList.most, (index + 1) * idList.most);
    return { values: { ...values, [idList.field]: part }, ids: part };
  });
}

/** One part's pages to the last one. */
async function* pagesOf(
  client: ServiceClient,
  endpoint: Endpoint,
  values: RequestValues,
  { signal, left }: { readonly signal: AbortSignal | undefined; readonly left: () => number },
): AsyncGenerator<ServicePage<unknown>, void, undefined> {
  const { most = Number.POSITIVE_INFINITY, followed = most } = endpoint.page ?? {};
  const pageSize = Math.min(followed, left());
  const sized = withPageSize(endpoint, values, pageSize);
  const start = typeof values["offset"] === "number" ? values["offset"] : 0;
  const seen = new Set<string>();
  let received = 0;
  let announced: number | undefined;
  let next: NextPage | undefined;
  do {
    const asked = next && "offset" in next ? { ...sized, offset: next.offset } : sized;
    const linked = next && "query" in next ? { linked: next.query } : {};
    const page = await askForPage(client, endpoint, asked, { signal, ...linked });
    received += page.items.length;
    // The "not found" behind a last page says nothing about the pages before it.
    announced = page.total || announced;
    yield page;
    if (left() <= 0) return;
    next = page.saysWhetherMore ? page.next : pageAfterFullOne(sized, page.items.length, start + received);
    const key = JSON.stringify(next);
    if (next && (page.items.length === 0 || seen.has(key))) throw new UnendingPagesError(endpoint.path, received);
    seen.add(key);
  } while (next);
  if (announced !== undefined && start + received < announced) {
    throw new MissingRecordsError(endpoint.path, announced - start, received);
  }
}

/** Where an answer says nothing about pages, a full one may be followed by another. */
function pageAfterFullOne({ limit }: RequestValues, items: number, offset: number): NextPage | undefined {
  return typeof limit === "number" && items >= limit ? { offset } : undefined;
}

/** The service announced more records than it gave. */
export class MissingRecordsError extends HomePriceError {
  constructor(path: string, announced: number, received: number) {
    super("API_MISSING_RECORDS", `${path} announced ${announced} records and gave ${received}`, {
      hint: "Ask again: the service's data may have changed between two pages.",
    });
  }
}

/** The service's pages lead in a circle, or on without records. */
export class UnendingPagesError extends HomePriceError {
  constructor(path: string, received: number) {
    super("API_UNENDING_PAGES", `the pages of ${path} lead nowhere after ${received} records`, {
      hint: "This is a fault of the service. Report it there, or ask for shorter spans.",
    });
  }
}
