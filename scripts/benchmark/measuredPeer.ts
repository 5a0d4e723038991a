import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import solcWrapper from "solc/wrapper.js";
import {
  type Abi,
  type Address,
  bytesToHex,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  parseAbi,
} from "viem";
import { z } from "zod";
import { type BenchmarkChain, startBenchmarkChain } from "./benchmarkChain.ts";
import { traceCall } from "./callTrace.ts";
import type { MeasuredPeer } from "./gasDocument.ts";
import { SIGNERS } from "./gasFigures.ts";
import { bytesNamed, type SignedMessage, signMessages } from "./signedMessages.ts";
import type { Toolchain } from "./toolchain.ts";
import { MESSAGE_LENGTH, SIGNATURES_OF_A_KEY, sampleOf } from "./verifierGas.ts";

/**
 * Verifiers of other people, each with a contract around it that says what a call of the library costs. That contract,
 * and where the library is, comes from whoever measures; docs/gas.md says how.
 */

/** A folder with the contract below, and what `--peer` calls it. */
export type PeerFolder = { readonly name: string; readonly folder: string };

const SOURCE = "PeerBenchmark.sol";
const CONTRACT = "PeerBenchmark";

const PEER_ABI = parseAbi([
  "function gasOfVerification(bytes32 publicKey, bytes message, bytes32 r, bytes32 s) returns (bool valid, uint256 gasUsed)",
  "function gasOfSha512(bytes message) returns (bytes32 high, bytes32 low, uint256 gasUsed)",
]);

const descriptionSchema = z.strictObject({
  /** A compiler to use in place of the project's: the path of a soljson.js, relative to the folder. */
  soljson: z.string().optional(),
  /** Standard JSON settings to use in place of the project's. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** "own": it verifies something else than Ed25519, and brings its signatures. */
  signatures: z.enum(["ed25519", "own"]).default("ed25519"),
});

/** @throws InvalidArgumentError for commander to print. */
export function parsePeerOption(option: string): PeerFolder {
  const [, name, folder] = /^([^=]+)=(.+)$/.exec(option) ?? [];
  if (name === undefined || folder === undefined) throw new InvalidArgumentError("It has the form NAME=FOLDER.");
  return { name, folder: resolve(folder) };
}

/** Measures verifiers on a chain with Osaka's rules, with the same signatures as ours. */
export async function measurePeers(folders: readonly PeerFolder[], toolchain: Toolchain): Promise<MeasuredPeer[]> {
  // What is measured is gas: that some libraries with a contract around them exceed EIP-170 is no matter.
  const chain = await startBenchmarkChain("osaka", { allowUnlimitedContractSize: true });
  try {
    const measured: MeasuredPeer[] = [];
    for (const { name, folder } of folders) measured.push(await measurePeer(chain, name, folder, toolchain));
    return measured;
  } finally {
    await chain.close();
  }
}

async function measurePeer(
  chain: BenchmarkChain,
  name: string,
  folder: string,
  { settings }: Toolchain,
): Promise<MeasuredPeer> {
  const description = readDescription(folder);
  const contracts = compile(folder, description.soljson, description.settings ?? settings);
  const { address, libraries, abi } = await deployLinked(chain, contracts, SOURCE, CONTRACT);

  const gas: number[] = [];
  for (const signer of SIGNERS) {
    for (const signed of signMessages(signer, MESSAGE_LENGTH, SIGNATURES_OF_A_KEY)) {
      const { valid, gasUsed } = await gasOfVerification(chain, address, libraries, signed);
      if (!valid) throw new Error(`${name} refuses a signature that is right`);
      gas.push(gasUsed);
      if (description.signatures === "own") continue;
      const forged = await gasOfVerification(chain, address, libraries, {
        ...signed,
        message: flipBit(signed.message),
      });
      if (forged.valid) throw new Error(`${name} accepts a signature of another message`);
    }
  }
  const hashes = abi.some((item) => item.type === "function" && item.name === "gasOfSha512");
  return {
    name,
    gas: sampleOf(gas),
    sha512: hashes ? await gasOfSha512(chain, address, libraries, name) : undefined,
  };
}

function readDescription(folder: string): z.output<typeof descriptionSchema> {
  let text = "{}";
  try {
    text = readFileSync(join(folder, "peer.json"), "utf8");
  } catch {
    // It is optional.
  }
  return descriptionSchema.parse(JSON.parse(text));
}

async function gasOfVerification(
  chain: BenchmarkChain,
  to: Address,
  libraries: readonly Address[],
  { publicKey, message, r, s }: SignedMessage,
): Promise<{ valid: boolean; gasUsed: number }> {
  const functionName = "gasOfVerification";
  const data = encodeFunctionData({ abi: PEER_ABI, functionName, args: [publicKey, message, r, s] });
  const output = await answerOf(chain, to, libraries, data);
  const [valid, gasUsed] = decodeFunctionResult({ abi: PEER_ABI, functionName, data: output });
  return { valid, gasUsed: Number(gasUsed) };
}

async function gasOfSha512(
  chain: BenchmarkChain,
  to: Address,
  libraries: readonly Address[],
  name: string,
): Promise<number> {
  const functionName = "gasOfSha512";
  const message = bytesNamed("hashed message 0", 64 + MESSAGE_LENGTH);
  const data = encodeFunctionData({ abi: PEER_ABI, functionName, args: [bytesToHex(message)] });
  const output = await answerOf(chain, to, libraries, data);
  const [high, low, gasUsed] = decodeFunctionResult({ abi: PEER_ABI, functionName, data: output });
  const digest = bytesToHex(createHash("sha512").update(message).digest());
  if (concat([high, low]) !== digest) throw new Error(`the SHA-512 of ${name} is wrong`);
  return Number(gasUsed);
}

async function answerOf(chain: BenchmarkChain, to: Address, libraries: readonly Address[], data: Hex): Promise<Hex> {
  const frame = await traceCall(chain, { to, data, warm: libraries });
  if (frame === undefined) throw new Error("a verification takes more gas than a transaction may have");
  return frame.output;
}

function flipBit(message: Hex): Hex {
  const [first = 0, ...rest] = hexToBytes(message);
  return bytesToHex(Uint8Array.of(first ^ 1, ...rest));
}

// ---------------------------------------------------------------------------------------------------------- compiling

const contractSchema = z.object({
  abi: z.array(z.looseObject({ type: z.string() })),
  evm: z.object({
    bytecode: z.object({
      object: z.string(),
      /** By source and library: where its address belongs, in bytes. */
      linkReferences: z.record(
        z.string(),
        z.record(z.string(), z.array(z.object({ start: z.number(), length: z.number() }))),
      ),
    }),
  }),
});
const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), contractSchema)).default({}),
});
type Contracts = z.output<typeof outputSchema>["contracts"];

const OUTPUT = { "*": { "*": ["abi", "evm.bytecode.object", "evm.bytecode.linkReferences"] } };

/** Compiles the contract of a folder with all that it imports. */
function compile(folder: string, soljson: string | undefined, settings: object): Contracts {
  const require = createRequire(import.meta.url);
  const compiler = solcWrapper(require(soljson === undefined ? "solc/soljson.js" : resolve(folder, soljson)));
  const input = {
    language: "Solidity",
    sources: { [SOURCE]: { content: readSource(folder, SOURCE) } },
    settings: { ...settings, outputSelection: OUTPUT },
  };
  const importFile = (path: string) => {
    try {
      return { contents: readSource(folder, path) };
    } catch (error) {
      return { error: String(error) };
    }
  };
  const output = outputSchema.parse(JSON.parse(compiler.compile(JSON.stringify(input), { import: importFile })));
  const errors = output.errors.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return output.contracts;
}

/** A source without the version of its compiler: libraries that are pinned to one are measured with ours. */
function readSource(folder: string, path: string): string {
  return readFileSync(resolve(folder, path), "utf8").replaceAll(/pragma solidity[^;]*;/g, "pragma solidity >=0.6.0;");
}

/** Deploys a contract after the libraries that it calls. */
async function deployLinked(
  chain: BenchmarkChain,
  contracts: Contracts,
  source: string,
  name: string,
): Promise<{ address: Address; libraries: Address[]; abi: Abi }> {
  const contract = contracts[source]?.[name];
  if (contract === undefined) throw new Error(`there is no contract ${name} in ${source}`);
  const { object, linkReferences } = contract.evm.bytecode;
  let code = object;
  const libraries: Address[] = [];
  for (const [librarySource, references] of Object.entries(linkReferences)) {
    for (const [library, places] of Object.entries(references)) {
      const deployed = await deployLinked(chain, contracts, librarySource, library);
      libraries.push(deployed.address, ...deployed.libraries);
      for (const { start, length } of places) {
        code = code.slice(0, 2 * start) + deployed.address.slice(2) + code.slice(2 * (start + length));
      }
    }
  }
  return { address: await chain.deploy(`deploy ${name}`, `0x${code}`), libraries, abi: contract.abi as unknown as Abi };
}
