import pRetry from "p-retry";
import { readAccount } from "./account.ts";
import type { CreditMeter } from "./creditMeter.ts";
import { parseExactJson } from "./exactJson.ts";
import type { CleanText } from "./foreignText.ts";
import { BodyTooLargeError, readBody } from "./readBody.ts";
import { readRetryAfterMs } from "./retryAfter.ts";
import {
  errorOfAnswer,
  type RequestFacts,
  ServiceError,
  ServiceTimeoutError,
  ServiceUnavailableError,
  ServiceUnreachableError,
  UnexpectedResponseError,
} from "./serviceErrors.ts";
import type { ServiceLog } from "./serviceLog.ts";
import { looksLikeHtml, readServiceWords } from "./serviceWords.ts";

/** How to reach the service, with the key: kept in the client's closure, never handed out. */
export type Connection = {
  readonly apiUrl: URL;
  readonly apiKey: string;
  /** For one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  readonly minRetryDelayMs: number;
  /** Also the longest Retry-After that is waited for. */
  readonly maxRetryDelayMs: number;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly log: ServiceLog | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly clean: CleanText;
  readonly credits: CreditMeter;
  /** Where answers say what they cost: paths, of which the first that is there counts. */
  readonly accountPaths: readonly string[];
};

export type ServiceRequest = {
  readonly method: "GET" | "POST";
  /** Begins with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  /** What the request may cost at most: set aside of the budget before it is sent. */
  readonly creditsAtMost: number;
  readonly signal?: AbortSignal | undefined;
  /** Attempts after a 5xx, where fewer than the connection's are wanted. */
  readonly retriesWhenUnavailable?: number;
};

/**
 * Sends one request and returns the parsed answer, numbers kept exact ({@link parseExactJson}). Failures that time may
 * heal (network, time-out, 5xx, rate limit, a body that broke off) are retried with exponential, randomized delays and
 * never sooner than a Retry-After asks; nothing else is.
 *
 * The body decides what an answer is, not its content type: JSON under another label is read all the same.
 *
 * Every attempt is within the client's budget of credits, or is not made.
 *
 * @throws ServiceError, CreditBudgetError, or the signal's reason when the caller aborts.
 */
export async function sendRequest(connection: Connection, request: ServiceRequest): Promise<unknown> {
  const { log, retries, maxRetryDelayMs } = connection;
  const facts = factsOf(connection, request);
  const signal = anySignal([connection.signal, request.signal]);
  return pRetry(() => attemptWithinBudget(connection, request, facts, signal), {
    retries,
    minTimeout: Math.min(connection.minRetryDelayMs, maxRetryDelayMs),
    maxTimeout: maxRetryDelayMs,
    randomize: true,
    signal,
    shouldRetry: async ({ error, attemptNumber, retriesConsumed, retryDelay }) => {
      if (!(error instanceof ServiceError) || !error.retryable) return false;
      if (error instanceof ServiceUnavailableError && retriesConsumed >= (request.retriesWhenUnavailable ?? retries)) {
        return false;
      }
      const askedMs = error.retryAfterMs ?? 0;
      if (askedMs > maxRetryDelayMs) return false;
      const waitMs = Math.max(askedMs, retryDelay);
      log?.warn({ code: error.code, attempt: attemptNumber, waitMs }, `${error.message}; trying again`);
      // p-retry itself waits for retryDelay once this function has agreed.
      await sleepUnlessAborted(waitMs - retryDelay, signal);
      return true;
    },
  });
}

/** Which request an error would speak of. */
export function factsOf({ apiUrl }: Pick<Connection, "apiUrl">, { method, path }: ServiceRequest): RequestFacts {
  return { method, path, origin: apiUrl.origin };
}

/** One attempt, and what it cost. */
async function attemptWithinBudget(
  connection: Connection,
  request: ServiceRequest,
  facts: RequestFacts,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { credits, accountPaths } = connection;
  const reservation = await credits.reserve(request.creditsAtMost);
  try {
    const answer = await attempt(connection, request, facts, signal);
    const [account] = accountPaths.map((path) => readAccount(answer, path)).filter((block) => block !== undefined);
    credits.note(account);
    await reservation.settle(account?.creditsUsed ?? request.creditsAtMost);
    return answer;
  } catch (error) {
    // What the service refuses, or never hears of, is free. Otherwise nobody knows: the reservation stays.
    const isFree =
      error instanceof ServiceUnreachableError || (error instanceof ServiceError && isRefusal(error.status));
    if (isFree) await reservation.settle(0);
    throw error;
  }
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 300;
}

async function attempt(
  connection: Connection,
  request: ServiceRequest,
  facts: RequestFacts,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const startedMs = performance.now();
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  const either = anySignal([signal, timeout]);
  const interrupted = (): ServiceError | undefined => {
    signal?.throwIfAborted();
    return timeout.aborted ? new ServiceTimeoutError(facts, connection.timeoutMs) : undefined;
  };

  const { fetch } = connection;
  let response: Response;
  try {
    response = await fetch(urlOf(connection.apiUrl, request), {
      method: request.method,
      headers: {
        Authorization: connection.apiKey,
        Accept: "application/json",
        ...(request.body !== undefined && { "Content-Type": "application/json" }),
      },
      // A redirect is never followed: it would carry the key to wherever it points.
      redirect: "manual",
      ...(request.body !== undefined && { body: request.body }),
      ...(either && { signal: either }),
    });
  } catch (error) {
    throw interrupted() ?? new ServiceUnreachableError(facts, connection.clean(reasonOf(error)));
  }

  const { status } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const target = redirectTarget(response, connection.apiUrl);
    throw new UnexpectedResponseError(facts, `answered with a redirect to ${connection.clean(target)}, not followed`, {
      status,
    });
  }

  let text: string;
  try {
    text = await readBody(response, connection.maxResponseBytes);
  } catch (error) {
    const interruption = interrupted();
    // Of an error, the status says enough, even where its text did not arrive.
    if (!response.ok) text = "";
    else throw interruption ?? bodyError(facts, status, error, connection);
  }

  connection.log?.debug(
    { method: facts.method, path: facts.path, status, elapsedMs: Math.round(performance.now() - startedMs) },
    "the price service answered",
  );
  if (response.ok) return parseAnswer(text, facts, response);
  if (status === 404 && looksLikeHtml(text)) {
    throw new UnexpectedResponseError(facts, "answered 404 with a page for browsers: this is not the service's API", {
      status,
    });
  }
  throw errorOfAnswer(facts, {
    status,
    words: connection.clean(readServiceWords(text)),
    retryAfterMs: readRetryAfterMs(response.headers.get("retry-after"), Date.now()),
  });
}

function parseAnswer(text: string, facts: RequestFacts, { status, headers }: Response): unknown {
  try {
    return parseExactJson(text);
  } catch {
    const contentType = headers.get("content-type")?.split(";")[0]?.slice(0, 60) ?? "no content type";
    // What begins like JSON and is none was most likely cut off on its way.
    const cut = /^\s*[[{]/.test(text);
    const problem = text.trim() === "" ? "an empty body" : cut ? "JSON that breaks off or is broken" : "no JSON";
    throw new UnexpectedResponseError(facts, `answered ${status} with ${problem} (${contentType})`, {
      status,
      retryable: cut,
    });
  }
}

function bodyError(facts: RequestFacts, status: number, error: unknown, connection: Connection): ServiceError {
  if (error instanceof BodyTooLargeError) {
    return new UnexpectedResponseError(facts, `answered ${status} with ${error.message}`, { status });
  }
  const problem = `answered ${status}, but its body could not be read to the end: ${connection.clean(reasonOf(error))}`;
  return new UnexpectedResponseError(facts, problem, { status, retryable: true });
}

/** The address of an endpoint. A path or query that the base address has is kept: gateways in front of the service use them. */
function urlOf(apiUrl: URL, { path, query = {} }: ServiceRequest): URL {
  const url = new URL(apiUrl);
  url.pathname = apiUrl.pathname.replace(/\/+$/, "") + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}

/** Scheme and host of a redirect; the rest may hold secrets. */
function redirectTarget({ headers }: Response, apiUrl: URL): string {
  const location = headers.get("location");
  return location !== null && URL.canParse(location, apiUrl.href) ? new URL(location, apiUrl).origin : "nowhere";
}

/** Why fetch failed, in as few words as it has: `ECONNREFUSED` hides in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause: unknown = error.cause;
  if (!(cause instanceof Error)) return error.message;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

function anySignal(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const present = signals.filter((signal) => signal !== undefined);
  return present.length > 1 ? AbortSignal.any(present) : present[0];
}

/** Waits, and ends early with the signal's reason when the caller aborts. */
async function sleepUnlessAborted(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
  signal?.throwIfAborted();
}
