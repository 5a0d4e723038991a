import { HomePriceError } from "../errors/HomePriceError.ts";

/** Options of the client that cannot work. Never shows the key, nor more of a URL than scheme and host. */
export class ServiceConfigurationError extends HomePriceError {
  constructor(code: "INVALID_API_KEY" | "INVALID_API_URL" | "INVALID_SERVICE_OPTIONS", message: string, hint: string) {
    super(code, message, { kind: "configuration", hint });
  }
}

/** Which request an error speaks of: nothing in here is secret. */
export type RequestFacts = {
  readonly method: string;
  /** Path of the endpoint, without the query. */
  readonly path: string;
  /** Scheme and host. */
  readonly origin: string;
};

/** An answer that was an error. */
export type ErrorAnswer = {
  readonly status: number;
  /** What the service said, cleaned and short; empty when it said nothing readable. */
  readonly words: string;
  readonly retryAfterMs?: number | undefined;
};

type ServiceErrorDetails = {
  readonly hint: string;
  readonly retryable: boolean;
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
};

/** Base of everything that can go wrong between a request and its answer. */
export class ServiceError extends HomePriceError {
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;

  constructor(code: string, request: RequestFacts, what: string, details: ServiceErrorDetails) {
    super(code, `${request.method} ${request.path} at ${request.origin} ${what}`, { hint: details.hint });
    this.retryable = details.retryable;
    if (details.status !== undefined) this.status = details.status;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}

/** 401: the key is missing or unknown. */
export class UnauthorizedError extends ServiceError {
  constructor(request: RequestFacts, answer: ErrorAnswer) {
    super("API_UNAUTHORIZED", request, answered(answer), {
      ...answer,
      retryable: false,
      hint: "The service does not know this API key. Check HOMEPRICE_API_KEY: the raw key as the service issued it.",
    });
  }
}

/** 403: the key is valid, its plan does not include the endpoint. */
export class ForbiddenError extends ServiceError {
  constructor(request: RequestFacts, answer: ErrorAnswer) {
    super("API_FORBIDDEN", request, answered(answer), {
      ...answer,
      retryable: false,
      hint: "The API key is valid, but its plan does not include this endpoint. Change the plan, or use another key.",
    });
  }
}

/** 404: on list endpoints the service's way to say that nothing was found. */
export class NotFoundError extends ServiceError {
  constructor(request: RequestFacts, answer: ErrorAnswer) {
    super("API_NOT_FOUND", request, answered(answer), {
      ...answer,
      retryable: false,
      hint: "The service has nothing under these ids. If that surprises, check the ids and the path in HOMEPRICE_API_URL.",
    });
  }
}

/** 429 that time heals. `retryAfterMs` is what the service asked for. */
export class RateLimitedError extends ServiceError {
  constructor(request: RequestFacts, answer: ErrorAnswer) {
    const wait =
      answer.retryAfterMs === undefined ? "" : ` (it asks to wait ${Math.ceil(answer.retryAfterMs / 1000)} s)`;
    super("API_RATE_LIMITED", request, `${answered(answer)}${wait}`, {
      ...answer,
      retryable: true,
      hint: "The plan's rate limit is exceeded. Wait, ask less often, or find out who else uses this key.",
    });
  }
}

/** 429 that only credits heal. */
export class CreditsExhaustedError extends ServiceError {
  constructor(request: RequestFacts, answer: ErrorAnswer) {
    super("API_CREDITS_EXHAUSTED", request, answered(answer), {
      ...answer,
      retryable: false,
      hint: "The account has too few credits left for this request. Buy credits, wait for the next cycle, or ask for fewer markets.",
    });
  }
}

/** 400 or 422: the service refuses the request as it is. */
export class InvalidRequestError extends ServiceError {
  constructor(request: RequestFacts, answer: ErrorAnswer) {
    super("API_INVALID_REQUEST", request, answered(answer), {
      ...answer,
      retryable: false,
      hint: "Check the market ids, and idPrefix in the configuration: the service's words say what it refuses.",
    });
  }
}

/** 5xx: the service answers, but cannot serve. */
export class ServiceUnavailableError extends ServiceError {
  constructor(request: RequestFacts, answer: ErrorAnswer) {
    super("API_UNAVAILABLE", request, answered(answer), {
      ...answer,
      retryable: true,
      hint: "The service has a problem of its own. Try again later.",
    });
  }
}

/** No answer at all: DNS, connection refused or broken off, TLS. */
export class ServiceUnreachableError extends ServiceError {
  constructor(request: RequestFacts, reason: string) {
    super("API_UNREACHABLE", request, `cannot be reached: ${reason}`, {
      retryable: true,
      hint: "Check HOMEPRICE_API_URL, the network, and whether a proxy or firewall stands in the way.",
    });
  }
}

/** No complete answer within the time for one attempt. */
export class ServiceTimeoutError extends ServiceError {
  constructor(request: RequestFacts, timeoutMs: number) {
    super("API_TIMEOUT", request, `did not answer completely within ${timeoutMs} ms`, {
      retryable: true,
      hint: "The service is slow or the network is. Try again later, or raise requestTimeoutSeconds.",
    });
  }
}

/** An answer that is not what the interface promises: no JSON, another shape, broken off, too long, a redirect. */
export class UnexpectedResponseError extends ServiceError {
  constructor(
    request: RequestFacts,
    problem: string,
    { status, retryable = false }: { status?: number | undefined; retryable?: boolean } = {},
  ) {
    super("API_UNEXPECTED_RESPONSE", request, problem, {
      status,
      retryable,
      hint: "Check that HOMEPRICE_API_URL is the base address of the service, and idPrefix and responseFields in the configuration.",
    });
  }
}

function answered({ status, words }: ErrorAnswer): string {
  return words === "" ? `answered ${status}` : `answered ${status}: ${words}`;
}

/**
 * The error that an answer of 400 or above stands for.
 *
 * A 429 means rate limit or credits (specification, errors); how its body tells them apart is not specified. Credits
 * are meant where the service's words speak of credits.
 */
export function errorOfAnswer(request: RequestFacts, answer: ErrorAnswer): ServiceError {
  switch (answer.status) {
    case 400:
    case 422:
      return new InvalidRequestError(request, answer);
    case 401:
      return new UnauthorizedError(request, answer);
    case 403:
      return new ForbiddenError(request, answer);
    case 404:
      return new NotFoundError(request, answer);
    case 429:
      return /credit/i.test(answer.words)
        ? new CreditsExhaustedError(request, answer)
        : new RateLimitedError(request, answer);
  }
  if (answer.status >= 500) return new ServiceUnavailableError(request, answer);
  return new UnexpectedResponseError(request, answered(answer), { status: answer.status });
}
