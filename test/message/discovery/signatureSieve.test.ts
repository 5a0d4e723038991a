import { Point } from "@noble/ed25519";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSignatureSieve, MESSAGE_OFFSET } from "../../../relayer/message/discovery/signatureSieve.ts";
import { checkSignature, decodePublicKey } from "../../../relayer/message/ed25519.ts";
import { createMessageSigner } from "../../../simulator/messageSigner.ts";
import { PUBLIC_KEY, SIGNER } from "../signedPrices.ts";

const LENGTH = 74;
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

function sieveOf(key: Uint8Array, signature: Uint8Array, expected: number): (message: Uint8Array) => boolean {
  const sieve = createSignatureSieve(decodePublicKey(key), signature, LENGTH, expected);
  if (!sieve) throw new Error("no message can have this signature");
  return (message) => {
    sieve.input.set(message, MESSAGE_OFFSET);
    return sieve.mayBeSigned();
  };
}

describe("the sieve", () => {
  test.each([
    ["few", 1, 20],
    ["many", 1_000_000, 4],
  ])("for %s messages lets the signed one through and holds every other back", (_name, expected, numRuns) => {
    fc.assert(
      fc.property(
        bytes(32),
        bytes(LENGTH),
        fc.array(bytes(LENGTH), { minLength: 20, maxLength: 20 }),
        (seed, message, others) => {
          const signer = createMessageSigner(seed);
          const mayBeSigned = sieveOf(signer.publicKey, signer.sign(message), expected);
          for (const other of others) {
            expect(mayBeSigned(other)).toBe(Buffer.from(other).equals(Buffer.from(message)));
            expect(mayBeSigned(message)).toBe(true);
          }
        },
      ),
      { seed: 20_261_121, numRuns },
    );
  });

  test("answers as proper verification does for signatures that were tampered with", () => {
    const message = new Uint8Array(LENGTH).fill(3);
    fc.assert(
      fc.property(fc.nat(63), fc.nat(7), (byte, bit) => {
        const signature = SIGNER.sign(message);
        signature[byte] = (signature[byte] ?? 0) ^ (1 << bit);
        const sieve = createSignatureSieve(PUBLIC_KEY, signature, LENGTH, 1);
        sieve?.input.set(message, MESSAGE_OFFSET);
        expect(sieve?.mayBeSigned() ?? false).toBe(checkSignature(PUBLIC_KEY, message, signature).valid);
      }),
      { seed: 20_261_121, numRuns: 20 },
    );
  });

  test("knows a signature that no message can have: S not below the order, R no point, a wrong length", () => {
    const signature = SIGNER.sign(new Uint8Array(LENGTH));
    const largeS = Uint8Array.from(signature).fill(0xff, 32);
    // y = 2 is no point of the curve.
    const noPoint = Uint8Array.from(signature).fill(0, 0, 32);
    noPoint[0] = 2;
    for (const impossible of [largeS, noPoint, signature.slice(1)]) {
      expect(createSignatureSieve(PUBLIC_KEY, impossible, LENGTH, 1)).toBeUndefined();
    }
  });

  test("takes S = 0, where nothing is multiplied", () => {
    const signature = new Uint8Array(64);
    signature.set(Point.BASE.toBytes());
    const sieve = createSignatureSieve(PUBLIC_KEY, signature, LENGTH, 1);
    expect(sieve?.mayBeSigned()).toBe(false);
  });
});
