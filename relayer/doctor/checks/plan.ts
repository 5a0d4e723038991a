import { ForbiddenError } from "../../service/serviceErrors.ts";
import type { SharedCheck } from "../check.ts";
import { failed, ok } from "../finding.ts";

export const planCheck: SharedCheck = {
  scope: "shared",
  name: "plan",
  about: "the API key's plan includes the endpoints of the latest prices",
  needs: ["api-key"],
  keys: [],
  run: async ({ latestAnswers }) => {
    const answers = await latestAnswers();
    const forbidden = answers.filter(({ error }) => error instanceof ForbiddenError);
    const kinds = (some: typeof answers) => some.map(({ kind }) => kind).join(" and ");
    const [first] = forbidden;
    if (!first?.error) return ok(`the plan includes the latest ${kinds(answers)} prices`);
    const others = answers.length > forbidden.length ? "; or carry only the other kind: kinds (HOMEPRICE_KINDS)." : ".";
    return failed(
      `the plan does not include the latest ${kinds(forbidden)} prices: ${first.error.message}`,
      `Have the plan changed, or use the API key of another one${others}`,
    );
  },
};
