import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

/**
 * A span that ends before the data begin finds nothing, and says so instead of coming back empty.
 * @param at The field that holds the span's last date.
 */
export function notBeforeDataStart(dataStart: string, at = "end_date"): RequestRule {
  return {
    name: at === "end_date" ? `data-start-${dataStart}` : `data-start-${dataStart}-of-${at.replaceAll(/[._]/g, "-")}`,
    statement: `The data begin on ${dataStart}: \`${at}\` is not before that.`,
    findsNothing: true,
    breach(request) {
      const end = valueAt(request, at);
      if (typeof end !== "string" || end >= dataStart) return undefined;
      return { at, value: end, message: `is ${end}, and the data begin on ${dataStart}` };
    },
  };
}
