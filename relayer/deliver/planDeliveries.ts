import type { ChainConnection } from "../chain/chainConnection.ts";
import { type PendingPrice, readPendingPrices } from "../chain/readPendingPrices.ts";
import { readPrices, type StoredPrice } from "../chain/readPrices.ts";
import type { ArchivedPrice, Attempt, Delivery, PlannedDelivery } from "../journal/journal.ts";
import { dateOfDay } from "../message/calendarDate.ts";
import { formatTimeMs } from "../message/timeWindows.ts";
import { type ChainContext, targetOf, type WantedFeed } from "./chainContext.ts";
import { isSame, judgePrice, type PriceJudgement, waitsAlready } from "./judgePrice.ts";

/** What a feed's newest price calls for, and what the chain holds. */
export type FeedPlan = {
  readonly feed: WantedFeed;
  /** The newest price that was received; `undefined` when there is none that has not expired. */
  readonly newest: ArchivedPrice | undefined;
  readonly onChain: StoredPrice | undefined;
  readonly pending: PendingPrice | undefined;
  readonly judgement: PriceJudgement;
  /** What is to be sent, oldest date first: the newest price, behind those of earlier dates that can still be brought. */
  readonly toSend: readonly ArchivedPrice[];
};

const DAY_MS = 86_400_000n;
/** A price expires 72 hours after 00:00 UTC of its date at the latest. */
const LONGEST_LIFE_DAYS = 4;

/** What is to be done on a chain, and what can be done no more. */
export type DeliveryPlan = {
  /** One for every wanted feed. */
  readonly feeds: readonly FeedPlan[];
  /** Prices of the last days that could not be brought while their windows were open. */
  readonly missed: readonly Pick<Delivery, "feedId" | "day">[];
};

/** What is known of prices that are, or were, in transactions of ours. */
type OurPrices = {
  /** In an attempt that is not final. */
  readonly open: ReadonlyMap<bigint, Attempt>;
  readonly deliveries: ReadonlyMap<bigint, Delivery>;
};

/**
 * Compares everything that could be brought to a chain with what the chain holds, and writes the outcome down.
 *
 * The stored prices are asked of every endpoint: a wrong answer would send what nobody needs. A price that is in one of
 * our own transactions is never planned again, whatever the chain says: that transaction settles it.
 *
 * @param attempts The sender's attempts that are not final.
 * @param isRecorded Whether to write the plan down; a dry run leaves no trace.
 */
export async function planDeliveries(
  context: ChainContext,
  connection: ChainConnection,
  attempts: readonly Attempt[],
  { isRecorded }: { readonly isRecorded: boolean },
): Promise<DeliveryPlan> {
  const { access, journal, oracle, wanted } = context;
  const nowMs = context.nowMs();
  const target = targetOf(context);
  const feedIds = wanted.map(({ feedId }) => feedId);
  const { value: stored } = await access.agree("what the oracle holds", (each) => readPrices(each, oracle, feedIds));
  const received = Map.groupBy(await journal.unexpiredPrices(nowMs), ({ feedId }) => feedId);
  const oldestDay = Number(nowMs / DAY_MS) - LONGEST_LIFE_DAYS;
  const deliveries = new Map(
    (await journal.deliveriesSince(target, oldestDay)).map((delivery) => [delivery.priceId, delivery] as const),
  );
  const open = new Map(
    attempts.flatMap((attempt) => attempt.updates.map(({ priceId }) => [priceId, attempt] as const)),
  );
  const ours: OurPrices = { open, deliveries };

  // Once for all feeds: the scheduler takes its time.
  const nextRunMs = context.nextRunMs();
  const plans = wanted.map((feed) =>
    planOf(feed, received.get(feed.feedId) ?? [], stored.get(feed.feedId), ours, nextRunMs),
  );
  const feeds = await leaveWhatWaits(context, connection, plans);
  const gone = await missedDeliveries(context, feeds, nowMs);
  if (isRecorded) await journal.recordPlan(target, [...feeds.flatMap(recordsOf), ...gone], nowMs);
  const missedBefore = [...deliveries.values()].filter(({ state }) => state === "missed");
  const missed = [...missedBefore, ...gone.filter(({ state }) => state === "missed")];
  return { feeds, missed };
}

function planOf(
  feed: WantedFeed,
  received: readonly ArchivedPrice[],
  onChain: StoredPrice | undefined,
  { open, deliveries }: OurPrices,
  nextRunMs: bigint,
): FeedPlan {
  const newest = newestOf(received);
  const plan = { feed, newest, onChain, pending: undefined, toSend: [] };
  if (!newest) return { ...plan, judgement: { status: "none", reason: "there is no price to bring" } };
  const attempt = open.get(newest.id);
  if (attempt?.state === "sent") return { ...plan, judgement: underWay(attempt) };
  const judgement = judgePrice(newest, onChain, nextRunMs);
  if (judgement.status !== "planned") return { ...plan, judgement };
  if (attempt) return { ...plan, judgement: underWay(attempt) };
  const earlier = deliveries.get(newest.id);
  if (earlier?.attemptId !== undefined && earlier.state === "refused") {
    return { ...plan, judgement: { status: "failed", reason: earlier.reason ?? "refused by the oracle" } };
  }
  // What is final on record and not on the chain is for people: to send it again could be to pay twice.
  if (earlier?.state === "final") {
    return { ...plan, judgement: { status: "failed", reason: "was brought, but the endpoints do not show it" } };
  }
  const toSend = [...earlierDates(received, newest, onChain), newest].filter(({ id }) => !open.has(id));
  return { ...plan, judgement, toSend };
}

function underWay(attempt: Attempt): PriceJudgement {
  const reason = attempt.state === "sent" ? "in a transaction that is not mined yet" : "mined, but not read back yet";
  return { status: "under-way", reason, attempt };
}

/** The price of the latest date, of that the one that was published last, and of those the one that was received last. */
function newestOf(prices: readonly ArchivedPrice[]): ArchivedPrice | undefined {
  return prices
    .toSorted((a, b) => a.day - b.day || compare(a.publishTimeMs, b.publishTimeMs) || compare(a.id, b.id))
    .at(-1);
}

/**
 * The last price of each date between the chain's and the newest, oldest first: only in this order does the oracle take
 * them, and only while their own windows are open.
 */
function earlierDates(
  prices: readonly ArchivedPrice[],
  newest: ArchivedPrice,
  onChain: StoredPrice | undefined,
): ArchivedPrice[] {
  const storedDay = onChain && onChain.price !== 0n ? onChain.day : 0;
  const between = prices.filter(
    ({ day, publishTimeMs }) =>
      day < newest.day &&
      day > storedDay &&
      publishTimeMs < newest.publishTimeMs &&
      publishTimeMs / 1000n > (onChain?.publishTime ?? 0n),
  );
  const byDay = new Map<number, ArchivedPrice>();
  for (const price of between.toSorted((a, b) => compare(a.publishTimeMs, b.publishTimeMs)))
    byDay.set(price.day, price);
  return [...byDay.values()].toSorted((a, b) => a.day - b.day);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A price that waits in quarantine already is not sent again. */
async function leaveWhatWaits(
  { oracle }: ChainContext,
  connection: ChainConnection,
  plans: readonly FeedPlan[],
): Promise<FeedPlan[]> {
  const askedAbout = plans.filter(mayWait);
  const feedIds = askedAbout.map(({ feed }) => feed.feedId);
  const waiting = await readPendingPrices(connection, oracle, feedIds);
  return plans.map((plan) => {
    const pending = waiting.get(plan.feed.feedId);
    if (!pending || !plan.newest || !mayWait(plan)) return plan;
    if (!waitsAlready(plan.newest, pending)) return { ...plan, pending };
    const from = formatTimeMs(pending.servedFrom * 1000n);
    const reason = `waits in quarantine, because it lies outside the feed's band; served from ${from} unless the guardian vetoes it`;
    return { ...plan, pending, toSend: [], judgement: { status: "waiting", reason } };
  });
}

/** Whether a feed's newest price could be one that waits: it has reached the chain, or is going to be sent there. */
function mayWait({ judgement }: FeedPlan): boolean {
  if (judgement.status === "under-way") return judgement.attempt.state !== "sent";
  return judgement.status === "planned" || judgement.status === "failed";
}

/** What the journal is to remember of a plan. What is under way is remembered with its transaction. */
function recordsOf({ feed, newest, judgement, toSend, onChain }: FeedPlan): PlannedDelivery[] {
  const record = (price: ArchivedPrice, state: PlannedDelivery["state"], reason: string): PlannedDelivery => ({
    feedId: feed.feedId,
    day: price.day,
    priceId: price.id,
    state,
    reason,
  });
  if (!newest) return [];
  switch (judgement.status) {
    case "planned":
      return toSend.map((price) =>
        record(
          price,
          "planned",
          price === newest ? judgement.reason : `the chain holds ${onChain ? dateOfDay(onChain.day) : "nothing"}`,
        ),
      );
    case "current":
    case "waiting":
      return [record(newest, judgement.status, judgement.reason)];
    case "failed":
      return isSame(newest, onChain) ? [record(newest, "current", judgement.reason)] : [];
    default:
      return [];
  }
}

/** Deliveries that were planned once and can be brought no more: expired, or the chain has gone past their date. */
async function missedDeliveries(
  { journal, ...context }: ChainContext,
  plans: readonly FeedPlan[],
  nowMs: bigint,
): Promise<PlannedDelivery[]> {
  const toSend = new Set(plans.flatMap((plan) => plan.toSend.map(({ id }) => id)));
  const settled = new Set(plans.flatMap((plan) => (plan.judgement.status === "planned" ? [] : [plan.newest?.id])));
  const planned = await journal.deliveriesIn(targetOf(context), ["planned", "waiting"]);
  const left = planned.filter(
    ({ priceId, attemptId }) => attemptId === undefined && !toSend.has(priceId) && !settled.has(priceId),
  );
  const prices = new Map(
    (await journal.pricesById(left.map(({ priceId }) => priceId))).map((price) => [price.id, price]),
  );
  const held = new Map(plans.map(({ feed, onChain }) => [feed.feedId, onChain]));
  return left.flatMap(({ feedId, day, priceId }): PlannedDelivery[] => {
    const price = prices.get(priceId);
    if (!price) return [];
    const onChain = held.get(feedId);
    if (isSame(price, onChain)) return [{ feedId, day, priceId, state: "current", reason: "the chain holds it" }];
    const reason =
      price.expiryMs <= nowMs
        ? `expired at ${formatTimeMs(price.expiryMs)} before it could be brought`
        : "the chain went past its date before it could be brought";
    return [{ feedId, day, priceId, state: "missed", reason }];
  });
}
