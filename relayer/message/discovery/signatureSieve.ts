import { hash } from "node:crypto";
import { Point } from "@noble/ed25519";
import type { Ed25519PublicKey } from "../ed25519.ts";
import { SIGNATURE_LENGTH } from "../update.ts";
import { ACCUMULATOR, createCurveArithmetic, FREE_MEMORY, POINT_BYTES } from "./curveArithmetic.ts";

/**
 * Tells which of very many messages a signature belongs to, at an eighth of what OpenSSL takes to verify each.
 *
 * A signature (R, S) under a key A verifies where S·B = R + h·A and h = SHA-512(R, A, message) mod L (RFC 8032, section
 * 5.1.7). Of this only h changes from message to message. So what is left of a check is one hash and one multiplication
 * of a fixed point, which takes some twenty or thirty additions out of a table and no doubling.
 *
 * It finds every message that the signature belongs to. What it finds is to be verified properly all the same.
 *
 * @module
 */

const { p: P, n: L, d: D } = Point.CURVE();

/** h is below 2^252 + 2^125, so that its last digit, of 8 or of 11 bits, carries nothing on. */
const BITS_OF_H = 253;

/** Digits of h with a table that is made at once, and with one that takes some tenths of a second. */
const FEW_MESSAGES = { digitBits: 8 } as const;
const MANY_MESSAGES = { digitBits: 11 } as const;

/** From so many messages on the larger table has paid for itself. */
const MANY = 50_000;

/** p in the lowest limb of a number. */
const LOWEST_OF_P = Number(BigInt.asUintN(26, P));

export type SignatureSieve = {
  /** R, A, message: what h is the hash of. The message is for the caller to write, at {@link MESSAGE_OFFSET}. */
  readonly input: Uint8Array;
  /** Whether the signature belongs to the message that `input` now holds. */
  readonly mayBeSigned: () => boolean;
};

/** Where the message stands in the input of the hash. */
export const MESSAGE_OFFSET = 64;

/**
 * Prepares the search for one signature.
 * @param expected How many messages there will be to tell apart, about: more preparation pays for more of them.
 * @returns `undefined` when the signature belongs to no message at all: R is no point, or S not below L.
 */
export function createSignatureSieve(
  key: Ed25519PublicKey,
  signature: Uint8Array,
  messageLength: number,
  expected: number,
): SignatureSieve | undefined {
  const start = startingPoint(signature);
  if (!start) return undefined;

  const { digitBits } = expected < MANY ? FEW_MESSAGES : MANY_MESSAGES;
  const digits = Math.ceil(BITS_OF_H / digitBits);
  const base = 2 ** digitBits;
  // A digit d above half of the base is written as d - base, and one is carried on: a table of half the length.
  const largestDigit = base / 2;
  const curve = createCurveArithmetic(digits * largestDigit);
  writeMultiples(key.point, digits, largestDigit, (index, point) => {
    const address = FREE_MEMORY + index * POINT_BYTES;
    curve.write(address, modulo(point.y + point.x));
    curve.write(address + POINT_BYTES / 3, modulo(point.y - point.x));
    curve.write(address + (2 * POINT_BYTES) / 3, modulo(2n * D * point.x * point.y));
  });

  const input = new Uint8Array(MESSAGE_OFFSET + messageLength);
  input.set(signature.subarray(0, 32), 0);
  input.set(key.bytes, 32);
  // Four words of h, and a byte beyond it, so that digits can be read three bytes at a time.
  const words = new BigUint64Array(5);
  const bytes = new Uint8Array(words.buffer);
  curve.write(ACCUMULATOR.x, start.x);
  curve.write(ACCUMULATOR.y, start.y);
  curve.write(ACCUMULATOR.z, 1n);
  curve.write(ACCUMULATOR.t, modulo(start.x * start.y));
  curve.keepAccumulator();

  return {
    input,
    mayBeSigned() {
      let h = BigInt(`0x${hash("sha512", input, "buffer").reverse().toString("hex")}`) % L;
      for (let word = 0; word < 4; word += 1) {
        words[word] = h;
        h >>= 64n;
      }
      curve.resetAccumulator();
      let carry = 0;
      for (let index = 0; index < digits; index += 1) {
        const bit = index * digitBits;
        const at = bit >> 3;
        const three = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
        const unsigned = ((three >> (bit & 7)) & (base - 1)) + carry;
        carry = unsigned > largestDigit ? 1 : 0;
        const digit = unsigned - base * carry;
        if (digit === 0) continue;
        const multiple = index * largestDigit + Math.abs(digit) - 1;
        curve.addPoint(FREE_MEMORY + multiple * POINT_BYTES, digit < 0);
      }
      // The sum is neutral where x is 0. Its lowest limb tells all but one in thirty million of the others apart.
      const lowest = curve.readLowest(ACCUMULATOR.x);
      return (lowest === 0 || lowest === LOWEST_OF_P) && curve.read(ACCUMULATOR.x) % P === 0n;
    },
  };
}

/** R - S·B, to which the right h·A adds up to the neutral point. */
function startingPoint(signature: Uint8Array): { x: bigint; y: bigint } | undefined {
  if (signature.length !== SIGNATURE_LENGTH) return undefined;
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`);
  if (s >= L) return undefined;
  let r: Point;
  try {
    r = Point.fromBytes(Uint8Array.from(signature.subarray(0, 32)));
  } catch {
    return undefined;
  }
  return (s === 0n ? r : r.subtract(Point.BASE.multiply(s, false))).toAffine();
}

/** 1, 2 … n times the point, then as many multiples of 2n times the point, and so on, in affine coordinates. */
function writeMultiples(
  point: Point,
  digits: number,
  largestDigit: number,
  write: (index: number, multiple: { x: bigint; y: bigint }) => void,
): void {
  const multiples: Point[] = [];
  let base = point;
  for (let digit = 0; digit < digits; digit += 1) {
    let multiple = base;
    for (let count = 1; count <= largestDigit; count += 1) {
      multiples.push(multiple);
      if (count < largestDigit) multiple = multiple.add(base);
    }
    base = multiple.double();
  }
  // One inversion for all (Montgomery's trick): products of all Z up to each, inverted, and taken apart from the end.
  const products = [1n];
  for (const { Z } of multiples) products.push(modulo((products.at(-1) ?? 1n) * Z));
  let inverse = power(products.at(-1) ?? 1n, P - 2n);
  for (let index = multiples.length - 1; index >= 0; index -= 1) {
    const { X, Y, Z } = multiples[index] ?? point;
    const inverseOfZ = modulo(inverse * (products[index] ?? 1n));
    inverse = modulo(inverse * Z);
    write(index, { x: modulo(X * inverseOfZ), y: modulo(Y * inverseOfZ) });
  }
}

function modulo(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square, rest] = [1n, base, exponent];
  while (rest > 0n) {
    if (rest & 1n) result = modulo(result * square);
    square = modulo(square * square);
    rest >>= 1n;
  }
  return result;
}
