import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Address, type Hex, hexToBytes, type TransactionReceipt } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Fault } from "../../simulator/faults.ts";
import type { MarketTable } from "../../simulator/marketTable.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import type { PriceTable } from "../../simulator/priceTable.ts";
import { type ChainConnection, connectChain } from "../chain/chainConnection.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import type { Deployment } from "../deployment/addressBook.ts";
import { deployAdapterFactories } from "../deployment/deployAdapterFactories.ts";
import { deployOracle } from "../deployment/deployOracle.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Logger } from "../logging/logger.ts";
import { decodePublicKey } from "../message/ed25519.ts";
import type { Feed } from "../message/feedId.ts";
import type { RelayContext } from "../relay/relayOnce.ts";
import { relaySettings } from "../relay/relaySettings.ts";
import { createServiceClient } from "../service/serviceClient.ts";
import { SentTransactions } from "../store/sentTransactions.ts";
import { LOCAL_OWNER_KEY, LOCAL_RELAYER_KEY, startLocalChain } from "./localChain.ts";
import { deployConsumer } from "./readThroughConsumer.ts";

const CLOSE_TIMEOUT_MS = 3_000;

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
    const chain = await onPort(options.rpcPort, startLocalChain);
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

    const connection = await connectChain({ rpcUrls: [chain.rpcUrl], timeoutMs: 120_000 });
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
    const store = await mkdtemp(join(tmpdir(), "homeprice-local-"));
    closers.push(() => rm(store, { recursive: true, force: true }));
    const relayContext: RelayContext = {
      client: createServiceClient({
        apiUrl: service.url,
        apiKey: service.apiKey,
        idPrefix: configuration.idPrefix,
        log,
      }),
      connection,
      oracle,
      account: privateKeyToAccount(LOCAL_RELAYER_KEY),
      sentTransactions: await SentTransactions.open(store),
      wanted,
      signerPublicKey,
      ...relaySettings(configuration),
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
