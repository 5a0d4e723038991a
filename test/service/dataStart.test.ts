import { expect, test } from "vitest";
import { hasDataOn } from "../../relayer/service/dataStart.ts";
import type { Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";

const STARTS: readonly [EndpointName, string, string][] = [
  ["for_sale_market_metrics/for_sale_inventory", "2022-08-31", "2022-09-01"],
  ["for_sale_market_metrics/for_sale_inventory_price_changes/bulk", "2022-08-31", "2022-09-01"],
  ["for_sale_market_metrics/new_listings_rolling_counts", "2022-08-31", "2022-09-01"],
  ["rental_market_metrics/new_listings_for_rent_rolling_counts", "2022-08-31", "2022-09-01"],
  ["investor_metrics/new_listings_for_sale_rolling_counts", "2022-08-31", "2022-09-01"],
  ["portfolio_metrics/sf_housing_stock_ownership", "2024-02-29", "2024-03-01"],
  ["portfolio_metrics/sf_new_listings_for_sale_rolling_counts", "2024-04-14", "2024-04-15"],
  ["portfolio_metrics/sf_new_listings_for_rent_rolling_counts", "2024-04-21", "2024-04-22"],
  ["property/event_history", "2009-12-31", "2010-01-01"],
  ["property_search/v2", "2009-12-31", "2010-01-01"],
];

test.each(STARTS)("%s has nothing on %s, and may have on %s", (name, before, first) => {
  expect(hasDataOn(name, before)).toBe(false);
  expect(hasDataOn(name, first)).toBe(true);
});

test("where no start is known, any date may have data", () => {
  const openNames = ENDPOINT_NAMES.filter((name) => (ENDPOINTS[name] as Endpoint).dataStart === undefined);
  expect(openNames).toContain("price_feed/sales");
  expect(openNames.every((name) => hasDataOn(name, "1900-01-01"))).toBe(true);
});
