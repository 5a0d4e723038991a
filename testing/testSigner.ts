import { utils } from "@noble/ed25519";
import { bytesToHex, type Hex, hexToBytes } from "viem";
import { checkSignature, decodePublicKey, type Ed25519PublicKey } from "../relayer/message/ed25519.ts";
import { encodeUpdate, type UpdateHint } from "../relayer/message/update.ts";
import { createMessageSigner } from "../simulator/messageSigner.ts";

/** A key for tests, in place of the service's. */
export type TestSigner = {
  readonly publicKey: Ed25519PublicKey;
  /** The 64-byte signature (RFC 8032, section 5.1.6) over any bytes. */
  sign(message: Uint8Array): Uint8Array;
};

/**
 * A test signer of a 32-byte secret key (the seed of RFC 8032, section 5.1.5), or of a random one.
 * @throws InvalidSecretKeyError
 */
export function createTestSigner(secretKey: Uint8Array | Hex = utils.randomSecretKey()): TestSigner {
  const { publicKey, sign } = createMessageSigner(typeof secretKey === "string" ? hexToBytes(secretKey) : secretKey);
  return { publicKey: decodePublicKey(publicKey), sign };
}

/** What is changed between signing and encoding, for an update that the oracle has to refuse. */
export type Tampering = {
  /** Changes the 64 bytes in place. */
  readonly signature?: (signature: Uint8Array) => void;
  readonly hint?: (hint: UpdateHint) => UpdateHint;
  readonly update?: (update: Uint8Array) => Uint8Array;
};

/** An update and the signature in it. */
export type EncodedUpdate = { readonly update: Hex; readonly signature: Hex };

/**
 * Signs 74 bytes and makes an update of them.
 * @param signerNumber Names the signer in the 171-byte form, with the right hint; without it, the 138-byte form.
 */
export function signUpdate(
  message: Uint8Array,
  signer: TestSigner,
  signerNumber?: number,
  tampering: Tampering = {},
): EncodedUpdate {
  const signature = signer.sign(message);
  const check = checkSignature(signer.publicKey, message, signature);
  if (!check.valid) throw new Error(`a fresh signature does not verify: ${check.reason}`);
  tampering.signature?.(signature);
  const hint = signerNumber === undefined ? undefined : { signerNumber, xOfR: check.xOfR };
  const update = encodeUpdate(message, signature, hint && (tampering.hint?.(hint) ?? hint));
  return { update: bytesToHex(tampering.update?.(update) ?? update), signature: bytesToHex(signature) };
}
