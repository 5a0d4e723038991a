/**
 * Writes the Ed25519 test vectors of this repository: valid signatures, and every edge case of the acceptance rule.
 *
 *     node scripts/generateEd25519Vectors.ts            writes test/ed25519/generated-vectors.json
 *     node scripts/generateEd25519Vectors.ts --check    exits 1 if that file differs from what would be written
 *
 * The output depends on nothing but this file. What a case expects is known from how it is made, and confirmed by
 * implementations that share no code with the ones under test:
 *
 * - node:crypto for each case under an acceptable key and with an R that is not of small order. There its rule is the
 *   project's rule: OpenSSL refuses S >= L, computes S·B - h·A without the cofactor, and compares its encoding with R
 *   byte for byte. It does not ask whether a key is canonical or of prime order, so under other keys its answer says
 *   nothing and is not used. OpenSSL accepts the neutral point as R where the equation holds, as RFC 8032 does, but
 *   newer versions of Node refuse every R of small order before they ask OpenSSL.
 * - The textbook arithmetic below, by definition and not by any library, for the points and for what is wrong with a
 *   key.
 *
 * A case on which these do not agree stops the script.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const OUTPUT = fileURLToPath(new URL("../test/ed25519/generated-vectors.json", import.meta.url));

// The curve, RFC 8032, section 5.1.

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));

type Point = { x: bigint; y: bigint };

const NEUTRAL: Point = { x: 0n, y: 1n };
const BASE = pointWithY(mod(4n * inverse(5n)), 0n);

function mod(number: bigint, modulus = P): bigint {
  const rest = number % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = mod(base), rest = exponent; rest > 0n; rest >>= 1n, square = mod(square * square)) {
    if (rest & 1n) result = mod(result * square);
  }
  return result;
}

function inverse(number: bigint): bigint {
  return power(number, P - 2n);
}

/** x² = (y² - 1) / (d·y² + 1); undefined where that is no square. Of the two roots, the even one. */
function evenX(y: bigint): bigint | undefined {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  const candidate = power(square, (P + 3n) / 8n);
  for (const root of [candidate, mod(candidate * power(2n, (P - 1n) / 4n))]) {
    if (mod(root * root) === square) return root & 1n ? P - root : root;
  }
  return undefined;
}

function pointWithY(y: bigint, sign: bigint): Point {
  const x = evenX(y);
  if (x === undefined) throw new Error(`no point has y = ${y}`);
  return { x: sign ? mod(-x) : x, y };
}

function negate({ x, y }: Point): Point {
  return { x: mod(-x), y };
}

function equal(left: Point, right: Point): boolean {
  return left.x === right.x && left.y === right.y;
}

/** The group law of a twisted Edwards curve, complete here, on projective coordinates (Bernstein and others, 2008). */
function addProjective([x1, y1, z1]: bigint[], [x2, y2, z2]: bigint[]): bigint[] {
  if (x1 === undefined || y1 === undefined || z1 === undefined) throw new Error("no point");
  if (x2 === undefined || y2 === undefined || z2 === undefined) throw new Error("no point");
  const a = mod(z1 * z2);
  const b = mod(a * a);
  const c = mod(x1 * x2);
  const d = mod(y1 * y2);
  const e = mod(D * c * d);
  const f = b - e;
  const g = b + e;
  return [mod(a * f * ((x1 + y1) * (x2 + y2) - c - d)), mod(a * g * (d + c)), mod(f * g)];
}

function toAffine([x, y, z]: bigint[]): Point {
  if (x === undefined || y === undefined || z === undefined) throw new Error("no point");
  const inverseOfZ = inverse(z);
  return { x: mod(x * inverseOfZ), y: mod(y * inverseOfZ) };
}

function add(left: Point, right: Point): Point {
  return toAffine(addProjective([left.x, left.y, 1n], [right.x, right.y, 1n]));
}

function multiply(scalar: bigint, point: Point): Point {
  let result = [0n, 1n, 1n];
  for (let double = [point.x, point.y, 1n], rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = addProjective(result, double);
    double = addProjective(double, double);
  }
  return toAffine(result);
}

// Encodings, RFC 8032, sections 5.1.2 and 5.1.3.

function toBytes(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse();
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex") || "0"}`);
}

/** Any y and sign as 32 bytes, canonical or not. */
function encodeParts(y: bigint, sign: bigint): Buffer {
  return toBytes(y | (sign << 255n));
}

function encode({ x, y }: Point): Buffer {
  return encodeParts(y, x & 1n);
}

type KeyError = "NonCanonicalPublicKey" | "PublicKeyNotOnCurve" | "PublicKeyNotPrimeOrder";

function decode(bytes: Uint8Array): Point | "NonCanonicalPublicKey" | "PublicKeyNotOnCurve" {
  const number = toNumber(bytes);
  const y = number % 2n ** 255n;
  const sign = number >> 255n;
  if (y >= P) return "NonCanonicalPublicKey";
  const x = evenX(y);
  if (x === undefined) return "PublicKeyNotOnCurve";
  if (x === 0n && sign === 1n) return "NonCanonicalPublicKey";
  return pointWithY(y, sign);
}

function whatIsWrongWithKey(bytes: Uint8Array): KeyError | undefined {
  const point = decode(bytes);
  if (typeof point === "string") return point;
  const isPrimeOrder = !equal(point, NEUTRAL) && equal(multiply(L, point), NEUTRAL);
  return isPrimeOrder ? undefined : "PublicKeyNotPrimeOrder";
}

// Keys, hashes and signatures.

function sha512(...parts: Uint8Array[]): Buffer {
  const hash = createHash("sha512");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Bytes that look random and are the same on each run. */
function bytesOf(label: string, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let index = 0; index * 64 < length; index += 1) {
    blocks.push(sha512(Buffer.from(`home-price-oracle/ed25519-vectors/${label}/${index}`)));
  }
  return Buffer.concat(blocks).subarray(0, length);
}

function scalarOf(label: string): bigint {
  return (toNumber(bytesOf(label, 64)) % (L - 1n)) + 1n;
}

/** A key whose secret scalar is known, by which signatures of any kind can be made. */
type Key = { scalar: bigint; point: Point; bytes: Buffer; sign(message: Uint8Array): Buffer };

function keyOfScalar(scalar: bigint): Key {
  const point = multiply(mod(scalar, L), BASE);
  const bytes = encode(point);
  const r = scalarOf(`nonce/${scalar}`);
  const sign = (message: Uint8Array) => signatureWith({ r, scalar, bytes, message });
  return { scalar: mod(scalar, L), point, bytes, sign };
}

/** A key made and used by node:crypto. */
function keyOfSeed(label: string): Key {
  const seed = bytesOf(label, 32);
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  const bytes = Buffer.from(jwk.x ?? "", "base64url");
  // RFC 8032, section 5.1.5.
  const half = sha512(seed).subarray(0, 32);
  const scalar = mod(((toNumber(half) % 2n ** 254n) & ~7n) | (1n << 254n), L);
  const point = multiply(scalar, BASE);
  if (!encode(point).equals(bytes)) throw new Error("node:crypto and this script derive different public keys");
  return { scalar, point, bytes, sign: (message) => sign(null, message, privateKey) };
}

/** h of RFC 8032, section 5.1.7, as an integer of 512 bits. */
function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array): bigint {
  return toNumber(sha512(r, key, message));
}

/** (R, S) with S = r + h·a: a valid signature if R encodes r·B. */
function signatureWith(parts: {
  r: bigint;
  scalar: bigint;
  bytes: Uint8Array;
  message: Uint8Array;
  encodedR?: Uint8Array;
}): Buffer {
  const encodedR = parts.encodedR ?? encode(multiply(parts.r, BASE));
  const h = challenge(encodedR, parts.bytes, parts.message);
  return Buffer.concat([encodedR, toBytes(mod(parts.r + h * parts.scalar, L))]);
}

function nodeAccepts(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), key]);
  return verify(null, message, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}

/** S·B - h·A, with h unreduced, encodes to R. */
function textbookAccepts(key: Point, bytes: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const r = signature.subarray(0, 32);
  const s = toNumber(signature.subarray(32));
  const h = challenge(r, bytes, message);
  return s < L && encode(add(multiply(s, BASE), multiply(h, negate(key)))).equals(r);
}

// Cases.

type Case = {
  name: string;
  publicKey: string;
  message: string;
  signature: string;
  /** Whether the rule accepts the signature: never, if the key is not accepted. */
  accept: boolean;
  keyAccepted: boolean;
  /** The contracts' error for a key that is not accepted. */
  keyError: KeyError | null;
  /** x of the point that the signature's first half encodes canonically; null if it encodes none. */
  xOfR: string | null;
  flags: string[];
};

const cases: Case[] = [];

function addCase(given: {
  name: string;
  key: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
  accept?: boolean;
  keyError?: KeyError;
  flags: string[];
}): void {
  const { name, key, message, signature, accept = false, keyError, flags } = given;
  const found = whatIsWrongWithKey(key);
  if (found !== keyError) throw new Error(`${name}: the key's fault is ${found}, expected was ${keyError}`);
  const point = decode(key);
  if (typeof point !== "string") {
    // Under a key that is refused, the flag says that the equation holds all the same.
    const expected = accept || flags.includes("cofactorless_valid");
    if (textbookAccepts(point, key, message, signature) !== expected)
      throw new Error(`${name}: the equation disagrees`);
  }
  if (found === undefined) {
    if (!hasSmallOrder(signature.subarray(0, 32)) && nodeAccepts(key, message, signature) !== accept) {
      throw new Error(`${name}: node:crypto does not agree`);
    }
  }
  const r = decode(signature.subarray(0, 32));
  cases.push({
    name,
    publicKey: Buffer.from(key).toString("hex"),
    message: Buffer.from(message).toString("hex"),
    signature: Buffer.from(signature).toString("hex"),
    accept,
    keyAccepted: keyError === undefined,
    keyError: keyError ?? null,
    xOfR: typeof r === "string" ? null : `0x${r.x.toString(16).padStart(64, "0")}`,
    flags,
  });
}

const keys = ["key 0", "key 1", "key 2"].map(keyOfSeed);
const [key, otherKey] = keys as [Key, Key];
const message = bytesOf("message of 74 bytes", 74);
const signature = key.sign(message);
const validR = signature.subarray(0, 32);
const validS = signature.subarray(32);

/** The eight points whose order divides 8, from the neutral one on, as multiples of one of order 8. */
const torsion = (() => {
  for (let y = 2n; ; y += 1n) {
    if (evenX(y) === undefined) continue;
    const generator = multiply(L, pointWithY(y, 0n));
    if (equal(multiply(4n, generator), NEUTRAL)) continue;
    return Array.from({ length: 8 }, (_, index) => multiply(BigInt(index), generator));
  }
})();

/** What a lenient decoder takes for one of them. */
const nonCanonicalTorsion = [
  { name: "y = 0 written as p", bytes: encodeParts(P, 0n) },
  { name: "y = 0 written as p, sign 1", bytes: encodeParts(P, 1n) },
  { name: "y = 1 written as p + 1", bytes: encodeParts(P + 1n, 0n) },
  { name: "y = 1 written as p + 1, sign 1", bytes: encodeParts(P + 1n, 1n) },
  { name: "y = 1, x = 0 with sign 1", bytes: encodeParts(1n, 1n) },
  { name: "y = -1, x = 0 with sign 1", bytes: encodeParts(P - 1n, 1n) },
];

/** Numbers y below 19 have two ways to be written in 255 bits. From 2 on, these are on the curve, or not. */
const smallY = Array.from({ length: 17 }, (_, index) => BigInt(index + 2));
const smallYOnCurve = smallY.filter((y) => evenX(y) !== undefined);
const smallYOffCurve = smallY.filter((y) => evenX(y) === undefined);

/** Whether a lenient decoder finds one of these points. */
function hasSmallOrder(bytes: Uint8Array): boolean {
  const y = mod(toNumber(bytes) % 2n ** 255n);
  return torsion.some((point) => point.y === y);
}

function addValidSignatures(): void {
  // 64 bytes of R and A come first in what is hashed. SHA-512's padding starts a new block from 112 bytes on (47 and 48
  // bytes of message, 175 and 176, 303 and 304), and a block is full at 128 (64, 192, 320).
  const lengths = [0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 46, 47, 48, 49, 62, 63, 64, 65, 73, 74, 75, 110, 111, 112, 113];
  lengths.push(126, 127, 128, 129, 138, 171, 174, 175, 176, 177, 190, 191, 192, 193, 255, 256, 300, 303, 304, 320);
  for (const [index, length] of lengths.entries()) {
    const signer = keys[index % keys.length] ?? key;
    const text = bytesOf(`message ${length}`, length);
    const name = `valid, message of ${length} bytes`;
    addCase({ name, key: signer.bytes, message: text, signature: signer.sign(text), accept: true, flags: ["valid"] });
  }
  for (const byte of [0x00, 0xff]) {
    const text = Buffer.alloc(74, byte);
    const name = `valid, message of 74 bytes ${byte}`;
    addCase({ name, key: key.bytes, message: text, signature: key.sign(text), accept: true, flags: ["valid"] });
  }
  // Keys near the base point, and R near it or neutral, make the additions meet equal and opposite points.
  for (const scalar of [1n, 2n, 3n, 4n, -1n, -2n, -3n, -4n]) {
    const signer = keyOfScalar(scalar);
    const name = `valid, A = ${scalar} B`;
    const flags = ["valid", "special_key"];
    addCase({ name, key: signer.bytes, message, signature: signer.sign(message), accept: true, flags });
  }
  for (const multiple of [0n, 1n, 2n, 3n, -1n, -2n]) {
    for (const signer of [key, keyOfScalar(1n)]) {
      const made = signatureWith({ r: mod(multiple, L), scalar: signer.scalar, bytes: signer.bytes, message });
      const name = `valid, R = ${multiple} B, ${signer === key ? "any key" : "A = B"}`;
      const flags = ["valid", "special_R"];
      addCase({ name, key: signer.bytes, message, signature: made, accept: true, flags });
    }
  }
}

function addFlippedBits(): void {
  const flip = (bytes: Uint8Array, bit: number) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return copy;
  };
  for (const bit of [0, 1, 7, 8, 100, 127, 128, 200, 247, 253, 254, 255]) {
    for (const [part, start] of [
      ["R", 0],
      ["S", 256],
    ] as const) {
      const made = flip(signature, start + bit);
      const name = `bit ${bit} of ${part} flipped`;
      addCase({ name, key: key.bytes, message, signature: made, flags: ["flipped_bit"] });
    }
  }
  for (const bit of [0, 7, 295, 399, 584, 591]) {
    const name = `bit ${bit} of the message flipped`;
    addCase({ name, key: key.bytes, message: flip(message, bit), signature, flags: ["flipped_bit"] });
  }
  for (const bit of [0, 1, 2, 3, 4, 5, 6, 7, 100, 254, 255]) {
    const made = flip(key.bytes, bit);
    const keyError = whatIsWrongWithKey(made);
    const name = `bit ${bit} of the key flipped`;
    addCase({ name, key: made, message, signature, flags: ["flipped_bit"], ...(keyError && { keyError }) });
  }
}

function addMismatches(): void {
  const flags = ["mismatch"];
  const others: [string, Uint8Array, Uint8Array][] = [
    ["signature of another key", message, otherKey.sign(message)],
    ["signature of a shorter message", message, key.sign(message.subarray(0, 73))],
    ["signature of a longer message", message, key.sign(Buffer.concat([message, Buffer.alloc(1)]))],
    ["S and R swapped", message, Buffer.concat([validS, validR])],
    ["S with its bytes reversed", message, Buffer.concat([validR, Buffer.from(validS).reverse()])],
    ["R with its bytes reversed", message, Buffer.concat([Buffer.from(validR).reverse(), validS])],
    [
      "-R",
      message,
      Buffer.concat([encodeParts(toNumber(validR) % 2n ** 255n, 1n - (toNumber(validR) >> 255n)), validS]),
    ],
    ["-S", message, Buffer.concat([validR, toBytes(L - toNumber(validS))])],
    ["all zero", message, Buffer.alloc(64)],
    ["all ones", message, Buffer.alloc(64, 0xff)],
  ];
  for (const [name, text, made] of others) addCase({ name, key: key.bytes, message: text, signature: made, flags });
}

function addExtremeS(): void {
  const s = toNumber(validS);
  const values: [string, bigint][] = [
    ["0", 0n],
    ["1", 1n],
    ["8", 8n],
    ["L - 1", L - 1n],
    ["L", L],
    ["L + 1", L + 1n],
    ["2^252", 2n ** 252n],
    ["2^253", 2n ** 253n],
    ["2^254", 2n ** 254n],
    ["2^255", 2n ** 255n],
    ["2^256 - 1", 2n ** 256n - 1n],
    ["s + 2^253", s + 2n ** 253n],
    ["s + 2^255", s + 2n ** 255n],
  ];
  // s + k·L satisfies the equation: what makes signatures malleable, unless S < L is checked.
  for (let factor = 1n; s + factor * L < 2n ** 256n; factor += 1n) values.push([`s + ${factor} L`, s + factor * L]);
  for (const [name, value] of values) {
    const made = Buffer.concat([validR, toBytes(value)]);
    addCase({ name: `S = ${name}`, key: key.bytes, message, signature: made, flags: ["extreme_S"] });
  }
  // The same multiples where the equation gives the neutral point.
  const neutral = signatureWith({ r: 0n, scalar: key.scalar, bytes: key.bytes, message });
  const made = Buffer.concat([neutral.subarray(0, 32), toBytes(toNumber(neutral.subarray(32)) + L)]);
  addCase({ name: "R neutral, S = s + L", key: key.bytes, message, signature: made, flags: ["extreme_S"] });
}

function addUnusualR(): void {
  // S = h·a makes S·B - h·A neutral: what all these R are, too, after multiplication by 8.
  for (const [index, point] of torsion.entries()) {
    const made = signatureWith({ r: 0n, scalar: key.scalar, bytes: key.bytes, message, encodedR: encode(point) });
    const accept = index === 0;
    const flags = ["small_order_R", "cofactored_valid", ...(accept ? ["cofactorless_valid"] : [])];
    addCase({ name: `R of small order, ${index} T`, key: key.bytes, message, signature: made, accept, flags });
  }
  for (const { name, bytes } of nonCanonicalTorsion) {
    const made = signatureWith({ r: 0n, scalar: key.scalar, bytes: key.bytes, message, encodedR: bytes });
    const flags = ["small_order_R", "non_canonical_R"];
    addCase({ name: `R not canonical, ${name}`, key: key.bytes, message, signature: made, flags });
  }
  // The same with an R whose other part is of prime order.
  for (const [index, point] of torsion.entries()) {
    if (index === 0) continue;
    const r = scalarOf(`mixed R ${index}`);
    const encodedR = encode(add(multiply(r, BASE), point));
    const made = signatureWith({ r, scalar: key.scalar, bytes: key.bytes, message, encodedR });
    const flags = ["mixed_order_R", "cofactored_valid"];
    addCase({ name: `R = r B + ${index} T`, key: key.bytes, message, signature: made, flags });
  }
  for (const sign of [0n, 1n]) {
    for (const y of smallYOnCurve.slice(0, 3)) {
      const made = Buffer.concat([encodeParts(y + P, sign), validS]);
      const name = `R not canonical, y = ${y} written as p + ${y}, sign ${sign}`;
      addCase({ name, key: key.bytes, message, signature: made, flags: ["non_canonical_R"] });
      const canonical = Buffer.concat([encodeParts(y, sign), validS]);
      const flags = ["foreign_R"];
      addCase({ name: `R with y = ${y}, sign ${sign}`, key: key.bytes, message, signature: canonical, flags });
    }
    for (const y of [...smallYOffCurve.slice(0, 2), ...smallYOffCurve.slice(0, 1).map((small) => small + P)]) {
      const made = Buffer.concat([encodeParts(y, sign), validS]);
      const name = `R not on the curve, y = ${y < P ? y : `p + ${y - P}`}, sign ${sign}`;
      addCase({ name, key: key.bytes, message, signature: made, flags: ["R_not_on_curve"] });
    }
    const made = Buffer.concat([encodeParts(2n ** 255n - 1n, sign), validS]);
    const name = `R with y = 2^255 - 1, sign ${sign}`;
    addCase({ name, key: key.bytes, message, signature: made, flags: ["non_canonical_R"] });
  }
}

/** A message, counted up, whose h is `residue` modulo 8, and also after reduction modulo L. */
function messageWithChallenge(residue: bigint, encodedR: Uint8Array, bytes: Uint8Array): Buffer {
  for (let counter = 0; ; counter += 1) {
    const text = Buffer.from(message);
    text.writeUInt32LE(counter, 70);
    const h = challenge(encodedR, bytes, text);
    if (h % 8n === residue && (h % L) % 8n === residue) return text;
  }
}

/** Signatures that lenient verifiers accept, under keys that may not be registered. */
function addUnusualKeys(): void {
  const r = scalarOf("nonce of unusual keys");
  const encodedR = encode(multiply(r, BASE));
  const addKey = (name: string, bytes: Uint8Array, scalar: bigint, keyError: KeyError, flags: string[]) => {
    // With h a multiple of 8, h·A forgets the part of A that is of small order.
    const text = messageWithChallenge(0n, encodedR, bytes);
    const made = signatureWith({ r, scalar, bytes, message: text });
    addCase({ name, key: bytes, message: text, signature: made, keyError, flags: [...flags, "cofactorless_valid"] });
  };
  for (const [index, point] of torsion.entries()) {
    addKey(`A of small order, ${index} T`, encode(point), 0n, "PublicKeyNotPrimeOrder", ["small_order_A"]);
  }
  for (const { name, bytes } of nonCanonicalTorsion) {
    const flags = ["small_order_A", "non_canonical_A"];
    addKey(`A not canonical, ${name}`, bytes, 0n, "NonCanonicalPublicKey", flags);
  }
  for (const [index, point] of torsion.entries()) {
    if (index === 0) continue;
    const bytes = encode(add(key.point, point));
    addKey(`A = a B + ${index} T`, bytes, key.scalar, "PublicKeyNotPrimeOrder", ["mixed_order_A"]);
    const made = signatureWith({ r, scalar: key.scalar, bytes, message });
    const flags = ["mixed_order_A", "cofactored_valid"];
    const name = `A = a B + ${index} T, any message`;
    addCase({ name, key: bytes, message, signature: made, keyError: "PublicKeyNotPrimeOrder", flags });

    // With h = -1 modulo 8, h·(a B + i T) = h·a B - i T, so that R = r B + i T fulfils the equation as it is.
    const mixedR = encode(add(multiply(r, BASE), point));
    const text = messageWithChallenge(7n, mixedR, bytes);
    addCase({
      name: `A = a B + ${index} T, R = r B + ${index} T`,
      key: bytes,
      message: text,
      signature: signatureWith({ r, scalar: key.scalar, bytes, message: text, encodedR: mixedR }),
      keyError: "PublicKeyNotPrimeOrder",
      flags: ["mixed_order_A", "mixed_order_R", "cofactorless_valid"],
    });
  }
  for (const sign of [0n, 1n]) {
    for (const y of smallYOnCurve.slice(0, 3)) {
      const bytes = encodeParts(y + P, sign);
      const name = `A not canonical, y = ${y} written as p + ${y}, sign ${sign}`;
      const flags = ["non_canonical_A"];
      addCase({ name, key: bytes, message, signature, keyError: "NonCanonicalPublicKey", flags });
    }
    for (const y of smallYOffCurve.slice(0, 3)) {
      const name = `A not on the curve, y = ${y}, sign ${sign}`;
      const flags = ["A_not_on_curve"];
      addCase({ name, key: encodeParts(y, sign), message, signature, keyError: "PublicKeyNotOnCurve", flags });
    }
    const name = `A with y = 2^255 - 1, sign ${sign}`;
    const bytes = encodeParts(2n ** 255n - 1n, sign);
    addCase({ name, key: bytes, message, signature, keyError: "NonCanonicalPublicKey", flags: ["non_canonical_A"] });
  }
}

function main(options: string[]): number {
  if (options.some((option) => option !== "--check")) {
    process.stderr.write("usage: node scripts/generateEd25519Vectors.ts [--check]\n");
    return 2;
  }
  addValidSignatures();
  addFlippedBits();
  addMismatches();
  addExtremeS();
  addUnusualR();
  addUnusualKeys();
  const names = new Set(cases.map(({ name }) => name));
  if (names.size !== cases.length) throw new Error("two cases have the same name");

  // Lists stand on one line, as the repository's formatter wants it.
  const json = JSON.stringify({ generatedBy: "scripts/generateEd25519Vectors.ts", cases }, undefined, 2);
  const text = `${json.replace(/\[\s+("[^[\]{}]*")\s+\]/g, (_, list: string) => `[${list.replace(/\s+/g, " ")}]`)}\n`;
  if (!options.includes("--check")) {
    writeFileSync(OUTPUT, text);
    process.stdout.write(
      `${cases.length} cases, ${cases.filter(({ accept }) => accept).length} to accept: ${OUTPUT}\n`,
    );
    return 0;
  }
  let committed = "";
  try {
    committed = readFileSync(OUTPUT, "utf8");
  } catch (error) {
    process.stderr.write(`cannot read ${OUTPUT}: ${error instanceof Error ? error.message : error}\n`);
  }
  if (committed === text) return 0;
  process.stderr.write(`${OUTPUT} is not what this script makes; run it without --check\n`);
  return 1;
}

process.exitCode = main(process.argv.slice(2));
