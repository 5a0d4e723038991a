import type { Endpoint } from "./endpoints/endpoint.ts";
import { latestRentalPrices, latestSalesPrices } from "./endpoints/latestPrices.ts";
import { marketSearch } from "./endpoints/marketSearch.ts";

/** Every endpoint of the service. */
export const ENDPOINTS: readonly Endpoint[] = [latestSalesPrices, latestRentalPrices, marketSearch];
