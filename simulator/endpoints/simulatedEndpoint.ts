import type * as z from "zod";
import type { Endpoint as EndpointRow } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import type { Answer } from "../answer.ts";
import type { ChargedFor } from "../creditCosts.ts";
import type { Endpoint, EndpointRequest, ServiceState } from "./endpoint.ts";
import { readRequest } from "./requests/readRequest.ts";

/** What a request to the endpoint of a name asks for, as its schema reads it. */
export type ValuesOf<Name extends EndpointName> = z.output<(typeof ENDPOINTS)[Name]["request"]>;

/** A request that has been read, and the rows of the page that it wants. */
export type ReadRequest<Values> = EndpointRequest & { readonly values: Values; readonly page: Page };

/** Rows of a page, and rows before it. */
export type Page = { readonly limit: number; readonly offset: number };

/** Where the answers to one endpoint come from. */
export type DataSource<Values> = {
  answer(request: ReadRequest<Values>, service: ServiceState): Answer;
  /** Whether words may be in small letters, and parameters without a value count as absent. */
  readonly isLenient?: boolean;
  /** Whether the search throttle of the free plan concerns it. */
  readonly isThrottledSearch?: boolean;
};

const CHARGED_FOR: Readonly<Record<EndpointRow["cost"], ChargedFor>> = {
  free: "nothing",
  row: "dated-row",
  price: "dated-row",
  property: "property",
};

/** The endpoint of a row: method, paths, what it takes and what it costs are the row's; only the data are the source's. */
export function simulatedEndpoint<Name extends EndpointName>(name: Name, source: DataSource<ValuesOf<Name>>): Endpoint {
  const row: EndpointRow = ENDPOINTS[name];
  const { isLenient = false, isThrottledSearch = false } = source;
  return {
    method: row.method,
    path: row.path,
    otherPaths: row.otherPaths.map(({ path }) => path),
    chargedFor: CHARGED_FOR[row.cost],
    isThrottledSearch,
    answer(request, service) {
      const read = readRequest(row, request, { idPrefix: service.idPrefix, isLenient });
      if (!read.ok) return read.answer;
      const values = read.value as ValuesOf<Name>;
      return source.answer({ ...request, values, page: pageOf(row, read.value) }, service);
    },
  };
}

function pageOf({ page }: EndpointRow, { limit, offset }: Readonly<Record<string, unknown>>): Page {
  return { limit: Number(limit ?? page?.usual ?? Number.MAX_SAFE_INTEGER), offset: Number(offset ?? 0) };
}
