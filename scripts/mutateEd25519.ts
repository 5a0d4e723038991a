/**
 * Checks that the fast tests notice when the generated Ed25519 bytecode is wrong, by making it wrong:
 *
 *     npm run mutate:ed25519                                600 mutants, from all parts of all generated contracts
 *     npm run mutate:ed25519 -- --mutants 2000 --seed 7     more of them, and others
 *     npm run mutate:ed25519 -- --mutants all               every change there is, and for each constant one bit of it
 *     npm run mutate:ed25519 -- --only verifier             mutants of one contract; can be given several times
 *
 * Prints how many mutants of each part were killed. Exits 1 if one survived that is not known to be equivalent: see
 * scripts/mutation/equivalentMutants.ts.
 */
import { Command, InvalidArgumentError, Option } from "commander";
import { formatTable } from "../relayer/command-line/output.ts";
import type { Choice } from "./mutation/mutants.ts";
import { checkMutants, spreadOver, type Verdict } from "./mutation/mutationCheck.ts";
import { CONTRACTS, type Contract } from "./mutation/sections.ts";

type Options = { readonly mutants: number | "all"; readonly seed: string; readonly only?: readonly Contract[] };

const command = new Command("mutate:ed25519")
  .description("check that the fast tests notice when the generated Ed25519 bytecode is wrong")
  .addOption(new Option("--mutants <number>", "how many, or all").argParser(parseNumber).default(600))
  .option("--seed <seed>", "decides which mutants are made", "1")
  .addOption(new Option("--only <contract...>", "the contracts to change").choices(CONTRACTS))
  .action(run);
await command.parseAsync();

function parseNumber(text: string): number | "all" {
  if (text === "all") return text;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError("Give a number from 1 on, or all.");
  return number;
}

async function run({ mutants, seed, only = CONTRACTS }: Options): Promise<void> {
  const all: Choice = { all: true, bits: 1 };
  const choices = mutants === "all" ? new Map(only.map((contract) => [contract, all])) : spreadOver(only, mutants);
  const started = Date.now();
  const verdicts = await checkMutants({ choices, seed, onVerdict: showProgress });
  const seconds = Math.round((Date.now() - started) / 1000);

  process.stdout.write(`${summary(verdicts)}\n\nkilled by\n${killers(verdicts)}\n`);
  const unexplained = verdicts.filter(({ killed, equivalence }) => killed === undefined && equivalence === undefined);
  for (const { mutant } of unexplained) {
    const { contract, section, position, change, context } = mutant;
    process.stdout.write(`survived: ${contract}, ${section}, byte ${position}: ${change}\n    ${context}\n`);
  }
  process.stdout.write(`${verdicts.length} mutants in ${seconds} seconds, ${unexplained.length} unexplained\n`);
  if (unexplained.length > 0) process.exitCode = 1;
}

/** To standard error, so that standard output is the result alone. */
function showProgress(_: Verdict, done: number, of: number): void {
  if (done % 100 === 0) process.stderr.write(`${done} of ${of}\n`);
}

/** A line for each part of each contract. */
function summary(verdicts: readonly Verdict[]): string {
  const parts = Map.groupBy(verdicts, ({ mutant }) => `${mutant.contract}\t${mutant.section}`);
  const rows = [...parts].map(([part, ofPart]) => [...part.split("\t"), ...counts(ofPart)]);
  return formatTable(
    ["contract", "part", "mutants", "killed", "equivalent", "unexplained"],
    [...rows, ["all", "", ...counts(verdicts)]],
  );
}

function counts(verdicts: readonly Verdict[]): string[] {
  const survivors = verdicts.filter(({ killed }) => killed === undefined);
  const equivalent = survivors.filter(({ equivalence }) => equivalence !== undefined).length;
  const numbers = [verdicts.length, verdicts.length - survivors.length, equivalent, survivors.length - equivalent];
  return numbers.map(String);
}

function killers(verdicts: readonly Verdict[]): string {
  const killed = verdicts.flatMap(({ killed }) => (killed === undefined ? [] : [killed.probe]));
  const rows = [...Map.groupBy(killed, (probe) => probe)].map(([probe, { length }]) => [probe, String(length)]);
  return formatTable(["test", "mutants"], rows);
}
