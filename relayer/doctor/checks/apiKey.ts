import {
  ServiceError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  UnauthorizedError,
} from "../../service/serviceErrors.ts";
import type { SharedCheck } from "../check.ts";
import { failedWith, ok } from "../finding.ts";

export const apiKeyCheck: SharedCheck = {
  scope: "shared",
  name: "api-key",
  about: "the price service accepts the API key",
  needs: ["api-address"],
  keys: ["apiKey", "idPrefix", "responseFields", "creditsPerRun", "creditsPerMonth"],
  run: async ({ latestAnswers }) => {
    const errors = (await latestAnswers()).flatMap(({ error }) => error ?? []);
    const refusal = errors.find((error) => error instanceof UnauthorizedError);
    // Without an answer, or where the budget of credits kept the request from being sent, nothing is known of the key.
    const noAnswer = errors.find((error) => !(error instanceof ServiceError) || isWithoutAnswer(error));
    const problem = refusal ?? noAnswer;
    return problem ? failedWith(problem) : ok("the service accepts the key");
  },
};

function isWithoutAnswer(error: ServiceError): boolean {
  return error instanceof ServiceUnreachableError || error instanceof ServiceTimeoutError;
}
