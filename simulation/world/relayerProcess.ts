import type { Address, Hex } from "viem";
import { openChain } from "../../relayer/chain/openChain.ts";
import type { ChainSettings } from "../../relayer/deliver/chainSettings.ts";
import { deliverToChain } from "../../relayer/deliver/deliverToChain.ts";
import type { CollectContext } from "../../relayer/edition/collectContext.ts";
import { collectEdition } from "../../relayer/edition/collectEdition.ts";
import { runRelayerDaemon } from "../../relayer/engine/daemon.ts";
import type { Engine } from "../../relayer/engine/engine.ts";
import type { Journal } from "../../relayer/journal/journal.ts";
import { privateKeySigner } from "../../relayer/keys/privateKeySigner.ts";
import type { Logger } from "../../relayer/logging/logger.ts";
import type { Ed25519PublicKey } from "../../relayer/message/ed25519.ts";
import { DEFAULT_RENTAL_OFFSET, type Feed, feedIdOf } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { DEFAULT_WINDOWS } from "../../relayer/message/timeWindows.ts";
import { nextRunMs, type Schedule } from "../../relayer/relay/schedule.ts";
import { createServiceClient } from "../../relayer/service/serviceClient.ts";
import { startWatch } from "../../relayer/watch/watch.ts";

export type RelayedChain = { readonly settings: ChainSettings; readonly chainId: number; readonly oracle: Address };

export type RelayerProcessOptions = {
  readonly instance: string;
  readonly journal: Journal;
  readonly engine: Engine;
  readonly chains: readonly RelayedChain[];
  readonly privateKey: Hex;
  readonly wanted: readonly Feed[];
  readonly signerPublicKey: Ed25519PublicKey;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly webhookUrl: string;
  readonly heartbeatUrl: string;
  readonly schedule: Schedule;
  readonly editionLateAt: string;
  readonly archiveDays: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
};

/** How often the process looks after itself. The real one does every minute; here that would be most of the work. */
const TURN_EVERY_MS = 900_000;

/** Runs what `homeprice relay` runs, from the journal on: the project's own parts, put together as the command does. */
export async function runRelayerProcess(options: RelayerProcessOptions): Promise<void> {
  const { journal, log, schedule, signerPublicKey, signal } = options;
  const nowMs = () => BigInt(Date.now());
  const nextMs = rememberingNextRun(schedule);
  const client = createServiceClient({ apiUrl: options.apiUrl, apiKey: options.apiKey, log });
  const collecting: CollectContext = {
    client,
    journal,
    wanted: options.wanted,
    rules: {
      layout: DEFAULT_LAYOUT,
      publicKeys: [signerPublicKey],
      rentalOffset: DEFAULT_RENTAL_OFFSET,
      maxExpiryAfterDateMs: DEFAULT_WINDOWS.maxExpiryAfterDateMs,
      timeZone: schedule.timeZone,
    },
    schedule,
    editionLateAt: options.editionLateAt,
    nowMs,
    log,
  };
  const signer = privateKeySigner(options.privateKey);
  const wanted = options.wanted.map((feed) => ({ ...feed, feedId: feedIdOf(feed) }));
  const contexts = new Map(
    options.chains.map(({ settings, chainId, oracle }) => [
      settings.name,
      {
        settings,
        access: openChain({
          rpcUrls: settings.rpcUrls,
          expectedChainId: chainId,
          timeoutMs: settings.requestTimeoutMs,
          log,
        }),
        oracle,
        signer,
        journal,
        wanted,
        signerPublicKey,
        layout: DEFAULT_LAYOUT,
        nextRunMs: nextMs,
        nowMs,
        log,
      },
    ]),
  );
  const watch = await startWatch({
    journal,
    log,
    nowMs,
    version: "simulated",
    chains: options.chains.map(({ settings: { name, dailyBudgetWei } }) => ({ name, dailyBudgetWei })),
    webhookUrl: options.webhookUrl,
    heartbeatUrl: options.heartbeatUrl,
    instance: options.instance,
    turnEveryMs: TURN_EVERY_MS,
  });
  await runRelayerDaemon({
    engine: options.engine,
    watch,
    journal,
    collect: (jobSignal) => collectEdition(collecting, { signal: jobSignal }),
    deliver: (chainName, jobSignal) => {
      const context = contexts.get(chainName);
      if (!context) throw new RangeError(`there is no chain ${chainName}`);
      return deliverToChain(context, { signal: jobSignal });
    },
    nextRunMs: nextMs,
    archiveDays: options.archiveDays,
    nowMs,
    log,
    signal,
  });
  await watch.close();
}

/** The schedule's next instant, worked out anew only when it has passed: half a day's work would go into it otherwise. */
function rememberingNextRun(schedule: Schedule): () => bigint {
  let next = 0n;
  return () => {
    if (next <= BigInt(Date.now())) next = nextRunMs(schedule);
    return next;
  };
}
