import { type Hex, hexToBytes } from "viem";
import { openChain } from "../chain/openChain.ts";
import { type ChainConfiguration, chainsOf } from "../configuration/chainConfiguration.ts";
import { nameOfChain } from "../configuration/chainNamed.ts";
import { settingsOfChain } from "../configuration/chainSettings.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { wantedFeeds } from "../configuration/wantedFeeds.ts";
import type { ChainContext, WantedFeed } from "../deliver/chainContext.ts";
import type { Journal } from "../journal/journal.ts";
import { journalPath } from "../journal/journalPath.ts";
import { openJournal } from "../journal/openJournal.ts";
import type { TransactionSigner } from "../keys/transactionSigner.ts";
import { type Logger, logOfChain } from "../logging/logger.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../message/ed25519.ts";
import { feedIdOf } from "../message/feedId.ts";
import type { RelayChain, RelayContext } from "../relay/relayContext.ts";
import { relaySettings } from "../relay/relaySettings.ts";
import { nextRunMs } from "../relay/schedule.ts";
import { type ClockReading, readingClock } from "../service/serviceClock.ts";
import { configuredBudget, configuredClient } from "./configuredClient.ts";
import { hasKey, signerOf } from "./configuredSigner.ts";
import { findOracle } from "./findOracle.ts";

/** What a configuration gives to work with, and whatever has to be closed behind it. */
export type OpenedRelay = { readonly context: RelayContext; readonly close: () => Promise<void> };

/**
 * Everything a run works with, from the configuration. What is missing there is said before anything is connected.
 * @param dryRun Whether nothing is going to be sent: then nobody's key is needed.
 * @throws HomePriceError
 */
export async function openConfiguredRelay(
  configuration: Configuration,
  log: Logger,
  { dryRun }: { readonly dryRun: boolean },
): Promise<OpenedRelay> {
  // Whether there are address and key of the service; the client that is used shares the journal's record of credits.
  configuredClient(configuration, log);
  const feeds = wantedFeeds(configuration);
  const chains = chainsOf(configuration);
  for (const chain of chains) settingsOfChain(chain);
  const signers = await Promise.all(chains.map((chain) => (dryRun && !hasKey(chain) ? undefined : signerOf(chain))));
  const journal = await openJournal(journalPath(configuration));
  const settings = relaySettings(configuration);
  const wanted = feeds.map((feed) => ({ ...feed, feedId: feedIdOf(feed, settings.rentalOffset) }));
  const common = {
    wanted,
    journal,
    log,
    nowMs: () => BigInt(Date.now()),
    layout: settings.layout,
    nextRunMs: () => nextRunMs(settings.schedule),
  };
  let clockReading: ClockReading | undefined;
  const fetch = readingClock(common.nowMs, (reading) => {
    clockReading = reading;
  });
  const budget = configuredBudget(configuration, journal.credits);
  return {
    context: {
      ...settings,
      client: configuredClient(configuration, log, { budget, fetch }),
      clockReading: () => clockReading,
      journal,
      chains: chains.map((chain, index) => configuredChain(chain, signers[index], common)),
      wanted: feeds,
      nowMs: common.nowMs,
      log,
    },
    close: () => journal.close(),
  };
}

type CommonToChains = {
  readonly wanted: readonly WantedFeed[];
  readonly journal: Journal;
  readonly log: Logger;
  readonly nowMs: () => bigint;
  readonly layout: ChainContext["layout"];
  readonly nextRunMs: () => bigint;
};

/** A chain that is connected when it is needed; what has been found once, its id and its oracle, stays. */
function configuredChain(
  chain: ChainConfiguration,
  signer: TransactionSigner | undefined,
  common: CommonToChains,
): RelayChain {
  const name = nameOfChain(chain);
  const { rpcUrls, expectedChainId, requestTimeoutMs } = settingsOfChain(chain);
  const log = logOfChain(common.log, name);
  const access = openChain({ rpcUrls, expectedChainId, timeoutMs: requestTimeoutMs, log });
  let context: ChainContext | undefined;
  return {
    name,
    open: async () => {
      if (context) return context;
      const connection = await access.pin();
      const { oracle, recordedKey } = await findOracle(connection, chain);
      context = {
        ...common,
        log,
        settings: { ...settingsOfChain(chain, connection.chain.id), name },
        access,
        oracle,
        signer,
        signerPublicKey: publicKeyOf(chain.signerPublicKey ?? recordedKey),
      };
      return context;
    },
  };
}

function publicKeyOf(hex: Hex | undefined): Ed25519PublicKey | undefined {
  return hex === undefined ? undefined : decodePublicKey(hexToBytes(hex));
}
