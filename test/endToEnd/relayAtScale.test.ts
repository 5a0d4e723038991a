import { expect, test } from "vitest";
import { type MeasuredRuns, measureRelay } from "../../scripts/benchmark/relayRun.ts";

const isLong = process.env["HOMEPRICE_TEST_PROFILE"] === "long";
const [MARKETS, MANY_MARKETS] = isLong ? [1_000, 5_000] : [50, 100];
const TIME_LIMIT_MS = isLong ? 40 * 60_000 : 180_000;

const MEMORY_LIMIT_BYTES = 300 * 2 ** 20;
/** Of what a feed costs in a large run, beyond what it costs in a small one. Percent. */
const TOLERATED_GROWTH = 5;

test(
  `both kinds of ${MARKETS} and of ${MANY_MARKETS} markets in one run each: a feed costs the same, and memory is bounded`,
  async () => {
    const some = await measureRelay(MARKETS, () => {});
    const many = await measureRelay(MANY_MARKETS, () => {});
    for (const runs of [some, many]) report(runs);
    for (const { first, second } of [some, many]) {
      expect(second.transactions).toBe(0);
      expect(first.feeds).toBe(second.feeds);
    }
    expect(gasPerFeed(many)).toBeLessThanOrEqual(gasPerFeed(some) * (1 + TOLERATED_GROWTH / 100));
    expect(Math.max(some.first.peakMemoryBytes, some.second.peakMemoryBytes)).toBeLessThan(MEMORY_LIMIT_BYTES);
  },
  TIME_LIMIT_MS,
);

function gasPerFeed({ first }: MeasuredRuns): number {
  return Number(first.gasUsed) / first.feeds;
}

function report(runs: MeasuredRuns): void {
  const { feeds, transactions, wallMs, stagesMs, peakMemoryBytes } = runs.first;
  const stages = Object.entries(stagesMs).map(([stage, ms]) => `${stage} ${(ms / 1_000).toFixed(1)} s`);
  process.stdout.write(
    `${feeds} feeds in ${transactions} transactions: ${(wallMs / 1_000).toFixed(1)} s (${stages.join(", ")}), ` +
      `${(wallMs / feeds).toFixed(1)} ms and ${gasPerFeed(runs).toFixed(0)} gas a feed, ` +
      `peak memory ${(peakMemoryBytes / 2 ** 20).toFixed(0)} MiB; ` +
      `with nothing to do ${(runs.second.wallMs / 1_000).toFixed(1)} s, ${(runs.second.peakMemoryBytes / 2 ** 20).toFixed(0)} MiB\n`,
  );
}
