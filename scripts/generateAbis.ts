/**
 * Writes the ABIs that TypeScript code reads as `const` modules, so that viem can type every call:
 *
 *     node scripts/generateAbis.ts            after a build
 *     node scripts/generateAbis.ts --check    exits 1 when a module is out of date
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readArtifact } from "../relayer/deployment/contractArtifact.ts";

const CONTRACTS = [
  { source: "HomePriceOracle.sol", name: "HomePriceOracle" },
  { source: "ed25519/IEd25519Verifier.sol", name: "IEd25519Verifier", module: "ed25519VerifierAbi" },
  { source: "ed25519/Ed25519VerifierFactory.sol", name: "Ed25519VerifierFactory" },
  { source: "examples/HomeValueReader.sol", name: "HomeValueReader" },
];

const check = process.argv.includes("--check");
const stale: string[] = [];
for (const { source, name, module = `${name.charAt(0).toLowerCase()}${name.slice(1)}Abi` } of CONTRACTS) {
  const { abi } = await readArtifact(source, name);
  const text = [
    `/** ABI of \`contracts/${source}\`, written by \`scripts/generateAbis.ts\`: change the contract, not this file. */`,
    `export const ${module} = ${JSON.stringify(abi, null, 2)} as const;`,
    "",
  ].join("\n");
  const path = join(import.meta.dirname, "..", "relayer", "chain", "abi", `${module}.ts`);
  const before = await readFile(path, "utf8").catch(() => "");
  if (before === text) continue;
  if (check) stale.push(module);
  else await writeFile(path, text);
}
if (stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(", ")}. Run: npm run generate\n`);
  process.exitCode = 1;
}
