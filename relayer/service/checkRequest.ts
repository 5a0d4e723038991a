import type * as z from "zod";
import { toDotPath } from "zod/v4/core";
import type { Endpoint, RequestOf } from "./endpoints/endpoint.ts";
import { type RequestProblem, RequestRuleError } from "./requestRuleError.ts";
import type { RequestRule, RequestValues, RuleContext } from "./rules/requestRule.ts";

/** Rules that hold for the fields of every endpoint; its schema says what they are. */
export const FIELD_RULES = {
  "known-fields-only": "No field outside the endpoint's own (specification, rule 1 of property search v2).",
  "required-field": "Every required field is given.",
  "calendar-date": "A date is a day of the calendar, written YYYY-MM-DD.",
  "allowed-value": "Of a field with a fixed vocabulary, one of its words.",
  "field-range": "A number, text or list is within its field's bounds.",
  "field-type": "A field is of its type.",
} as const;

/**
 * Reads a request by its endpoint's schema and checks it against the service's rules. Nothing is sent.
 * @param leavingOut Rules that do not concern the caller, who sees to them otherwise.
 * @throws RequestRuleError naming every rule that is broken, with the value.
 */
export function checkRequest<AnyEndpoint extends Endpoint>(
  name: string,
  endpoint: AnyEndpoint,
  request: RequestOf<AnyEndpoint>,
  context: RuleContext,
  leavingOut: (rule: RequestRule) => boolean = () => false,
): RequestValues {
  const read = endpoint.request.safeParse(request, { reportInput: true });
  if (!read.success) throw new RequestRuleError(name, read.error.issues.flatMap(problemsOf));
  const values = read.data as RequestValues;
  const problems = endpoint.rules.flatMap((rule): RequestProblem[] => {
    const breach = leavingOut(rule) ? undefined : rule.breach(values, context);
    return breach ? [{ rule: rule.name, ...breach }] : [];
  });
  if (problems.length > 0) throw new RequestRuleError(name, problems);
  return values;
}

function problemsOf(issue: z.core.$ZodIssue): RequestProblem[] {
  const at = toDotPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const fields = issue.input as RequestValues | undefined;
    return issue.keys.map((key) => ({
      rule: "known-fields-only",
      at: at === "" ? key : `${at}.${key}`,
      value: fields?.[key],
      message: "is no field of this endpoint",
    }));
  }
  const message = issue.code === "invalid_union" ? "is not of this field's type" : lowerCaseFirst(issue.message);
  return [{ rule: fieldRuleOf(issue), at, value: issue.input, message }];
}

function fieldRuleOf(issue: z.core.$ZodIssue): keyof typeof FIELD_RULES {
  if (issue.input === undefined) return "required-field";
  switch (issue.code) {
    case "invalid_format":
      return issue.format === "date" ? "calendar-date" : "field-range";
    case "invalid_value":
      return "allowed-value";
    case "too_big":
    case "too_small":
      return "field-range";
    default:
      return "field-type";
  }
}

/** Messages follow the field's name. */
function lowerCaseFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
