import { HomePriceError } from "../errors/HomePriceError.ts";
import { FEED_KINDS, type Feed, type FeedKind } from "../message/feedId.ts";
import { getLatestPrices, type LatestPrices } from "../service/getLatestPrices.ts";
import { valueAt } from "../service/latestResponseFields.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import {
  CreditsExhaustedError,
  RateLimitedError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  UnauthorizedError,
} from "../service/serviceErrors.ts";
import { listenIn } from "./listenIn.ts";

/** What the service answered when it was asked for latest prices of one kind. */
export type LatestAnswer = {
  readonly kind: FeedKind;
  readonly marketIds: readonly bigint[];
  /** `undefined` when there was an error. */
  readonly latest: LatestPrices | undefined;
  readonly error: HomePriceError | undefined;
  /** The items before anything was read in them. */
  readonly items: readonly unknown[];
};

/** After these there is no use in asking for the other kind: it would fail alike, or make matters worse. */
const STOPPING = [
  UnauthorizedError,
  RateLimitedError,
  CreditsExhaustedError,
  ServiceUnreachableError,
  ServiceTimeoutError,
];

/**
 * Asks for latest prices: by default for one market, in each kind in which prices are wanted, because each costs a
 * credit.
 */
export async function askLatestPrices(
  client: ServiceClient,
  wanted: readonly Feed[],
  { allMarkets }: { readonly allMarkets: boolean },
): Promise<LatestAnswer[]> {
  const answers: LatestAnswer[] = [];
  for (const kind of FEED_KINDS) {
    const marketIds = marketsToAsk(wanted, kind, allMarkets);
    if (marketIds.length === 0) continue;
    const answer = await ask(client, kind, marketIds);
    answers.push(answer);
    if (STOPPING.some((stopping) => answer.error instanceof stopping)) break;
  }
  return answers;
}

/** Credits that {@link askLatestPrices} may use: one a price. Without wanted feeds the key is tried with one market. */
export function creditsOfLatestPrices(wanted: readonly Feed[], allMarkets: boolean): number {
  return Math.max(
    1,
    FEED_KINDS.reduce((sum, kind) => sum + marketsToAsk(wanted, kind, allMarkets).length, 0),
  );
}

/** The market that is wanted first, in both kinds if it is; or, of a kind in which it is not, that kind's first. */
function marketsToAsk(wanted: readonly Feed[], kind: FeedKind, allMarkets: boolean): bigint[] {
  const ofKind = wanted.filter((feed) => feed.kind === kind).map(({ marketId }) => marketId);
  if (allMarkets) return ofKind;
  const preferred = wanted[0]?.marketId;
  return preferred !== undefined && ofKind.includes(preferred) ? [preferred] : ofKind.slice(0, 1);
}

async function ask(client: ServiceClient, kind: FeedKind, marketIds: readonly bigint[]): Promise<LatestAnswer> {
  const listening = listenIn(client);
  let latest: LatestPrices | undefined;
  let error: HomePriceError | undefined;
  try {
    latest = await getLatestPrices(listening.client, { marketIds, kind });
  } catch (thrown) {
    if (!(thrown instanceof HomePriceError)) throw thrown;
    error = thrown;
  }
  const items = listening.heard.flatMap((heard) => {
    const list = "answer" in heard ? valueAt(heard.answer, client.responseFields.items) : undefined;
    return Array.isArray(list) ? list : [];
  });
  return { kind, marketIds, latest, error, items };
}
