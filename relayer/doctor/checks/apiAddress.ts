import {
  CreditsExhaustedError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
} from "../../service/serviceErrors.ts";
import type { SharedCheck } from "../check.ts";
import { failed, failedWith, ok, warning } from "../finding.ts";

/** Refusals that only the service's own endpoint gives to somebody without a key. */
const REFUSALS = [
  UnauthorizedError,
  ForbiddenError,
  InvalidRequestError,
  RateLimitedError,
  CreditsExhaustedError,
] as const;

export const apiAddressCheck: SharedCheck = {
  scope: "shared",
  name: "api-address",
  about: "the price service answers at apiUrl",
  needs: [],
  keys: ["apiUrl"],
  run: async ({ answerWithoutKey }) => {
    const { origin, error, warnings } = await answerWithoutKey();
    if (error instanceof NotFoundError) {
      return failed(
        `${error.message}: nothing there asks for an API key`,
        "Correct the path in apiUrl (HOMEPRICE_API_URL): the endpoints begin with /v1 behind it.",
      );
    }
    if (error && !REFUSALS.some((refusal) => error instanceof refusal)) return failedWith(error);
    const [first] = warnings;
    if (first !== undefined) {
      return warning(
        `${origin} answers; ${first}`,
        "Set apiUrl (HOMEPRICE_API_URL) to the https address of the service: whoever listens on the way can spend the account's credits.",
      );
    }
    return ok(`${origin} answers${error ? `, and refuses whoever has no key (${error.status})` : ""}`);
  },
};
