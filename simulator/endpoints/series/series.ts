import type { FeedKind } from "../../../relayer/message/feedId.ts";
import type { MarketRecord } from "../../marketTable.ts";
import type { DateRange, Segment } from "../../world/metricSeries.ts";
import type { World } from "../../world/world.ts";
import type { EndpointRequest } from "../endpoint.ts";

/** A dated series that every market may have. */
export type Series = {
  /** Dates of a market's rows within a range, newest first; none where the market lacks the series. */
  dates(world: World, market: MarketRecord, range: DateRange): readonly string[];
  /** The row of one of them. */
  row(world: World, market: MarketRecord, date: string, segment: Segment): object;
  /** Of a price feed: whose faults concern it. */
  readonly feedKind?: FeedKind;
};

/** Which series a request gets; a fault may give it another. */
export type SeriesOf = (request: EndpointRequest) => Series;
