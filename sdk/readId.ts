/** A whole number as it is, or written in plain digits; `undefined` for anything else. */
export function readId(id: bigint | number | string): bigint | undefined {
  if (typeof id === "bigint") return id;
  if (typeof id === "number") return Number.isSafeInteger(id) ? BigInt(id) : undefined;
  return /^\d{1,20}$/.test(id) ? BigInt(id) : undefined;
}
