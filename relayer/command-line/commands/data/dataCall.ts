import { checkRequest } from "../../../service/checkRequest.ts";
import { estimateCredits } from "../../../service/creditCost.ts";
import type { Endpoint } from "../../../service/endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "../../../service/endpoints/endpointTable.ts";
import { idListLength } from "../../../service/rules/idListLength.ts";
import type { RequestValues, RuleContext } from "../../../service/rules/requestRule.ts";

/** One call of an endpoint: all its pages, and all parts of a list of ids. */
export type DataCall = {
  readonly endpoint: EndpointName;
  readonly request: RequestValues;
  /** Records after which there are enough. */
  readonly maxItems?: number | undefined;
};

/** What some calls may cost together, before anything is sent. */
export type CallsEstimate = {
  /** Credits at most; `null` when only the answers tell. */
  readonly credits: number | null;
  /** Requests at most, without repeated ones; `null` likewise. */
  readonly requests: number | null;
  readonly basis: string;
};

/**
 * Checks every call against the service's rules and adds up what they may cost.
 * @throws RequestRuleError
 */
export function estimateCalls(
  calls: readonly DataCall[],
  {
    context,
    nowMs,
    maxItems,
  }: { readonly context: RuleContext; readonly nowMs: number; readonly maxItems?: number | undefined },
): CallsEstimate {
  const estimates = calls.map((call) => estimateCall(call, context, nowMs, maxItems));
  const credits = sum(estimates.map((estimate) => estimate.credits));
  const [first] = estimates;
  const basis =
    estimates.length === 1 || !first
      ? (first?.basis ?? "nothing to ask for")
      : `${estimates.length} times ${first.basis}`;
  const isCut = maxItems !== undefined && calls.length > 1 && credits !== null && credits > maxItems;
  return {
    credits: isCut ? maxItems : credits,
    requests: sum(estimates.map(({ requests }) => requests)),
    basis: isCut ? `${basis}, at most ${maxItems} rows` : basis,
  };
}

function estimateCall(
  call: DataCall,
  context: RuleContext,
  nowMs: number,
  maxItems: number | undefined,
): CallsEstimate {
  const endpoint: Endpoint = ENDPOINTS[call.endpoint];
  const { idList } = endpoint;
  // A longer list is sent in parts.
  const splitRule = idList && idListLength(idList.field, idList.most).name;
  const values = checkRequest(call.endpoint, endpoint, call.request, context, (rule) => rule.name === splitRule);
  const most = Math.min(call.maxItems ?? Number.POSITIVE_INFINITY, maxItems ?? Number.POSITIVE_INFINITY);
  const bound = Number.isFinite(most) ? most : undefined;
  const { atMost, basis } = estimateCredits(endpoint, values, { nowMs, maxItems: bound });
  return { credits: atMost ?? null, requests: requestsAtMost(endpoint, values, atMost, most), basis };
}

/** Requests that it takes to get so many rows, each of which costs a credit. */
function requestsAtMost(
  { idList, page }: Endpoint,
  values: RequestValues,
  rows: number | undefined,
  maxItems: number,
): number | null {
  const list = idList && values[idList.field];
  const ids = Array.isArray(list) ? new Set(list).size : 1;
  const parts = idList ? Math.max(1, Math.ceil(ids / idList.most)) : 1;
  if (!page) return parts;
  if (rows === undefined) return null;
  const pageSize =
    typeof values["limit"] === "number" ? values["limit"] : Math.min(page.followed ?? page.most, maxItems);
  // A part that is not full ends with a page that is not full.
  return Math.max(1, Math.ceil(rows / pageSize)) + parts - 1;
}

function sum(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((total, number) => (total === null || number === null ? null : total + number), 0);
}

/** Values without those that were not given. */
export function given(values: RequestValues): RequestValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
