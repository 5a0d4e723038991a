import { setTimeout as delay } from "node:timers/promises";
import { type Address, type Hex, hexToBytes, type TransactionReceipt } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Fault } from "../../simulator/faults.ts";
import type { MarketTable } from "../../simulator/marketTable.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import type { PriceTable } from "../../simulator/priceTable.ts";
import { type ChainConnection, connectChain, LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import { openChain } from "../chain/openChain.ts";
import { settingsOfChain } from "../configuration/chainSettings.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import type { ChainContext } from "../deliver/chainContext.ts";
import type { Deployment } from "../deployment/addressBook.ts";
import { deployAdapterFactories } from "../deployment/deployAdapterFactories.ts";
import { deployOracle } from "../deployment/deployOracle.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { openJournal } from "../journal/openJournal.ts";
import { privateKeySigner } from "../keys/privateKeySigner.ts";
import type { Logger } from "../logging/logger.ts";
import { decodePublicKey } from "../message/ed25519.ts";
import { type Feed, feedIdOf } from "../message/feedId.ts";
import type { RelayContext } from "../relay/relayContext.ts";
import { relaySettings } from "../relay/relaySettings.ts";
import { nextRunMs } from "../relay/schedule.ts";
import { createServiceClient } from "../service/serviceClient.ts";
import { LOCAL_OWNER_KEY, LOCAL_RELAYER_KEY, startLocalChain } from "./localChain.ts";
import { deployConsumer } from "./readThroughConsumer.ts";

const CLOSE_TIMEOUT_MS = 3_000;

/** A chain in this very process answers late when the process is busy. */
const RPC_TIMEOUT_MS = 120_000;

export type LocalNetworkOptions = {
  readonly configuration: Configuration;
  readonly prices: PriceTable;
  readonly markets?: MarketTable | undefined;
  readonly faults: readonly Fault[];
  readonly wanted: readonly Feed[];
  readonly rpcPort: PortChoice;
  readonly apiPort: PortChoice;
  readonly log: Logger;
};

/** A port to listen on, 0 for any free one; and whether any other will do when it is taken. */
export type PortChoice = { readonly port: number; readonly orAnyFree: boolean };

/** A whole network in this process: chain, price service, oracle, example reader, and what a relayer needs. */
export type LocalNetwork = {
  readonly rpcUrl: string;
  readonly service: PriceService;
  readonly connection: ChainConnection;
  readonly deployment: Deployment;
  readonly consumer: Address;
  readonly relayerKey: Hex;
  readonly relayContext: RelayContext;
  readonly close: () => Promise<void>;
};

/**
 * Starts chain and price service and deploys the oracle with the service's key as its signer. Everything that was
 * started is stopped again when a later step fails.
 */
export async function startLocalNetwork(options: LocalNetworkOptions): Promise<LocalNetwork> {
  const { configuration, log, wanted } = options;
  const receiptTimeoutMs = configuration.receiptTimeoutSeconds * 1000;
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) {
      // A connection that somebody keeps open must not keep the network alive for ever.
      await Promise.race([closeOne(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    }
  };
  try {
    const chain = await onPort(options.rpcPort, (port) => startLocalChain(port));
    closers.push(chain.close);
    log.info({ rpcUrl: chain.rpcUrl }, "chain started");

    const serviceOptions = {
      prices: options.prices,
      faults: [...options.faults],
      layout: configuration.layout,
      rentalOffset: configuration.rentalOffset,
      idPrefix: configuration.idPrefix,
      ...(options.markets && { markets: options.markets }),
    };
    const service = await onPort(options.apiPort, (port) => startPriceService({ ...serviceOptions, port }));
    closers.push(() => service.close());
    log.info({ apiUrl: service.url }, "price service started");

    const connection = await connectChain({ rpcUrls: [chain.rpcUrl], timeoutMs: RPC_TIMEOUT_MS });
    const owner = privateKeyToAccount(LOCAL_OWNER_KEY);
    const signerPublicKey = decodePublicKey(hexToBytes(service.publicKey));
    const sending = {
      connection,
      account: owner,
      receiptTimeoutMs,
      onMined: (label: string, { gasUsed }: TransactionReceipt) => log.info({ gasUsed: gasUsed.toString() }, label),
    };
    const { deployment } = await deployOracle({
      ...sending,
      signerPublicKey,
      layout: configuration.layout,
      rentalOffset: configuration.rentalOffset,
      maxExpiryAfterDateSeconds: configuration.maxExpiryAfterDateSeconds,
      quarantineDelaySeconds: configuration.quarantineDelaySeconds,
      defaultBandBasisPoints: configuration.defaultBandBasisPoints,
    });
    const adapterFactories = await deployAdapterFactories(sending);
    const oracle = deployment.oracle as Address;
    const consumer = await deployConsumer(connection, owner, oracle, receiptTimeoutMs);

    // The chain forgets everything when it stops, so what the relayer remembers of it may go too.
    const journal = await openJournal(":memory:");
    closers.push(() => journal.close());
    const settings = relaySettings(configuration);
    const nowMs = () => BigInt(Date.now());
    const localChain: ChainContext = {
      settings: settingsOfChain({
        ...configuration,
        rpcUrl: [chain.rpcUrl],
        chainId: LOCAL_CHAIN_ID,
        chainName: "local",
      }),
      access: openChain({ rpcUrls: [chain.rpcUrl], expectedChainId: LOCAL_CHAIN_ID, timeoutMs: RPC_TIMEOUT_MS, log }),
      oracle,
      signer: privateKeySigner(LOCAL_RELAYER_KEY),
      journal,
      wanted: wanted.map((feed) => ({ ...feed, feedId: feedIdOf(feed, settings.rentalOffset) })),
      signerPublicKey,
      layout: settings.layout,
      nextRunMs: () => nextRunMs(settings.schedule),
      nowMs,
      log,
    };
    const relayContext: RelayContext = {
      ...settings,
      client: createServiceClient({
        apiUrl: service.url,
        apiKey: service.apiKey,
        idPrefix: configuration.idPrefix,
        log,
      }),
      journal,
      chains: [{ name: "local", open: async () => localChain }],
      wanted,
      nowMs,
      log,
    };
    return {
      rpcUrl: chain.rpcUrl,
      service,
      connection,
      deployment: { ...deployment, adapterFactories },
      consumer,
      relayerKey: LOCAL_RELAYER_KEY,
      relayContext,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function onPort<T>({ port, orAnyFree }: PortChoice, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port);
  } catch (error) {
    if (orAnyFree && error instanceof HomePriceError && error.code === "PORT_IN_USE") return start(0);
    throw error;
  }
}
