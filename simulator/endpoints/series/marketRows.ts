import { feedIdOf, isMarketId } from "../../../relayer/message/feedId.ts";
import { type Answered, serverErrorAnswer } from "../../answer.ts";
import { editionAt, editionBefore } from "../../edition.ts";
import type { FeedFaultKind } from "../../faults.ts";
import type { MarketRecord } from "../../marketTable.ts";
import type { DateRange } from "../../world/metricSeries.ts";
import type { World } from "../../world/world.ts";
import type { EndpointRequest, ServiceState } from "../endpoint.ts";
import type { Series } from "./series.ts";

/** The rows of one market: their dates, newest first, and the world that they are of. */
export type MarketRows = { readonly market: MarketRecord; readonly dates: readonly string[]; readonly world: World };

/** The world as the service's newest edition knows it. */
export function worldNow({ nowMs, clockSkewMs }: EndpointRequest, { worlds }: ServiceState): World {
  return worlds.on(editionAt(nowMs - clockSkewMs).date);
}

/**
 * The rows of some markets, in their order; markets that are unknown or have none are left out. A fault of a feed may
 * answer instead, leave it out, or leave it a day behind.
 */
export function rowsOfMarkets(
  series: Series,
  marketIds: readonly bigint[],
  range: DateRange,
  request: EndpointRequest,
  service: ServiceState,
): Answered<MarketRows[]> {
  const world = worldNow(request, service);
  const found: MarketRows[] = [];
  for (const marketId of marketIds) {
    const market = world.market(marketId);
    const dates = market ? series.dates(world, market, range) : [];
    if (!market || dates.length === 0) continue;
    const faults = feedFaults(series, marketId, dates[0] === world.asOf, request, service);
    if (faults.includes("server-error")) return { ok: false, answer: serverErrorAnswer() };
    if (faults.includes("omitted")) continue;
    found.push(
      faults.includes("late-edition") ? lateRows(series, market, range, request, service) : { market, dates, world },
    );
  }
  return { ok: true, value: found.filter(({ dates }) => dates.length > 0) };
}

/** Only faults that can show: an edition is late where its row is asked for. */
function feedFaults(
  { feedKind: kind }: Series,
  marketId: bigint,
  isNewestWanted: boolean,
  { faults }: EndpointRequest,
  { rentalOffset }: ServiceState,
): readonly FeedFaultKind[] {
  if (kind === undefined || !isMarketId(marketId, rentalOffset)) return [];
  const shown: FeedFaultKind[] = ["server-error", "omitted"];
  if (isNewestWanted) shown.push("late-edition");
  return faults.ofFeed(feedIdOf({ marketId, kind }, rentalOffset), shown);
}

function lateRows(
  series: Series,
  market: MarketRecord,
  range: DateRange,
  { nowMs, clockSkewMs }: EndpointRequest,
  { worlds }: ServiceState,
): MarketRows {
  const world = worlds.on(editionBefore(editionAt(nowMs - clockSkewMs)).date);
  return { market, dates: series.dates(world, market, range), world };
}
