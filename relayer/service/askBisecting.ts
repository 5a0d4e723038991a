import { CreditBudgetError } from "./creditBudget.ts";
import { InvalidRequestError, ServiceError, ServiceUnavailableError } from "./serviceErrors.ts";

/** Why a market has no answer: the service's error, or the budget that kept the request from being sent. */
export type AskingError = ServiceError | CreditBudgetError;

/** A market for which there is an error in place of an answer. */
export type RejectedMarket = { readonly marketId: bigint; readonly error: AskingError };

/** Whether an error is about the asking, and not the caller's abort or a fault of the program. */
export function isAskingError(error: unknown): error is AskingError {
  return error instanceof ServiceError || error instanceof CreditBudgetError;
}

/** Answers to parts of what was asked, and the markets that no part with an answer holds. */
export type BisectedAnswers<Answer> = {
  readonly answers: readonly Answer[];
  readonly rejected: readonly RejectedMarket[];
};

/** Asks for some markets at once. `isPart` says that the whole was refused before: a struggling service is spared. */
export type AskMarkets<Answer> = (marketIds: readonly bigint[], isPart: boolean) => Promise<Answer>;

/** Markets asked alone before anything is split, to see whether the service works at all. */
const PROBES = 5;

/** 5xx answers in a row after which a service that worked a moment ago is taken to have gone down. */
const MAX_UNAVAILABLE_IN_A_ROW = 24;

/** Requests for parts of a refused request: enough to isolate eight markets anywhere in 1,000. */
function requestBudget(markets: number): number {
  return 16 * Math.ceil(Math.log2(markets));
}

/** Whether an error may be the fault of single markets. */
export function mayBeOneMarket(error: unknown): error is InvalidRequestError | ServiceUnavailableError {
  return error instanceof InvalidRequestError || error instanceof ServiceUnavailableError;
}

/**
 * Asks for markets in one request; if it is refused in a way that one bad market may cause (400, 422, 5xx), asks for
 * ever smaller parts until the bad ones are alone, so that one of them does not hide the others.
 *
 * First up to five markets, spread over the list, are asked alone. If each of them fails, the service or the request
 * is at fault, not a market: the error is thrown. (Of up to five markets, each was then asked alone; a 400 or 422 is
 * the service's word on each of them and rejects it, a 5xx for all is still thrown.) Then parts are halved, largest
 * first, within {@link requestBudget}; markets that it leaves over are rejected with the error of their part.
 *
 * @throws ServiceError when nothing was answered; whatever else `ask` throws.
 */
export async function askBisecting<Answer>(
  marketIds: readonly bigint[],
  ask: AskMarkets<Answer>,
): Promise<BisectedAnswers<Answer>> {
  let error: InvalidRequestError | ServiceUnavailableError;
  try {
    return { answers: [await ask(marketIds, false)], rejected: [] };
  } catch (caught) {
    if (!mayBeOneMarket(caught)) throw caught;
    error = caught;
  }
  const [only, ...others] = marketIds;
  if (only !== undefined && others.length === 0) {
    if (error instanceof ServiceUnavailableError) throw error;
    return { answers: [], rejected: [{ marketId: only, error }] };
  }

  const answers: Answer[] = [];
  const rejected: RejectedMarket[] = [];
  const rest = new Set(marketIds);
  for (const marketId of spread(marketIds, PROBES)) {
    rest.delete(marketId);
    try {
      answers.push(await ask([marketId], true));
      break;
    } catch (caught) {
      if (!mayBeOneMarket(caught)) throw caught;
      rejected.push({ marketId, error: caught });
    }
  }
  if (answers.length === 0) {
    const unavailable = rejected.every((market) => market.error instanceof ServiceUnavailableError);
    if (rest.size > 0 || unavailable) throw error;
    return { answers, rejected };
  }

  type Part = { readonly ids: readonly bigint[]; readonly error: AskingError };
  const ids = [...rest];
  // A probe that failed explains the refusal so far; otherwise the rest is known to hold a bad market.
  const queue: Part[] = rejected.length > 0 ? [{ ids, error }] : halves(ids).map((half) => ({ ids: half, error }));
  let requests = requestBudget(marketIds.length);
  let unavailableInARow = 0;
  for (let part = queue.shift(); part; part = queue.shift()) {
    if (part.ids.length === 0) continue;
    let failure: AskingError = part.error;
    if (requests > 0 && unavailableInARow < MAX_UNAVAILABLE_IN_A_ROW) {
      requests -= 1;
      try {
        answers.push(await ask(part.ids, true));
        unavailableInARow = 0;
        continue;
      } catch (caught) {
        if (!isAskingError(caught)) throw caught;
        failure = caught;
        unavailableInARow = caught instanceof ServiceUnavailableError ? unavailableInARow + 1 : 0;
        if (mayBeOneMarket(caught) && part.ids.length > 1) {
          queue.push(...halves(part.ids).map((half) => ({ ids: half, error: caught })));
          continue;
        }
        // The key, the credits, the budget or the network: asking on cannot help.
        if (!mayBeOneMarket(caught)) requests = 0;
      }
    }
    rejected.push(...part.ids.map((marketId) => ({ marketId, error: failure })));
  }
  return { answers, rejected };
}

function halves(ids: readonly bigint[]): (readonly bigint[])[] {
  const middle = Math.ceil(ids.length / 2);
  return [ids.slice(0, middle), ids.slice(middle)];
}

/**
 * Up to `count` markets from all over a list, in places that no regularity of the list shares: the n-th lies at the
 * fractional part of n times the golden ratio.
 */
function spread(ids: readonly bigint[], count: number): bigint[] {
  if (ids.length <= count) return [...ids];
  const chosen = new Set<bigint>();
  for (let step = 1; chosen.size < count; step += 1) {
    const id = ids[Math.floor(((step * 0.618_033_988_749_895) % 1) * ids.length)];
    if (id !== undefined) chosen.add(id);
  }
  return [...chosen];
}
