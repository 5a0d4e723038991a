import type { SeriesFilter } from "../../../relayer/service/schemas/seriesRequest.ts";
import type { Answer } from "../../answer.ts";
import type { DateRange, Segment } from "../../world/metricSeries.ts";
import { pagedAnswer } from "../answers/itemsAnswer.ts";
import type { ServiceState } from "../endpoint.ts";
import type { DataSource, Page, ReadRequest } from "../simulatedEndpoint.ts";
import { type MarketRows, rowsOfMarkets } from "./marketRows.ts";
import type { Series, SeriesOf } from "./series.ts";

/** What every series may be asked for. */
type SeriesValues = {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly property_type?: Segment["propertyType"];
  readonly portfolio_size?: Segment["portfolioSize"];
};

type OfOneMarket = SeriesValues & { readonly svc_id: bigint };
type OfManyMarkets = SeriesValues & { readonly svc_ids: readonly bigint[] };

/** What the figures can be narrowed by, and by what they are when nothing is said. */
const DEFAULT_SEGMENTS = {
  none: {},
  property_type: { property_type: "ALL_PROPERTIES" },
  portfolio_size: { portfolio_size: "ALL_PORTFOLIOS" },
} as const satisfies Readonly<Record<SeriesFilter, object>>;

/** GET of one market: rows newest first, the market's id beside them. */
export function seriesOfOneMarket(seriesOf: SeriesOf, filter: SeriesFilter): DataSource<OfOneMarket> {
  return {
    answer(request, service) {
      const { svc_id } = request.values;
      const wanted = { marketIds: [svc_id], echo: { svc_id, ...echoOf(filter, request.values) } };
      return seriesAnswer(seriesOf(request), wanted, request, service);
    },
  };
}

/** POST of many markets: by id, highest first, then newest first; each row says whose it is. */
export function seriesOfManyMarkets(seriesOf: SeriesOf, filter: SeriesFilter): DataSource<OfManyMarkets> {
  return {
    answer(request, service) {
      const marketIds = [...new Set(request.values.svc_ids)].sort((a, b) => (a < b ? 1 : -1));
      const wanted = { marketIds, echo: echoOf(filter, request.values), namesMarkets: true };
      return seriesAnswer(seriesOf(request), wanted, request, service);
    },
  };
}

type Wanted = {
  readonly marketIds: readonly bigint[];
  readonly echo: Readonly<Record<string, unknown>>;
  /** Whether each row says whose it is. */
  readonly namesMarkets?: boolean;
};

function seriesAnswer(
  series: Series,
  { marketIds, echo, namesMarkets = false }: Wanted,
  request: ReadRequest<SeriesValues>,
  service: ServiceState,
): Answer {
  const range = dateRange(request.values);
  const found = rowsOfMarkets(series, range ? marketIds : [], range ?? {}, request, service);
  if (!found.ok) return found.answer;
  const { page, values } = request;
  const segmentWanted = { propertyType: values.property_type, portfolioSize: values.portfolio_size };
  const total = found.value.reduce((sum, { dates }) => sum + dates.length, 0);
  const answered = {
    total,
    count: Math.max(0, Math.min(page.limit, total - page.offset)),
    chargedFor: "dated-row",
    echo,
    *records() {
      for (const { market, date, world } of rowsOfPage(found.value, page)) {
        const row = series.row(world, market, date, segmentWanted);
        yield namesMarkets ? { svc_id: market.marketId, ...row } : row;
      }
    },
  } as const;
  return pagedAnswer(answered, request, service);
}

/** The rows of a page, counted over all markets. */
function* rowsOfPage(rows: readonly MarketRows[], { limit, offset }: Page) {
  let [before, left] = [offset, limit];
  for (const { market, dates, world } of rows) {
    for (const date of dates.slice(before, before + left)) {
      yield { market, date, world };
      left -= 1;
    }
    before = Math.max(0, before - dates.length);
    if (left === 0) return;
  }
}

/** Dates before 1970, which no series knows, are taken as it; a span that ends before it is none. */
function dateRange({ start_date: startDate = EPOCH, end_date: endDate }: SeriesValues): DateRange | undefined {
  if (endDate !== undefined && endDate < EPOCH) return undefined;
  return { startDate: startDate < EPOCH ? EPOCH : startDate, endDate };
}

const EPOCH = "1970-01-01";

function echoOf(filter: SeriesFilter, values: SeriesValues): Readonly<Record<string, unknown>> {
  const entries = Object.entries(DEFAULT_SEGMENTS[filter]);
  return Object.fromEntries(entries.map(([name, usual]) => [name, values[name as keyof SeriesValues] ?? usual]));
}
