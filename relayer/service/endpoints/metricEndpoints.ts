import type { seriesRequests } from "../schemas/seriesRequest.ts";
import type { Endpoint, OtherPath } from "./endpoint.ts";
import { METRIC_NAMES, METRICS, type Metric, type MetricName } from "./metricTable.ts";
import { type OfManyMarkets, seriesOfManyMarkets, seriesOfOneMarket } from "./seriesEndpoints.ts";

type Single<Name extends MetricName> = Endpoint<
  (typeof seriesRequests)[(typeof METRICS)[Name]["filter"]]["single"],
  (typeof METRICS)[Name]["item"]
>;

type Bulk<Name extends MetricName> = Endpoint<
  (typeof seriesRequests)[(typeof METRICS)[Name]["filter"]]["bulk"],
  OfManyMarkets<(typeof METRICS)[Name]["item"]>
>;

/** The two endpoints of every metric: `category/metric` of one market, `category/metric/bulk` of many. */
export type MetricEndpoints = { readonly [Name in MetricName]: Single<Name> } & {
  readonly [Name in MetricName as `${Name}/bulk`]: Bulk<Name>;
};

/** In bulk paths the specification calls this category otherwise; public clients do not. */
const BULK_CATEGORIES: Readonly<Record<string, string>> = { new_construction_metrics: "new_construction" };

export const METRIC_ENDPOINTS = Object.fromEntries(
  METRIC_NAMES.flatMap((name) => {
    const { summary, ...metric }: Metric = METRICS[name];
    const [category = "", tail = ""] = name.split("/");
    return [
      [name, seriesOfOneMarket({ ...metric, summary, path: `/v1/${category}/{svc_id}/${tail}` })],
      [`${name}/bulk`, seriesOfManyMarkets({ ...metric, summary, ...bulkPaths(category, tail) })],
    ];
  }),
) as MetricEndpoints;

function bulkPaths(category: string, tail: string): { path: string; otherPaths: readonly OtherPath[] } {
  const renamed = BULK_CATEGORIES[category];
  const usual = `/v1/${category}/${tail}`;
  if (renamed === undefined) return { path: usual, otherPaths: [] };
  const why = "what public clients send, after the pattern of the other categories";
  return { path: `/v1/${renamed}/${tail}`, otherPaths: [{ path: usual, why, isPublicClients: true }] };
}
