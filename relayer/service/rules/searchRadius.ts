import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

/** In miles (specification, limits). */
const MOST_MILES = 10;

/** A circle of v2 is of ten miles at most. */
export const searchRadius: RequestRule = {
  name: "radius-at-most-10-miles",
  statement: `\`geo_coordinates.radius\` is at most ${MOST_MILES} miles.`,
  breach(request) {
    const at = "geo_coordinates.radius";
    const radius = valueAt(request, at);
    if (typeof radius !== "number" || radius <= MOST_MILES) return undefined;
    return { at, value: radius, message: `is ${radius}, and the service takes at most ${MOST_MILES} miles` };
  },
};
