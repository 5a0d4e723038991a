import type { ServiceClient } from "../service/serviceClient.ts";
import { plural } from "../wording/plural.ts";

/** Credits of a run as documents show them. */
export type Credits = {
  readonly used: number;
  /** `null` when no answer has said it. */
  readonly remaining: number | null;
};

/** What a client's requests have cost, and what is left. */
export function creditsOf(client: ServiceClient): Credits {
  const { used, remaining } = client.creditUse();
  return { used, remaining: remaining ?? null };
}

/** The same for people. */
export function creditWords({ used, remaining }: Credits): string {
  return remaining === null ? `${plural(used, "credit")} used` : `${plural(used, "credit")} used, ${remaining} left`;
}
