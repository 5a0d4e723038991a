import { variablesIn } from "../../configuration/environment.ts";
import type { SharedCheck } from "../check.ts";
import { failed, ok } from "../finding.ts";

export const configurationCheck: SharedCheck = {
  scope: "shared",
  name: "configuration",
  about: "configuration file and environment can be read, and every value can be",
  needs: [],
  keys: [],
  run: ({ inspected: { file, problems }, environment }) => {
    if (problems.length > 0) {
      const hints = new Set(problems.map(({ error }) => error.hint));
      return failed(problems.map(({ error }) => error.message).join("; "), [...hints].join(" "));
    }
    const sources = [...(file === undefined ? [] : [file]), ...variablesIn(environment)];
    return ok(sources.length === 0 ? "nothing is configured" : `from ${sources.join(", ")}`);
  },
};
