/**
 * The wait that a Retry-After header asks for, in milliseconds (RFC 9110, section 10.2.3: seconds or an HTTP date), or
 * `undefined` when there is none that can be read.
 */
export function readRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  // Date.parse alone would make dates of things like "-5".
  const dateMs = /^[A-Z][a-z]+,? .* GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
