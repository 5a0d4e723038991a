import fc from "fast-check";
import { network } from "hardhat";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  checkSignature,
  decodePublicKey,
  type Ed25519PublicKey,
  InvalidPublicKeyError,
} from "../../relayer/message/ed25519.ts";
import { toHex } from "./hex.ts";
import { nodeAccepts, signerOfSeed } from "./signers.ts";
import { CONTRACT_ERROR_OF_CODE, errorNameOf, halves, PROPERTY_RUNS, verdictNamed } from "./verifiers.ts";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const TIMEOUT = 1_800_000;

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyMessage = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 74, maxLength: 74 }));

const connection = await network.create();
afterAll(() => connection.close());

describe("Ed25519 on-chain and off-chain", () => {
  let harness: Awaited<ReturnType<typeof deployHarness>>;
  beforeAll(async () => {
    harness = await deployHarness();
  });

  const verifyAllWays = async (
    key: Ed25519PublicKey,
    message: Uint8Array,
    signature: Uint8Array,
    xOfR: bigint,
    wrongXOfR: bigint,
  ) => {
    const verdicts = await harness.read.verifyAllWays([key.hex, toHex(message), ...halves(signature), xOfR, wrongXOfR]);
    return verdicts.map(verdictNamed);
  };

  it(
    "accept what node:crypto has signed, and no hint but the right one",
    async () => {
      const property = fc.asyncProperty(
        bytes32,
        anyMessage,
        fc.bigInt(0n, 2n ** 256n - 1n),
        fc.boolean(),
        async (seed, message, other, isNear) => {
          const signer = signerOfSeed(seed);
          const key = decodePublicKey(signer.publicKey);
          const signature = signer.sign(message);
          const check = checkSignature(key, message, signature);
          if (!check.valid) throw new Error(check.reason);
          const wrong = isNear ? P - check.xOfR : other;
          expect(await verifyAllWays(key, message, signature, check.xOfR, wrong)).toEqual([
            "Valid",
            "Valid",
            "WrongHint",
          ]);
        },
      );
      await fc.assert(property, { numRuns: PROPERTY_RUNS });
    },
    TIMEOUT,
  );

  it(
    "judge a corrupted signature or message as node:crypto does",
    async () => {
      const corruption = fc.record({
        part: fc.constantFrom("R", "S", "message", "nothing", "malleable S"),
        position: fc.nat(),
        mask: fc.integer({ min: 1, max: 255 }),
        factor: fc.bigInt(1n, 14n),
      });
      const property = fc.asyncProperty(bytes32, anyMessage, corruption, async (seed, original, { part, ...how }) => {
        const signer = signerOfSeed(seed);
        const key = decodePublicKey(signer.publicKey);
        const signature = signer.sign(original);
        const message = Uint8Array.from(original);
        const before = checkSignature(key, original, signature);
        if (!before.valid) throw new Error(before.reason);
        if (part === "R") corrupt(signature.subarray(0, 32), how);
        if (part === "S") corrupt(signature.subarray(32), how);
        if (part === "message") corrupt(message, how);
        if (part === "malleable S") addOrders(signature.subarray(32), how.factor);

        const expected = nodeAccepts(signer.publicKey, message, signature);
        expect(checkSignature(key, message, signature).valid).toBe(expected);
        const [plain, hinted, misled] = await verifyAllWays(key, message, signature, before.xOfR, P - before.xOfR);
        expect(plain).toBe(expected ? "Valid" : "InvalidSignature");
        // With R corrupted the hint is wrong, unless both have the same x up to the sign, which chance does not produce.
        expect(hinted).toBe(part === "R" ? "WrongHint" : plain);
        expect(misled).toBe("WrongHint");
      });
      await fc.assert(property, { numRuns: PROPERTY_RUNS });
    },
    TIMEOUT,
  );

  it(
    "decode any 32 bytes alike",
    async () => {
      const anyKey = fc.oneof(
        bytes32,
        // Encodings about the bound p, and of small numbers.
        fc.tuple(fc.bigInt(-40n, 40n), fc.boolean()).map(([offset, sign]) => {
          const y = offset < 0n ? 2n ** 255n + offset : offset;
          return littleEndian(y | (sign ? 2n ** 255n : 0n));
        }),
        bytes32.map((seed) => signerOfSeed(seed).publicKey),
      );
      const property = fc.asyncProperty(anyKey, async (encoding) => {
        let offChain: string | readonly bigint[];
        try {
          const { x, y } = decodePublicKey(encoding).point.toAffine();
          offChain = [P - x, y];
        } catch (error) {
          if (!(error instanceof InvalidPublicKeyError) || error.code === "PUBLIC_KEY_LENGTH") throw error;
          offChain = CONTRACT_ERROR_OF_CODE[error.code];
        }
        const onChain = await harness.read.decodePublicKey([toHex(encoding)]).catch(errorNameOf);
        expect(onChain).toEqual(offChain);
      });
      await fc.assert(property, { numRuns: PROPERTY_RUNS });
    },
    TIMEOUT,
  );
});

function deployHarness() {
  return connection.viem.deployContract("Ed25519Harness");
}

function corrupt(bytes: Uint8Array, { position, mask }: { position: number; mask: number }): void {
  if (bytes.length === 0) return;
  const index = position % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ mask;
}

/** s + factor·L still fits 256 bits for a factor up to 14. */
function addOrders(s: Uint8Array, factor: bigint): void {
  s.set(littleEndian(BigInt(toHex(Uint8Array.from(s).reverse())) + factor * L));
}

function littleEndian(number: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse());
}
