import { describeUnknownVariable, unknownVariables } from "../../configuration/environment.ts";
import type { SharedCheck } from "../check.ts";
import { ok, warning } from "../finding.ts";

export const environmentCheck: SharedCheck = {
  scope: "shared",
  name: "environment",
  about: "every variable that begins with HOMEPRICE_ is one of ours",
  needs: [],
  keys: [],
  run: ({ environment }) => {
    const unknown = unknownVariables(environment);
    if (unknown.length === 0) return ok("every variable that begins with HOMEPRICE_ is one of ours");
    return warning(
      unknown.map(describeUnknownVariable).join("; "),
      "Correct the spelling, or remove it: HOMEPRICE_ and the key in capitals (rpcUrl is HOMEPRICE_RPC_URL, that of a chain base HOMEPRICE_CHAINS_BASE_RPC_URL); homeprice.config.schema.json lists the keys.",
    );
  },
};
