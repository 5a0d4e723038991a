import type { Arrangement } from "./arrangements.ts";
import type { ArrangementCount, SearchPlan } from "./searchPlan.ts";

/** What a search for a layout looked at, and what it did not, in sentences for people. */
export type Coverage = { readonly covered: readonly string[]; readonly notCovered: readonly string[] };

/** Where nothing could be looked at. */
export const NO_COVERAGE: Coverage = { covered: [], notCovered: [] };

/** Where the signed bytes were there to look at. */
export const RAW_COVERAGE: Coverage = {
  covered: [
    "feed id, price, publish time, expiry and date at any place of the 74 bytes, in any order",
    "numbers of 4, 8, 16 or 32 bytes, each little- or big-endian",
    "each time in seconds or milliseconds",
    "prices of 0 to 18 decimals, or with a signed exponent of 1, 2 or 4 bytes at any place",
    "every other byte as constant or padding",
    "times and prices that are rounded in the message or beside it",
  ],
  notCovered: [
    "numbers of other widths, values that the item does not carry beside its message, dates other than YYYY-MM-DD",
  ],
};

/** Where only signatures told a right layout from a wrong one. */
export function searchCoverage({ covered, leftOut, query }: SearchPlan): Coverage {
  const given = query.constants.map(({ length }) => `${length}`).join(" and ");
  return {
    covered: [
      "every order of feed id, price, publish time, expiry and date, all numbers little-endian or all big-endian",
      `numbers of 4, 8, 16 or 32 bytes that fill the 74 bytes${given && ` together with constant regions of ${given} bytes`}`,
      "each time in seconds or milliseconds; prices of 0 to 18 decimals, each as far as it can be exact",
      ...covered.map(describeCount),
    ],
    notCovered: [
      ...describeLeftOut(leftOut),
      query.wide ? "more than one run of padding" : "padding",
      "both byte orders in one message, constant bytes that were not given, other version bytes than 0 and 1",
      "times and prices that are rounded beside the message",
    ],
  };
}

/** There may be dozens. */
function describeLeftOut(leftOut: readonly ArrangementCount[]): string[] {
  const [first] = leftOut;
  if (!first) return [];
  const layouts = leftOut.reduce((sum, { candidates }) => sum + candidates, 0);
  const others = leftOut.length === 1 ? "" : `, and ${leftOut.length - 1} less plausible arrangements`;
  return [
    `${describeArrangement(first.arrangement)}${others}: ${layouts.toLocaleString("en-US")} layouts, left out to stay within bounds`,
  ];
}

function describeCount({ arrangement, candidates }: ArrangementCount): string {
  return `${describeArrangement(arrangement)}: ${candidates.toLocaleString("en-US")} layouts`;
}

function describeArrangement({ exponent, constants, version, padding, rounded }: Arrangement): string {
  const places = { first: "first", last: "last", inside: "between the fields" };
  return [
    exponent
      ? `signed exponent of ${exponent.width} byte${exponent.width > 1 ? "s" : ""} ${exponent.place}`
      : "fixed decimals",
    constants && `constant bytes ${places[constants]}`,
    version ? `version byte ${places[version]}` : "no version byte",
    padding && `padding ${places[padding]}`,
    rounded && "times cut to seconds or prices to fewer decimals",
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}
