import { createHash } from "node:crypto";
import { createMessageSigner, type MessageSigner } from "./messageSigner.ts";

/** The keys that the service signs with. */
export type ServiceSigners = {
  readonly present: MessageSigner;
  /** The one that follows when the service changes its key, as the fault `rotated-key` has it. */
  readonly next: MessageSigner;
  /** One that nobody has heard of. */
  readonly foreign: MessageSigner;
};

/**
 * All keys from the present one, so that a service with the same secret key signs the same bytes whatever its faults.
 * @throws InvalidSecretKeyError
 */
export function createServiceSigners(secretKey: Uint8Array): ServiceSigners {
  return {
    present: createMessageSigner(secretKey),
    next: createMessageSigner(derivedKey("next key", secretKey)),
    foreign: createMessageSigner(derivedKey("foreign key", secretKey)),
  };
}

/** The secret key (Ed25519 seed, 32 bytes) of a service that is to be the same at every start. Whoever knows the seed knows the key. */
export function secretKeyOfSeed(seed: number): Uint8Array {
  return derivedKey("secret key", Buffer.from(String(seed)));
}

function derivedKey(purpose: string, from: Uint8Array): Uint8Array {
  return createHash("sha256").update(`home-price-oracle/simulator/${purpose}/`).update(from).digest();
}
