/**
 * Writes the contracts whose code is generated, from the programs in scripts/ed25519:
 *
 *     node scripts/generateEd25519Bytecode.ts
 *     node scripts/generateEd25519Bytecode.ts --check    exits 1 when what is committed is not what the programs make
 *
 * Each becomes a Solidity contract whose constructor returns the code, so that it is compiled, deployed and published as
 * any other; a library holds the hashes by which the factory knows them.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keccak256 } from "viem";
import { batchVerifier, tableCode } from "./ed25519/batchVerifierProgram.ts";
import { BATCH_COMB } from "./ed25519/comb.ts";
import { BASE } from "./ed25519/edwards25519.ts";
import { sha512Of138Bytes } from "./ed25519/sha512Of138Bytes.ts";
import { sha512OfTwo138Bytes } from "./ed25519/sha512OfTwo138Bytes.ts";
import { verifierTemplate } from "./ed25519/verifierProgram.ts";

const FOLDER = join(import.meta.dirname, "..", "contracts", "ed25519", "generated");
const HEADER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

// Written by scripts/generateEd25519Bytecode.ts: change the programs in scripts/ed25519, and not this file.
`;
const BYTES_A_LINE = 48;

const CONTRACTS = [
  {
    name: "Sha512Of138Bytes",
    constant: "SHA512_OF_138_BYTES_HASH",
    code: sha512Of138Bytes(),
    title: "SHA-512 of 138 bytes",
    notice: "Answers a call whose calldata is 138 bytes long with their digest, 64 bytes. There is no ABI.",
  },
  {
    name: "Sha512OfTwo138Bytes",
    constant: "SHA512_OF_TWO_138_BYTES_HASH",
    code: sha512OfTwo138Bytes(),
    title: "SHA-512 of two messages of 138 bytes",
    notice:
      "Answers a call whose calldata is two messages of 138 bytes with their digests, 128 bytes. There is no ABI.",
  },
  {
    name: "Ed25519VerifierTemplate",
    constant: "TEMPLATE_HASH",
    code: verifierTemplate(),
    title: "The part of a verifier's code that is the same for all keys",
    notice: "Not to be called: {Ed25519VerifierFactory} reads the code and puts behind it what is made for a key.",
  },
  {
    name: "Ed25519BatchVerifier",
    constant: "BATCH_VERIFIER_HASH",
    code: batchVerifier(),
    title: "Judge of large batches",
    notice: "Called by the verifiers of all keys, with what is particular to the key. There is no ABI.",
  },
  ...["Lower", "Upper"].map((half, table) => ({
    name: `${half}TableOfBase`,
    constant: `${half.toUpperCase()}_TABLE_OF_BASE_HASH`,
    code: tableCode(BATCH_COMB.tableOf(BASE, table)),
    title: `The ${half.toLowerCase()} table of the base point for large batches`,
    notice: "Data, for {Ed25519BatchVerifier} to load; whoever calls it finds STOP.",
  })),
];

function contractSource({ name, title, notice, code }: (typeof CONTRACTS)[number]): string {
  const hex = Buffer.from(code).toString("hex");
  const lines = hex.match(new RegExp(`.{1,${2 * BYTES_A_LINE}}`, "g")) ?? [];
  return `${HEADER}
/// @title ${title}
/// @notice ${notice}
contract ${name} {
    constructor() {
        // ${code.length} bytes.
        // prettier-ignore
        bytes memory code =
${lines.map((line) => `            hex"${line}"`).join("\n")};
        assembly ("memory-safe") {
            // stack: code. Memory-safe: memory is only read, and execution ends.
            return(add(code, 0x20), mload(code))
        }
    }
}
`;
}

function hashesSource(): string {
  const constants = CONTRACTS.map(({ name, constant, code }) => {
    const [declaration, value] = [`    bytes32 internal constant ${constant} =`, `${keccak256(code)};`];
    // As the formatter breaks lines.
    const separator = `${declaration} ${value}`.length > 120 ? "\n        " : " ";
    return `    /// @dev Of the code of {${name}}.\n${declaration}${separator}${value}`;
  });
  return `${HEADER}
/// @title Hashes of the generated contracts
/// @notice What EXTCODEHASH (EIP-1052) gives for the contracts whose code is generated.
library GeneratedCode {
${constants.join("\n")}
}
`;
}

async function main(options: readonly string[]): Promise<number> {
  if (options.some((option) => option !== "--check")) {
    process.stderr.write("usage: node scripts/generateEd25519Bytecode.ts [--check]\n");
    return 2;
  }
  const files = [
    ...CONTRACTS.map((contract) => ({ name: `${contract.name}.sol`, text: contractSource(contract) })),
    { name: "GeneratedCode.sol", text: hashesSource() },
  ];
  let outOfDate = 0;
  for (const { name, text } of files) {
    const path = join(FOLDER, name);
    if ((await readFile(path, "utf8").catch(() => "")) === text) continue;
    outOfDate++;
    if (options.includes("--check")) process.stderr.write(`${path} is out of date. Run: npm run generate\n`);
    else await writeFile(path, text);
  }
  return options.includes("--check") && outOfDate > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
