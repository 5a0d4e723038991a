/**
 * Field names that carry the maker's name (specification, naming convention), with `svc` in its place. Schemas,
 * documents and callers know these; on the wire the configured prefix stands there.
 */
const NEUTRAL_NAMES = [
  "svc_id",
  "svc_ids",
  "svc_property_id",
  "svc_property_ids",
  "cbsa_svc_id",
  "county_svc_id",
  "city_svc_id",
  "zip_svc_id",
  "svc_exchange_market",
] as const;

/** The one field whose value may carry the maker's name: what market search sorts by. */
const NAMING_FIELD = "sort_by";

/** A field name as it is on the wire. */
export function toWireName(name: string, prefix: string): string {
  return (NEUTRAL_NAMES as readonly string[]).includes(name) ? name.replace("svc", prefix) : name;
}

/** What came over the wire, its fields renamed to the specification's at any depth. Values stay as they are. */
export function toNeutralNames(value: unknown, prefix: string): unknown {
  if (prefix === "svc") return value;
  const neutral = new Map(NEUTRAL_NAMES.map((name) => [toWireName(name, prefix), name as string]));
  const rename = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(rename);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [neutral.get(name) ?? name, rename(inner)]));
  };
  return rename(value);
}

/** What goes over the wire, its fields renamed from the specification's at any depth. */
export function toWireNames(value: unknown, prefix: string): unknown {
  if (prefix === "svc") return value;
  if (Array.isArray(value)) return value.map((part) => toWireNames(part, prefix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name === NAMING_FIELD && typeof inner === "string"
        ? [name, inner.replace(/^SVC_/, `${prefix.toUpperCase()}_`)]
        : [toWireName(name, prefix), toWireNames(inner, prefix)],
    ),
  );
}
