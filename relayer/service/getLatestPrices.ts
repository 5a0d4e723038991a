import type { FeedKind } from "../message/feedId.ts";
import type { ReceivedPrice } from "../message/signedPrice.ts";
import { type AccountBlock, mergeAccounts, readAccount } from "./account.ts";
import { askBisecting, isAskingError, mayBeOneMarket, type RejectedMarket } from "./askBisecting.ts";
import { buildRequest } from "./buildRequest.ts";
import { LATEST_ENDPOINTS } from "./endpoints/latestEndpoints.ts";
import { MAX_MARKETS_PER_REQUEST } from "./endpoints/marketsPerRequest.ts";
import { type LatestItems, type RefusedItem, readLatestAnswer } from "./readLatestAnswer.ts";
import type { ServiceRequest } from "./sendRequest.ts";
import type { ServiceClient } from "./serviceClient.ts";
import { NotFoundError } from "./serviceErrors.ts";

export type LatestPricesParameters = {
  readonly marketIds: readonly bigint[];
  readonly kind: FeedKind;
  readonly signal?: AbortSignal | undefined;
};

/** Every market that was asked for is in one of the four lists. */
export type LatestPrices = {
  /** Prices as they came: nothing about them is verified yet. */
  readonly received: ReceivedPrice[];
  /** Items that could not be read, or that nobody asked for. */
  readonly refused: RefusedItem[];
  /** Markets that did not come back. */
  readonly missing: bigint[];
  /** Markets for which the service answers with an error. */
  readonly rejected: RejectedMarket[];
  /** Credits used by all requests together, and left after the last; `undefined` when no answer says so. */
  readonly account: AccountBlock | undefined;
};

type Answer = LatestItems & { readonly account: AccountBlock | undefined };

/**
 * The latest signed prices of any number of markets, each asked for once, 1,000 a request, one request at a time. A bad
 * market does not hide the others: see {@link askBisecting}.
 *
 * What was answered is never lost to a later failure: an error is thrown as long as nothing has been answered; after
 * that it rejects the markets that it concerns, and, unless it may be the fault of single markets, all that were not
 * yet asked for.
 *
 * @throws ServiceError, CreditBudgetError, or the signal's reason when the caller aborts.
 */
export async function getLatestPrices(
  client: ServiceClient,
  { marketIds, kind, signal }: LatestPricesParameters,
): Promise<LatestPrices> {
  const ids = [...new Set(marketIds)];
  const answers: Answer[] = [];
  const rejected: RejectedMarket[] = [];
  for (let start = 0; start < ids.length; start += MAX_MARKETS_PER_REQUEST) {
    const chunk = ids.slice(start, start + MAX_MARKETS_PER_REQUEST);
    try {
      const result = await askBisecting(chunk, (part, isPart) =>
        askLatest(client, { marketIds: part, kind, signal }, isPart),
      );
      answers.push(...result.answers);
      rejected.push(...result.rejected);
    } catch (error) {
      if (answers.length === 0 || !isAskingError(error)) throw error;
      const concerned = mayBeOneMarket(error) ? chunk : ids.slice(start);
      for (const marketId of concerned) rejected.push({ marketId, error });
      if (concerned !== chunk) break;
    }
  }
  return {
    received: answers.flatMap((answer) => answer.received),
    refused: answers.flatMap((answer) => answer.refused),
    missing: answers.flatMap((answer) => answer.missing),
    rejected,
    account: answers.map((answer) => answer.account).reduce(mergeAccounts, undefined),
  };
}

async function askLatest(
  client: ServiceClient,
  { marketIds, kind, signal }: LatestPricesParameters,
  isPart: boolean,
): Promise<Answer> {
  const built = buildRequest(LATEST_ENDPOINTS[kind], { svc_ids: marketIds }, client.style, { nowMs: Date.now() });
  const request: ServiceRequest = { ...built, signal, ...(isPart && { retriesWhenUnavailable: 1 }) };
  try {
    const answer = await client.request(request);
    return {
      ...readLatestAnswer(answer, { marketIds, kind }, client, client.facts(request)),
      account: readAccount(answer, client.responseFields.account),
    };
  } catch (error) {
    // The service says "not found" when none of the markets has a price.
    if (!(error instanceof NotFoundError)) throw error;
    return { received: [], refused: [], missing: [...marketIds], account: undefined };
  }
}
