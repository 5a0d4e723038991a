/** A chain in this process, with the generated contracts on it, in whose place mutants can be put. */
import { network } from "hardhat";
import { type Address, concat, type Hex, hexToBytes, pad, toHex } from "viem";
import { Assembler, type Expression } from "../ed25519/assembler.ts";
import type { Contract } from "./sections.ts";
import { MESSAGE_LENGTH, PUBLIC_KEY, PUBLIC_KEY_OF_SMALL_X } from "./signedMessages.ts";

const address = (number: number): Address => `0x${number.toString(16).padStart(40, "a")}`;
/** An address without code. */
const NOTHING = address(0);

/** The generated contracts that are there once. */
const PARTS = {
  sha512Of138Bytes: address(1),
  sha512OfTwo138Bytes: address(2),
  batchVerifier: address(3),
  lowerTableOfBase: address(4),
  upperTableOfBase: address(5),
  upperTableOfKey: address(6),
} as const satisfies Partial<Record<Contract, Address>>;

/** Contracts for the mutants to call: they hash, answer with digests or verdicts that a test has chosen, or fail to. */
const HELPERS = {
  sha512: address(0x10),
  chosenDigest: address(0x11),
  chosenDigests: address(0x12),
  chosenComplement: address(0x13),
  tooLittle: address(0x14),
  tooMuch: address(0x15),
  revertedDigest: address(0x16),
  revertedDigests: address(0x17),
  tooFewVerdicts: address(0x18),
  tooManyVerdicts: address(0x19),
  revertedVerdicts: address(0x1a),
} as const;

/** By which contracts 138 bytes are hashed, two such, and any. */
const HASHING = {
  earnest: [PARTS.sha512Of138Bytes, PARTS.sha512OfTwo138Bytes, HELPERS.sha512],
  chosen: [HELPERS.chosenDigest, HELPERS.chosenDigests, HELPERS.chosenComplement],
  absent: [NOTHING, NOTHING, NOTHING],
  short: [HELPERS.tooLittle, HELPERS.tooLittle, HELPERS.tooLittle],
  long: [HELPERS.tooMuch, HELPERS.tooMuch, HELPERS.tooMuch],
  reverted: [HELPERS.revertedDigest, HELPERS.revertedDigests, HELPERS.revertedDigest],
} as const;
export type Hashing = keyof typeof HASHING;
const HASHING_NAMES = Object.keys(HASHING) as Hashing[];

/** Lower tables of the key for large batches. They differ in which contracts hash. */
export const LOWER_TABLES = Object.fromEntries(
  HASHING_NAMES.map((name, index) => [name, address(0x20 + index)]),
) as Readonly<Record<Hashing, Address>>;

/** Without the precompile that inverts; and those of another key, which answer with chosen digests. */
const VARIANTS = {
  batchVerifierWithoutInversion: address(0x50),
  lowerTableOfSmallX: address(0x51),
  upperTableOfSmallX: address(0x52),
} as const;

/** How many records make a batch large: see verifierProgram.ts. The failing batch verifiers count on it. */
export const LARGE_BATCH = 9;

/** Verifiers, with the same program and tables, which differ in what they call. */
const VERIFIERS = {
  verifier: { hashing: "earnest", tables: LOWER_TABLES.earnest, batchVerifier: PARTS.batchVerifier },
  chosen: { hashing: "chosen", tables: NOTHING, batchVerifier: PARTS.batchVerifier },
  chosenInLargeBatches: { hashing: "chosen", tables: LOWER_TABLES.chosen, batchVerifier: PARTS.batchVerifier },
  withoutHashes: { hashing: "absent", tables: LOWER_TABLES.absent, batchVerifier: PARTS.batchVerifier },
  withShortDigests: { hashing: "short", tables: LOWER_TABLES.short, batchVerifier: PARTS.batchVerifier },
  withLongDigests: { hashing: "long", tables: LOWER_TABLES.long, batchVerifier: PARTS.batchVerifier },
  withRevertedDigests: { hashing: "reverted", tables: LOWER_TABLES.reverted, batchVerifier: PARTS.batchVerifier },
  withoutBatchVerifier: { hashing: "chosen", tables: LOWER_TABLES.chosen, batchVerifier: NOTHING },
  withTooFewVerdicts: { hashing: "chosen", tables: LOWER_TABLES.chosen, batchVerifier: HELPERS.tooFewVerdicts },
  withTooManyVerdicts: { hashing: "chosen", tables: LOWER_TABLES.chosen, batchVerifier: HELPERS.tooManyVerdicts },
  withoutInversion: {
    hashing: "chosen",
    tables: LOWER_TABLES.chosen,
    batchVerifier: VARIANTS.batchVerifierWithoutInversion,
  },
  ofSmallX: { hashing: "chosen", tables: NOTHING, batchVerifier: PARTS.batchVerifier },
  ofSmallXInLargeBatches: {
    hashing: "chosen",
    tables: VARIANTS.lowerTableOfSmallX,
    batchVerifier: PARTS.batchVerifier,
  },
  withRevertedVerdicts: { hashing: "chosen", tables: LOWER_TABLES.chosen, batchVerifier: HELPERS.revertedVerdicts },
} as const satisfies Record<string, { hashing: Hashing; tables: Address; batchVerifier: Address }>;
type VerifierName = keyof typeof VERIFIERS;
const VERIFIER_NAMES = Object.keys(VERIFIERS) as VerifierName[];

/** What can be called. */
export const TARGETS = {
  ...(Object.fromEntries(VERIFIER_NAMES.map((name, index) => [name, address(0x30 + index)])) as Record<
    VerifierName,
    Address
  >),
  batchVerifier: PARTS.batchVerifier,
  sha512Of138Bytes: PARTS.sha512Of138Bytes,
  sha512OfTwo138Bytes: PARTS.sha512OfTwo138Bytes,
} as const;
export type Target = keyof typeof TARGETS;

export interface Call {
  readonly target: Target;
  readonly data: Hex;
  readonly gasLimit: bigint;
  readonly value: bigint;
}

export interface Outcome {
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly returned: Hex;
}

/** One of several contracts that differ in their addresses, or in the key. */
interface Copy {
  readonly contract: Contract;
  readonly at: Address;
  readonly code: Uint8Array;
  /** Whether the addresses at the end stay as they are when a mutant changes them. One copy is enough for that. */
  readonly keepsAddresses?: boolean;
  readonly finish?: (code: Uint8Array) => Uint8Array;
}

/** The addresses at the end of a verifier's code, and of a lower table's. */
const ADDRESSES_LENGTH = 5 * 32;

export type MutationChain = Awaited<ReturnType<typeof startMutationChain>>;

/** Below the limit of a transaction (EIP-7825). */
const GAS_OF_CALLS = 16_000_000n;

export async function startMutationChain() {
  const { viem, provider, close } = await network.create();
  const publicClient = await viem.getPublicClient();

  const parts = {
    sha512Of138Bytes: (await viem.deployContract("Sha512Of138Bytes")).address,
    sha512OfTwo138Bytes: (await viem.deployContract("Sha512OfTwo138Bytes")).address,
    template: (await viem.deployContract("Ed25519VerifierTemplate")).address,
    batchVerifier: (await viem.deployContract("Ed25519BatchVerifier")).address,
    lowerTableOfBase: (await viem.deployContract("LowerTableOfBase")).address,
    upperTableOfBase: (await viem.deployContract("UpperTableOfBase")).address,
  };
  const factory = await viem.deployContract("Ed25519VerifierFactory", [parts]);
  const witness = await viem.deployContract("CallWitness");

  const codeAt = async (at: Address) => hexToBytes((await publicClient.getCode({ address: at })) ?? "0x");
  const codesOf = async (publicKey: Uint8Array) => {
    const key = toHex(publicKey);
    return {
      verifier: hexToBytes(await factory.read.verifierCode([key])),
      lowerTableOfKey: hexToBytes(await factory.read.batchTableCode([key, false])),
      upperTableOfKey: hexToBytes(await factory.read.batchTableCode([key, true])),
    };
  };
  const ofSmallX = await codesOf(PUBLIC_KEY_OF_SMALL_X);
  const genuine: Readonly<Record<Contract, Uint8Array>> = {
    ...(await codesOf(PUBLIC_KEY)),
    batchVerifier: await codeAt(parts.batchVerifier),
    lowerTableOfBase: await codeAt(parts.lowerTableOfBase),
    upperTableOfBase: await codeAt(parts.upperTableOfBase),
    sha512Of138Bytes: await codeAt(parts.sha512Of138Bytes),
    sha512OfTwo138Bytes: await codeAt(parts.sha512OfTwo138Bytes),
  };

  const setCode = (at: Address, code: Uint8Array) =>
    provider.request({ method: "hardhat_setCode", params: [at, toHex(code)] });

  const copies: readonly Copy[] = [
    ...VERIFIER_NAMES.map((name): Copy => {
      const { hashing, tables, batchVerifier } = VERIFIERS[name];
      const { verifier } = name === "ofSmallX" || name === "ofSmallXInLargeBatches" ? ofSmallX : genuine;
      const code = withAddresses(verifier, [tables, batchVerifier, ...HASHING[hashing]]);
      const copy = { contract: "verifier", at: TARGETS[name], code, keepsAddresses: name !== "verifier" } as const;
      return name === "withoutInversion" ? { ...copy, finish: withoutInversion } : copy;
    }),
    ...HASHING_NAMES.map((name): Copy => {
      const tables = [PARTS.upperTableOfKey, PARTS.lowerTableOfBase, PARTS.upperTableOfBase];
      const code = withAddresses(genuine.lowerTableOfKey, [...tables, ...HASHING[name].slice(0, 2)]);
      return { contract: "lowerTableOfKey", at: LOWER_TABLES[name], code, keepsAddresses: name !== "earnest" };
    }),
    {
      contract: "lowerTableOfKey",
      at: VARIANTS.lowerTableOfSmallX,
      code: withAddresses(ofSmallX.lowerTableOfKey, [
        VARIANTS.upperTableOfSmallX,
        PARTS.lowerTableOfBase,
        PARTS.upperTableOfBase,
        ...HASHING.chosen.slice(0, 2),
      ]),
      keepsAddresses: true,
    },
    { contract: "upperTableOfKey", at: VARIANTS.upperTableOfSmallX, code: ofSmallX.upperTableOfKey },
    {
      contract: "batchVerifier",
      at: VARIANTS.batchVerifierWithoutInversion,
      code: genuine.batchVerifier,
      finish: withoutInversion,
    },
    ...(Object.keys(PARTS) as (keyof typeof PARTS)[]).map(
      (contract): Copy => ({ contract, at: PARTS[contract], code: genuine[contract] }),
    ),
  ];

  /** Puts the code of one of the generated contracts in place: changes each copy of it as the code was changed. */
  const put = async (contract: Contract, code: Uint8Array) => {
    for (const copy of copies.filter((one) => one.contract === contract)) {
      const change = xor(code, genuine[contract]);
      if (copy.keepsAddresses) change.fill(0, -ADDRESSES_LENGTH);
      const changed = xor(copy.code, change);
      await setCode(copy.at, copy.finish?.(changed) ?? changed);
    }
  };

  // Unlike the contracts that hash in earnest, these mind how long their calldata is.
  const digest = digestAt(64n);
  const digests = [...digest, ...digestAt(HASHED_LENGTH + 64n)];
  const verdicts: Expression = 2n ** 256n / 255n;
  const helpers: Readonly<Record<keyof typeof HELPERS, Uint8Array>> = {
    sha512: await codeAt(await factory.read.SHA512_OF_ANY_LENGTH()),
    chosenDigest: ending("RETURN", digest.map(ifCalldataIs(HASHED_LENGTH))),
    chosenDigests: ending("RETURN", digests.map(ifCalldataIs(2n * HASHED_LENGTH))),
    chosenComplement: ending(
      "RETURN",
      digest.map((word) => ["NOT", word]),
    ),
    tooLittle: ending("RETURN", digest.slice(0, 1)),
    tooMuch: ending("RETURN", [...digests, 0n]),
    revertedDigest: ending("REVERT", digest),
    revertedDigests: ending("REVERT", digests),
    tooFewVerdicts: ending("RETURN", [verdicts], LARGE_BATCH - 1),
    tooManyVerdicts: ending("RETURN", [verdicts], LARGE_BATCH + 1),
    revertedVerdicts: ending("REVERT", [verdicts], LARGE_BATCH),
  };
  for (const [name, code] of Object.entries(helpers)) await setCode(HELPERS[name as keyof typeof HELPERS], code);
  for (const [contract, code] of Object.entries(genuine)) await put(contract as Contract, code);

  return {
    genuine,
    put,
    close,
    /** How calls end, one after the other. */
    outcomesOf: async (calls: readonly Call[]): Promise<readonly Outcome[]> => {
      const { result } = await witness.simulate.witness(
        [calls.map(({ target, ...call }) => ({ ...call, target: TARGETS[target] }))],
        { value: calls.reduce((sum, { value }) => sum + value, 0n), gas: GAS_OF_CALLS },
      );
      return result;
    },
  };
}

/** The code with other addresses at its end. */
function withAddresses(code: Uint8Array, addresses: readonly Address[]): Uint8Array {
  const words = hexToBytes(concat(addresses.map((one) => pad(one))));
  return Uint8Array.from([...code.subarray(0, -words.length), ...words]);
}

/** The code of a chain that has no precompile for MODEXP: it calls an address where there is nothing. */
function withoutInversion(code: Uint8Array): Uint8Array {
  const [push1, gas, staticCall] = [0x60, 0x5a, 0xfa];
  const at = code.findIndex(
    (byte, index) => byte === push1 && code[index + 2] === gas && code[index + 3] === staticCall,
  );
  if (at < 0) return code;
  return code.with(at + 1, 0xff);
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, index) => byte ^ (other[index] ?? 0));
}

/** R, A and a message of the usual length. */
const HASHED_LENGTH = BigInt(64 + MESSAGE_LENGTH);

/** The two words of a digest in the calldata. */
function digestAt(position: bigint): readonly Expression[] {
  return [
    ["CALLDATALOAD", position],
    ["CALLDATALOAD", position + 32n],
  ];
}

/** The word, or 0 if the calldata is of another length. */
function ifCalldataIs(length: bigint): (word: Expression) => Expression {
  return (word) => ["MUL", word, ["EQ", length, ["CALLDATASIZE"]]];
}

/** The code of a contract that ends with these words, or with the first bytes of them. */
function ending(end: "RETURN" | "REVERT", words: readonly Expression[], length = 32 * words.length): Uint8Array {
  const program = new Assembler();
  words.forEach((word, index) => {
    program
      .evaluate(word)
      .push(BigInt(32 * index))
      .op("MSTORE");
  });
  return program.push(BigInt(length)).push(0n).op(end).assemble();
}
