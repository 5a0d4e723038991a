import { isMetricName, type MetricName } from "../../world/metricSeries.ts";
import { MissingDataError } from "../missingDataError.ts";
import type { Series } from "./series.ts";

/**
 * The rows of a metric.
 * @throws MissingDataError
 */
export function metricSeries(name: MetricName): Series {
  // Types see to it, but Node does not look at types.
  if (!isMetricName(name)) throw new MissingDataError(name, "compute its figures in simulator/world/metricSeries.ts");
  return {
    dates: ({ metrics }, _market, range) => metrics.dates(name, range),
    row: ({ metrics }, market, date, segment) => metrics.row(name, market, date, segment),
  };
}
