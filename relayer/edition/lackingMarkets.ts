import { dateOfDay } from "../message/calendarDate.ts";
import type { CollectedPrice } from "../relay/collectPrices.ts";
import type { Condition } from "../watch/condition.ts";
import { listSome } from "../wording/listSome.ts";
import type { KindAnswer } from "./askForPrices.ts";
import type { EditionReport } from "./collectionReport.ts";
import type { PriceArchive } from "./priceArchive.ts";

/** Wanted markets that did not come, or only with an earlier date, while others did. */
export async function lackingMarkets(
  { kind, feeds }: KindAnswer,
  { day, date }: EditionReport,
  archive: PriceArchive,
): Promise<Condition[]> {
  const newest = day ?? Number.NEGATIVE_INFINITY;
  if (day === undefined && feeds.every(({ outcome }) => outcome !== "missing")) return [];
  const others = feeds.some(({ outcome }) => outcome !== "failed");
  const held = day === undefined ? new Map<bigint, unknown>() : await archive.on(day);
  const lacking = feeds.filter((feed) => {
    if (held.has(feed.feedId)) return false;
    if (feed.outcome === "checked") return feed.price.message.day < newest;
    return feed.outcome === "missing" || (feed.outcome === "failed" && others);
  });
  if (lacking.length === 0) return [];
  const lastDays =
    day === undefined
      ? new Map<bigint, number>()
      : await archive.lastDays(
          lacking.map(({ feedId }) => feedId),
          day,
        );
  const describe = (feed: CollectedPrice): string => {
    const last = lastDays.get(feed.feedId);
    const since = last === undefined ? "" : `, last came with ${dateOfDay(last)}`;
    if (feed.outcome === "failed") return `market ${feed.marketId} (${feed.reason}${since})`;
    if (feed.outcome === "checked") return `market ${feed.marketId} (still of ${feed.price.message.date})`;
    return `market ${feed.marketId}${since === "" ? "" : ` (${since.slice(2)})`}`;
  };
  const came = (feed: CollectedPrice) => feed.outcome === "checked" || lastDays.has(feed.feedId);
  const edition = date === undefined ? "" : ` of ${date}`;
  const conditions: Condition[] = [];
  const dropped = lacking.filter(came);
  if (dropped.length > 0) {
    conditions.push({
      kind: "market-dropped",
      subject: kind,
      severity: "warning",
      message: `${dropped.length} wanted ${kind} price(s)${edition} did not come, though others did: ${listSome(dropped.map(describe))}`,
      hint: "They came with an earlier edition. The relayer asks for them again with growing pauses; if they stay away, ask the service's maker, or take them out of markets.",
    });
  }
  const never = lacking.filter((feed) => !came(feed));
  if (never.length > 0) {
    conditions.push({
      kind: "market-missing",
      subject: kind,
      severity: "warning",
      message: `the service has no ${kind} price${edition} for ${never.length} wanted market(s): ${listSome(never.map(describe))}`,
      hint: "They have not come in the last week either. Check the ids in markets (HOMEPRICE_MARKETS): homeprice markets discover lists those that have signed prices.",
    });
  }
  return conditions;
}
