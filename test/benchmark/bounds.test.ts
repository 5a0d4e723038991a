import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";
import { checkBounds } from "../../scripts/benchmark/bounds.ts";
import type { GasFigures } from "../../scripts/benchmark/gasFigures.ts";

const RECORDED = readFileSync(packageFile("test", "benchmark", "gas.json"), "utf8");
const CHAINLINK_COLD = "what the Chainlink read takes more than the direct one, cold";

/** The figures on record with one of Prague's changed; its place as in the file. */
function changed(change: (gas: number) => number | undefined, ...place: readonly string[]): GasFigures {
  const figures = JSON.parse(RECORDED) as GasFigures;
  let parent: Record<string, unknown> = figures.prague;
  for (const name of place.slice(0, -1)) parent = parent[name] as Record<string, unknown>;
  const last = place.at(-1) ?? "";
  parent[last] = change(parent[last] as number);
  return figures;
}

const exceeded = (figures: GasFigures) => checkBounds(figures).flatMap(({ what, holds }) => (holds ? [] : [what]));

it.each([
  [CHAINLINK_COLD, ["reads", "ChainlinkAdapter", "latestRoundData", "cold"], 4_000],
  ["the same, warm", ["reads", "ChainlinkAdapter", "latestRoundData", "warm"], 1_500],
  ["what history adds to an update in a slot that has begun", ["storing", "history", "begun", "10", "with"], 60_000],
  ["what history adds to an update in a slot that has begun", ["storing", "history", "corrected", "1", "with"], 6_000],
  ["what history adds to an update where a slot begins", ["storing", "history", "beginning", "1", "with"], 23_000],
  [
    "execution that an already brought update adds, where the consumer asks first",
    ["pulls", "alreadyBrought", "pull", "5", "execution"],
    21_000,
  ],
  [
    "the same of a further one, where the consumer always brings",
    ["pulls", "alreadyBrought", "bring", "5", "execution"],
    12_000,
  ],
] as const)("%s: is exceeded if one hard fork makes it dearer, and no other bound is", (what, place, more) => {
  expect(exceeded(changed((gas) => gas + more, ...place))).toEqual([what]);
});

it("is not held by a figure that is missing", () => {
  const figures = changed(() => undefined, "reads", "ChainlinkAdapter", "latestRoundData", "cold");
  expect(exceeded(figures)).toEqual([CHAINLINK_COLD]);
});
