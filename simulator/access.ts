import { type Answer, detailAnswer, serverErrorAnswer, tooManyAnswer } from "./answer.ts";
import { costsCredits } from "./creditCosts.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { RequestFaults } from "./faultsInForce.ts";
import { includesEndpoint, type Plan } from "./plan.ts";
import { RateLimit } from "./rateLimit.ts";
import { sameSecret } from "./sameSecret.ts";

/** The wait that a fault of the rate limit asks for. */
const FAULTY_WAIT_MS = 60_000n;

/** Who gets through to an endpoint: holders of the key, as far as their plan goes. */
export class Access {
  readonly #apiKey: string;
  readonly #requests = new RateLimit();
  readonly #searches = new RateLimit();
  plan: Plan;

  constructor(apiKey: string, plan: Plan) {
    this.#apiKey = apiKey;
    this.plan = plan;
  }

  /** Whether a request carries the raw key, without a prefix. */
  isAuthorized(authorization: string | undefined): boolean {
    return authorization !== undefined && sameSecret(authorization, this.#apiKey);
  }

  /** Why a request does not get through to its endpoint at `nowMs` (Unix milliseconds), or `undefined` when it does. */
  deny(
    authorization: string | undefined,
    endpoint: Endpoint,
    faults: RequestFaults,
    nowMs: bigint,
  ): Answer | undefined {
    if (faults.has("unavailable")) return detailAnswer(503, "Service Unavailable");
    if (faults.has("server-error")) return serverErrorAnswer();
    if (authorization === undefined) return detailAnswer(401, "Authorization header missing");
    if (!this.isAuthorized(authorization) || faults.has("unauthorized")) return detailAnswer(401, "Invalid API key");
    if (!includesEndpoint(this.plan, endpoint) || faults.has("forbidden")) {
      return detailAnswer(403, "Your plan does not include this endpoint");
    }
    const waitMs = this.#tooManyFor(endpoint, nowMs) ?? (faults.has("rate-limited") ? FAULTY_WAIT_MS : undefined);
    if (waitMs !== undefined) return this.#tooMany(waitMs);
    if (costsCredits(endpoint.chargedFor) && faults.has("no-credits")) {
      return tooManyAnswer("Credit limit exceeded: 0 credits remaining");
    }
    return undefined;
  }

  #tooManyFor({ isThrottledSearch }: Endpoint, nowMs: bigint): bigint | undefined {
    const { requestsPerMinute, searchesPerMinute } = this.plan;
    const exceeded = requestsPerMinute === null ? undefined : this.#requests.exceededFor(requestsPerMinute, nowMs);
    if (exceeded !== undefined || searchesPerMinute === null || !isThrottledSearch) return exceeded;
    return this.#searches.exceededFor(searchesPerMinute, nowMs);
  }

  #tooMany(waitMs: bigint): Answer {
    const answer = tooManyAnswer("Rate Limit Exceeded");
    if (!this.plan.sendsRetryAfter) return answer;
    const seconds = (waitMs + 999n) / 1000n;
    return { ...answer, headers: { "retry-after": seconds.toString() } };
  }
}
