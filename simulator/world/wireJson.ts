import { exactNumber } from "../exactJson.ts";

/** Fields whose values are exact decimal text here and numbers in answers. */
const EXACT_DECIMAL_FIELDS = new Set(["price_feed", "rental_price_feed"]);

/** `svc` in `svc_id`, `svc_property_id`, `cbsa_svc_id`. */
const NEUTRAL_PREFIX = /(^|_)svc(?=_(?:property_)?id$)/;

/**
 * A record as `JSON.stringify` is to write it: ids and prices as numbers with exactly their digits, and what stands for
 * the maker's name in the names of ids.
 */
export function wireJson(record: object, idPrefix: string): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(record)) {
    json[field.replace(NEUTRAL_PREFIX, `$1${idPrefix}`)] = wireValue(field, value, idPrefix);
  }
  return json;
}

function wireValue(field: string, value: unknown, idPrefix: string): unknown {
  if (typeof value === "bigint") return exactNumber(value);
  if (typeof value === "string") return EXACT_DECIMAL_FIELDS.has(field) ? exactNumber(value) : value;
  if (Array.isArray(value)) return value.map((entry) => wireValue(field, entry, idPrefix));
  return typeof value === "object" && value !== null ? wireJson(value, idPrefix) : value;
}
