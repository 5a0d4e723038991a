import { describe, expect, test } from "vitest";
import { buildRequest, type RequestStyle } from "../../relayer/service/buildRequest.ts";
import { checkRequest } from "../../relayer/service/checkRequest.ts";
import { ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import type { ServiceRequestOf } from "../../relayer/service/fetchPage.ts";

const SPECIFICATION: RequestStyle = { idPrefix: "svc", spelling: "specification", addressListName: undefined };
const PUBLIC_CLIENTS: RequestStyle = { ...SPECIFICATION, spelling: "public-clients" };
const NOW_MS = Date.UTC(2026, 10, 21);

function build<Name extends EndpointName>(name: Name, request: ServiceRequestOf<Name>, style = SPECIFICATION) {
  const values = checkRequest(name, ENDPOINTS[name], request, { nationwideMarketId: 5_826_765n });
  return buildRequest(ENDPOINTS[name], values, style, { nowMs: NOW_MS });
}

describe("a request on the wire", () => {
  test("of one market has its id in the path and the rest in the query", () => {
    const request = { svc_id: 5826765n, start_date: "2024-01-01", property_type: "CONDO", limit: 3 } as const;
    expect(build("market_metrics/all_cash", request)).toEqual({
      method: "GET",
      path: "/v1/market_metrics/5826765/all_cash",
      query: { start_date: "2024-01-01", property_type: "CONDO", limit: "3" },
      creditsAtMost: 3,
    });
  });

  test("of many markets has pages in the query and the rest in the body, ids as integers", () => {
    const request = { svc_ids: [5826765n, "9007199254740993", 7], end_date: "2024-01-31", limit: 10_000, offset: 5 };
    const built = build("market_metrics/all_cash/bulk", request);
    expect(built.query).toEqual({ limit: "10000", offset: "5" });
    expect(built.body).toBe('{"svc_ids":[5826765,9007199254740993,7],"end_date":"2024-01-31"}');
  });

  test("of an address search is a bare list, or a named one where that is configured", () => {
    const lookup = { address: "1 Main St", city: "Denver", state_abbreviation: "co", zip_code: "80202" };
    const list = '[{"address":"1 Main St","city":"Denver","state_abbreviation":"CO","zip_code":"80202"}]';
    const request = { lookups: [lookup] };
    expect(build("property/search_address", request).body).toBe(list);
    const named = { ...SPECIFICATION, addressListName: "addresses" };
    expect(build("property/search_address", request, named).body).toBe(`{"addresses":${list}}`);
  });

  test("of v2 nests its filters, writes bits as 1 and 0 and switches as booleans", () => {
    const built = build("property_search/v2", {
      svc_ids: [7n],
      property_filters: { include_property_details: true, has_pool: 1 },
      event_filters: { include_events: true, include_full_event_history: false, is_new_construction: 0 },
      limit: 10,
    });
    expect(JSON.parse(built.body ?? "")).toEqual({
      svc_ids: [7],
      property_filters: { include_property_details: 1, has_pool: true },
      event_filters: { include_events: 1, include_full_event_history: 0, is_new_construction: false },
    });
    expect(built).toMatchObject({ query: { limit: "10" }, creditsAtMost: 10 });
  });

  test("of v1 property search writes its flags as words", () => {
    const request = { svc_id: 7n, property_type: "ALL_PROPERTIES", has_pool: true } as const;
    expect(build("property/search", request).query).toEqual({
      svc_id: "7",
      property_type: "ALL_PROPERTIES",
      has_pool: "true",
    });
  });

  test("carries the configured word in place of svc", () => {
    const style = { ...SPECIFICATION, idPrefix: "acme" };
    expect(build("market_metrics/all_cash/bulk", { svc_ids: [7] }, style).body).toBe('{"acme_ids":[7]}');
    expect(build("property/event_history", { svc_property_ids: [7] }, style).body).toBe('{"acme_property_ids":[7]}');
    expect(build("search/markets", { svc_id: 7, sort_by: "SVC_EXCHANGE_MARKET" }, style).query).toEqual({
      acme_id: "7",
      sort_by: "ACME_EXCHANGE_MARKET",
    });
  });

  test("can be spelt as the public clients do", () => {
    expect(build("market_metrics/all_cash/bulk", { svc_ids: [7, 8] }, PUBLIC_CLIENTS).body).toBe(
      '{"svc_id":["7","8"]}',
    );
    const history = build("property/event_history", { svc_property_ids: [7] }, PUBLIC_CLIENTS);
    expect(history.body).toBe('{"svc_property_id":["7"]}');
    expect(build("property_search/v2", { svc_ids: [7] }, PUBLIC_CLIENTS).body).toBe('{"svc_ids":[7]}');
    const construction = "new_construction_metrics/housing_event_counts/bulk";
    expect(build(construction, { svc_ids: [7] }).path).toBe("/v1/new_construction/housing_event_counts");
    expect(build(construction, { svc_ids: [7] }, PUBLIC_CLIENTS).path).toBe(
      "/v1/new_construction_metrics/housing_event_counts",
    );
  });
});

describe("what a request may cost at most", () => {
  test.each([
    ["market_metrics/all_cash", { svc_id: 7, start_date: "2024-01-15", end_date: "2024-03-01", limit: 99 }, 3],
    ["market_metrics/all_cash", { svc_id: 7, start_date: "2024-01-15", end_date: "2024-03-01", limit: 2 }, 2],
    ["market_metrics/all_cash/bulk", { svc_ids: [7, 8, 8], start_date: "2024-01-01", end_date: "2024-01-31" }, 2],
    ["for_sale_market_metrics/for_sale_inventory", { svc_id: 7, start_date: "2024-01-01", end_date: "2024-01-14" }, 2],
    ["price_feed/sales", { svc_id: 7, start_date: "2024-02-27", end_date: "2024-03-01" }, 4],
    ["price_feed/sales", { svc_id: 7, start_date: "2029-01-01" }, 0],
    ["latest/sales", { svc_ids: [7, 8, 9] }, 3],
    ["property/event_history", { svc_property_ids: [7, 8] }, 2],
    ["property/search", { svc_id: 7, property_type: "CONDO" }, 1000],
    ["property_search/v2", { svc_property_ids: [7, 8], limit: 5 }, 2],
    ["search/markets", { query: "new york" }, 0],
  ] as const)("%s %j: %d", (name, request, credits) => {
    expect(build(name as "latest/sales", request as never).creditsAtMost).toBe(credits);
  });
});
