/** What tells one standing condition from every other: where it stands, its kind, and what it is about. */
export type AlertIdentity = { readonly scope: string; readonly kind: string; readonly subject: string };

/** The identity as one text, under which the journal keeps it. */
export function alertKeyOf({ scope, kind, subject }: AlertIdentity): string {
  return JSON.stringify([scope, kind, subject]);
}

/** The identity that a key holds, or `undefined` for a text that is no key. */
export function readAlertKey(key: string): AlertIdentity | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(key);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === "string")) return undefined;
  const [scope, kind, subject] = parts as [string, string, string];
  return { scope, kind, subject };
}
