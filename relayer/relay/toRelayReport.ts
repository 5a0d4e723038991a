import type { DeliveredFeed, DeliveryReport } from "../deliver/deliveryReport.ts";
import type { CollectionReport } from "../edition/collectionReport.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatPrice } from "../message/decimalPrice.ts";
import { formatTimeMs } from "../message/timeWindows.ts";
import type { CollectedPrice, StrayItem } from "./collectPrices.ts";
import type { ChainOutcome } from "./relayOnce.ts";
import type { ChainReport, FeedReport, FeedStatus, RelayReport, StrayItemReport, TransactionReport } from "./report.ts";

/** A run in the form that others read: of one chain, or of several with each feed once for every chain. */
export function toRelayReport(
  { feeds: collected, strays, durationsMs }: Pick<CollectionReport, "feeds" | "strays" | "durationsMs">,
  outcomes: readonly ChainOutcome[],
  { dryRun, sinceMs }: { readonly dryRun: boolean; readonly sinceMs: bigint },
): RelayReport {
  const deliveries = outcomes.flatMap((outcome) => ("delivery" in outcome ? [outcome.delivery] : []));
  const isSingle = outcomes.length === 1;
  const reports = deliveries.map((delivery) => {
    const feeds = feedsOf(collected, delivery, { dryRun }).map((feed) =>
      isSingle ? feed : { ...feed, chainId: delivery.chainId },
    );
    return { delivery, feeds, ok: feeds.every(isInOrder) };
  });
  const chains = outcomes.map((outcome): ChainReport => {
    const { name } = outcome;
    if ("error" in outcome) {
      const { code, message, hint } = outcome.error;
      return { name, ok: false, error: { code, message, hint } };
    }
    const { chainId, oracle } = outcome.delivery;
    return { name, ok: reports.some((report) => report.delivery === outcome.delivery && report.ok), chainId, oracle };
  });
  const [first] = deliveries;
  if (!first) throw new RangeError("nothing was delivered anywhere");
  return {
    ok: chains.every(({ ok }) => ok) && strays.length === 0,
    chainId: first.chainId,
    oracle: first.oracle,
    feeds: reports.flatMap(({ feeds }) => feeds),
    transactions: deliveries.flatMap((delivery) => transactionsOf(delivery, sinceMs)),
    ...(strays.length > 0 && { strayItems: strays.map(toStrayReport) }),
    ...(!isSingle && { chains }),
    durationsMs: {
      ...durationsMs,
      plan: slowest(deliveries, "plan"),
      send: slowest(deliveries, "send"),
      confirm: slowest(deliveries, "settle"),
    },
  };
}

function slowest(deliveries: readonly DeliveryReport[], stage: keyof DeliveryReport["durationsMs"]): number {
  return Math.max(...deliveries.map(({ durationsMs }) => durationsMs[stage]));
}

function isInOrder({ status }: FeedReport): boolean {
  return status === "updated" || status === "current" || status === "planned";
}

function feedsOf(
  collected: readonly CollectedPrice[],
  { feeds }: DeliveryReport,
  options: { readonly dryRun: boolean },
): FeedReport[] {
  const delivered = new Map(feeds.map((feed) => [feed.feedId, feed]));
  return collected.map((entry) => toFeedReport(entry, delivered.get(entry.feedId), options));
}

function toFeedReport(
  collected: CollectedPrice,
  delivered: DeliveredFeed | undefined,
  options: { readonly dryRun: boolean },
): FeedReport {
  const { feedId, marketId, kind } = collected;
  const [status, reason] = fateOf(collected, delivered, options);
  return {
    feedId: feedId.toString(),
    marketId: marketId.toString(),
    kind,
    status,
    ...(reason !== undefined && { reason }),
    ...(status === "current" && delivered?.onChain ? describeStored(delivered.onChain) : describeReceived(collected)),
    ...(collected.outcome === "checked" && delivered?.transaction && { transaction: delivered.transaction }),
  };
}

/** What the service gave comes first: what it does wrong must be seen, whatever the chain holds. */
function fateOf(
  collected: CollectedPrice,
  delivered: DeliveredFeed | undefined,
  { dryRun }: { readonly dryRun: boolean },
): [FeedStatus, string | undefined] {
  switch (collected.outcome) {
    case "refused":
      return ["refused", `${collected.refusal.code}: ${collected.refusal.message}`];
    case "missing":
      return ["missing", "the service gave no price for it"];
    case "failed":
      return ["failed", collected.reason];
    case "checked":
      break;
  }
  if (!delivered) return ["failed", "the chain was not looked at"];
  const { status, reason } = delivered;
  switch (status) {
    case "updated":
    case "current":
      return [status, reason];
    case "planned":
      return dryRun ? ["planned", reason] : ["failed", `not sent: ${reason}`];
    case "sent":
      return ["failed", "not mined in time; it may still be, and the next run goes on with it"];
    default:
      return ["failed", reason];
  }
}

type DescribedPrice = Pick<FeedReport, "price" | "date" | "publishTime">;

/** Of a feed that is current, what the chain holds: the price received may be an older one. */
function describeStored({ price, day, publishTime }: NonNullable<DeliveredFeed["onChain"]>): DescribedPrice {
  return { price: formatPrice(price), date: dateOfDay(day), publishTime: formatTimeMs(publishTime * 1000n) };
}

function describeReceived(collected: CollectedPrice): DescribedPrice {
  if (collected.outcome !== "checked") return { price: null, date: null };
  const { price, date, publishTimeMs } = collected.price.message;
  return { price: formatPrice(price), date, publishTime: formatTimeMs(publishTimeMs) };
}

/** Those of this run; what it has settled of earlier ones is in the journal. */
function transactionsOf({ transactions, chainId }: DeliveryReport, sinceMs: bigint): TransactionReport[] {
  const ofThisRun = transactions.filter(({ openedAtMs }) => openedAtMs >= sinceMs);
  return ofThisRun.map(({ hash, gasUsed, feedIds }) => ({
    hash,
    chainId,
    gasUsed: gasUsed === undefined ? null : gasUsed.toString(),
    feeds: feedIds.map(String),
  }));
}

function toStrayReport({ kind, marketId, refusal }: StrayItem): StrayItemReport {
  return { kind, marketId: marketId?.toString() ?? null, reason: `${refusal.code}: ${refusal.message}` };
}
