/**
 * Writes the ABIs that TypeScript code reads as `const` modules, so that viem can type every call:
 *
 *     node scripts/generateAbis.ts            after a build
 *     node scripts/generateAbis.ts --check    exits 1 when a module is out of date
 */
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Abi } from "viem";
import { readArtifact } from "../relayer/deployment/contractArtifact.ts";

const CONTRACTS: readonly { source: string; name: string; module?: string; errorsOf?: string }[] = [
  // Its errors are the oracle's, too: they come through it.
  { source: "HomePriceOracle.sol", name: "HomePriceOracle", errorsOf: "message/LayoutPacker.sol" },
  { source: "ed25519/IEd25519Verifier.sol", name: "IEd25519Verifier", module: "ed25519VerifierAbi" },
  { source: "ed25519/Ed25519VerifierFactory.sol", name: "Ed25519VerifierFactory" },
  { source: "examples/HomeValueReader.sol", name: "HomeValueReader" },
  { source: "adapters/chainlink/ChainlinkAdapter.sol", name: "ChainlinkAdapter" },
  { source: "adapters/erc7412/ERC7412Adapter.sol", name: "ERC7412Adapter", module: "erc7412AdapterAbi" },
  { source: "adapters/erc7726/QuoteAdapter.sol", name: "QuoteAdapter" },
  { source: "adapters/morpho/MorphoAdapter.sol", name: "MorphoAdapter" },
  { source: "adapters/pyth/PythAdapter.sol", name: "PythAdapter" },
];

/** Contracts that read the oracle: their errors alone, each once, are a module of their own. */
const READERS: readonly { source: string; name: string }[] = [
  { source: "consumer/HomePriceConsumer.sol", name: "HomePriceConsumer" },
  ...CONTRACTS.filter(({ source }) => source.startsWith("adapters/")),
];

const check = process.argv.includes("--check");
const stale: string[] = [];
for (const { source, name, errorsOf, module = `${name.charAt(0).toLowerCase()}${name.slice(1)}Abi` } of CONTRACTS) {
  const own = (await readArtifact(source, name)).abi;
  const called = errorsOf ? errorsIn((await readArtifact(errorsOf, basename(errorsOf, ".sol"))).abi) : [];
  await writeModule(module, `ABI of \`contracts/${source}\``, [...own, ...called]);
}
const artifacts = await Promise.all(READERS.map(({ source, name }) => readArtifact(source, name)));
const errors = new Map(artifacts.flatMap(({ abi }) => errorsIn(abi)).map((error) => [JSON.stringify(error), error]));
const sources = "Errors of the adapters and of `contracts/consumer/HomePriceConsumer.sol`";
await writeModule("readerErrorsAbi", sources, [...errors.values()]);

if (stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(", ")}. Run: npm run generate\n`);
  process.exitCode = 1;
}

function errorsIn(abi: Abi) {
  return abi.filter(({ type }) => type === "error");
}

async function writeModule(module: string, what: string, abi: Abi): Promise<void> {
  const text = [
    `/** ${what}, written by \`scripts/generateAbis.ts\`: change the contract, not this file. */`,
    `export const ${module} = ${JSON.stringify(abi, null, 2)} as const;`,
    "",
  ].join("\n");
  const path = join(import.meta.dirname, "..", "relayer", "chain", "abi", `${module}.ts`);
  const before = await readFile(path, "utf8").catch(() => "");
  if (before === text) return;
  if (check) stale.push(module);
  else await writeFile(path, text);
}
