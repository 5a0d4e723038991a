import { expect, it } from "vitest";
import { type Compiler, compileBlocks, soliditySources } from "./solidityBlocks.ts";

/** Documents, compilers, and the fewest blocks that each of them has to find. */
const CASES: readonly [document: string, compiler: Compiler, fewest: number][] = [
  ["README.md", "solc", 1],
  ["README.md", "solc-0.8.19", 1],
  ["docs/consumers.md", "solc", 10],
  ["docs/consumers.md", "solc-0.8.19", 6],
];

it.each(CASES)("%s: every Solidity block compiles without a warning by %s", (document, compiler, fewest) => {
  expect(Object.keys(soliditySources(document, compiler)).length).toBeGreaterThanOrEqual(fewest);
  expect(compileBlocks(document, compiler).complaints).toEqual([]);
});
