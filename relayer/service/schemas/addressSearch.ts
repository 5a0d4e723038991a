import * as z from "zod";

const required = z.string().trim().min(1, "must not be empty");

/** One address to find; its parts have to be written precisely. */
export const addressLookup = z.strictObject({
  address: required.describe("house number and street"),
  city: required,
  state_abbreviation: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be two letters")
    .transform((state) => state.toUpperCase())
    .describe("two letters"),
  zip_code: z
    .string()
    .regex(/^\d{5}$/, "must be five digits")
    .describe("five digits"),
  unit: z.string().optional(),
  source_id: z.string().optional().describe("an id of your own, given back with the result"),
});

/** Addresses to find. On the wire a bare list, as the specification names none. */
export const addressSearchRequest = z.strictObject({
  lookups: z.array(addressLookup).min(1, "must hold at least one address"),
});
