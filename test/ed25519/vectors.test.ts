import { Point } from "@noble/ed25519";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  checkSignature,
  decodePublicKey,
  type Ed25519PublicKey,
  InvalidPublicKeyError,
} from "../../relayer/message/ed25519.ts";
import { verdictsOf } from "./batches.ts";
import { toHex } from "./hex.ts";
import { externalFolder, externalSources, generatedSource, type Vector, type VectorSource } from "./vectors.ts";
import {
  CONTRACT_ERROR_OF_CODE,
  halves,
  startVerifiers,
  type Verdict,
  type Verifiers,
  verdictNamed,
  verdictOf,
} from "./verifiers.ts";

const { p: P } = Point.CURVE();

if (externalFolder === undefined) {
  process.stdout.write(
    "test/ed25519: the vectors of RFC 8032, Wycheproof and CCTV are skipped, because neither ED25519_VECTORS_DIR nor " +
      "the folder shared/vectors beside this checkout leads to them.\n",
  );
}

let verifiers: Verifiers;
beforeAll(async () => {
  verifiers = await startVerifiers();
});
afterAll(() => verifiers.connection.close());

describe("generated vectors", () => testSource(generatedSource));
describe.skipIf(externalFolder === undefined).each(externalSources)("vectors of $name", testSource);

function testSource({ load, counts, underAcceptedKeys }: VectorSource): void {
  it("has as many cases and keys as it should", () => {
    const vectors = load();
    expect(vectors).toHaveLength(counts.cases);
    expect(new Set(vectors.map(({ publicKey }) => toHex(publicKey))).size).toBe(counts.keys);
  });

  it("off-chain: accepts exactly what it should", () => {
    const accepted = load().filter((vector) => {
      const accept = acceptedOffChain(vector);
      if (vector.accept !== undefined) expect(accept, vector.name).toBe(vector.accept);
      return accept;
    });
    expect(accepted).toHaveLength(counts.accepted);
  });

  it("on-chain: agrees with off-chain on every key and signature, with any hint and without", async () => {
    const vectors = load();
    // Contracts take r and s of 32 bytes each: a signature of another length cannot even be put to them. Those cases
    // are for whoever cuts bytes into signatures, off-chain.
    const representable = vectors.filter(({ signature }) => signature.length === 64);
    let accepted = 0;
    let verified = vectors.length - representable.length;
    for (const vector of representable) {
      const key = decodedKey(vector.publicKey);
      const verifier = await verifiers.verifierOf(vector.publicKey);
      if (typeof key === "string" || typeof verifier === "string") {
        expect(verifier, vector.name).toBe(key);
        continue;
      }
      const { message, signature } = vector;
      const check = checkSignature(key, message, signature);
      const expected: Verdict = check.valid ? "Valid" : "InvalidSignature";
      expect(await verdictOf(verifier, message, signature), vector.name).toBe(expected);

      const xOfR = xOf(signature.subarray(0, 32));
      if (xOfR !== undefined) {
        expect(await verdictOf(verifier, message, signature, xOfR), `${vector.name}, hint`).toBe(expected);
      }
      for (const hint of wrongHints(signature.subarray(0, 32), xOfR, verified)) {
        const verdict = await verdictOf(verifier, message, signature, hint);
        expect(verdict, `${vector.name}, wrong hint ${hint}`).toBe("WrongHint");
      }
      verified += 1;
      if (check.valid) accepted += 1;
    }
    expect(accepted).toBe(counts.accepted);
    expect(verified).toBe(underAcceptedKeys);
  });

  it("on-chain: a batch, and the library in Solidity, judge as a verifier does one by one", async () => {
    const harness = await verifiers.viem.deployContract("Ed25519Harness");
    // A batch is of one key, and its messages of one length.
    const batches = Map.groupBy(
      load().filter(({ signature }) => signature.length === 64),
      ({ publicKey, message }) => `${toHex(publicKey)}, ${message.length} bytes`,
    );
    for (const [name, vectors] of batches) {
      const key = decodedKey(vectors[0]?.publicKey ?? new Uint8Array());
      if (typeof key === "string") continue;
      const verifier = await verifiers.verifierOf(key.bytes);
      if (typeof verifier === "string") throw new Error(verifier);
      const cases = vectors.map(({ message, signature }) => {
        const xOfR = xOf(signature.subarray(0, 32));
        const isValid = checkSignature(key, message, signature).valid;
        const verdict: Verdict = isValid ? "Valid" : "InvalidSignature";
        return { message, signature, xOfR: xOfR ?? 2n, verdict, hinted: xOfR === undefined ? "WrongHint" : verdict };
      });
      expect(await verdictsOf(verifier, cases, false), name).toEqual(cases.map(({ verdict }) => verdict));
      expect(await verdictsOf(verifier, cases, true), name).toEqual(cases.map(({ hinted }) => hinted));
      for (const { message, signature, xOfR, verdict, hinted } of cases) {
        const [r, s] = halves(signature);
        const verdicts = await harness.read.verifyAllWays([key.hex, toHex(message), r, s, xOfR, P]);
        expect(verdicts.map(verdictNamed), name).toEqual([verdict, hinted, "WrongHint"]);
      }
    }
  });
}

describe("generated vectors, what only they state", () => {
  it("names the fault of each bad key", () => {
    for (const { name, publicKey, keyError } of generatedSource.load()) {
      const key = decodedKey(publicKey);
      expect(typeof key === "string" ? key : null, name).toBe(keyError);
    }
  });

  it("gives x of R for each valid signature", () => {
    for (const { name, publicKey, message, signature, accept, xOfR } of generatedSource.load()) {
      if (!accept) continue;
      expect(checkSignature(decodePublicKey(publicKey), message, signature), name).toEqual({ valid: true, xOfR });
    }
  });

  it("takes the same R for a point as this test does", () => {
    for (const { name, signature, xOfR } of generatedSource.load()) {
      expect(xOf(signature.subarray(0, 32)) ?? null, name).toBe(xOfR);
    }
  });
});

/** The key, or the name of the error with which the contracts should refuse it. */
function decodedKey(bytes: Uint8Array): Ed25519PublicKey | string {
  try {
    return decodePublicKey(bytes);
  } catch (error) {
    if (!(error instanceof InvalidPublicKeyError) || error.code === "PUBLIC_KEY_LENGTH") throw error;
    return CONTRACT_ERROR_OF_CODE[error.code];
  }
}

function acceptedOffChain({ publicKey, message, signature }: Vector): boolean {
  const key = decodedKey(publicKey);
  return typeof key !== "string" && checkSignature(key, message, signature).valid;
}

/** x of the point that 32 bytes encode canonically. */
function xOf(encoding: Uint8Array, isLenient = false): bigint | undefined {
  try {
    return Point.fromBytes(encoding, isLenient).x;
  } catch {
    return undefined;
  }
}

/** Hints that are not x of R: two of many, others each time. */
function wrongHints(encoding: Uint8Array, xOfR: bigint | undefined, turn: number): bigint[] {
  // Where R is not canonical, a lenient decoder's x is the best wrong hint there is.
  const x = xOfR ?? xOf(encoding, true) ?? 2n;
  const candidates = [P - x, x + P, x ^ 1n, 0n, P, 2n ** 256n - 1n, (x + 2n) % P];
  if (xOfR === undefined) return [x, candidates[turn % candidates.length] ?? 0n];
  const wrong = candidates.filter((hint) => hint !== xOfR);
  return [turn, turn + 3].map((index) => wrong[index % wrong.length] ?? P);
}
