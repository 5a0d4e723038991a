import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import { checkSignature, decodePublicKey, InvalidPublicKeyError } from "../../relayer/message/ed25519.ts";
import { fromHex } from "./hex.ts";
import { nodeAccepts, signerNamed, signerOfSeed } from "./signers.ts";
import { PROPERTY_RUNS } from "./verifiers.ts";

const signer = signerNamed("off-chain");
const key = decodePublicKey(signer.publicKey);
const message = new TextEncoder().encode("a message");
const signature = signer.sign(message);

describe("decodePublicKey", () => {
  it("gives bytes, hex and point of a good key", () => {
    expect(key.bytes).toEqual(signer.publicKey);
    expect(key.hex).toBe(`0x${Buffer.from(signer.publicKey).toString("hex")}`);
    expect(key.point.toBytes()).toEqual(signer.publicKey);
  });

  it("keeps a copy of its own", () => {
    const bytes = Uint8Array.from(signer.publicKey);
    const decoded = decodePublicKey(bytes);
    bytes.fill(0);
    expect(checkSignature(decoded, message, signature).valid).toBe(true);
  });

  it.each([
    ["PUBLIC_KEY_LENGTH", ""],
    ["PUBLIC_KEY_LENGTH", "00".repeat(31)],
    ["PUBLIC_KEY_LENGTH", "00".repeat(33)],
    ["PUBLIC_KEY_NOT_CANONICAL", `ed${"ff".repeat(30)}7f`],
    ["PUBLIC_KEY_NOT_CANONICAL", "ff".repeat(32)],
    ["PUBLIC_KEY_NOT_CANONICAL", `01${"00".repeat(30)}80`],
    ["PUBLIC_KEY_NOT_CANONICAL", `ec${"ff".repeat(31)}`],
    ["PUBLIC_KEY_NOT_ON_CURVE", `02${"00".repeat(31)}`],
    ["PUBLIC_KEY_NOT_PRIME_ORDER", `01${"00".repeat(31)}`],
    ["PUBLIC_KEY_NOT_PRIME_ORDER", "00".repeat(32)],
  ])("refuses with %s: %s", (code, hex) => {
    let thrown: unknown;
    try {
      decodePublicKey(fromHex(hex));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidPublicKeyError);
    expect(thrown).toBeInstanceOf(HomePriceError);
    expect(thrown).toMatchObject({ code, kind: "configuration", name: "InvalidPublicKeyError" });
    expect((thrown as HomePriceError).hint).not.toBe("");
  });
});

describe("checkSignature", () => {
  it("accepts a good signature of messages of all lengths from 0 to 300", () => {
    for (let length = 0; length <= 300; length += 1) {
      const text = new Uint8Array(length).fill(length & 0xff);
      expect(checkSignature(key, text, signer.sign(text)).valid, `${length} bytes`).toBe(true);
    }
  });

  it("says what is wrong", () => {
    expect(checkSignature(key, message, signature.subarray(0, 63))).toEqual({
      valid: false,
      reason: "a signature is 64 bytes long, this one is 63",
    });
    expect(checkSignature(key, message, new Uint8Array(0)).valid).toBe(false);
    expect(checkSignature(key, message, Uint8Array.from([...signature, 0])).valid).toBe(false);
    expect(checkSignature(key, message, new Uint8Array(64).fill(255))).toEqual({
      valid: false,
      reason: "S is not below the group order",
    });
    expect(checkSignature(key, new Uint8Array(1), signature)).toEqual({
      valid: false,
      reason: "the signature does not belong to this message and key",
    });
  });

  it("takes bytes out of the middle of a buffer, and changes none", () => {
    const buffer = Uint8Array.from([1, 2, 3, ...signature, 4, 5]);
    const before = Uint8Array.from(buffer);
    expect(checkSignature(key, message, buffer.subarray(3, 67)).valid).toBe(true);
    expect(buffer).toEqual(before);
  });

  it("never throws, and judges any 64 bytes as node:crypto does", () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(seeds, fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.boolean(), (seed, bytes, isLow) => {
        const { publicKey } = signerOfSeed(seed);
        // Half of the time below 2^252, so that S is not too large at once.
        if (isLow) bytes[63] = (bytes[63] ?? 0) & 0x0f;
        const check = checkSignature(decodePublicKey(publicKey), message, bytes);
        expect(check.valid).toBe(nodeAccepts(publicKey, message, bytes));
      }),
      { numRuns: PROPERTY_RUNS },
    );
  }, 600_000);
});
