import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";

export const PLAN_NAMES = ["free", "paid", "annual"] as const;

export type PlanName = (typeof PLAN_NAMES)[number];

/** What the account behind the API key has bought. */
export type Plan = {
  readonly name: PlanName;
  /** Granted at the start of each cycle. */
  readonly credits: number;
  readonly cycleDays: number;
  /** Whether what is left at the end of a cycle is kept for the next. */
  readonly rollsOver: boolean;
  /** Most requests in a minute, of all endpoints together; `null` for no limit. */
  readonly requestsPerMinute: number | null;
  /** Most market searches in a minute; `null` for no limit of their own. */
  readonly searchesPerMinute: number | null;
  /** Whether a 429 for too many requests says in Retry-After when to come back. */
  readonly sendsRetryAfter: boolean;
  /** Paths of the endpoints that the plan lacks. */
  readonly withoutEndpoints: readonly string[];
};

/** A plan by its name (default `paid`), with whatever is to be different. */
export type PlanChoice = Partial<Plan>;

/** How many requests a minute nobody makes by accident: the service's own limit is not known. */
const GENEROUS_REQUESTS_PER_MINUTE = 60_000;

const COMMON = {
  requestsPerMinute: GENEROUS_REQUESTS_PER_MINUTE,
  searchesPerMinute: null,
  sendsRetryAfter: false,
  withoutEndpoints: [],
} as const;

/** Credits as in the specification (limits); numbers of requests are ours. */
const PLANS: Readonly<Record<PlanName, Plan>> = {
  free: { name: "free", ...COMMON, credits: 1_000, cycleDays: 30, rollsOver: false, searchesPerMinute: 30 },
  paid: { name: "paid", ...COMMON, credits: 1_000_000, cycleDays: 30, rollsOver: true },
  annual: { name: "annual", ...COMMON, credits: 12_000_000, cycleDays: 365, rollsOver: true },
};

/** A plan that lacks an endpoint which the service does not have. */
export class InvalidPlanError extends HomePriceError {
  constructor(path: string, endpoints: readonly Endpoint[]) {
    super("INVALID_PLAN", `the plan cannot lack "${path}": no endpoint has this path`, {
      kind: "configuration",
      hint: `Give the path of one of its ${endpoints.length} endpoints as docs/service.md writes it, such as /v1/price_feed/latest.`,
    });
  }
}

/** @throws InvalidPlanError */
export function choosePlan(choice: PlanChoice, endpoints: readonly Endpoint[]): Plan {
  const plan = { ...PLANS[choice.name ?? "paid"], ...choice };
  for (const lacking of plan.withoutEndpoints) {
    if (!endpoints.some((endpoint) => hasPath(endpoint, lacking))) throw new InvalidPlanError(lacking, endpoints);
  }
  return plan;
}

/** Whether a plan includes an endpoint (specification, authentication: 403 when it does not). */
export function includesEndpoint({ withoutEndpoints }: Plan, endpoint: Endpoint): boolean {
  return !withoutEndpoints.some((lacking) => hasPath(endpoint, lacking));
}

function hasPath({ path, otherPaths = [] }: Endpoint, asked: string): boolean {
  return path === asked || otherPaths.includes(asked);
}
