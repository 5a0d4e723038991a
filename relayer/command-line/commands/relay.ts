import { namingRpcErrors } from "../../chain/rpcError.ts";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { wantedFeeds } from "../../configuration/wantedFeeds.ts";
import { startConfiguredDaemon } from "../../configured/configuredDaemon.ts";
import { openConfiguredRelay } from "../../configured/configuredRelay.ts";
import { HomePriceError } from "../../errors/HomePriceError.ts";
import { formatTimeMs } from "../../message/timeWindows.ts";
import type { RelayContext } from "../../relay/relayContext.ts";
import { relayOnce } from "../../relay/relayOnce.ts";
import { nextRunMs } from "../../relay/schedule.ts";
import { plural } from "../../wording/plural.ts";
import { defineCommand } from "../commonOptions.ts";
import { formatReport } from "../formatReport.ts";
import { EXIT_DONE, EXIT_FAILED, print } from "../output.ts";
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
    const { context, close } = await openConfiguredRelay(configuration, log, { dryRun });
    try {
      if (once) {
        const report = await unlessStopped(signal, relayOnce(context, { dryRun, signal }));
        print(json, dryRun ? { ...report, dryRun } : report, () => formatReport(report));
        return report.ok ? EXIT_DONE : EXIT_FAILED;
      }
      const chains = await describeChains(context);
      const { url, ended } = await startConfiguredDaemon(configuration, context, signal);
      const [first] = chains.flatMap((chain) => ("oracle" in chain ? [chain] : []));
      const { length: feeds } = context.wanted;
      const nextRun = formatTimeMs(nextRunMs(context.schedule));
      const document = { ok: true, chainId: first?.chainId, oracle: first?.oracle, feeds, nextRun, chains, url };
      print(json, document, () =>
        chains.map((chain) => `Relaying ${plural(feeds, "feed")} to ${nameOf(chain)}.`).join("\n"),
      );
      await ended;
      return EXIT_DONE;
    } finally {
      await close();
    }
  },
);

type DescribedChain = { readonly name: string } & (
  | { readonly chainId: number; readonly oracle: string }
  | { readonly error: { readonly code: string; readonly message: string } }
);

/**
 * Connects to every chain. One that is out of reach now may come back, and does not keep the daemon from starting.
 * @throws HomePriceError for what only a change of the configuration mends.
 */
function describeChains({ chains, log }: RelayContext): Promise<DescribedChain[]> {
  return Promise.all(
    chains.map(async ({ name, open }) => {
      try {
        const { access, oracle } = await namingRpcErrors(open);
        return { name, chainId: access.chain.id, oracle };
      } catch (error) {
        if (!(error instanceof HomePriceError) || error.kind === "configuration") throw error;
        const { code, message } = error;
        log.error({ chain: name, code }, message);
        return { name, error: { code, message } };
      }
    }),
  );
}

function nameOf(chain: DescribedChain): string {
  return "oracle" in chain
    ? `${chain.oracle} on chain ${chain.chainId}`
    : `chain ${chain.name}, once it can be reached`;
}
