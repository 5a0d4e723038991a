/**
 * Runs the relayer in a simulated world, where time, faults and crashes follow from a seed:
 *
 *     npm run simulate                                       30 days of 3 seeds
 *     npm run simulate -- --days 365 --seeds 20              a year of twenty
 *     npm run simulate -- --seed 0x7 --days 30 --trace       one seed again, with everything that happens in it
 *     npm run simulate -- --mutations                        defects in the relayer's code, each of which must be noticed
 *
 * Prints how often each fault struck, what became of each seed, and every violation with the line that runs it again.
 * Exits 1 if there was one, or if a mutation was not noticed. docs/developers.md says what is simulated and what is
 * checked.
 */
import { Command, InvalidArgumentError, Option } from "commander";
import { EXIT_FAILED, formatTable, jsonText } from "../relayer/command-line/output.ts";
import { createLogger } from "../relayer/logging/logger.ts";
import { MUTATIONS, mutationNamed } from "../simulation/mutations/mutations.ts";
import { type MutationVerdict, tryMutation } from "../simulation/mutations/tryMutation.ts";
import { failuresOf, simulationReport } from "../simulation/report/simulationReport.ts";
import { type SimulationOutcome, simulateTasks } from "../simulation/runner/simulateTasks.ts";

type Options = {
  readonly days: number;
  readonly seeds: number;
  readonly seed?: string;
  readonly workers: number;
  readonly trace?: true;
  readonly mutations?: true | readonly string[];
  readonly json?: true;
};

const command = new Command("simulate")
  .description("run the relayer in a simulated world and check that nothing happens that must not")
  .addOption(new Option("--days <number>", "days of each world").argParser(wholeNumber).default(30))
  .addOption(
    new Option("--seeds <number>", "how many worlds, with the seeds 0x1, 0x2 …").argParser(wholeNumber).default(3),
  )
  .addOption(new Option("--seed <seed>", "only the world of this seed, such as 0x7").argParser(seedText))
  .addOption(new Option("--workers <number>", "worlds at a time").argParser(wholeNumber).default(2))
  .option("--trace", "print everything that happens, and the relayer's log, to standard error; needs --seed")
  .option("--mutations [names...]", "put defects into the relayer's code, and check that each is noticed")
  .option("--json", "print one JSON document")
  .action(run);
await command.parseAsync();

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError("Give a whole number from 1 on.");
  return number;
}

function seedText(text: string): string {
  if (!/^(0x[0-9a-fA-F]+|\d+)$/.test(text)) throw new InvalidArgumentError("Give a whole number such as 7 or 0x7.");
  return `0x${BigInt(text).toString(16)}`;
}

async function run(options: Options): Promise<void> {
  const seeds = options.seed === undefined ? seedsUpTo(options.seeds) : [options.seed];
  if (options.mutations !== undefined) return runMutations(options, options.mutations, seeds);
  if (options.trace && options.seed === undefined) command.error("error: --trace needs --seed");
  const tasks = seeds.map((seed) => ({ seed, days: options.days }));
  const outcomes = options.trace ? [await traced(tasks[0])] : await simulateTasks(tasks, options.workers, showProgress);
  process.stdout.write(
    options.json ? jsonText({ ok: failuresOf(outcomes) === 0, outcomes }) : `${simulationReport(outcomes)}\n`,
  );
  if (failuresOf(outcomes) > 0) process.exitCode = EXIT_FAILED;
}

function seedsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `0x${(index + 1).toString(16)}`);
}

/** In this process, so that what happens can be printed as it does. The run is the same as in a worker's. */
async function traced(task: { seed: string; days: number } | undefined): Promise<SimulationOutcome> {
  if (!task) throw new RangeError("there is no seed");
  const { runWorld } = await import("../simulation/world/world.ts");
  const print = (line: string) => process.stderr.write(`${line}\n`);
  return { task, result: await runWorld({ ...task, print, log: createLogger({ level: "debug", format: "json" }) }) };
}

async function runMutations(
  options: Options,
  names: true | readonly string[],
  seeds: readonly string[],
): Promise<void> {
  const waiting = names === true ? [...MUTATIONS] : names.map(mutationNamed);
  const verdicts: MutationVerdict[] = [];
  const work = async () => {
    for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
      const verdict = await tryMutation(mutation, { seeds, days: options.days });
      verdicts.push(verdict);
      process.stderr.write(`${mutation.name}: ${describe(verdict)}\n`);
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  const missed = verdicts.filter(({ caughtBy }) => !caughtBy).length;
  process.stdout.write(options.json ? jsonText({ ok: missed === 0, verdicts }) : `${mutationTable(verdicts)}\n`);
  if (missed > 0) process.exitCode = EXIT_FAILED;
}

function mutationTable(verdicts: readonly MutationVerdict[]): string {
  const rows = verdicts.map((verdict) => [verdict.mutation.name, describe(verdict)]);
  const caught = verdicts.filter(({ caughtBy }) => caughtBy).length;
  return `${formatTable(["mutation", "noticed"], rows)}\n${caught} of ${verdicts.length} mutations noticed`;
}

function describe({ caughtBy, error }: MutationVerdict): string {
  if (caughtBy) return `${caughtBy.rule} (seed ${caughtBy.seed}, day ${caughtBy.day})`;
  return error === undefined ? "NOT NOTICED" : `FAILED: ${error}`;
}

/** To standard error, so that standard output is the result alone. */
function showProgress({ task, result, error }: SimulationOutcome, done: number): void {
  const outcome = result ? `${result.violations.length} violations, ${(result.realMs / 1000).toFixed(1)} s` : error;
  process.stderr.write(`${done}: seed ${task.seed}, ${task.days} days: ${outcome}\n`);
}
