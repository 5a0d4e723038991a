import type { Feed } from "../../message/feedId.ts";
import type { Refusal } from "../../message/refusal.ts";
import {
  CreditsExhaustedError,
  ForbiddenError,
  InvalidRequestError,
  RateLimitedError,
  UnexpectedResponseError,
} from "../../service/serviceErrors.ts";
import { feedName } from "../../wording/feedName.ts";
import { listSome } from "../../wording/listSome.ts";
import type { LatestAnswer } from "../askLatestPrices.ts";
import type { SharedCheck } from "../check.ts";
import type { Examination } from "../examination.ts";
import { failed, failedWith, ok, skipped } from "../finding.ts";

/** What other checks speak of. */
const ELSEWHERE = [ForbiddenError, RateLimitedError, CreditsExhaustedError, UnexpectedResponseError];

export const pricesCheck: SharedCheck = {
  scope: "shared",
  name: "prices",
  about: "a signed price comes for the wanted markets that are asked for",
  needs: ["api-key", "markets"],
  keys: [],
  run: async (examination) => {
    const answers = await examination.latestAnswers();
    const ownError = answers.find(({ error }) => error && !ELSEWHERE.some((other) => error instanceof other))?.error;
    if (ownError) return failedWith(ownError);
    const rejected = answers.flatMap(({ latest }) => latest?.rejected ?? []);
    const unasked = answers.flatMap(({ latest }) => latest?.refused ?? []).filter(({ refusal }) => isUnasked(refusal));
    const missing = answers.flatMap(missingFrom);
    const came = answers.flatMap(({ latest, kind }) =>
      (latest?.received ?? []).map(({ marketId }): Feed => ({ marketId, kind })),
    );
    const [firstRejected] = rejected;
    if (firstRejected) {
      return failed(
        listSome(rejected.map(({ marketId, error }) => `market ${marketId}: ${error.message}`)),
        idPrefixHint(firstRejected.error, examination) ?? firstRejected.error.hint,
      );
    }
    if (unasked.length > 0) {
      return failed(
        listSome(unasked.map(({ refusal }) => refusal.message)),
        "Check responseFields.marketId (HOMEPRICE_RESPONSE_FIELDS): it has to name the field with the plain market id. If it does, ask the service's maker.",
      );
    }
    if (missing.length > 0) {
      return failed(`no price came for ${listSome(missing.map(feedName), ", ")}`, missingHint(missing, came));
    }
    if (came.length === 0) return skipped("no answer came that could be looked at");
    const asked = answers.reduce((sum, { marketIds }) => sum + marketIds.length, 0);
    const rest = examination.wanted().length - asked;
    const more = rest > 0 ? `; ${rest} other feeds were not asked for (--all-markets asks for all)` : "";
    return ok(`a signed price came for ${listSome(came.map(feedName), ", ")}${more}`);
  },
};

/** Every other item that was refused is unreadable, of which another check speaks. */
function isUnasked({ code }: Refusal): boolean {
  return code === "WrongFeed";
}

/** Feeds that did not come back. An item that does not say of which market it is may be any of them. */
function missingFrom({ latest, kind }: LatestAnswer): Feed[] {
  if (!latest || latest.refused.some(({ marketId }) => marketId === undefined)) return [];
  return latest.missing.map((marketId) => ({ marketId, kind }));
}

function missingHint(missing: readonly Feed[], came: readonly Feed[]): string {
  const halves = missing.filter(({ marketId }) => came.some((other) => other.marketId === marketId));
  const [half] = halves;
  const unknown = halves.length < missing.length ? "Check the ids with homeprice markets search. " : "";
  const otherKind = half?.kind === "sales" ? "rental" : "sales";
  const only = half ? `To carry only its ${otherKind} price, write ${half.marketId}:${otherKind} in markets. ` : "";
  return `${unknown}${only}homeprice markets discover finds the markets that have signed prices.`;
}

/** The service's complaint may name the identifier that it wants: `svc_ids` where another prefix was sent. */
function idPrefixHint(error: Error, { configuration: { idPrefix } }: Examination): string | undefined {
  if (!(error instanceof InvalidRequestError)) return undefined;
  const names = [...error.message.matchAll(/\b([A-Za-z][A-Za-z0-9_]*?)_ids?\b/g)].map(([, prefix = ""]) => prefix);
  const other = names.find((name) => name !== idPrefix);
  if (other === undefined || names.includes(idPrefix)) return undefined;
  return `The service speaks of ${other}_ids, the request of ${idPrefix}_ids: set idPrefix (HOMEPRICE_ID_PREFIX) to ${other}.`;
}
