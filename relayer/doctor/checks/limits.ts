import { CreditsExhaustedError, RateLimitedError } from "../../service/serviceErrors.ts";
import { daysText } from "../../wording/daysText.ts";
import type { LatestAnswer } from "../askLatestPrices.ts";
import type { SharedCheck } from "../check.ts";
import { failed, failedWith, ok, skipped, warning } from "../finding.ts";

/** Time enough to notice a warning and buy credits. */
const ENOUGH_DAYS = 14;

export const limitsCheck: SharedCheck = {
  scope: "shared",
  name: "limits",
  about: "credits are left, and the rate limit is not exceeded",
  needs: ["api-key"],
  keys: [],
  run: async ({ configuration, latestAnswers, wanted, enoughDays = ENOUGH_DAYS }) => {
    const answers = await latestAnswers();
    const refusal = answers.find(
      ({ error }) => error instanceof RateLimitedError || error instanceof CreditsExhaustedError,
    );
    if (refusal?.error) return failedWith(refusal.error);
    const accounts = answers.flatMap(({ latest }) => latest?.account ?? []);
    const remaining = accounts.findLast(({ creditsRemaining }) => creditsRemaining !== undefined)?.creditsRemaining;
    if (remaining === undefined) return skipped("the service does not say how many credits are left");
    const feeds = configuration.markets ? wanted().length : 0;
    const perDay = creditsPerPrice(answers) * feeds;
    if (perDay === 0) return ok(`${remaining} credits are left`);
    const days = Math.floor(remaining / perDay);
    const found = `${remaining} credits are left; at ${perDay} a day for ${feeds} feeds they last for ${daysText(BigInt(days))}`;
    const hint = "Buy credits, or carry fewer markets. Credits of a plan may come back with its next cycle.";
    if (days === 0) return failed(found, hint);
    return days < enoughDays ? warning(found, hint) : ok(found);
  },
};

/** What a price cost just now, by the service's own account; 0 when it does not say. */
function creditsPerPrice(answers: readonly LatestAnswer[]): number {
  const used = answers.reduce((sum, { latest }) => sum + (latest?.account?.creditsUsed ?? 0), 0);
  const prices = answers.reduce((sum, { items }) => sum + items.length, 0);
  return prices === 0 ? 0 : used / prices;
}
