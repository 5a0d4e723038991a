import { hostname } from "node:os";
import { chainsOf } from "../configuration/chainConfiguration.ts";
import { nameOfChain } from "../configuration/chainNamed.ts";
import { spendingRules } from "../configuration/chainSettings.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { packageVersion } from "../deployment/packageVersion.ts";
import type { Engine } from "../engine/engine.ts";
import { createLocalEngine } from "../engine/localEngine.ts";
import { createPostgresEngine } from "../engine/postgresEngine.ts";
import { journalPath } from "../journal/journalPath.ts";
import { isPostgresUrl } from "../journal/openJournal.ts";
import type { RelayContext } from "../relay/relayContext.ts";
import { runRelayDaemon } from "../relay/relayDaemon.ts";
import { startWatch } from "../watch/watch.ts";

/** A daemon that has its place to listen, and runs until stopped. */
export type ConfiguredDaemon = {
  /** Where metrics and health are, if anywhere. */
  readonly url: string | undefined;
  /** Resolves when it has been stopped. */
  readonly ended: Promise<void>;
};

/**
 * Starts the daemon as the configuration says: with a database, any number of processes share the work; otherwise this
 * one does all of it.
 * @throws ListenError when `listen` cannot be had.
 */
export async function startConfiguredDaemon(
  configuration: Configuration,
  context: RelayContext,
  signal: AbortSignal,
): Promise<ConfiguredDaemon> {
  const { journal, log, nowMs } = context;
  const { listen, webhookUrl, heartbeatUrl, heartbeatMinutes, alertRepeatHours, archiveDays } = configuration;
  const watch = await startWatch({
    journal,
    log,
    nowMs,
    version: packageVersion(),
    chains: chainsOf(configuration).map((chain) => ({ name: nameOfChain(chain), ...spendingRules(chain) })),
    instance: isPostgresUrl(journalPath(configuration)) ? hostname() : undefined,
    turnEveryMs: TURN_EVERY_MS,
    webhookUrl,
    heartbeatUrl,
    heartbeatMinutes,
    alertRepeatHours,
    listen,
  });
  const engine = createEngine(configuration, context);
  return {
    url: watch.url,
    ended: runRelayDaemon(context, { engine, watch, archiveDays, signal }).finally(() => watch.close()),
  };
}

const TURN_EVERY_MS = 30_000;

function createEngine(configuration: Configuration, { chains, schedule, nowMs, log }: RelayContext): Engine {
  const chainNames = chains.map(({ name }) => name);
  const store = journalPath(configuration);
  return isPostgresUrl(store)
    ? createPostgresEngine({ connectionString: store, schedule, chainNames, nowMs, log })
    : createLocalEngine({ schedule, chainNames, nowMs, log });
}
