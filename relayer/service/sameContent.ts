/**
 * Whether two values have the same content, all the way down: numbers, texts, bytes, and plain objects of these. As
 * Node's `isDeepStrictEqual` does for them, which browsers lack.
 */
export function haveSameContent(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && haveSameContent(entryOf(a, name), entryOf(b, name)))
  );
}

function entryOf(container: object, name: string): unknown {
  return (container as Readonly<Record<string, unknown>>)[name];
}
