import { valueAt } from "./latestResponseFields.ts";

/** The account block of an answer: the service's own estimates, in credits. */
export type AccountBlock = {
  readonly creditsUsed: number | undefined;
  readonly creditsRemaining: number | undefined;
};

/** Reads the block at `path`; information only, so that a block that is absent or odd is never an error. */
export function readAccount(answer: unknown, path: string): AccountBlock | undefined {
  const block = valueAt(answer, path);
  const creditsUsed = readCredits(valueAt(block, "est_credits_used"));
  const creditsRemaining = readCredits(valueAt(block, "est_remaining_credits"));
  if (creditsUsed === undefined && creditsRemaining === undefined) return undefined;
  return { creditsUsed, creditsRemaining };
}

/** The account after several answers: what they used together, and what the last one left. */
export function mergeAccounts(
  earlier: AccountBlock | undefined,
  later: AccountBlock | undefined,
): AccountBlock | undefined {
  if (!earlier || !later) return later ?? earlier;
  const used = [earlier.creditsUsed, later.creditsUsed].filter((credits) => credits !== undefined);
  return {
    creditsUsed: used.length === 0 ? undefined : used.reduce((sum, credits) => sum + credits),
    creditsRemaining: later.creditsRemaining ?? earlier.creditsRemaining,
  };
}

function readCredits(value: unknown): number | undefined {
  const credits = typeof value === "string" ? Number(value) : value;
  return typeof credits === "number" && Number.isFinite(credits) ? credits : undefined;
}
