import { Point } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { HomePriceError } from "../errors/HomePriceError.ts";

/**
 * Ed25519 verification, as the contracts do it: RFC 8032, section 5.1.7, without the cofactor, with canonical encodings
 * only, and with keys of prime order only.
 *
 * Accepted is exactly this: A and R in their canonical encodings, A of order L, S < L, and the encoding of S·B - h·A
 * equal to R byte for byte, where h = SHA-512(R, A, message) mod L.
 *
 * `verify` of the same library is not used, as none of its options is this rule. `{ zip215: false }` comes nearest: it
 * refuses encodings that are not canonical, and keys of small order. But it always multiplies the equation by the
 * cofactor 8, so it accepts an R with a component of small order, which the contracts refuse; and it takes keys that
 * have such a component. Hence the library's points, and RFC 8032's own comparison of bytes.
 *
 * Nothing here is secret, so nothing runs in constant time.
 *
 * @module
 */

/** p = 2^255 - 19 and L, the order of the base point (RFC 8032, section 5.1, table 1). */
const { p: P, n: L } = Point.CURVE();

const PUBLIC_KEY_LENGTH = 32;
const SIGNATURE_LENGTH = 64;

/** An encoded point is y in bits 0–254, lowest byte first, and the lowest bit of x in bit 255 (section 5.1.2). */
const SIGN_SHIFT = 255n;
const Y_MASK = (1n << SIGN_SHIFT) - 1n;

declare const checked: unique symbol;

/**
 * A public key that {@link decodePublicKey} has checked, which is the only way to get one. Treat `bytes` as read-only.
 */
export type Ed25519PublicKey = {
  /** The 32 bytes of RFC 8032. */
  readonly bytes: Uint8Array;
  /** The same as 0x-hex, in lower case. */
  readonly hex: `0x${string}`;
  /** The point A. */
  readonly point: Point;
  readonly [checked]: true;
};

export type InvalidPublicKeyCode =
  | "PUBLIC_KEY_LENGTH"
  | "PUBLIC_KEY_NOT_CANONICAL"
  | "PUBLIC_KEY_NOT_ON_CURVE"
  | "PUBLIC_KEY_NOT_PRIME_ORDER";

/** These bytes cannot be anybody's Ed25519 public key. */
export class InvalidPublicKeyError extends HomePriceError {
  declare readonly code: InvalidPublicKeyCode;

  constructor(code: InvalidPublicKeyCode, message: string, hint: string) {
    super(code, message, { hint, kind: "configuration" });
  }
}

/** The outcome of {@link checkSignature}; `xOfR` is what `verifyWithHint` of the contracts takes as its hint. */
export type SignatureCheck =
  | { readonly valid: true; readonly xOfR: bigint }
  | { readonly valid: false; readonly reason: string };

/**
 * Decodes a public key (RFC 8032, section 5.1.3) and checks all that verification relies on, the costly test of its
 * order included, so that {@link checkSignature} need not.
 *
 * @throws InvalidPublicKeyError if this is no canonical encoding of a point of prime order.
 */
export function decodePublicKey(bytes: Uint8Array): Ed25519PublicKey {
  if (bytes.length !== PUBLIC_KEY_LENGTH) {
    throw new InvalidPublicKeyError(
      "PUBLIC_KEY_LENGTH",
      `An Ed25519 public key is ${PUBLIC_KEY_LENGTH} bytes long, this one is ${bytes.length}.`,
      "Give the key's 32 raw bytes, without the DER or PEM wrapping that some tools add.",
    );
  }
  const copy = Uint8Array.from(bytes);
  const hex = toHex(copy);
  const number = toNumber(copy);
  const y = number & Y_MASK;
  const sign = number >> SIGN_SHIFT;

  // x is 0 where y is 1 or -1, and has no odd counterpart there (section 5.1.3, step 4).
  if (y >= P || (sign === 1n && (y === 1n || y === P - 1n))) {
    throw new InvalidPublicKeyError(
      "PUBLIC_KEY_NOT_CANONICAL",
      `The public key ${hex} is not the canonical encoding of a point.`,
      "A key generator never makes such a key. Check where it comes from and whether its bytes are in order.",
    );
  }
  let point: Point;
  try {
    point = Point.fromBytes(copy);
  } catch {
    throw new InvalidPublicKeyError(
      "PUBLIC_KEY_NOT_ON_CURVE",
      `The public key ${hex} is not a point of the curve.`,
      "Check the key for a typing error, and that it is an Ed25519 key, not one of another kind.",
    );
  }
  // The neutral point passes as torsion-free, its order being 1.
  if (point.is0() || !point.isTorsionFree()) {
    throw new InvalidPublicKeyError(
      "PUBLIC_KEY_NOT_PRIME_ORDER",
      `The public key ${hex} is a point outside the subgroup of prime order.`,
      "Signatures under such a key prove nothing. A key generator never makes one; check where it comes from.",
    );
  }
  return Object.freeze({ bytes: copy, hex, point }) as Ed25519PublicKey;
}

/**
 * Verifies a signature (RFC 8032, section 5.1.7) by the rule stated above. Whatever the signature's bytes are, it
 * answers and does not throw.
 */
export function checkSignature(key: Ed25519PublicKey, message: Uint8Array, signature: Uint8Array): SignatureCheck {
  if (signature.length !== SIGNATURE_LENGTH) {
    return { valid: false, reason: `a signature is ${SIGNATURE_LENGTH} bytes long, this one is ${signature.length}` };
  }
  const r = signature.subarray(0, 32);
  const s = toNumber(signature.subarray(32));
  if (s >= L) return { valid: false, reason: "S is not below the group order" };

  const hash = sha512.create().update(r).update(key.bytes).update(message).digest();
  const h = toNumber(hash) % L;

  // The only point that R may be. As A is of order L, h may be reduced.
  const { x, y } = multiply(Point.BASE, s).subtract(multiply(key.point, h)).toAffine();
  const encoding = y | ((x & 1n) << SIGN_SHIFT);
  if (encoding !== toNumber(r)) {
    return { valid: false, reason: "the signature does not belong to this message and key" };
  }
  return { valid: true, xOfR: x };
}

/** The library's multiplication takes scalars from 1 on; a scalar is below L here. */
function multiply(point: Point, scalar: bigint): Point {
  return scalar === 0n ? Point.ZERO : point.multiply(scalar, false);
}

/** Bytes, lowest first, as a number. */
function toNumber(bytes: Uint8Array): bigint {
  return BigInt(toHex(Uint8Array.from(bytes).reverse()));
}

function toHex(bytes: Uint8Array): `0x${string}` {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return `0x${hex}`;
}
