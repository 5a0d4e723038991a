import { buildRequest } from "./buildRequest.ts";
import { checkRequest } from "./checkRequest.ts";
import type { Endpoint, ItemOf, RequestOf } from "./endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "./endpoints/endpointTable.ts";
import { readPage, type ServicePage } from "./readPage.ts";
import type { RequestValues } from "./rules/requestRule.ts";
import type { ServiceClient } from "./serviceClient.ts";
import { NotFoundError } from "./serviceErrors.ts";

/** What a caller gives to the endpoint of a name. */
export type ServiceRequestOf<Name extends EndpointName> = RequestOf<(typeof ENDPOINTS)[Name]>;

/** A record that the endpoint of a name returns. */
export type ServiceItemOf<Name extends EndpointName> = ItemOf<(typeof ENDPOINTS)[Name]>;

export type FetchPageOptions = {
  readonly signal?: AbortSignal | undefined;
  /** One of the endpoint's other paths, to be used instead. */
  readonly path?: string | undefined;
};

/**
 * Asks an endpoint once: one request, one page of its answer. Nothing found is an empty page.
 *
 * Where rows cost credits and nothing is said about the size of the page, the service's usual one is asked for by its
 * number, so that what the request may cost is known.
 *
 * @throws RequestRuleError before anything is sent; CreditBudgetError likewise; ServiceError; the signal's reason.
 * @example
 * const page = await fetchPage(client, "market_metrics/all_cash", { svc_id: 5826765n, start_date: "2024-01-01" });
 */
export async function fetchPage<Name extends EndpointName>(
  client: ServiceClient,
  name: Name,
  request: ServiceRequestOf<Name>,
  options: FetchPageOptions = {},
): Promise<ServicePage<ServiceItemOf<Name>>> {
  const endpoint: Endpoint = ENDPOINTS[name];
  warnIfDeprecated(client, name, endpoint);
  const checked = checkRequest(name, endpoint, request, client.ruleContext());
  const { page, cost } = endpoint;
  const values = page && cost !== "free" ? withPageSize(endpoint, checked, page.usual) : checked;
  return (await askForPage(client, endpoint, values, options)) as ServicePage<ServiceItemOf<Name>>;
}

/** Sends a request that has been checked. */
export async function askForPage(
  client: ServiceClient,
  endpoint: Endpoint,
  values: RequestValues,
  { signal, path, linked }: FetchPageOptions & { readonly linked?: Readonly<Record<string, string>> },
): Promise<ServicePage<unknown>> {
  const built = buildRequest(endpoint, values, client.style, { nowMs: Date.now(), path });
  // The service's link to a next page carries the whole query.
  const request = { ...built, signal, ...(linked && { query: linked }) };
  try {
    return readPage(endpoint, await client.request(request), client.idPrefix, client.facts(request));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return { items: [], total: 0, next: undefined, saysWhetherMore: true, account: undefined, echo: {} };
  }
}

/** A request that says how large its pages are. */
export function withPageSize({ page }: Endpoint, values: RequestValues, size: number): RequestValues {
  return page === undefined || values["limit"] !== undefined ? values : { ...values, limit: size };
}

export function warnIfDeprecated(client: ServiceClient, name: string, { deprecated }: Endpoint): void {
  if (deprecated !== undefined) client.log?.warn({ endpoint: name }, `the service deprecates ${name}: ${deprecated}`);
}
