import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AbiFunction, parseAbiItem, toFunctionSelector } from "viem";
import { formatAbiItem } from "viem/utils";
import { expect, it } from "vitest";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { abisBelow } from "./contractAbis.ts";
import { fencedBlocksOf } from "./fencedBlocks.ts";

const DOCUMENT = "docs/consumers.md";

/** What a consumer calls or inherits; the oracle's errors come through all of it. */
const SOURCES = [
  "HomePriceOracle.sol",
  "adapters",
  "consumer",
  "derived",
  "ed25519/Ed25519VerifierFactory.sol",
  "message/LayoutPacker.sol",
];

/** Solidity's own. */
const BUILT_IN = ["Error(string)", "Panic(uint256)"];

const text = readFileSync(join(CHECKOUT, DOCUMENT), "utf8");
const rows = [...text.matchAll(/^\| `(0x[0-9a-f]{8})` \| `(\w+\([\w,]*\))` \|(.+)\|$/gm)].map(
  ([, selector = "", signature = "", cells = ""]) => ({ selector, signature, cells: cells.split("|") }),
);

function signaturesIn(type: "error" | "function", sources: readonly string[]): Set<string> {
  const items = sources.flatMap(abisBelow).flatMap((abi) => [...abi]);
  return new Set(items.flatMap((item) => (item.type === type ? [formatAbiItem(item)] : [])));
}

it("the troubleshooting tables have every error of the oracle, the adapters, the consumer and the libraries, once", () => {
  const documented = rows.map(({ signature }) => signature);
  expect(documented.toSorted()).toEqual([...signaturesIn("error", SOURCES), ...BUILT_IN].toSorted());
});

it("the selectors are those of the errors, and each has a cause", () => {
  expect(rows.length).toBeGreaterThan(60);
  for (const { selector, signature, cells } of rows) {
    expect(`${selector} ${signature}`).toBe(`${toFunctionSelector(signature)} ${signature}`);
    expect(cells.every((cell) => cell.trim() !== "")).toBe(true);
  }
});

it("the errors that the document names elsewhere are errors of its tables", () => {
  const known = new Set(rows.map(({ signature }) => signature.slice(0, signature.indexOf("("))));
  const prose = text.slice(0, text.indexOf("\n## Troubleshooting"));
  const [head = ""] = /^\| error of the oracle \|.+$/m.exec(prose) ?? [];
  const named = [...head.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBe(6);
  for (const name of named) expect(known).toContain(name);
});

it("functions that the document writes out in TypeScript are the contracts' own", () => {
  const ofContracts = signaturesIn("function", ["adapters", "examples", "HomePriceOracle.sol"]);
  const ofTheReader = ["appraise(bytes[],uint256)", "liquidate(address)"];
  const written = fencedBlocksOf(DOCUMENT)
    .filter(({ language }) => language === "ts")
    .flatMap((block) => [...block.text.matchAll(/"(function [^"]+)"/g)])
    .map(([, item = ""]) => formatAbiItem(parseAbiItem(item) as AbiFunction));
  expect(written.length).toBeGreaterThan(3);
  expect(written.filter((signature) => !ofContracts.has(signature) && !ofTheReader.includes(signature))).toEqual([]);
});
