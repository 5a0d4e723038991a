import { extname } from "node:path";
import { type Command, Option } from "commander";
import { InvalidConfigurationError } from "../../../configuration/loadConfiguration.ts";
import { configuredClient } from "../../../configured/configuredClient.ts";
import { HomePriceError } from "../../../errors/HomePriceError.ts";
import { plural, pluralOf } from "../../../wording/plural.ts";
import { type CommandContext, defineCommand } from "../../commonOptions.ts";
import { creditsOf, creditWords } from "../../describeCredits.ts";
import { countOf } from "../../optionParsers.ts";
import { EXIT_DONE, EXIT_FAILED, errorDocument, jsonText, print, printError } from "../../output.ts";
import { NO_PROGRESS, type Progress, startProgress } from "../../progressBar.ts";
import { untilStopped } from "../../untilStopped.ts";
import { type CallsEstimate, type DataCall, estimateCalls } from "./dataCall.ts";
import { csvToFile, csvToStandardOutput, DATA_FORMATS, type DataFormat, type DataSink, wholeText } from "./dataSink.ts";
import { fetchPages, type RecordsPage } from "./fetchPages.ts";

/** What every command on data takes. */
export type DataOptions = {
  readonly format?: DataFormat;
  readonly output?: string;
  readonly max?: number;
  readonly estimate?: boolean;
};

type RecordName = "row" | "event" | "property";

/** What is to be asked for. */
export type DataPlan = {
  readonly calls: readonly DataCall[];
  /** What comes, for people. */
  readonly what: RecordName;
  /** Where the request itself wants fewer than `--max`. */
  readonly maxItems?: number | undefined;
};

const EXPLANATION = `
--format csv prints rows as they come; nested fields are columns joined by underscores (price_median_sales). Text that a
spreadsheet would run as a formula gets an apostrophe before it; JSON has it as it came.
--output writes the file when everything has come: what breaks off is kept as FILE.partial, and the exit code is 1.
--estimate sends nothing. Credits are bounded by creditsPerRun and creditsPerMonth.
`;

/**
 * A command that asks the service for records and prints them, saves them, or says what that would cost.
 * @param plan What to ask for, by the options and the command's arguments.
 */
export function defineDataCommand<Options extends object>(
  name: string,
  description: string,
  examples: readonly string[],
  configure: (command: Command) => Command,
  plan: (
    options: Options & DataOptions,
    context: CommandContext<object>,
    ...words: string[]
  ) => Promise<DataPlan> | DataPlan,
): Command {
  return defineCommand<Options & DataOptions>(
    name,
    description,
    examples,
    (command) =>
      configure(command)
        .addOption(
          new Option("--format <format>", "form of the data (default: table, or by the output's name)").choices(
            DATA_FORMATS,
          ),
        )
        .option("--output <file>", "write to this file, as a whole or not at all")
        .option("--max <count>", "at most so many records", countOf(1))
        .option("--estimate", "print what it would cost at most; nothing is sent")
        .addHelpText("after", EXPLANATION),
    async (given, ...words) => {
      let loaded: ReturnType<typeof given.configuration> | undefined;
      const context = {
        ...given,
        configuration: () => {
          loaded ??= given.configuration();
          return loaded;
        },
      };
      return run(context, await plan(context.options, context, ...words));
    },
  );
}

async function run(context: CommandContext<DataOptions>, { calls, what, maxItems }: DataPlan): Promise<number> {
  const { options, json, log, configuration: load } = context;
  const format = formatOf(options, json);
  const configuration = await load();
  const bounds = [options.max, maxItems].filter((bound) => bound !== undefined);
  const most = bounds.length > 0 ? Math.min(...bounds) : undefined;
  const rules = { nationwideMarketId: configuration.nationwideMarketId };
  const estimate = estimateCalls(calls, { context: rules, nowMs: Date.now(), maxItems: most });
  const endpoint = [...new Set(calls.map((call) => call.endpoint))].join(", ");
  if (options.estimate) {
    printEstimate(json, endpoint, estimate);
    return EXIT_DONE;
  }

  const signal = untilStopped(log);
  const client = configuredClient(configuration, log, { signal });
  const sink = await sinkOf(format, options.output);
  // A bar among lines that are printed would spoil both.
  const isPrinting = format === "csv" && options.output === undefined && process.stdout.isTTY === true;
  const progress = isPrinting ? NO_PROGRESS : startProgress(pluralOf(what));
  if (calls.length > 1 && estimate.credits !== null) progress.expect(estimate.credits);
  const { items, received, echo, failure } = await download(
    fetchPages(client, calls, { signal, maxItems: most }),
    sink,
    progress,
    { keepItems: format === "json" },
  );
  const error = signal.aborted ? stoppedAfter(received, what) : failure;
  const credits = creditsOf(client);
  const document = () => jsonText({ ok: error === undefined, endpoint, items, echo, credits, ...documentOf(error) });

  if (error === undefined) {
    await sink.complete(document);
    const { output } = options;
    const summary = `${plural(received, what)}; ${creditWords(credits)}.`;
    if (output !== undefined) {
      print(json, { ok: true, endpoint, output, format, received, echo, credits }, () => `${output}: ${summary}`);
    } else if (format !== "json") {
      process.stderr.write(`${summary}\n`);
    }
    return EXIT_DONE;
  }

  const partial = await sink.breakOff(document);
  if (received === 0) throw error;
  if (partial !== undefined) {
    if (json) print(json, { ok: false, endpoint, partial, format, received, credits, ...documentOf(error) }, () => "");
    else process.stderr.write(`${partial}: ${plural(received, what)} that came before it broke off\n`);
  }
  // The one document has been printed, with the error in it.
  return json ? EXIT_FAILED : printError(false, error);
}

type Downloaded = {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly received: number;
  readonly echo: Readonly<Record<string, unknown>>;
  readonly failure: unknown;
};

/** Brings pages to where they are wanted, as far as they come. */
async function download(
  pages: AsyncIterable<RecordsPage>,
  sink: DataSink,
  progress: Progress,
  { keepItems }: { readonly keepItems: boolean },
): Promise<Downloaded> {
  const items: Readonly<Record<string, unknown>>[] = [];
  let received = 0;
  let echo: Downloaded["echo"] = {};
  let failure: unknown;
  try {
    for await (const page of pages) {
      await sink.take(page);
      received += page.records.length;
      echo = page.echo;
      if (page.total !== undefined) progress.expect(page.total);
      progress.advance(page.records.length);
      if (keepItems) for (const record of page.records) items.push(record);
    }
  } catch (error) {
    failure = error;
  } finally {
    progress.stop();
  }
  return { items, received, echo, failure };
}

/**
 * @throws InvalidConfigurationError when standard output is to be one document and a table as well.
 */
function formatOf({ format, output }: DataOptions, json: boolean): DataFormat {
  if (json && output === undefined && format !== undefined && format !== "json") {
    throw new InvalidConfigurationError(
      "USAGE",
      `--json prints one document, and --format ${format} something else`,
      "Leave one of them out, or give a file for the data with --output.",
    );
  }
  if (format !== undefined) return format;
  if (output === undefined) return json ? "json" : "table";
  return extname(output).toLowerCase() === ".json" ? "json" : "csv";
}

function sinkOf(format: DataFormat, output: string | undefined): Promise<DataSink> {
  if (format !== "csv") return wholeText(format, output);
  return output === undefined ? Promise.resolve(csvToStandardOutput()) : csvToFile(output);
}

function printEstimate(json: boolean, endpoint: string, { credits, requests, basis }: CallsEstimate): void {
  const document = { ok: true, endpoint, credits: { estimated: credits, used: 0, remaining: null }, requests, basis };
  print(json, document, () =>
    credits === null || requests === null
      ? `Unknown before it is asked: ${basis}. Bound it with --max.`
      : `At most ${plural(credits, "credit")}, in at most ${plural(requests, "request")}: ${basis}.`,
  );
}

function documentOf(error: unknown): object {
  return error === undefined ? {} : { error: errorDocument(error).error };
}

function stoppedAfter(received: number, what: RecordName): HomePriceError {
  return new HomePriceError("STOPPED", `stopped after ${plural(received, what)}`, {
    hint: "What had been asked for by then has been paid for. Narrow the request to what is still missing.",
  });
}
