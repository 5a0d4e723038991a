import type { Cadence, CreditCost, Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import type { RequestRule } from "../../relayer/service/rules/requestRule.ts";
import { type SeriesFilter, seriesRequests } from "../../relayer/service/schemas/seriesRequest.ts";
import { deprecationPart, otherPathLines, pathOf, recordPart, ruleList } from "./endpointSections.ts";
import { requestTable } from "./fieldTables.ts";
import { fieldsOf } from "./schemaFields.ts";

/** A series that differs from the others in more than the document says of it. */
export class UnlikeOtherSeriesError extends Error {}

/** Name of an endpoint that has one for many markets beside it. */
type SingleOf<Name> = Name extends `${infer Single extends EndpointName}/bulk` ? Single : never;

/** A series of dated rows: asked of one market, and of many. */
export type SeriesName = SingleOf<EndpointName>;

/** Every series; its second endpoint has `/bulk` behind its name. */
export const SERIES_NAMES = ENDPOINT_NAMES.filter((name) => `${name}/bulk` in ENDPOINTS) as SeriesName[];

const FILTERS: Readonly<Record<SeriesFilter, string>> = {
  none: "",
  property_type: ", narrowed by `property_type`",
  portfolio_size: ", narrowed by `portfolio_size`",
};

const CADENCES: Readonly<Record<Cadence, string>> = { daily: "Daily", weekly: "Weekly", monthly: "Monthly" };

/** What the document's words on all series are written for. */
const COMMON_COST: CreditCost = "row";
const FIRST = { single: ENDPOINTS["market_metrics/all_cash"], bulk: ENDPOINTS["market_metrics/all_cash/bulk"] };

/** What every series is asked for with, and the rules that hold for all of them. */
export function seriesRequestSection(): string {
  const bySize = {
    single: ENDPOINTS["portfolio_metrics/sf_housing_event_counts"],
    bulk: ENDPOINTS["portfolio_metrics/sf_housing_event_counts/bulk"],
  };
  const part = (kind: "single" | "bulk") => {
    const size = requestTable(bySize[kind], kind)
      .split("\n")
      .filter((line) => line.startsWith("| `portfolio_size`"));
    return [[requestTable(FIRST[kind], kind), ...size].join("\n"), ruleList(commonRules(FIRST[kind]))];
  };
  return ["Of one market, by `GET`:", ...part("single"), "Of many markets, by `POST`:", ...part("bulk")].join("\n\n");
}

/** A section for each of these series: both its endpoints, its record, and what is particular about it. */
export function seriesSections(names: readonly SeriesName[]): string {
  return names
    .map((name) => {
      const [single, bulk]: readonly [Endpoint, Endpoint] = [ENDPOINTS[name], ENDPOINTS[`${name}/bulk`]];
      const filter = filterOf(name, single, bulk);
      const start = single.dataStart === undefined ? "" : ` Begins on ${single.dataStart}.`;
      const ownRules = single.rules.filter(isDataStart);
      return [
        `### ${name}`,
        ...deprecationPart(single),
        `${single.summary} ${single.cadence ? CADENCES[single.cadence] : ""}${FILTERS[filter]}.${start}`,
        [
          `- \`${name}\`: ${pathOf(single)}`,
          `- \`${name}/bulk\`: ${pathOf(bulk)}${bulk.summary === single.summary ? "" : `. ${bulk.summary}`}`,
          ...otherPathLines(bulk),
        ].join("\n"),
        recordPart(single.item, name),
        ...(ownRules.length > 0 ? [ruleList(ownRules)] : []),
      ].join("\n\n");
    })
    .join("\n\n");
}

/**
 * What a series can be narrowed by. Its section says nothing of requests, pages, credits and common rules, nor of the
 * market's id in each record of many.
 * @throws UnlikeOtherSeriesError when these are not the same as of all other series.
 */
function filterOf(name: string, single: Endpoint, bulk: Endpoint): SeriesFilter {
  const filter = (Object.keys(seriesRequests) as SeriesFilter[]).find(
    (key) => single.request === seriesRequests[key].single && bulk.request === seriesRequests[key].bulk,
  );
  const commonOf = (endpoint: Endpoint) =>
    JSON.stringify([
      endpoint.page,
      endpoint.idList,
      endpoint.queryFields,
      commonRules(endpoint).map((rule) => rule.name),
    ]);
  const namesIn = ({ item }: Endpoint) => fieldsOf(item, name).map((field) => field.name);
  const isLikeOthers =
    [...namesIn(single), "svc_id"].join() === namesIn(bulk).join() &&
    commonOf(single) === commonOf(FIRST.single) &&
    commonOf(bulk) === commonOf(FIRST.bulk) &&
    single.cadence !== undefined &&
    [single, bulk].every(({ cost }) => cost === COMMON_COST) &&
    JSON.stringify([single.cadence, single.dataStart]) === JSON.stringify([bulk.cadence, bulk.dataStart]);
  if (filter === undefined || !isLikeOthers) throw new UnlikeOtherSeriesError(name);
  return filter;
}

function commonRules({ rules }: Endpoint): readonly RequestRule[] {
  return rules.filter((rule) => !isDataStart(rule));
}

function isDataStart({ name }: RequestRule): boolean {
  return name.startsWith("data-start-");
}
