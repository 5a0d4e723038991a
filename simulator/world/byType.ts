import { PROPERTY_TYPES, type PropertyType } from "./segments.ts";

/** A record with a value for each type. */
export function byType<Value>(valueFor: (type: PropertyType) => Value): Record<PropertyType, Value> {
  const entries = PROPERTY_TYPES.map((type) => [type, valueFor(type)] as const);
  return Object.fromEntries(entries) as Record<PropertyType, Value>;
}

/** The same function, which computes the value of each type once only. */
export function rememberedByType<Value>(valueFor: (type: PropertyType) => Value): (type: PropertyType) => Value {
  const remembered = new Map<PropertyType, Value>();
  return (type) => {
    const known = remembered.get(type);
    if (known !== undefined) return known;
    const value = valueFor(type);
    remembered.set(type, value);
    return value;
  };
}
