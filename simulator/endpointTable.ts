import { ENDPOINT_NAMES, type EndpointName } from "../relayer/service/endpoints/endpointTable.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "../relayer/service/endpoints/metricTable.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { latestPrices } from "./endpoints/latestPrices.ts";
import { marketSearch } from "./endpoints/marketSearch.ts";
import { MissingDataError } from "./endpoints/missingDataError.ts";
import { addressSearch } from "./endpoints/properties/addressSearch.ts";
import { eventHistory } from "./endpoints/properties/eventHistory.ts";
import { propertySearch } from "./endpoints/properties/propertySearch.ts";
import { propertySearchV2 } from "./endpoints/properties/propertySearchV2.ts";
import { metricSeries } from "./endpoints/series/metricSeries.ts";
import { rentalPrices, salesPrices, volatility } from "./endpoints/series/priceSeries.ts";
import { seriesOfManyMarkets, seriesOfOneMarket } from "./endpoints/series/seriesSource.ts";
import { type DataSource, simulatedEndpoint, type ValuesOf } from "./endpoints/simulatedEndpoint.ts";

/** Where the data of every endpoint of the service's table come from. */
type DataSources = { readonly [Name in EndpointName]: DataSource<ValuesOf<Name>> };

const SOURCES: DataSources = {
  "search/markets": marketSearch,
  "property/search_markets": marketSearch,
  ...metricSources(),
  "price_feed/sales": seriesOfOneMarket(salesPrices, "none"),
  "price_feed/sales/bulk": seriesOfManyMarkets(salesPrices, "none"),
  "price_feed/rental": seriesOfOneMarket(rentalPrices, "none"),
  "price_feed/rental/bulk": seriesOfManyMarkets(rentalPrices, "none"),
  "price_feed/volatility": seriesOfOneMarket(volatility, "none"),
  "price_feed/volatility/bulk": seriesOfManyMarkets(volatility, "none"),
  "latest/sales": latestPrices("sales"),
  "latest/rental": latestPrices("rental"),
  "property/search_address": addressSearch,
  "property/search": propertySearch,
  "property/event_history": eventHistory,
  "property_search/v2": propertySearchV2,
};

/** Every endpoint of the service, as its table has it. */
export const ENDPOINTS: readonly Endpoint[] = ENDPOINT_NAMES.map(endpointOf);

function endpointOf<Name extends EndpointName>(name: Name): Endpoint {
  // Types see to it, but Node does not look at types.
  const source: DataSource<ValuesOf<Name>> | undefined = SOURCES[name];
  if (!source) throw new MissingDataError(name, "name a source in simulator/endpointTable.ts");
  return simulatedEndpoint(name, source);
}

/** Both endpoints of every metric. */
function metricSources(): Pick<DataSources, MetricName | `${MetricName}/bulk`> {
  const sources = METRIC_NAMES.flatMap((name) => {
    const series = metricSeries(name);
    const { filter } = METRICS[name];
    return [
      [name, seriesOfOneMarket(() => series, filter)],
      [`${name}/bulk`, seriesOfManyMarkets(() => series, filter)],
    ];
  });
  return Object.fromEntries(sources);
}
