import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { fencedBlocksOf } from "./fencedBlocks.ts";

/** Compilers from npm, newest first. */
export const COMPILERS = ["solc", "solc-0.8.19"] as const;
export type Compiler = (typeof COMPILERS)[number];

type SolcModule = { compile(input: string, callbacks: { import: (path: string) => object }): string };
type Message = { severity: string; formattedMessage: string; sourceLocation?: { file: string } };
type Contracts = Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;

export type CompiledBlocks = {
  /** What the compiler has to say of the blocks, and errors of what they import. */
  readonly complaints: readonly string[];
  readonly contracts: ReadonlyMap<string, { readonly abi: Abi; readonly bytecode: Hex }>;
};

const OLDEST_FOR_PROTOCOLS = "pragma solidity ^0.8.19;";

/**
 * Sources of the Solidity blocks of a document which a compiler takes, by file name: that of the title, or the line. A block
 * without a pragma is for all compilers. Lines are those of the document.
 */
export function soliditySources(document: string, compiler: Compiler): Record<string, { content: string }> {
  const sources: Record<string, { content: string }> = {};
  for (const { language, title, line, text } of fencedBlocksOf(document)) {
    if (language !== "solidity") continue;
    const pragma = /^pragma solidity [^;]+;/m.exec(text)?.[0];
    if (compiler === "solc-0.8.19" && (pragma ?? OLDEST_FOR_PROTOCOLS) !== OLDEST_FOR_PROTOCOLS) continue;
    const license = text.includes("SPDX-License-Identifier") ? "" : "/* SPDX-License-Identifier: MIT */ ";
    const head = `${license}${pragma === undefined ? OLDEST_FOR_PROTOCOLS : ""}`;
    const content = `${"\n".repeat(line - 2)}${head}\n${text}`;
    sources[`${document}/${title ?? `line${line}.sol`}`] = { content };
  }
  return sources;
}

/** Compiles with the compiler's defaults, as a project does that imports this package by its name. */
export function compileBlocks(document: string, compiler: Compiler): CompiledBlocks {
  const solc = createRequire(import.meta.url)(compiler) as SolcModule;
  const sources = soliditySources(document, compiler);
  const outputs = Object.keys(sources).map((name) => [name, { "*": ["abi", "evm.bytecode.object"] }]);
  const input = { language: "Solidity", sources, settings: { outputSelection: Object.fromEntries(outputs) } };
  const { errors = [], contracts = {} } = JSON.parse(solc.compile(JSON.stringify(input), { import: importFile })) as {
    errors?: Message[];
    contracts?: Contracts;
  };
  const complaints = errors
    .filter(({ severity, sourceLocation }) => severity === "error" || (sourceLocation?.file ?? "") in sources)
    .map(({ formattedMessage }) => formattedMessage);
  const compiled = Object.values(contracts).flatMap((file) =>
    Object.entries(file).map(
      ([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` as Hex }] as const,
    ),
  );
  return { complaints, contracts: new Map(compiled) };
}

/** What a project finds that has installed this package: not what is for its own tests only. */
function importFile(path: string): object {
  const [, ours] = /^home-price-oracle\/(contracts\/(?!testing\/).+)$/.exec(path) ?? [];
  try {
    return { contents: readFileSync(ours ? join(CHECKOUT, ours) : join(CHECKOUT, "node_modules", path), "utf8") };
  } catch (error) {
    return { error: String(error) };
  }
}
