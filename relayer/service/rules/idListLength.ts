import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

/** No more ids, or lookups, in one request than the service takes (specification, limits). */
export function idListLength(at: string, most: number): RequestRule {
  return {
    name: `at-most-${most}-${at.replaceAll("_", "-")}`,
    statement: `At most ${most} in \`${at}\` of one request.`,
    breach(request) {
      const list = valueAt(request, at);
      if (!Array.isArray(list) || list.length <= most) return undefined;
      return { at, value: list.length, message: `holds ${list.length}, and one request takes at most ${most}` };
    },
  };
}
