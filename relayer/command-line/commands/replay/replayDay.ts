import type { Attempt, Journal } from "../../../journal/journal.ts";
import { dateOfDay, startOfDayMs } from "../../../message/calendarDate.ts";
import { formatPrice } from "../../../message/decimalPrice.ts";
import { feedOf } from "../../../message/feedId.ts";
import type { Refusal } from "../../../message/refusal.ts";
import { formatTimeMs } from "../../../message/timeWindows.ts";
import { type DescribedDelivery, describeDelivery } from "../../describeDelivery.ts";
import { type RecheckRules, recheckPrice } from "./recheckPrice.ts";
import { type TimelineEvent, timelineOf } from "./timeline.ts";

/** What a transaction of ours did with one price. */
export type PriceAttempt = {
  readonly chainId: number;
  readonly nonce: number;
  readonly state: Attempt["state"];
  readonly transaction: string | null;
  readonly outcome: string | null;
};

export type ReplayedPrice = {
  readonly feedId: string;
  readonly marketId: string;
  readonly kind: string;
  readonly price: string;
  readonly publishTime: string;
  readonly expiry: string;
  readonly receivedAt: string;
  readonly publicKey: string;
  /** Why it does not pass its checks as of when it was received; null when it does. */
  readonly failure: Refusal | null;
  /** On each chain; a price that gave way to a revision of its date has none. */
  readonly deliveries: readonly DescribedDelivery[];
  /** Every transaction of ours that carried it. */
  readonly attempts: readonly PriceAttempt[];
};

export type ReplayedRefusal = {
  readonly kind: string;
  readonly marketId: string | null;
  readonly feedId: string | null;
  readonly code: string;
  readonly reason: string;
  readonly firstReceived: string;
  readonly lastReceived: string;
  readonly times: number;
};

export type ReplayedDay = {
  /** Whether every archived price passes its checks as of when it was received. */
  readonly ok: boolean;
  readonly date: string;
  readonly prices: readonly ReplayedPrice[];
  readonly refusals: readonly ReplayedRefusal[];
  readonly timeline: readonly TimelineEvent[];
};

const DAY_MS = 86_400_000n;

/** Goes through everything that the journal knows of a date, and through the checks of its prices once more. */
export async function replayDay(journal: Journal, day: number, rules: RecheckRules): Promise<ReplayedDay> {
  const prices = await journal.pricesOn(day);
  const start = startOfDayMs(day);
  const refusals = await journal.refusalsOn(start, start + DAY_MS);
  const entries = await journal.history({ fromDay: day, toDay: day, limit: Number.MAX_SAFE_INTEGER });
  const attempts = await journal.attemptsOf(prices.map(({ id }) => id));
  const entriesOf = Map.groupBy(entries, ({ price }) => price.id);
  const attemptsOf = Map.groupBy(
    attempts.flatMap((attempt) => attempt.updates.map((update) => ({ attempt, update }))),
    ({ update }) => update.priceId,
  );
  const replayed = prices.map((price): ReplayedPrice => {
    const feed = feedOf(price.feedId, rules.rentalOffset);
    const checked = recheckPrice(price, rules);
    return {
      feedId: price.feedId.toString(),
      marketId: feed?.marketId.toString() ?? "",
      kind: feed?.kind ?? "",
      price: formatPrice(price.price),
      publishTime: formatTimeMs(price.publishTimeMs),
      expiry: formatTimeMs(price.expiryMs),
      receivedAt: formatTimeMs(price.receivedAtMs),
      publicKey: price.publicKey,
      failure: checked.ok ? null : checked.refusal,
      deliveries: (entriesOf.get(price.id) ?? []).map((entry) => describeDelivery(entry, rules.rentalOffset)),
      attempts: (attemptsOf.get(price.id) ?? []).map(({ attempt, update: { outcome } }) => ({
        chainId: attempt.target.chainId,
        nonce: attempt.nonce,
        state: attempt.state,
        transaction: attempt.mined?.hash ?? attempt.transactions.at(-1)?.hash ?? null,
        outcome: outcome === undefined ? null : outcome.outcome === "refused" ? outcome.reason : outcome.outcome,
      })),
    };
  });
  return {
    ok: replayed.every(({ failure }) => failure === null),
    date: dateOfDay(day),
    prices: replayed,
    refusals: refusals.map((refusal) => ({
      kind: refusal.kind,
      marketId: refusal.marketId?.toString() ?? null,
      feedId: refusal.feedId?.toString() ?? null,
      code: refusal.code,
      reason: refusal.reason,
      firstReceived: formatTimeMs(refusal.firstReceivedMs),
      lastReceived: formatTimeMs(refusal.lastReceivedMs),
      times: refusal.times,
    })),
    timeline: timelineOf({ prices, refusals, deliveries: entries, attempts }),
  };
}
