import type { Hex } from "viem";

/**
 * Where libraries and nodes put revert data, and errors that hold it. A transaction's own data is under none of these.
 */
const PLACES = ["raw", "data", "error", "info", "cause"] as const;

/** The revert data inside an error of viem, of another library, or of a wallet; `undefined` when there is none. */
export function revertDataOf(error: unknown): Hex | undefined {
  return find(error, new Set());
}

/** Errors can hold one another in a circle: each is looked into once. */
function find(value: unknown, seen: Set<unknown>): Hex | undefined {
  if (typeof value === "string") return /^0x([0-9a-fA-F]{2}){4,}$/.test(value) ? (value as Hex) : undefined;
  if (typeof value !== "object" || value === null || seen.has(value)) return undefined;
  seen.add(value);
  for (const place of PLACES) {
    const data = place in value && find((value as Readonly<Record<string, unknown>>)[place], seen);
    if (data) return data;
  }
  return undefined;
}
