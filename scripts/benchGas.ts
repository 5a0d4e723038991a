/**
 * Measures the gas of everything that is paid for, and writes it down:
 *
 *     npm run bench:gas                          writes docs/gas.md and test/benchmark/gas.json, prints the document
 *     npm run bench:gas -- --check               compares instead, and exits 1 with each figure that differs
 *     npm run bench:gas -- --peer NAME=FOLDER    prints the document with another verifier measured beside ours
 *
 * docs/gas.md says how gas is measured, and what the folder of another verifier holds.
 */
import { readFile, writeFile } from "node:fs/promises";
import { Command, Option } from "commander";
import { formatTable } from "../relayer/command-line/output.ts";
import { packageFile } from "../relayer/deployment/projectDirectory.ts";
import { compareFigures } from "./benchmark/comparison.ts";
import { gasDocument } from "./benchmark/gasDocument.ts";
import { measureGas } from "./benchmark/gasFigures.ts";
import { measurePeers, parsePeerOption } from "./benchmark/measuredPeer.ts";
import { readToolchain } from "./benchmark/toolchain.ts";

const DOCUMENT = packageFile("docs", "gas.md");
const SNAPSHOT = packageFile("test", "benchmark", "gas.json");

type Options = { readonly check?: true; readonly peer: readonly { name: string; folder: string }[] };

const command = new Command("bench:gas")
  .description("measure the gas of verification, registration, updates and reads; write docs/gas.md")
  .addOption(new Option("--check", "compare with what is written down, and write nothing").conflicts("peer"))
  .option(
    "--peer <name=folder>",
    "measure another verifier in the same run; can be given several times",
    collectPeer,
    [],
  )
  .action(run);
await command.parseAsync();

function collectPeer(value: string, earlier: Options["peer"]): Options["peer"] {
  return [...earlier, parsePeerOption(value)];
}

async function run({ check, peer }: Options): Promise<void> {
  const figures = await measureGas();
  const toolchain = await readToolchain();
  const snapshot = `${JSON.stringify(figures, undefined, 2)}\n`;
  if (check) {
    const recorded: unknown = JSON.parse(await readFile(SNAPSHOT, "utf8").catch(() => "{}"));
    const differences = compareFigures(recorded, figures);
    const isDocumentRight = (await readFile(DOCUMENT, "utf8").catch(() => "")) === gasDocument(figures, toolchain);
    if (differences.length > 0) {
      const rows = differences.map((difference) => [difference.figure, difference.recorded, difference.measured]);
      process.stderr.write(`${formatTable(["figure", "on record", "measured"], rows)}\n`);
    }
    if (!isDocumentRight) process.stderr.write(`${DOCUMENT} is out of date. Run: npm run bench:gas\n`);
    process.exitCode = differences.length > 0 || !isDocumentRight ? 1 : 0;
    return;
  }
  if (peer.length > 0) {
    process.stdout.write(gasDocument(figures, toolchain, await measurePeers(peer, toolchain)));
    return;
  }
  const document = gasDocument(figures, toolchain);
  await writeFile(DOCUMENT, document);
  await writeFile(SNAPSHOT, snapshot);
  process.stdout.write(document);
}
