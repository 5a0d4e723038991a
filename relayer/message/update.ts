import { MESSAGE_LENGTH } from "./messageLayout.ts";

/** Bytes of an Ed25519 signature (RFC 8032, section 5.1.6): R, then S. */
export const SIGNATURE_LENGTH = 64;

/** An update without a hint: message, signature. */
export const PLAIN_UPDATE_LENGTH = MESSAGE_LENGTH + SIGNATURE_LENGTH;

/** An update with a hint: the same, one byte signer number, x of R as 32 bytes big-endian. */
export const HINTED_UPDATE_LENGTH = PLAIN_UPDATE_LENGTH + 1 + 32;

/** Names the signer and spares the contract an inversion. Untrusted: the contract checks it. */
export type UpdateHint = { readonly signerNumber: number; readonly xOfR: bigint };

/** The bytes that the oracle accepts for one signed price: 138, or 171 with a hint. */
export function encodeUpdate(message: Uint8Array, signature: Uint8Array, hint?: UpdateHint): Uint8Array {
  if (message.length !== MESSAGE_LENGTH) throw new RangeError(`message has ${message.length} bytes`);
  if (signature.length !== SIGNATURE_LENGTH) throw new RangeError(`signature has ${signature.length} bytes`);
  const update = new Uint8Array(hint ? HINTED_UPDATE_LENGTH : PLAIN_UPDATE_LENGTH);
  update.set(message, 0);
  update.set(signature, MESSAGE_LENGTH);
  if (hint) {
    update[PLAIN_UPDATE_LENGTH] = hint.signerNumber;
    let rest = hint.xOfR;
    for (let index = HINTED_UPDATE_LENGTH - 1; index > PLAIN_UPDATE_LENGTH; index -= 1) {
      update[index] = Number(rest & 0xffn);
      rest >>= 8n;
    }
  }
  return update;
}

/** The parts of an update, or `undefined` when its length is none of the two. */
export function decodeUpdate(
  update: Uint8Array,
): { message: Uint8Array; signature: Uint8Array; hint?: UpdateHint } | undefined {
  if (update.length !== PLAIN_UPDATE_LENGTH && update.length !== HINTED_UPDATE_LENGTH) return undefined;
  const message = update.slice(0, MESSAGE_LENGTH);
  const signature = update.slice(MESSAGE_LENGTH, PLAIN_UPDATE_LENGTH);
  if (update.length === PLAIN_UPDATE_LENGTH) return { message, signature };
  const xOfR = update.slice(PLAIN_UPDATE_LENGTH + 1).reduce((x, byte) => (x << 8n) | BigInt(byte), 0n);
  return { message, signature, hint: { signerNumber: update[PLAIN_UPDATE_LENGTH] ?? 0, xOfR } };
}
