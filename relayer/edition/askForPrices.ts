import { HomePriceError } from "../errors/HomePriceError.ts";
import { type Feed, type FeedKind, feedIdOf } from "../message/feedId.ts";
import type { SignedPrice } from "../message/signedPrice.ts";
import { type CollectedPrice, type CollectedPrices, collectPrices, type StrayItem } from "../relay/collectPrices.ts";
import { MAX_MARKETS_PER_REQUEST } from "../service/endpoints/marketsPerRequest.ts";
import {
  CreditsExhaustedError,
  RateLimitedError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  UnauthorizedError,
} from "../service/serviceErrors.ts";
import type { CollectContext } from "./collectContext.ts";
import type { RevisedPrice } from "./collectionReport.ts";
import type { PriceArchive } from "./priceArchive.ts";

/** What the service gave for feeds of one kind. */
export type KindAnswer = {
  readonly kind: FeedKind;
  /** One for every feed that was asked for. */
  readonly feeds: readonly CollectedPrice[];
  readonly strays: readonly StrayItem[];
  /** Prices that the journal did not hold, and those that revise what it held. */
  readonly newPrices: number;
  readonly revisions: readonly RevisedPrice[];
  /** Why a request was not answered; the feeds that it concerns are `failed`. */
  readonly error: HomePriceError | undefined;
  readonly fetchMs: number;
  readonly verifyMs: number;
};

export type AskContext = CollectContext & { readonly archive: PriceArchive };

/** After these there is no use in asking for more at once: it would fail alike, or make matters worse. */
const STOPPING = [
  UnauthorizedError,
  RateLimitedError,
  CreditsExhaustedError,
  ServiceUnreachableError,
  ServiceTimeoutError,
];

/** Whether the next request would fail like the one before. */
export function endsAsking(error: HomePriceError): boolean {
  return STOPPING.some((stopping) => error instanceof stopping) || error.code === "CREDIT_BUDGET";
}

/**
 * Asks for the latest prices of feeds of one kind and checks them, one request after the other, so that what has come is
 * archived before more is asked for, and the process can do other things in between.
 *
 * @param previousError Of the request before; when the next one would fail alike, nothing is asked.
 * @throws HomePriceError when the configuration is wrong, and whatever the journal throws.
 */
export async function askForPrices(
  context: AskContext,
  kind: FeedKind,
  feeds: readonly Feed[],
  signal: AbortSignal | undefined,
  previousError?: HomePriceError,
): Promise<KindAnswer> {
  const answers: KindAnswer[] = [];
  let error = previousError;
  for (let start = 0; start < feeds.length; start += MAX_MARKETS_PER_REQUEST) {
    if (error && endsAsking(error)) {
      answers.push(unasked(context, kind, feeds.slice(start), error));
      break;
    }
    const answer = await askOnce(context, kind, feeds.slice(start, start + MAX_MARKETS_PER_REQUEST), signal);
    answers.push(answer);
    error = answer.error;
  }
  return joinAnswers(kind, answers);
}

/** Several answers as one. */
export function joinAnswers(kind: FeedKind, answers: readonly KindAnswer[]): KindAnswer {
  return {
    kind,
    feeds: answers.flatMap((answer) => answer.feeds),
    strays: answers.flatMap((answer) => answer.strays),
    newPrices: answers.reduce((sum, { newPrices }) => sum + newPrices, 0),
    revisions: answers.flatMap((answer) => answer.revisions),
    error: answers.find((answer) => answer.error)?.error,
    fetchMs: answers.reduce((sum, { fetchMs }) => sum + fetchMs, 0),
    verifyMs: answers.reduce((sum, { verifyMs }) => sum + verifyMs, 0),
  };
}

async function askOnce(
  context: AskContext,
  kind: FeedKind,
  feeds: readonly Feed[],
  signal: AbortSignal | undefined,
): Promise<KindAnswer> {
  const startedMs = performance.now();
  let answeredMs = startedMs;
  const client = {
    ...context.client,
    request: async (request: Parameters<typeof context.client.request>[0]) => {
      try {
        return await context.client.request(request);
      } finally {
        answeredMs = performance.now();
      }
    },
  };
  let collected: CollectedPrices;
  try {
    collected = await collectPrices(client, feeds, context.rules, { nowMs: context.nowMs, signal });
  } catch (error) {
    if (signal?.aborted || !(error instanceof HomePriceError) || error.kind === "configuration") throw error;
    return { ...unasked(context, kind, feeds, error), fetchMs: performance.now() - startedMs };
  }
  const times = { fetchMs: answeredMs - startedMs, verifyMs: performance.now() - answeredMs };
  const checked = collected.feeds.flatMap((feed) => (feed.outcome === "checked" ? [feed.price] : []));
  // What was held before has to be seen before anything is added to it.
  const news = await context.archive.compare(checked);
  await record(context, collected, checked);
  return { kind, ...collected, ...news, ...times, error: undefined };
}

/** Everything that came is evidence, what was refused no less than what passed its checks. */
async function record(
  { journal, nowMs }: CollectContext,
  { feeds, strays }: CollectedPrices,
  checked: readonly SignedPrice[],
): Promise<void> {
  const receivedAtMs = nowMs();
  const refused = feeds.flatMap((feed) => {
    if (feed.outcome !== "refused") return [];
    const { kind, marketId, feedId, refusal, received } = feed;
    const { message: messageBytes, signature } = received ?? {};
    return [{ kind, marketId, feedId, code: refusal.code, reason: refusal.message, messageBytes, signature }];
  });
  const others = strays.map(({ kind, marketId, refusal }) => ({
    kind,
    marketId,
    feedId: undefined,
    code: refusal.code,
    reason: refusal.message,
  }));
  if (checked.length > 0) await journal.recordReceived(checked, receivedAtMs);
  if (refused.length + others.length > 0) await journal.recordRefusals([...refused, ...others], receivedAtMs);
}

function unasked({ rules }: CollectContext, kind: FeedKind, feeds: readonly Feed[], error: HomePriceError): KindAnswer {
  const reason = `${error.message}. ${error.hint}`;
  return {
    kind,
    feeds: feeds.map((feed) => ({ ...feed, feedId: feedIdOf(feed, rules.rentalOffset), outcome: "failed", reason })),
    strays: [],
    newPrices: 0,
    revisions: [],
    error,
    fetchMs: 0,
    verifyMs: 0,
  };
}
