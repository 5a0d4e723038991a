import { formatEther } from "viem";
import { formatTable } from "../../relayer/command-line/output.ts";
import type { SimulationOutcome } from "../runner/simulateTasks.ts";
import type { WorldResult } from "../world/worldResult.ts";
import type { FaultCount } from "./faultCounts.ts";

/** What came of several seeds, for people. */
export function simulationReport(outcomes: readonly SimulationOutcome[]): string {
  const results = outcomes.flatMap(({ result }) => result ?? []);
  return [faultTable(results), seedTable(outcomes), ...violationLines(outcomes), summaryLine(outcomes)].join("\n");
}

/** How many of the outcomes are not as they should be. */
export function failuresOf(outcomes: readonly SimulationOutcome[]): number {
  return outcomes.filter(({ result }) => result === undefined || result.violations.length > 0).length;
}

/** How to see a run again, with everything that happened in it. */
export function replayLine({ seed, days }: { readonly seed: string; readonly days: number }): string {
  return `npm run simulate -- --seed ${seed} --days ${days} --trace`;
}

function faultTable(results: readonly WorldResult[]): string {
  const total = new Map<string, { begun: number; struck: number }>();
  for (const [kind, { begun, struck }] of results.flatMap(({ faults }) => Object.entries<FaultCount>(faults))) {
    const sum = total.get(kind) ?? { begun: 0, struck: 0 };
    total.set(kind, { begun: sum.begun + begun, struck: sum.struck + struck });
  }
  const rows = [...total].sort(([a], [b]) => (a < b ? -1 : 1));
  return formatTable(
    ["fault", "times", "struck"],
    rows.map(([kind, { begun, struck }]) => [kind, String(begun), String(struck)]),
  );
}

function seedTable(outcomes: readonly SimulationOutcome[]): string {
  return formatTable(
    [
      "seed",
      "days",
      "relayers",
      "transactions",
      "cost (ETH)",
      "crashes",
      "takeovers",
      "alerts",
      "had to be current",
      "excused",
      "violations",
      "seconds",
      "trace",
    ],
    outcomes.map(({ task, result, error }) =>
      result
        ? [
            result.seed,
            String(result.days),
            String(result.relayers),
            String(result.transactions),
            formatEther(Object.values(result.costWei).reduce((sum, wei) => sum + BigInt(wei), 0n)),
            String(result.crashes),
            String(result.takeovers),
            String(result.alertsTold),
            String(result.expectations),
            String(result.excused),
            String(result.violations.length),
            (result.realMs / 1000).toFixed(1),
            result.digest.slice(0, 12),
          ]
        : [task.seed, String(task.days), "", "", "", "", "", "", "", "", error ?? "", "", ""],
    ),
  );
}

/** Violations that are printed of each seed. */
const PRINTED = 10;

function violationLines(outcomes: readonly SimulationOutcome[]): string[] {
  return outcomes.flatMap(({ task, result, error }) => {
    if (error !== undefined) return [`seed ${task.seed}: ${error}`, `  replay: ${replayLine(task)}`];
    if (!result || result.violations.length === 0) return [];
    const { violations } = result;
    const lines = violations
      .slice(0, PRINTED)
      .map(({ rule, atMs, message }) => `  ${new Date(atMs).toISOString()} ${rule}: ${message}`);
    const more = violations.length > PRINTED ? [`  … and ${violations.length - PRINTED} more`] : [];
    return [`seed ${task.seed}: ${violations.length} violations`, ...lines, ...more, `  replay: ${replayLine(task)}`];
  });
}

function summaryLine(outcomes: readonly SimulationOutcome[]): string {
  const violations = outcomes.reduce((sum, { result }) => sum + (result?.violations.length ?? 0), 0);
  const unfinished = outcomes.filter(({ result }) => !result).length;
  const ended = unfinished === 0 ? "" : `, ${unfinished} runs did not come to their end`;
  return `${outcomes.length} seeds, ${violations} violations${ended}`;
}
