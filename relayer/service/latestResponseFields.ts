import * as z from "zod";

const fieldPath = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, "must be a field name, or several joined by dots for nested fields")
  .describe("name of a field; dots lead into nested ones (signed.signature)");
const timeUnit = z.enum(["ms", "s"]).describe("unit of the Unix time");

/**
 * Which field of a latest answer holds what. The specification shows none of these names but `items` and `account`, so
 * all of them are configuration. `items` and `account` are found in the answer, the others in each item.
 */
export const latestResponseFieldsSchema = z.strictObject({
  items: fieldPath.default("items").describe("list of the prices"),
  account: fieldPath.default("account").describe("credits used and remaining"),
  marketId: fieldPath.optional().describe("market id without any offset; `<idPrefix>_id` when not given"),
  date: fieldPath.default("date").describe("the price's date YYYY-MM-DD"),
  price: fieldPath.default("price").describe("the price in USD, as a number or as text"),
  publishTime: fieldPath.default("publish_timestamp").describe("when the price was published"),
  publishTimeUnit: timeUnit.default("ms"),
  expiry: fieldPath.default("expiry").describe("until when the price is valid"),
  expiryUnit: timeUnit.default("ms"),
  signature: fieldPath.default("signature").describe("Ed25519 signature, 64 bytes"),
  publicKey: fieldPath.default("public_key").describe("Ed25519 public key, 32 bytes"),
  message: fieldPath.default("message").describe("the signed message, 74 bytes"),
});

/** What a configuration may say: every name may be left out. */
export type LatestResponseFieldsInput = z.input<typeof latestResponseFieldsSchema>;

/** Every name filled in. */
export type LatestResponseFields = Readonly<Omit<z.output<typeof latestResponseFieldsSchema>, "marketId">> & {
  readonly marketId: string;
};

/** Fills in the name of the market id, the one that depends on the prefix of identifiers. */
export function resolveResponseFields(
  fields: z.output<typeof latestResponseFieldsSchema>,
  idPrefix: string,
): LatestResponseFields {
  return { ...fields, marketId: fields.marketId ?? `${idPrefix}_id` };
}

/** The value at a path, or `undefined`. A null counts as absent: that is how the service's framework writes an unset field. */
export function valueAt(container: unknown, path: string): unknown {
  let value = container;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value ?? undefined;
}
