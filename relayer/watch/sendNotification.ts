import pRetry from "p-retry";

export type Notification = {
  readonly url: string;
  readonly method: "GET" | "POST";
  /** JSON text. */
  readonly body?: string;
};

export type NotificationPatience = {
  /** For one attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first. */
  readonly retries?: number | undefined;
  /** Before the second attempt; doubles. */
  readonly minRetryDelayMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** The beginning of the answer's body, or why the notification was not taken. Neither holds any part of the URL. */
export type NotificationOutcome =
  | { readonly taken: true; readonly answer: string }
  | { readonly taken: false; readonly reason: string };

const MAX_RETRY_DELAY_MS = 30_000;
const ANSWER_LENGTH = 200;

/**
 * Sends one request and says whether it was taken: answered with a status from 200 to 299. Network failures, time-outs
 * and 5xx are tried again, a 429 is not: whoever calls comes back later anyway. A redirect of a POST is not followed,
 * because it would lose the body. Never throws: what tells people of failures must not be one.
 */
export async function sendNotification(
  notification: Notification,
  { timeoutMs = 10_000, retries = 2, minRetryDelayMs = 1_000, signal }: NotificationPatience = {},
): Promise<NotificationOutcome> {
  try {
    const answer = await pRetry(() => attempt(notification, timeoutMs, signal), {
      retries,
      minTimeout: minRetryDelayMs,
      maxTimeout: MAX_RETRY_DELAY_MS,
      randomize: true,
      ...(signal && { signal }),
      shouldRetry: ({ error }) => error instanceof NotTakenError && error.mayPass,
    });
    return { taken: true, answer };
  } catch (error) {
    if (signal?.aborted) return { taken: false, reason: "stopped" };
    return { taken: false, reason: error instanceof NotTakenError ? error.message : reasonOf(error) };
  }
}

/** Not an error for people: its message becomes the outcome's reason. */
class NotTakenError extends Error {
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}

async function attempt(
  { url, method, body }: Notification,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      redirect: method === "GET" ? "follow" : "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
    });
    // Answers are read to their end so that the connection can be used again; they are a few words.
    const answer = (await response.text()).slice(0, ANSWER_LENGTH).trim();
    if (response.ok) return answer;
    if (response.status < 400) throw new NotTakenError(`it answered with a redirect (${response.status})`, false);
    throw new NotTakenError(`it answered ${response.status}`, response.status >= 500);
  } catch (error) {
    if (error instanceof NotTakenError) throw error;
    if (signal?.aborted) throw error;
    if (timeout.aborted) throw new NotTakenError(`it did not answer within ${timeoutMs} ms`, true);
    throw new NotTakenError(`it could not be reached (${reasonOf(error)})`, true);
  }
}

/** A code such as ECONNREFUSED; never a text, which could hold the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return "unknown error";
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
}
