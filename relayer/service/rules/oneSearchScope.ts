import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

const SCOPES = ["svc_property_ids", "svc_ids", "geo_coordinates"] as const;

/** A search of v2 is of properties, of markets, or of a circle: exactly one of them. */
export const oneSearchScope: RequestRule = {
  name: "exactly-one-search-scope",
  statement: `Exactly one of ${SCOPES.map((scope) => `\`${scope}\``).join(", ")}.`,
  breach(request) {
    const given = SCOPES.filter((scope) => valueAt(request, scope) !== undefined);
    if (given.length === 1) return undefined;
    const found = given.length === 0 ? "none is given" : `${given.join(" and ")} are given`;
    return { at: given[1] ?? SCOPES[0], value: given, message: `give exactly one of ${SCOPES.join(", ")}: ${found}` };
  },
};
