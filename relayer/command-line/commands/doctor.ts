import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { wantedFeeds } from "../../configuration/wantedFeeds.ts";
import { ALL_CHECKS } from "../../doctor/allChecks.ts";
import { creditsOfLatestPrices } from "../../doctor/askLatestPrices.ts";
import { formatDoctorReport } from "../../doctor/formatDoctorReport.ts";
import { type DoctorReport, runChecks } from "../../doctor/runChecks.ts";
import { plural } from "../../wording/plural.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, EXIT_FAILED, EXIT_UNUSABLE, print } from "../output.ts";

type DoctorOptions = { readonly allMarkets?: boolean; readonly days?: string; readonly estimate?: boolean };

export const doctorCommand = defineCommand<DoctorOptions>(
  "doctor",
  "check configuration, key, API, RPC, balance, layout, signer, clock; says what to do about each failure",
  ["homeprice doctor", "homeprice doctor --all-markets --estimate", "homeprice doctor --config production.yaml --json"],
  (command) =>
    command
      .option("--all-markets", "ask for the price of every wanted feed, instead of one of each kind")
      .option(
        "--days <number>",
        "warn when credits or balance last for fewer days (default: 14, for balances balanceWarningDays)",
      )
      .option("--estimate", "print the credits that it may cost, and ask for nothing")
      .addHelpText("after", describeChecks),
  async ({ options, json, inspected }) => {
    const environment = process.env;
    const allMarkets = options.allMarkets === true;
    if (options.estimate === true) {
      const { markets, kinds } = inspected.configuration;
      const estimated = creditsOfLatestPrices(markets ? wantedFeeds({ markets, kinds }) : [], allMarkets);
      print(json, { ok: true, credits: { estimated } }, () => `${plural(estimated, "credit")} at most.`);
      return EXIT_DONE;
    }
    const report = await runChecks({
      inspected,
      environment,
      allMarkets,
      enoughDays: options.days === undefined ? undefined : parseDays(options.days),
      nowMs: () => BigInt(Date.now()),
    });
    print(json, report, () => formatDoctorReport(report));
    return exitCodeOf(report);
  },
);

/** 2 when the configuration itself cannot be used, as with every command; 1 when something else failed. */
function exitCodeOf({ ok, checks }: DoctorReport): number {
  if (ok) return EXIT_DONE;
  const isUnusable = checks.some(({ name, status }) => name === "configuration" && status === "failed");
  return isUnusable ? EXIT_UNUSABLE : EXIT_FAILED;
}

/** @throws InvalidConfigurationError */
function parseDays(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidConfigurationError("USAGE", `"${text}" is no number of days`, "Give --days a number such as 14.");
}

function describeChecks(): string {
  const width = Math.max(...ALL_CHECKS.map(({ name }) => name.length)) + 2;
  return `
Sends no transaction. Asks the price service for one latest price of each wanted kind, which costs a credit each (at most
2); with --all-markets for one of every wanted feed. Exits with 0 if no check failed (warnings are allowed), with 1 if one
failed, with 2 if the configuration itself cannot be used.

Checks:
${ALL_CHECKS.map(({ name, about }) => `  ${name.padEnd(width)}${about}`).join("\n")}`;
}
