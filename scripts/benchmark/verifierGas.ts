import { createHash } from "node:crypto";
import { type Address, bytesToHex, concat, encodeAbiParameters, encodeFunctionData, type Hex } from "viem";
import { ed25519VerifierAbi } from "../../relayer/chain/abi/ed25519VerifierAbi.ts";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";
import type { BenchmarkChain } from "./benchmarkChain.ts";
import { type Call, type CallFrame, traceCall } from "./callTrace.ts";
import { type BenchmarkSigner, batchOf, bytesNamed, type SignedMessage, signMessages } from "./signedMessages.ts";

/** Length of a price message. */
export const MESSAGE_LENGTH = 74;
/** Signatures of each key that are verified one by one. */
export const SIGNATURES_OF_A_KEY = 8;
export const BATCH_SIZES = [1, 2, 8, 32, 128] as const;
export const OTHER_LENGTHS = [0, 64, 300] as const;
/** What is hashed of a price message: R, A and the message. */
const HASHED_LENGTH = 138;

/** Valid, of the enum Ed25519Verdict. */
const VALID = 1n;

/** Whether x of R comes along. */
export const FORMS = ["hinted", "plain"] as const;
export type Form = (typeof FORMS)[number];

/** Gas over a sample of signatures. */
export type Sample = { readonly mean: number; readonly least: number; readonly most: number };

export type VerificationGas = {
  /** As in a transaction that has accessed the verifier and nothing else. */
  readonly cold: Sample;
  /** Where the accounts that it calls have been accessed before. */
  readonly warm: Sample;
  /** What of it the contract uses that hashes. */
  readonly hashing: Sample;
};

export type VerifierFigures = {
  /** One signature over 74 bytes. */
  readonly verification: Readonly<Record<Form, VerificationGas>>;
  /** By number of signatures, all together; `null` where a transaction's gas is not enough. */
  readonly batches: Readonly<Record<Form, Readonly<Record<string, number | null>>>>;
  /** By length of the message in bytes. */
  readonly otherLengths: Readonly<Record<Form, Readonly<Record<string, number>>>>;
  /** SHA-512 by itself. The second is of both messages together. */
  readonly sha512: {
    readonly of138Bytes: number;
    readonly ofTwo138Bytes: number;
    readonly anyLengthOf138Bytes: number;
  };
};

/** A key, and the contract that verifies its signatures. */
export type MeasuredVerifier = { readonly signer: BenchmarkSigner; readonly address: Address };

/**
 * Measures verifiers and the contracts behind them; batches and other lengths with the first alone.
 * @throws Error if anything answers wrongly: then its gas would say nothing.
 */
export async function measureVerifiers(
  chain: BenchmarkChain,
  verifiers: readonly [MeasuredVerifier, ...MeasuredVerifier[]],
): Promise<VerifierFigures> {
  const ofForms = async <Figures>(measure: (form: Form) => Promise<Figures>) => ({
    hinted: await measure("hinted"),
    plain: await measure("plain"),
  });
  return {
    verification: await ofForms((form) => measureVerification(chain, verifiers, form)),
    batches: await ofForms((form) => measureBatches(chain, verifiers[0], form)),
    otherLengths: await ofForms((form) => measureOtherLengths(chain, verifiers[0], form)),
    sha512: {
      of138Bytes: await gasOfHashing(chain, "ed25519/generated", "Sha512Of138Bytes", 1),
      ofTwo138Bytes: await gasOfHashing(chain, "ed25519/generated", "Sha512OfTwo138Bytes", 2),
      anyLengthOf138Bytes: await gasOfHashing(chain, "ed25519", "Sha512Hasher", 1),
    },
  };
}

export function sampleOf(gas: readonly number[]): Sample {
  const sum = gas.reduce((total, figure) => total + figure, 0);
  return { mean: Math.round(sum / gas.length), least: Math.min(...gas), most: Math.max(...gas) };
}

async function measureVerification(
  chain: BenchmarkChain,
  verifiers: readonly MeasuredVerifier[],
  form: Form,
): Promise<VerificationGas> {
  const [cold, warm, hashing]: [number[], number[], number[]] = [[], [], []];
  for (const { signer, address } of verifiers) {
    for (const signed of signMessages(signer, MESSAGE_LENGTH, SIGNATURES_OF_A_KEY)) {
      const data = verificationData(form, signed);
      const frame = await verify(chain, { to: address, data });
      // A verifier's first call is the one that hashes; the other, if any, is to a precompile, which is always warm.
      const [hashingCall] = frame.calls;
      if (hashingCall === undefined) throw new Error("the verifier called no contract that hashes");
      hashing.push(hashingCall.gasUsed);
      cold.push(frame.gasUsed);
      warm.push((await verify(chain, { to: address, data, warm: [hashingCall.to] })).gasUsed);
    }
  }
  return { cold: sampleOf(cold), warm: sampleOf(warm), hashing: sampleOf(hashing) };
}

async function measureBatches(chain: BenchmarkChain, { signer, address }: MeasuredVerifier, form: Form) {
  const figures: Record<string, number | null> = {};
  for (const size of BATCH_SIZES) {
    const batch = batchOf(signMessages(signer, MESSAGE_LENGTH, size), form === "hinted");
    const functionName = form === "hinted" ? "verifyBatchWithHints" : "verifyBatch";
    const data = encodeFunctionData({ abi: ed25519VerifierAbi, functionName, args: [BigInt(MESSAGE_LENGTH), batch] });
    const frame = await traceCall(chain, { to: address, data });
    const verdicts = bytesToHex(new Uint8Array(size).fill(Number(VALID)));
    if (frame !== undefined) expectAnswer(frame, encodeAbiParameters([{ type: "bytes" }], [verdicts]));
    figures[size] = frame?.gasUsed ?? null;
  }
  return figures;
}

async function measureOtherLengths(chain: BenchmarkChain, { signer, address }: MeasuredVerifier, form: Form) {
  const figures: Record<string, number> = {};
  for (const length of OTHER_LENGTHS) {
    for (const signed of signMessages(signer, length, 1)) {
      figures[length] = (await verify(chain, { to: address, data: verificationData(form, signed) })).gasUsed;
    }
  }
  return figures;
}

/** The gas of a contract that answers messages of 138 bytes, back to back, with their digests. */
async function gasOfHashing(chain: BenchmarkChain, folder: string, name: string, count: number): Promise<number> {
  const { bytecode } = await readArtifact(`${folder}/${name}.sol`, name);
  const address = await chain.deploy(`deploy ${name}`, bytecode);
  const messages = Array.from({ length: count }, (_, index) => bytesNamed(`hashed message ${index}`, HASHED_LENGTH));
  const frame = await traceNeeded(chain, { to: address, data: concat(messages.map((message) => bytesToHex(message))) });
  const digests = messages.map((message) => bytesToHex(createHash("sha512").update(message).digest()));
  expectAnswer(frame, concat(digests));
  return frame.gasUsed;
}

function verificationData(form: Form, { message, r, s, xOfR }: SignedMessage): Hex {
  return form === "hinted"
    ? encodeFunctionData({ abi: ed25519VerifierAbi, functionName: "verifyWithHint", args: [message, r, s, xOfR] })
    : encodeFunctionData({ abi: ed25519VerifierAbi, functionName: "verify", args: [message, r, s] });
}

/** The frame of a verification whose verdict is `Valid`. */
async function verify(chain: BenchmarkChain, call: Call): Promise<CallFrame> {
  const frame = await traceNeeded(chain, call);
  expectAnswer(frame, encodeAbiParameters([{ type: "uint256" }], [VALID]));
  return frame;
}

async function traceNeeded(chain: BenchmarkChain, call: Call): Promise<CallFrame> {
  const frame = await traceCall(chain, call);
  if (frame === undefined) throw new Error(`a call to ${call.to} takes more gas than a transaction may have`);
  return frame;
}

function expectAnswer({ to, output }: CallFrame, expected: Hex): void {
  if (output !== expected) throw new Error(`${to} answered ${output} where ${expected} is right`);
}
