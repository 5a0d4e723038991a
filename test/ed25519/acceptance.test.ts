import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomNumbers } from "../../scripts/mutation/randomNumbers.ts";
import { type SignedMessage, verdictsOf } from "./batches.ts";
import { toHex } from "./hex.ts";
import { nodeAccepts, type Signer, signerNamed } from "./signers.ts";
import { halves, LONG, startVerifiers, type Verdict, type Verifier, verdictNamed, verdictOf } from "./verifiers.ts";

/**
 * That deployed verifiers accept exactly what they should: random signatures, and as many corrupted ones, against
 * node:crypto, and messages of every length.
 */

const P = 2n ** 255n - 19n;

/** How many signatures are judged in one call, and how many of these are tried: half of the signatures are corrupted. */
const BATCH = 100;
const BATCHES = LONG ? 2_000 : 4;
/** Of every so many, one is put to the library in Solidity as well, which takes its time. */
const LIBRARY_SHARE = LONG ? 20 : 10;

/** The length for which the contracts have a way of their own; every other batch is of another. */
const USUAL_LENGTH = 74;
const LONGEST = 300;

const TIMEOUT = 7_200_000;

const chain = await startVerifiers();
afterAll(() => chain.connection.close());

/** A verifier with its signer. */
interface Keyed {
  readonly signer: Signer;
  readonly verifier: Verifier;
}

/** A message whose signature may be corrupted, and what is due to it without and with its hint. */
interface Case extends SignedMessage {
  readonly plain: Verdict;
  readonly hinted: Verdict;
}

const CORRUPTIONS = ["message", "R", "S", "hint", "key"] as const;

describe("deployed verifiers", () => {
  // Two with tables for large batches, two without.
  const names = ["with tables", "also with tables", "without tables", "also without tables"];
  let keys: readonly Keyed[] = [];
  beforeAll(async () => {
    const opened: Keyed[] = [];
    for (const name of names) {
      const signer = signerNamed(name);
      if (!name.includes("without")) await chain.factory.write.deployBatchTables([toHex(signer.publicKey)]);
      const verifier = await chain.verifierOf(signer.publicKey);
      if (typeof verifier === "string") throw new Error(verifier);
      opened.push({ signer, verifier });
    }
    keys = opened;
  });

  const random = randomNumbers("acceptance");
  const randomBytes = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    const name = `${random.below(2 ** 32)}/${random.below(2 ** 32)}`;
    for (let start = 0; start < length; start += 64) {
      const digest = createHash("sha512").update(`${name}/${start}`).digest();
      bytes.set(digest.subarray(0, length - start), start);
    }
    return bytes;
  };
  const corrupted = (bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array => {
    const index = start + random.below(end - start);
    return bytes.with(index, (bytes[index] ?? 0) ^ (1 + random.below(255)));
  };

  /** A case of the key, and one that is corrupted in a way that is chosen at random. */
  const caseAndCorruption = (of: Signer, other: Signer, length: number): readonly [Case, Case] => {
    const message = randomBytes(length);
    const signature = of.sign(message);
    const xOfR = Point.fromBytes(signature.subarray(0, 32)).x;
    const right: Case = { message, signature, xOfR, plain: "Valid", hinted: "Valid" };
    const wrong = (change: Partial<SignedMessage>): Case => {
      const changed = { ...right, ...change };
      const plain = nodeAccepts(of.publicKey, changed.message, changed.signature) ? "Valid" : "InvalidSignature";
      return { ...changed, plain, hinted: changed.xOfR === xOf(changed.signature) ? plain : "WrongHint" };
    };

    const choice = CORRUPTIONS[random.below(CORRUPTIONS.length)];
    if (choice === "message") return [right, wrong({ message: length === 0 ? message : corrupted(message) })];
    if (choice === "S") return [right, wrong({ signature: corrupted(signature, 32) })];
    // As if the signature had been put to the verifier of another key.
    if (choice === "key") {
      const foreign = other.sign(message);
      return [right, wrong({ signature: foreign, xOfR: Point.fromBytes(foreign.subarray(0, 32)).x })];
    }
    if (choice === "R") {
      const signatureOfOtherR = corrupted(signature, 0, 32);
      return [right, wrong({ signature: signatureOfOtherR, xOfR: xOf(signatureOfOtherR) ?? xOfR })];
    }
    const hints = [P - xOfR, xOfR + P, xOfR ^ 1n, BigInt(toHex(randomBytes(32)))];
    return [right, wrong({ xOfR: hints[random.below(hints.length)] ?? 0n })];
  };

  it(
    "accept what node:crypto accepts, of random signatures and corrupted ones, with hints and without",
    async () => {
      const harness = await chain.viem.deployContract("Ed25519Harness");
      let [valid, invalid, wrongHints] = [0, 0, 0];
      for (let turn = 0; turn < BATCHES; turn += 1) {
        const { signer, verifier } = keys[turn % keys.length] as Keyed;
        const { signer: other } = keys[(turn + 1) % keys.length] as Keyed;
        const length = Math.floor(turn / keys.length) % 2 === 0 ? USUAL_LENGTH : random.below(LONGEST + 1);
        const cases = Array.from({ length: BATCH / 2 }, () => caseAndCorruption(signer, other, length)).flat();
        const where = `batch ${turn}`;
        expect(await verdictsOf(verifier, cases, true), where).toEqual(cases.map(({ hinted }) => hinted));
        expect(await verdictsOf(verifier, cases, false), where).toEqual(cases.map(({ plain }) => plain));

        for (let index = turn % LIBRARY_SHARE; index < BATCH; index += LIBRARY_SHARE) {
          const { message, signature, xOfR, plain, hinted } = cases[index] as Case;
          const verdicts = await harness.read.verifyAllWays([
            toHex(signer.publicKey),
            toHex(message),
            ...halves(signature),
            xOfR,
            P,
          ]);
          expect(verdicts.map(verdictNamed), `${where}, ${index}`).toEqual([plain, hinted, "WrongHint"]);
        }
        valid += cases.filter(({ hinted }) => hinted === "Valid").length;
        invalid += cases.filter(({ hinted }) => hinted === "InvalidSignature").length;
        wrongHints += cases.filter(({ hinted }) => hinted === "WrongHint").length;
      }
      process.stdout.write(`accepted ${valid}, refused ${invalid}, hints refused ${wrongHints}\n`);
      // A message of no bytes cannot be corrupted.
      expect(valid).toBeGreaterThanOrEqual((BATCHES * BATCH) / 2);
      expect(invalid).toBeGreaterThan((BATCHES * BATCH) / 8);
      expect(wrongHints).toBeGreaterThan((BATCHES * BATCH) / 20);
    },
    TIMEOUT,
  );

  it(
    `judge messages of every length from 0 to ${LONGEST} bytes, one by one and in batches`,
    async () => {
      for (let length = 0; length <= LONGEST; length += 1) {
        const { signer, verifier } = keys[length % keys.length] as Keyed;
        const { signer: other } = keys[(length + 1) % keys.length] as Keyed;
        const cases = [...caseAndCorruption(signer, other, length), ...caseAndCorruption(signer, other, length)];
        const where = `${length} bytes`;
        // Odd and even numbers of them.
        for (const some of LONG ? [cases.slice(0, 1), cases.slice(1), cases] : [cases.slice(1)]) {
          expect(await verdictsOf(verifier, some, true), where).toEqual(some.map(({ hinted }) => hinted));
          expect(await verdictsOf(verifier, some, false), where).toEqual(some.map(({ plain }) => plain));
        }
        for (const { message, signature, xOfR, plain, hinted } of LONG ? cases : cases.slice(0, 1)) {
          expect(await verdictOf(verifier, message, signature), where).toBe(plain);
          expect(await verdictOf(verifier, message, signature, xOfR), where).toBe(hinted);
        }
      }
    },
    TIMEOUT,
  );
});

/** x of the point that the first half of a signature encodes, if it does. */
function xOf(signature: Uint8Array): bigint | undefined {
  try {
    return Point.fromBytes(signature.subarray(0, 32)).x;
  } catch {
    return undefined;
  }
}
