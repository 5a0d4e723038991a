import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

const OPERATORS = [
  "owner_filters.owner_name",
  "owner_filters.entity_seller_name",
  "property_filters.current_entity_owner_name",
] as const;

/** A search of the whole nation names an operator (specification, property search v2). */
export const nationwideSearchNamesOperator: RequestRule = {
  name: "nationwide-search-names-operator",
  statement: `A search of the nationwide market gives one of ${OPERATORS.map((at) => `\`${at}\``).join(", ")}.`,
  breach(request, { nationwideMarketId }) {
    const markets = valueAt(request, "svc_ids");
    if (!Array.isArray(markets) || !markets.includes(nationwideMarketId)) return undefined;
    if (OPERATORS.some((at) => valueAt(request, at) !== undefined)) return undefined;
    return {
      at: "svc_ids",
      value: nationwideMarketId,
      message: `holds ${nationwideMarketId}, the whole nation: give one of ${OPERATORS.join(", ")}`,
    };
  },
};
