import { runSteps, STATIC_CHECKS } from "../checkoutSteps.ts";
import { defineCommand } from "../commonOptions.ts";

export const checkCommand = defineCommand<object>(
  "check",
  "run every static check of this checkout: types, lint, format, generated files",
  ["homeprice check", "npm run check"],
  (command) => command,
  ({ json }) => runSteps(STATIC_CHECKS, json),
);
