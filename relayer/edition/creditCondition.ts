import type { HomePriceError } from "../errors/HomePriceError.ts";
import { CreditsExhaustedError } from "../service/serviceErrors.ts";
import type { Condition } from "../watch/condition.ts";
import type { CollectContext } from "./collectContext.ts";

/** Days before the end of the credits at which a person is told. */
const WARNING_DAYS = 3;

/** Whether a request failed because there are no credits for it: the account's, or those of our own budget. */
export function isOutOfCredits(error: HomePriceError): boolean {
  return error instanceof CreditsExhaustedError || error.code === "CREDIT_BUDGET";
}

/**
 * Whether the credits of the account last for the coming days: each wanted price costs one a day.
 * @param refusal Of a request for which there were too few.
 */
export function creditCondition(
  { client, wanted }: Pick<CollectContext, "client" | "wanted">,
  refusal: HomePriceError | undefined,
): Condition | undefined {
  if (refusal) {
    return {
      kind: "credits-short",
      subject: "",
      severity: "critical",
      message: `prices were not asked for, or not given, for want of credits: ${refusal.message}`,
      hint: refusal.hint,
    };
  }
  const { remaining } = client.creditUse();
  if (remaining === undefined || remaining >= WARNING_DAYS * wanted.length) return undefined;
  const editions = Math.floor(remaining / wanted.length);
  return {
    kind: "credits-short",
    subject: "",
    severity: editions === 0 ? "critical" : "warning",
    message: `${remaining} credits are left at the price service: enough for ${editions} more edition(s) of ${wanted.length} prices`,
    hint: "Buy credits, unless the account's next cycle begins before they are used up, or ask for fewer markets.",
  };
}
