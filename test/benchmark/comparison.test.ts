import { expect, it } from "vitest";
import { compareFigures } from "../../scripts/benchmark/comparison.ts";

it("names each figure that differs, was dropped or is new, with both values", () => {
  const recorded = { osaka: { batches: { 1: 10, 2: 18, 8: null } }, prague: { dropped: 7 } };
  const measured = { osaka: { batches: { 1: 10, 2: 19, 8: 70 } }, prague: { added: { least: 1 } } };
  expect(compareFigures(recorded, measured)).toEqual([
    { figure: "osaka / batches / 2", recorded: "18", measured: "19" },
    { figure: "osaka / batches / 8", recorded: "null", measured: "70" },
    { figure: "prague / dropped", recorded: "7", measured: "nothing" },
    { figure: "prague / added", recorded: "nothing", measured: '{"least":1}' },
  ]);
});

it("finds nothing where all is the same", () => {
  expect(compareFigures({ osaka: { each: 1 } }, { osaka: { each: 1 } })).toEqual([]);
});
