import { buildRequest } from "../../../relayer/service/buildRequest.ts";
import type { Endpoint } from "../../../relayer/service/endpoints/endpoint.ts";
import { fetchAll } from "../../../relayer/service/fetchItems.ts";
import type { ServiceItemOf } from "../../../relayer/service/fetchPage.ts";
import type { RequestValues } from "../../../relayer/service/rules/requestRule.ts";
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from "../../../relayer/service/serviceClient.ts";
import { BUILT_IN_PRICES } from "../../../simulator/builtInPrices.ts";
import { type PriceService, type PriceServiceOptions, startPriceService } from "../../../simulator/priceService.ts";
import { CHICAGO } from "./examples.ts";

const SEED = 20_260_304;
const NOW_MS = BigInt(Date.parse("2026-03-04T14:00:00Z"));

/** A simulator whose clock stands still; the same seed everywhere, so that two of them know the same world. */
export function startContractService(options: Partial<PriceServiceOptions> = {}): Promise<PriceService> {
  return startPriceService({
    prices: BUILT_IN_PRICES,
    seed: SEED,
    nowMs: () => NOW_MS,
    plan: { credits: 1_000_000_000, requestsPerMinute: null },
    listsGeneratedMarkets: true,
    ...options,
  });
}

/** A client of it, that asks each time but once. */
export function clientOf({ url, apiKey }: PriceService, options: Partial<ServiceClientOptions> = {}): ServiceClient {
  return createServiceClient({ apiUrl: url, apiKey, retries: 0, ...options });
}

/** What examples ask about, which depends on the seed. */
export type Known = {
  /** Properties of Chicago with sales in their history, by id. */
  readonly homes: readonly ServiceItemOf<"property/search">[];
};

export async function findKnown(service: PriceService): Promise<Known> {
  const request = {
    svc_id: CHICAGO,
    property_type: "ALL_PROPERTIES",
    event_history_sale_flag: true,
    event_history_rental_flag: true,
  } as const;
  return { homes: await fetchAll(clientOf(service), "property/search", request, { maxItems: 5 }) };
}

/** Sends a request as it is, whatever a client would say to it. */
export async function sendUnchecked(service: PriceService, endpoint: Endpoint, values: object): Promise<Response> {
  const style = { idPrefix: "svc", spelling: "specification", addressListName: undefined } as const;
  const { method, path, query, body } = buildRequest(endpoint, values as RequestValues, style, {
    nowMs: Number(NOW_MS),
  });
  return await fetch(`${service.url}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: { authorization: service.apiKey },
    ...(body !== undefined && { body }),
  });
}
