import { getPublicKey, hashes, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";

hashes.sha512 = (message) => Uint8Array.from(sha512(Uint8Array.from(message)));

/** Bytes of an Ed25519 secret key, the seed of RFC 8032, section 5.1.5. */
const SECRET_KEY_LENGTH = 32;

/** A secret key that is not 32 bytes. The message does not repeat it. */
export class InvalidSecretKeyError extends HomePriceError {
  constructor(length: number) {
    super("INVALID_SECRET_KEY", `the secret key has ${length} bytes, not ${SECRET_KEY_LENGTH}`, {
      kind: "configuration",
      hint: `Give the ${SECRET_KEY_LENGTH}-byte Ed25519 seed, or none for a random one.`,
    });
  }
}

/** Signs price messages with one Ed25519 key. */
export type MessageSigner = {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

/** @throws InvalidSecretKeyError */
export function createMessageSigner(secretKey: Uint8Array): MessageSigner {
  if (secretKey.length !== SECRET_KEY_LENGTH) throw new InvalidSecretKeyError(secretKey.length);
  const seed = Uint8Array.from(secretKey);
  return { publicKey: getPublicKey(seed), sign: (message) => sign(message, seed) };
}
