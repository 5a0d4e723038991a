import { runSteps, STATIC_CHECKS, TESTS } from "../checkoutSteps.ts";
import { defineCommand } from "../commonOptions.ts";

export const testCommand = defineCommand<object>(
  "test",
  "run every static check and every test of this checkout",
  ["homeprice test"],
  (command) => command,
  ({ json }) => runSteps([...STATIC_CHECKS, TESTS], json),
);
