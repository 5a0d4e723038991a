import type { RequestRule } from "./requestRule.ts";

/** A span that ends before the series begins has no row, and says so instead of coming back empty. */
export function notBeforeDataStart(dataStart: string): RequestRule {
  return {
    name: `data-start-${dataStart}`,
    statement: `The series begins on ${dataStart}: \`end_date\` is not before that.`,
    breach({ end_date }) {
      if (typeof end_date !== "string" || end_date >= dataStart) return undefined;
      return { at: "end_date", value: end_date, message: `is ${end_date}, and the series begins on ${dataStart}` };
    },
  };
}
