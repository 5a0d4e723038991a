/**
 * Signatures for the fast tests, valid or with one fault each, with the verdicts that RFC 8032 gives them. They come from
 * @noble/ed25519 and node:crypto, which share nothing with what is tested.
 */
import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";

const { p: P, n: L } = Point.CURVE();

export { L, P };

/** The length for which there are contracts that hash nothing else. */
export const MESSAGE_LENGTH = 74;

/** The enum Ed25519Verdict. */
export const INVALID = 0;
export const VALID = 1;
export const WRONG_HINT = 2;

/** The secret scalar of the key whose verifier is tested, and the key. */
const SECRET = 0x1f2e_3d4c_5b6a_7988_0716_2534_4352_6170_8f9e_adbc_cbda_e9f8n;
const KEY = Point.BASE.multiply(SECRET);
export const PUBLIC_KEY = KEY.toBytes();

/** Of all points of prime order, A and -A have the x nearest to 0 mod p: 42 and p - 42. Nobody knows the secret. */
const KEY_OF_SMALL_X = Point.fromHex("74fad717a1be11745c7587805a262b67596e9f1569c25be588d15e91bf75484e");
export const PUBLIC_KEY_OF_SMALL_X = KEY_OF_SMALL_X.toBytes();

/** What a verifier is asked, and what it is to answer. */
export interface Judged {
  readonly message: Uint8Array;
  /** The first and the last half of the signature. */
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly hint: bigint;
  /** The verdict with the hint, and without any. */
  readonly hinted: number;
  readonly plain: number;
}

/** A message of so many bytes, another one for each name. */
export function messageOf(length: number, name = ""): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let start = 0; start < length; start += 64) {
    const digest = createHash("sha512").update(`${name}/${length}/${start}`).digest();
    bytes.set(digest.subarray(0, length - start), start);
  }
  return bytes;
}

/** A valid signature. Which one of the many that there are, the attempt says. */
export function signed(message: Uint8Array, attempt = 0): Judged {
  const nonce = toNumber(sha512(Buffer.from(`nonce ${attempt}`), message)) % L;
  const point = Point.BASE.multiply(nonce);
  const r = point.toBytes();
  const h = toNumber(sha512(r, PUBLIC_KEY, message));
  return { message, r, s: littleEndian((nonce + h * SECRET) % L, 32), hint: point.x, hinted: VALID, plain: VALID };
}

/** The first valid signature that has a property. */
export function signedWith(message: Uint8Array, has: (judged: Judged) => boolean): Judged {
  for (let attempt = 0; ; attempt += 1) {
    const judged = signed(message, attempt);
    if (has(judged)) return judged;
  }
}

/** The same signature of a message of which a bit has been changed. */
export function corrupted(judged: Judged): Judged {
  const message = Uint8Array.from(judged.message);
  message[0] = (message[0] ?? 0) ^ 1;
  return { ...judged, message, hinted: INVALID, plain: INVALID };
}

/**
 * A message for which the contracts that hash with chosen digests answer h: it begins with that or, if it is one for the
 * contract that hashes any length, with the complement.
 */
function messageWithDigest(h: bigint, length: number): Uint8Array {
  const message = messageOf(length, "filler");
  message.set(littleEndian(length === MESSAGE_LENGTH ? h : 2n ** 512n - 1n - h, 64));
  return message;
}

/** R = S·B - h·A and S under a chosen digest: a valid signature if S is below L. */
export function underDigest(s: bigint, h: bigint, length: number, key = KEY): Judged {
  return withPoint(sumOf(s, h, key), { message: messageWithDigest(h, length), s: littleEndian(s, 32) });
}

/** S·B - h·A. */
function sumOf(s: bigint, h: bigint, key = KEY): Point {
  return multiply(s % L, Point.BASE).subtract(multiply(h % L, key));
}

/** Valid signatures of the key with the small x, among them of which R is A or -A. */
export function signaturesOfSmallX(length: number): Judged[] {
  const pairs = [0n, 1n, 2n].flatMap((s) => [0n, 1n, 2n, L - 2n, L - 1n].map((h) => [s, h] as const));
  return pairs.map(([s, h]) => underDigest(s, h, length, KEY_OF_SMALL_X));
}

function withPoint(point: Point, rest: Pick<Judged, "message" | "s">, verdict = VALID): Judged {
  return { ...rest, r: point.toBytes(), hint: point.x, hinted: verdict, plain: verdict };
}

/** The digest under which S·B - h·A is the given multiple of B. */
export function digestFor(s: bigint, multiple: bigint): bigint {
  return modulo((s - multiple) * inverse(SECRET));
}

/** Faults of S, of R and of the hint, each with a message under whose digest all else is right. */
export function edgeCases(length: number): Judged[] {
  const h = toNumber(sha512(Buffer.from("h")));
  const s = toNumber(sha512(Buffer.from("S"))) % L;
  const right = underDigest(s, h, length);
  const { hint: x } = right;
  const sum = sumOf(s, h);
  const y = sum.toAffine().y;
  const sign = (x & 1n) << 255n;

  const wrongS = (number: bigint): Judged => ({
    ...right,
    s: littleEndian(number, 32),
    hinted: INVALID,
    plain: INVALID,
  });
  const wrongHint = (hint: bigint, of = right): Judged => ({ ...of, hint, hinted: WRONG_HINT });
  /** Another R, of which the hint is no fault. */
  const otherR = (encoding: bigint, hint: bigint, hinted: number): Judged => ({
    ...right,
    r: littleEndian(encoding, 32),
    hint,
    hinted,
    plain: INVALID,
  });
  const otherPoint = (point: Point): Judged => withPoint(point, right, INVALID);

  // Where R is the neutral point, x is 0 and y is 1: R has the one other encoding of y that fits 255 bits.
  const neutral = underDigest(s, digestFor(s, 0n), length);
  const notNeutral = (encoding: bigint, hint: bigint): Judged => ({
    ...neutral,
    r: littleEndian(encoding, 32),
    hint,
    hinted: WRONG_HINT,
    plain: INVALID,
  });
  const topBit = 1n << 255n;

  return [
    right,
    ...[0n, 1n, L - 1n, 2n ** 252n].map((number) => underDigest(number, h, length)),
    ...[L, L + 1n].map((number) => ({ ...underDigest(number, h, length), hinted: INVALID, plain: INVALID })),
    ...[s + L, s + 15n * L, 2n ** 256n - 1n, s + 1n].map(wrongS),
    ...[0n, 1n, L - 1n, L, 2n ** 255n, 2n ** 256n - 1n, 2n ** 256n, 2n ** 511n, 2n ** 512n - 1n].map((digest) =>
      underDigest(s, digest, length),
    ),

    ...[0n, 1n, P, x + P, P - x, x ^ 1n, x + 2n, 2n ** 256n - 1n, toNumber(sha512(Buffer.from("x"))) % P].map((hint) =>
      wrongHint(hint),
    ),
    wrongHint(0n, wrongS(L)),
    wrongHint(P - x, wrongS(s + L)),

    // The other sign: a point of the curve, and not the right one; and what would make it pass for the right one.
    otherR(y | (topBit - sign), P - x, INVALID),
    otherR(y | (topBit - sign), x + P, WRONG_HINT),
    otherR(y | (topBit - sign), x, WRONG_HINT),
    // No point has this y.
    ...[x, x + 1n, 0n].map((hint) => otherR(yOfNoPoint(), hint, WRONG_HINT)),
    otherR(P, 0n, WRONG_HINT),
    otherR(2n ** 255n - 1n, 0n, WRONG_HINT),
    otherR(2n ** 256n - 1n, 1n, WRONG_HINT),

    neutral,
    wrongHint(P, neutral),
    notNeutral(1n | topBit, 0n),
    notNeutral(1n | topBit, P),
    notNeutral(P + 1n, 0n),
    notNeutral(P + 1n, P),
    notNeutral((P + 1n) | topBit, P),
    ...smallOrderPoints().map((point) => otherPoint(point)),
    ...smallOrderPoints().map((point) => otherPoint(sum.add(point))),
    otherPoint(sum.add(Point.BASE)),
    // Half of the point is right: y of -R, and x of the sum of -R and the point of order 2.
    ...[1n, 2n, 3n, 4n, 5n, 6n].flatMap((multiple) => {
      const digest = h + multiple;
      const opposite = sumOf(s, digest).negate();
      const rest = { message: messageWithDigest(digest, length), s: right.s };
      return [opposite, opposite.add(pointOfOrder2())].map((point) => withPoint(point, rest, INVALID));
    }),
    // The last of an odd number, which is hashed alone.
    wrongHint(0n),
  ];
}

/** Rows that a table serves, and columns: see comb.ts. There are two tables of a point. */
interface Comb {
  readonly teeth: bigint;
  readonly columns: bigint;
}
const VERIFIER_COMB: Comb = { teeth: 6n, columns: 21n };
const BATCH_COMB: Comb = { teeth: 8n, columns: 16n };

/** Valid signatures whose scalars select each entry of each table of a verifier, with either sign. */
export function signaturesOfAllEntries(length: number): Judged[] {
  return signaturesOfEntries(VERIFIER_COMB, length);
}

/** The same for the tables of large batches. */
export function signaturesOfAllBatchEntries(): Judged[] {
  return signaturesOfEntries(BATCH_COMB, MESSAGE_LENGTH);
}

/** Valid signatures with scalars for which a verifier's comb is too short, and the longest that fit it. */
export function signaturesOfLongScalars(length: number): Judged[] {
  const longest = allBitsOf(VERIFIER_COMB);
  const scalars = [0n, longest, longest + 1n, longest + 2n, L - 1n].map((c) => scalarOf(VERIFIER_COMB, c));
  return scalars.flatMap((b) => scalars.map((a) => underDigest(b, a, length)));
}

function signaturesOfEntries(comb: Comb, length: number): Judged[] {
  const scalars = Array.from({ length: 2 ** Number(comb.teeth) }, (_, digits) =>
    scalarOf(comb, inAllColumns(comb, BigInt(digits))),
  );
  return scalars.map((scalar, index) => underDigest(scalar, scalars.at(-index) ?? 0n, length));
}

function allBitsOf({ teeth, columns }: Comb): bigint {
  return 2n ** (2n * teeth * columns) - 1n;
}

/** The scalar that is recoded to c. */
function scalarOf(comb: Comb, c: bigint): bigint {
  return modulo(2n * c - allBitsOf(comb));
}

/** c with the same digits for either table in every column. */
function inAllColumns({ teeth, columns }: Comb, digits: bigint): bigint {
  let column = 0n;
  for (let row = 0n; row < teeth; row += 1n) column |= ((digits >> row) & 1n) << (columns * row);
  return (column | (column << (columns * teeth))) * (2n ** columns - 1n);
}

/** Points of order 2, 4 and 8. */
function smallOrderPoints(): Point[] {
  const ofOrder8 = Point.fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
  const ofOrder4 = ofOrder8.double();
  return [pointOfOrder2(), ofOrder4, ofOrder4.negate(), ofOrder8];
}

function pointOfOrder2(): Point {
  return Point.fromAffine({ x: 0n, y: P - 1n });
}

/** A y for which the curve has no x. */
function yOfNoPoint(): bigint {
  for (let y = 2n; ; y += 1n) {
    try {
      Point.fromBytes(littleEndian(y, 32));
    } catch {
      return y;
    }
  }
}

export function littleEndian(number: bigint, length: number): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(2 * length, "0"), "hex")).reverse();
}

/** Bytes, lowest first, as a number. */
export function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(Uint8Array.from(bytes).reverse()).toString("hex")}`);
}

export function sha512(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha512");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function multiply(scalar: bigint, point: Point): Point {
  return scalar === 0n ? Point.ZERO : point.multiply(scalar);
}

function modulo(number: bigint): bigint {
  const rest = number % L;
  return rest < 0n ? rest + L : rest;
}

/** 1/number mod L, by Fermat. */
function inverse(number: bigint): bigint {
  let result = 1n;
  for (let square = number, rest = L - 2n; rest > 0n; rest >>= 1n, square = (square * square) % L) {
    if (rest & 1n) result = (result * square) % L;
  }
  return result;
}
