import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

/** What a protocol inherits or imports. */
const ENTRIES = [
  "contracts/interfaces/IHomePriceOracle.sol",
  "contracts/interfaces/IGuardian.sol",
  "contracts/consumer/HomePriceConsumer.sol",
  "contracts/derived/DerivedReads.sol",
];

type Compiler = { compile(input: string): string };
type Output = { errors?: { severity: string; formattedMessage: string }[] };

const root = join(import.meta.dirname, "..", "..");

/** An entry and all that it imports, by path. */
function sourcesOf(path: string, sources: Record<string, { content: string }> = {}) {
  if (sources[path]) return sources;
  const content = readFileSync(join(root, path), "utf8");
  sources[path] = { content };
  for (const [, imported] of content.matchAll(/from "(\..+?)"/g))
    sourcesOf(join(dirname(path), imported ?? ""), sources);
  return sources;
}

it.each(ENTRIES)("%s compiles with solc 0.8.19, which protocols still use", (entry) => {
  const solc = createRequire(import.meta.url)("solc-0.8.19") as Compiler;
  const input = {
    language: "Solidity",
    sources: sourcesOf(entry),
    settings: { outputSelection: { "*": { "*": ["abi"] } } },
  };
  const { errors = [] } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  expect(errors.filter(({ severity }) => severity === "error").map(({ formattedMessage }) => formattedMessage)).toEqual(
    [],
  );
});
