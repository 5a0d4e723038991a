import type { Attempt, AttemptUpdate } from "../journal/journal.ts";
import type { DeliveredFeed } from "./deliveryReport.ts";
import { isSame } from "./judgePrice.ts";
import type { FeedPlan } from "./planDeliveries.ts";
import type { SentPrices, UnsentPrice } from "./sendPlanned.ts";

type PassOutcome = {
  /** Attempts of this pass, and those that it found. */
  readonly attempts: readonly Attempt[];
  readonly sent: SentPrices | undefined;
  /** Since when what was sent counts as updated, Unix milliseconds. */
  readonly sinceMs: bigint;
};

/** How each feed stands after a pass, from what was planned and what came of it. */
export function toDeliveredFeeds(
  plans: readonly FeedPlan[],
  { attempts, sent, sinceMs }: PassOutcome,
): DeliveredFeed[] {
  const carrying = new Map<bigint, { attempt: Attempt; update: AttemptUpdate }>();
  for (const attempt of attempts)
    for (const update of attempt.updates) carrying.set(update.priceId, { attempt, update });
  const unsent = new Map((sent?.unsent ?? []).map((each) => [each.price.id, each] as const));
  return plans.map((plan) => {
    const priceId = plan.newest?.id ?? 0n;
    return toDeliveredFeed(plan, carrying.get(priceId), unsent.get(priceId), { blockedBy: sent?.blockedBy, sinceMs });
  });
}

function toDeliveredFeed(
  { feed, newest, onChain, judgement }: FeedPlan,
  carrying: { readonly attempt: Attempt; readonly update: AttemptUpdate } | undefined,
  unsent: UnsentPrice | undefined,
  { blockedBy, sinceMs }: { readonly blockedBy: string | undefined; readonly sinceMs: bigint },
): DeliveredFeed {
  const attempt = carrying?.attempt;
  const outcome = carrying?.update.outcome;
  const isNew = attempt !== undefined && attempt.openedAtMs >= sinceMs;
  const described = (status: DeliveredFeed["status"], reason?: string): DeliveredFeed => ({
    ...feed,
    status,
    reason,
    onChain: onChain && onChain.price !== 0n ? onChain : undefined,
    transaction: isNew ? (attempt.mined?.hash ?? attempt.transactions.at(-1)?.hash) : undefined,
  });
  if (newest && isSame(newest, onChain) && outcome?.outcome === "stored") {
    return described(isNew ? "updated" : "current", "brought by us");
  }
  if (outcome?.outcome === "refused") return described("failed", outcome.reason);
  switch (judgement.status) {
    case "planned":
      if (unsent) return described("failed", unsent.reason);
      if (attempt) return described("sent");
      return described("planned", blockedBy ?? judgement.reason);
    case "under-way":
      return described("sent", judgement.reason);
    default:
      return described(judgement.status, judgement.reason);
  }
}
