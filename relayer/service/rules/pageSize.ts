import type { RequestRule } from "./requestRule.ts";

/** No larger page than the service gives. */
export function pageSize(most: number): RequestRule {
  return {
    name: `limit-at-most-${most}`,
    statement: `\`limit\` is at most ${most}.`,
    breach({ limit }) {
      if (typeof limit !== "number" || limit <= most) return undefined;
      return { at: "limit", value: limit, message: `is ${limit}, and a page has at most ${most} rows` };
    },
  };
}
