import { createHash, timingSafeEqual } from "node:crypto";
import { type Answer, detailAnswer, tooManyAnswer } from "./answer.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { FaultSet } from "./faults.ts";

/** What the account behind the API key has bought. */
export type Plan = {
  /** Paths of the endpoints that it includes. */
  readonly endpoints: readonly string[];
};

export type AccessRules = {
  readonly apiKey: string;
  /** All endpoints when absent. */
  readonly plan?: Plan | undefined;
};

/** Why a request does not get through to its endpoint, or `undefined` when it does. */
export function denyAccess(
  authorization: string | undefined,
  endpoint: Endpoint,
  faults: FaultSet,
  { apiKey, plan }: AccessRules,
): Answer | undefined {
  if (faults.has("unavailable")) return detailAnswer(503, "Service Unavailable");
  if (authorization === undefined) return detailAnswer(401, "Authorization header missing");
  if (faults.has("unauthorized") || !sameSecret(authorization, apiKey)) return detailAnswer(401, "Invalid API key");
  if (faults.has("forbidden") || (plan && !plan.endpoints.includes(endpoint.path))) {
    return detailAnswer(403, "Your plan does not include this endpoint");
  }
  if (faults.has("rate-limited")) return tooManyAnswer("Rate Limit Exceeded");
  if (faults.has("no-credits") && endpoint.costsCredits)
    return tooManyAnswer("Credit limit exceeded: 0 credits remaining");
  return undefined;
}

/** Compares in a time that tells nothing about either text. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
