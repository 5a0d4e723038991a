/**
 * Measures what it takes to bring the prices of many markets to a chain with one `homeprice relay --once`:
 *
 *     npm run bench:relay                                1,000 and 5,000 markets, both kinds of each
 *     npm run bench:relay -- --markets 100 --markets 500
 *     npm run bench:relay -- --json
 *
 * Chain, price service and relayer are processes of their own. A chain that runs on the same machine takes most of the
 * time: it verifies each signature in its EVM three times, to simulate, to measure the gas, and in the block.
 */
import { Command, InvalidArgumentError } from "commander";
import { formatTable, jsonText } from "../relayer/command-line/output.ts";
import { type MeasuredRun, measureRelay } from "./benchmark/relayRun.ts";

type Options = { readonly markets?: readonly number[]; readonly json?: true };

const DEFAULT_MARKETS = [1_000, 5_000];
const STAGES = ["fetch", "verify", "plan", "send", "confirm"] as const;
const BYTES_IN_MIB = 2 ** 20;

const command = new Command("bench:relay")
  .description("measure a run of the relayer: time by stage, peak memory, and the cost per feed")
  .option("--markets <number>", "markets of a run, two feeds each; can be given several times", collectMarkets)
  .option("--json", "print one JSON document")
  .action(run);
await command.parseAsync();

async function run({ markets = DEFAULT_MARKETS, json }: Options): Promise<void> {
  const rows: Row[] = [];
  for (const count of markets) {
    const { first, second } = await measureRelay(count, (text) => process.stderr.write(`${text}\n`));
    rows.push({ run: "everything is new", ...first }, { run: "nothing is new", ...second });
  }
  process.stdout.write(json ? jsonText({ ok: true, runs: rows }) : `${tables(rows)}\n`);
}

type Row = MeasuredRun & { readonly run: string };

function tables(rows: readonly Row[]): string {
  const whole = rows.map(({ run, feeds, transactions, gasUsed, wallMs, stagesMs, peakMemoryBytes }) => [
    String(feeds),
    run,
    ...STAGES.map((stage) => seconds(stagesMs[stage])),
    seconds(wallMs),
    (peakMemoryBytes / BYTES_IN_MIB).toFixed(0),
    String(transactions),
    gasUsed.toString(),
  ]);
  const perFeed = rows.map(({ run, feeds, wallMs, stagesMs, gasUsed, peakMemoryBytes }) => [
    String(feeds),
    run,
    ...STAGES.map((stage) => (stagesMs[stage] / feeds).toFixed(2)),
    (wallMs / feeds).toFixed(2),
    (peakMemoryBytes / feeds / 1024).toFixed(1),
    (gasUsed / BigInt(feeds)).toString(),
  ]);
  return [
    "Seconds of a run by stage, from the start of the process to its end, and its peak memory in MiB:",
    formatTable(["feeds", "run", ...STAGES, "process", "MiB", "transactions", "gas"], whole),
    "",
    "The same for one feed, in milliseconds, KiB and gas:",
    formatTable(["feeds", "run", ...STAGES, "process", "KiB", "gas"], perFeed),
  ].join("\n");
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}

function collectMarkets(text: string, earlier: readonly number[] = []): number[] {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError("Give a whole number from 1 on.");
  return [...earlier, number];
}
