import * as z from "zod";

/** An id as answers write it: an integer, or the digits of one. Read as bigint, like every id of this project. */
export const identifier = z
  .union([z.bigint().min(0n), z.int().min(0), z.string().regex(/^\d{1,20}$/, "must be an integer")])
  .transform(BigInt);

/** An id as a caller gives it. */
export const requestedIdentifier = z
  .union([z.bigint().min(1n), z.int().min(1), z.string().regex(/^[1-9]\d{0,19}$/, "must be an integer above 0")])
  .transform(BigInt);

/** Ids of one request. */
export const requestedIdentifiers = z.array(requestedIdentifier).min(1, "must hold at least one id");
