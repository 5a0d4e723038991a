import { feedIdOf } from "../../relayer/message/feedId.ts";
import type { Fault, FeedFaultKind, ServiceFaultKind } from "../../simulator/faults.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { PriceServiceWorld } from "../world/priceServiceWorld.ts";
import { SERVICE, type Span, type TroubleLog, troubleOfFeed } from "../world/troubleLog.ts";
import { FEEDS } from "../world/worldSettings.ts";
import { type Day, type Disturbance, HOUR_MS, MINUTE_MS } from "./disturbance.ts";
import { drawSpan } from "./duration.ts";

const OF_THE_WHOLE: readonly ServiceFaultKind[] = [
  "unavailable",
  "server-error",
  "rate-limited",
  "no-credits",
  "unauthorized",
  "forbidden",
  "not-json",
  "broken-json",
  "wrong-content-type",
  "truncated",
  "cut-off",
  "stale-cache",
  "sales-for-rental",
];

const OF_FEEDS: readonly FeedFaultKind[] = [
  "bad-signature",
  "unknown-signer",
  "changed-layout",
  "wrong-kind",
  "mismatch",
  "short-message",
  "long-message",
  "expired",
  "expiry-too-far",
  "publish-too-old",
  "publish-too-far-ahead",
  "invalid-date",
  "future-date",
  "zero-price",
  "refuse",
  "omitted",
  "server-error",
];

/** Other spellings of what is right. */
const HARMLESS: readonly FeedFaultKind[] = ["no-message", "no-public-key", "base64"];

/** Single markets that lack a price are asked for again after hours: see relayer/edition/askAgain.ts. */
const ASKED_AGAIN_AFTER_MS = 4 * HOUR_MS + 15 * MINUTE_MS;

/** What a day's revisions of prices mean for what is right. */
export type Revisions = { readonly revisedAtMs: (feedId: bigint) => number | undefined };

/** What the price service does wrong, late or otherwise on one day. */
export function drawServiceDisturbances(
  day: Day,
  randomness: Randomness,
  { service, troubles }: { readonly service: PriceServiceWorld; readonly troubles: TroubleLog },
): { readonly disturbances: readonly Disturbance[]; readonly revisions: Revisions } {
  const disturbances: Disturbance[] = [];
  const revisedAtMs = new Map<bigint, number>();
  const fault = (kind: string, span: Span, fault: Fault, subject = "all") =>
    disturbances.push({ kind: `service ${kind}`, subject, ...span, begin: () => service.begin(fault) });

  if (randomness.chance(0.12)) {
    const toMs = day.fromMs + randomness.between(2, 600) * MINUTE_MS;
    const span = { fromMs: day.fromMs - MINUTE_MS, toMs };
    troubles.add(SERVICE, span);
    fault("yesterday", span, { kind: "yesterday" });
  }
  if (randomness.chance(0.06)) {
    const span = drawServiceSpan(day, randomness);
    troubles.add(SERVICE, span);
    disturbances.push({ kind: "service silent", subject: "all", ...span, begin: () => service.beginOutage() });
  }
  if (randomness.chance(0.3)) {
    const kind = randomness.pick(OF_THE_WHOLE);
    const span = drawServiceSpan(day, randomness);
    troubles.add(SERVICE, span);
    fault(kind, span, { kind });
  }
  if (randomness.chance(0.25)) {
    const kind = randomness.pick(OF_FEEDS);
    const span = drawServiceSpan(day, randomness);
    for (const feedId of drawFeeds(randomness)) {
      // A single item that fails can take its request with it, until the client has found out which one it is.
      troubles.add(troubleOfFeed(feedId), { ...span, toMs: span.toMs + ASKED_AGAIN_AFTER_MS });
      fault(kind, span, { kind, feedId }, String(feedId));
    }
  }
  if (randomness.chance(0.1)) {
    const kind = randomness.pick(HARMLESS);
    fault(kind, drawServiceSpan(day, randomness), { kind });
  }
  if (randomness.chance(0.12)) {
    const fromMs = day.fromMs + randomness.between(5, 14 * 60) * MINUTE_MS;
    for (const feedId of drawFeeds(randomness)) {
      revisedAtMs.set(feedId, fromMs);
      fault("revised-price", { fromMs, toMs: day.toMs }, { kind: "revised-price", feedId }, String(feedId));
    }
  }
  return { disturbances, revisions: { revisedAtMs: (feedId) => revisedAtMs.get(feedId) } };
}

/** The service is asked around the time of its edition, and hardly at any other. */
function drawServiceSpan(day: Day, randomness: Randomness): Span {
  return drawSpan(day, randomness, 0.92);
}

function drawFeeds(randomness: Randomness): readonly bigint[] {
  const feedIds = FEEDS.map((feed) => feedIdOf(feed));
  if (randomness.chance(0.25)) return feedIds;
  return randomness.shuffle(feedIds).slice(0, randomness.between(1, 3));
}
