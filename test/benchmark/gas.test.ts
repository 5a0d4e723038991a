import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";
import { checkBounds } from "../../scripts/benchmark/bounds.ts";
import { compareFigures } from "../../scripts/benchmark/comparison.ts";
import { gasDocument } from "../../scripts/benchmark/gasDocument.ts";
import { type GasFigures, measureGas } from "../../scripts/benchmark/gasFigures.ts";
import { readToolchain } from "../../scripts/benchmark/toolchain.ts";

let figures: GasFigures;
beforeAll(async () => {
  figures = await measureGas();
}, 480_000);

describe("gas (npm run bench:gas takes new figures)", () => {
  it("is what is on record, to the last unit", async () => {
    const recorded: unknown = JSON.parse(await readFile(packageFile("test", "benchmark", "gas.json"), "utf8"));
    expect(compareFigures(recorded, figures)).toEqual([]);
  });

  it("is what docs/gas.md says", async () => {
    const document = await readFile(packageFile("docs", "gas.md"), "utf8");
    expect(document).toBe(gasDocument(figures, await readToolchain()));
  });

  it("stays within every bound", () => {
    expect(checkBounds(figures).filter(({ holds }) => !holds)).toEqual([]);
  });
});
