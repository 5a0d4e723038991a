/** The fast tests of verifiers that miss an answer: from a contract that hashes, from the batch verifier, or from MODEXP. */
import { LARGE_BATCH } from "./mutationChain.ts";
import type { ExpectedCall, Probe } from "./probe.ts";
import { digestFor, type Judged, MESSAGE_LENGTH, underDigest } from "./signedMessages.ts";
import { batch, direct, failed, single } from "./verifierCalls.ts";

/** Verifiers without contracts that hash, and with ones that answer with the wrong number of bytes or revert. */
const FAILING_HASHES = ["withoutHashes", "withShortDigests", "withLongDigests", "withRevertedDigests"] as const;
/** What the lower tables of these verifiers are named after. */
const FAILING_HASHES_OF_TABLES = ["absent", "short", "long", "reverted"] as const;

/** Verifiers that miss verdicts of a batch verifier, or get too many. */
const FAILING_BATCHES = [
  "withoutBatchVerifier",
  "withTooFewVerdicts",
  "withTooManyVerdicts",
  "withRevertedVerdicts",
] as const;

export function failureProbes(): Probe[] {
  return [
    { name: "hashing that fails", calls: failingHashCalls() },
    { name: "batch verifiers that fail", calls: failingBatchCalls() },
    { name: "an inversion that fails", calls: failingInversionCalls() },
  ];
}

export function failureProbesOfLargeBatches(): Probe[] {
  return [
    { name: "hashing that fails in large batches", calls: failingHashCallsOfLargeBatches() },
    { name: "an inversion that fails in large batches", calls: failingInversionCalls() },
  ];
}

/** Without a digest, there is no verdict. */
function failingHashCalls(): ExpectedCall[] {
  const judged = judgedByDigest();
  const longer = { ...judged, message: Uint8Array.from([...judged.message, 0]) };
  return FAILING_HASHES.flatMap((target) =>
    [
      single(target, judged, true),
      single(target, longer, true),
      batch(target, [judged], true),
      batch(target, [judged, judged], true),
    ].map(failed),
  );
}

function failingHashCallsOfLargeBatches(): ExpectedCall[] {
  const batchOfOne = (hashing: (typeof FAILING_HASHES_OF_TABLES)[number]): ExpectedCall => ({
    ...direct(hashing, [judgedByDigest()], true),
    success: false,
    returned: "0x",
  });
  return [
    ...FAILING_HASHES.map((target) => failed(batch(target, large(judgedByDigest()), true))),
    // In a large batch, the first hash is one of two messages. That of a single one fails only here.
    ...FAILING_HASHES_OF_TABLES.map(batchOfOne),
  ];
}

/** Without the right number of verdicts, there is no answer. */
function failingBatchCalls(): ExpectedCall[] {
  return FAILING_BATCHES.map((target) => failed(batch(target, large(judgedByDigest()), true)));
}

/** A chain may lack the precompile that inverts. */
function failingInversionCalls(): ExpectedCall[] {
  const judged = judgedByDigest();
  const target = "withoutInversion";
  return [
    failed(single(target, judged, false)),
    single(target, judged, true),
    failed(batch(target, [judged], false)),
    failed(batch(target, large(judged), false)),
  ];
}

/** A signature that is valid with the digest with which contracts answer or revert. */
function judgedByDigest(): Judged {
  return underDigest(2n, digestFor(2n, 3n), MESSAGE_LENGTH);
}

function large(judged: Judged): Judged[] {
  return new Array<Judged>(LARGE_BATCH).fill(judged);
}
