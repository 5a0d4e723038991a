import { CONFIGURATION_KEYS } from "../../configuration/configurationSchema.ts";
import { environmentNameOf, readEnvironment } from "../../configuration/environment.ts";
import type { Check } from "../check.ts";
import { failed, ok } from "../finding.ts";

export const configurationCheck: Check = {
  name: "configuration",
  about: "configuration file and environment can be read, and every value can be",
  needs: [],
  keys: [],
  run: ({ inspected: { file, problems }, environment }) => {
    if (problems.length > 0) {
      const hints = new Set(problems.map(({ error }) => error.hint));
      return failed(problems.map(({ error }) => error.message).join("; "), [...hints].join(" "));
    }
    const fromEnvironment = readEnvironment(environment);
    const variables = CONFIGURATION_KEYS.filter((key) => key in fromEnvironment).map(environmentNameOf);
    const sources = [...(file === undefined ? [] : [file]), ...variables];
    return ok(sources.length === 0 ? "nothing is configured" : `from ${sources.join(", ")}`);
  },
};
