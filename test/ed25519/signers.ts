import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";

/** A signer whose keys and signatures come from node:crypto, which shares no code with what is tested. */
export type Signer = { publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array };

const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

export function signerOfSeed(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return {
    publicKey: Uint8Array.from(Buffer.from(x, "base64url")),
    sign: (message) => Uint8Array.from(sign(null, message, key)),
  };
}

export function signerNamed(name: string): Signer {
  return signerOfSeed(createHash("sha256").update(name).digest());
}

/**
 * node:crypto's verdict. Under a key that decodePublicKey accepts, OpenSSL's rule is ours: S < L, no cofactor, and R
 * compared byte for byte. Newer versions of Node refuse an R of small order besides, which chance does not produce.
 */
export function nodeAccepts(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: "der", type: "spki" });
  return verify(null, message, key, signature);
}
