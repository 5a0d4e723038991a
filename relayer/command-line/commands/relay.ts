import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { wantedFeeds } from "../../configuration/wantedFeeds.ts";
import { formatTimeMs } from "../../message/timeWindows.ts";
import { runDaemon } from "../../relay/daemon.ts";
import { relayOnce } from "../../relay/relayOnce.ts";
import { nextRunMs } from "../../relay/schedule.ts";
import { defineCommand } from "../commonOptions.ts";
import { formatReport } from "../formatReport.ts";
import { EXIT_DONE, EXIT_FAILED, print } from "../output.ts";
import { plural } from "../plural.ts";
import { createRelayContext } from "../relayContext.ts";
import { unlessStopped, untilStopped } from "../untilStopped.ts";

type RelayOptions = { readonly once?: boolean; readonly dryRun?: boolean; readonly estimate?: boolean };

export const relayCommand = defineCommand<RelayOptions>(
  "relay",
  "carry the latest signed prices on-chain: now, then every day after 7:30 AM Eastern, until stopped",
  [
    "homeprice relay",
    "homeprice relay --once --json",
    "homeprice relay --once --dry-run",
    "homeprice relay --estimate",
    "HOMEPRICE_MARKETS=5826765,5503877:sales homeprice relay --once",
  ],
  (command) =>
    command
      .option("--once", "one full run now; exits 0 only if nothing was refused and every wanted feed is current")
      .option("--dry-run", "with --once: everything but sending")
      .option("--estimate", "print the credits that a run may cost, and ask for nothing"),
  async ({ options, json, log, configuration: load }) => {
    const { once = false, dryRun = false, estimate = false } = options;
    if (dryRun && !once) {
      throw new InvalidConfigurationError(
        "USAGE",
        "--dry-run goes with --once",
        "Call homeprice relay --once --dry-run.",
      );
    }
    const configuration = await load();
    if (estimate) {
      // One credit a price; the daemon asks again for what has not appeared yet.
      const credits = wantedFeeds(configuration).length;
      print(
        json,
        { ok: true, credits: { estimated: credits } },
        () =>
          `A run asks for ${plural(credits, "price")}: ${plural(credits, "credit")} at most, and as many for each time that it asks again.`,
      );
      return EXIT_DONE;
    }
    const signal = untilStopped(log);
    const context = await createRelayContext(configuration, log, { dryRun });
    if (once) {
      const report = await unlessStopped(signal, relayOnce(context, { dryRun, signal }));
      print(json, dryRun ? { ...report, dryRun } : report, () => formatReport(report));
      return report.ok ? EXIT_DONE : EXIT_FAILED;
    }
    const nextRun = formatTimeMs(nextRunMs(context.schedule));
    print(
      json,
      { ok: true, chainId: context.connection.chain.id, oracle: context.oracle, feeds: context.wanted.length, nextRun },
      () => `Relaying ${context.wanted.length} feeds to ${context.oracle} on chain ${context.connection.chain.id}.`,
    );
    await runDaemon({
      schedule: context.schedule,
      log,
      signal,
      // Connected anew for each run, so that an RPC endpoint that has died since costs no more than a look at the next.
      run: async (runSignal) =>
        relayOnce(await createRelayContext(configuration, log, { dryRun }), { signal: runSignal }),
    });
    return EXIT_DONE;
  },
);
