import type { Address } from "viem";
import * as z from "zod";
import { UnusableKeyError } from "./keyErrors.ts";

/** A file of the Web3 Secret Storage definition, version 3. */
export type KeystoreFile = z.infer<typeof keystoreSchema>;

/** More memory than that is no file of a wallet's. Bytes. */
export const MAX_SCRYPT_MEMORY = 1_073_741_824;

/** Numbers beyond these would keep a process busy for hours. */
const MAX_SCRYPT_PARALLELIZATION = 64;
const MAX_PBKDF2_ITERATIONS = 50_000_000;

const hexOf = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`));
const salt = z.string().regex(/^([0-9a-fA-F]{2})+$/);
const dklen = z.number().int().min(32);

const pbkdf2Schema = z.object({
  kdf: z.literal("pbkdf2"),
  kdfparams: z.object({
    c: z.number().int().min(1).max(MAX_PBKDF2_ITERATIONS),
    dklen,
    prf: z.literal("hmac-sha256"),
    salt,
  }),
});

const scryptSchema = z.object({
  kdf: z.literal("scrypt"),
  kdfparams: z
    .object({
      dklen,
      n: z
        .number()
        .int()
        .min(2)
        .refine((n) => Number.isInteger(Math.log2(n))),
      p: z.number().int().min(1).max(MAX_SCRYPT_PARALLELIZATION),
      r: z.number().int().min(1),
      salt,
    })
    .refine(({ n, r }) => 128 * n * r <= MAX_SCRYPT_MEMORY),
});

const cipherSchema = z.object({
  cipher: z.literal("aes-128-ctr"),
  cipherparams: z.object({ iv: hexOf(16) }),
  ciphertext: hexOf(32),
  mac: hexOf(32),
});

const addressSchema = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{40}$/)
  .transform((text): Address => `0x${text.slice(-40)}`);

const keystoreSchema = z.object({
  version: z.literal(3),
  id: z.string().default(""),
  address: addressSchema.optional(),
  crypto: z.intersection(cipherSchema, z.discriminatedUnion("kdf", [pbkdf2Schema, scryptSchema])),
});

/**
 * Reads a keystore file.
 * @throws UnusableKeyError that names the fields which are missing or wrong, never what they hold.
 */
export function readKeystoreFile(json: string): KeystoreFile {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch {
    throw damaged("the keystore file is no JSON");
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw damaged("the keystore file holds no JSON object");
  }
  const fields = lowerCaseKeys(content);
  if (fields["version"] !== 3) {
    throw new UnusableKeyError(
      "KEYSTORE_UNSUPPORTED",
      "the keystore file is not of version 3 of the Web3 Secret Storage definition",
      "Write the key anew with a wallet or a node of today: version 3 is what they write for accounts.",
    );
  }
  const read = keystoreSchema.safeParse(fields);
  if (read.success) return read.data;
  const places = new Set(read.error.issues.map(({ path }) => path.join(".") || "the file"));
  throw damaged(`the keystore file is damaged, or of a kind that is not supported: see ${[...places].join(", ")}`);
}

function damaged(message: string): UnusableKeyError {
  return new UnusableKeyError(
    "KEYSTORE_DAMAGED",
    message,
    "Give the file as the wallet wrote it (Web3 Secret Storage, version 3, aes-128-ctr with scrypt or pbkdf2).",
  );
}

/** Some wallets write `Crypto`, with a capital. */
function lowerCaseKeys(content: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key.toLowerCase(), value]));
}
