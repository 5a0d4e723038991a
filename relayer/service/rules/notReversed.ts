import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

/** Of a span, the lower end is not above the upper one: such a request could only find nothing. */
export function notReversed(lower: string, upper: string): RequestRule {
  return {
    name: `${lower}-not-above-${upper}`.replaceAll(/[._]/g, "-"),
    statement: `\`${lower}\` is not above \`${upper}\`.`,
    breach(request) {
      const [low, high] = [valueAt(request, lower), valueAt(request, upper)];
      // Numbers, or dates of one form, whose order as text is that of time.
      const isReversed =
        (typeof low === "number" && typeof high === "number" && low > high) ||
        (typeof low === "string" && typeof high === "string" && low > high);
      if (!isReversed) return undefined;
      return { at: lower, value: low, message: `is ${low}, above ${upper} (${high}): nothing lies between` };
    },
  };
}
