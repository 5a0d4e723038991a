import { join } from "node:path";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { wantedFeeds } from "../configuration/wantedFeeds.ts";
import { projectDirectory } from "../deployment/projectDirectory.ts";
import type { Logger } from "../logging/logger.ts";
import type { RelayContext } from "../relay/relayOnce.ts";
import { relaySettings } from "../relay/relaySettings.ts";
import { type CreditBudget, createCreditBudget } from "../service/creditBudget.ts";
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from "../service/serviceClient.ts";
import type { ServiceLog } from "../service/serviceLog.ts";
import { openCreditLedger } from "../store/creditLedger.ts";
import { SentTransactions } from "../store/sentTransactions.ts";
import { connectOracle, senderAccount } from "./connectOracle.ts";

/**
 * A client of the configured price service.
 * @param options What the configuration does not say.
 * @throws InvalidConfigurationError when address or key are missing, ServiceConfigurationError when they cannot be.
 */
export function configuredClient(
  configuration: Configuration,
  log: ServiceLog,
  options: Partial<ServiceClientOptions> = {},
): ServiceClient {
  const { apiUrl, apiKey } = configuration;
  if (!apiUrl) {
    throw new InvalidConfigurationError(
      "NO_API_URL",
      "the address of the price service is not configured",
      "Set apiUrl (HOMEPRICE_API_URL).",
    );
  }
  if (!apiKey) {
    throw new InvalidConfigurationError(
      "NO_API_KEY",
      "there is no API key for the price service",
      "Set HOMEPRICE_API_KEY to the raw key, or apiKeyFile (HOMEPRICE_API_KEY_FILE) to a file that holds it.",
    );
  }
  return createServiceClient({
    apiUrl,
    apiKey,
    idPrefix: configuration.idPrefix,
    responseFields: configuration.responseFields,
    requestSpelling: configuration.requestSpelling,
    addressListName: configuration.addressListName,
    nationwideMarketId: configuration.nationwideMarketId,
    timeoutMs: configuration.requestTimeoutSeconds * 1000,
    budget: configuredBudget(configuration),
    log,
    ...options,
  });
}

/** The credits that a run may use: by the configuration, with months remembered in its store. */
export function configuredBudget(configuration: Configuration): CreditBudget {
  return createCreditBudget({
    perRun: configuration.creditsPerRun,
    perMonth: configuration.creditsPerMonth,
    ledger: openCreditLedger(storeFolder(configuration)),
  });
}

/** Everything a run works with, from the configuration. What is missing there is said before anything is connected. */
export async function createRelayContext(
  configuration: Configuration,
  log: Logger,
  { dryRun }: { dryRun: boolean },
): Promise<RelayContext> {
  const client = configuredClient(configuration, log);
  const wanted = wantedFeeds(configuration);
  const account = dryRun && !configuration.privateKey ? undefined : senderAccount(configuration);
  const sentTransactions = await SentTransactions.open(storeFolder(configuration));
  const { connection, oracle, signerPublicKey } = await connectOracle(configuration);
  return {
    client,
    connection,
    oracle,
    account,
    sentTransactions,
    wanted,
    signerPublicKey,
    ...relaySettings(configuration),
    log,
  };
}

function storeFolder({ store }: Configuration): string {
  return store ?? join(projectDirectory(), ".homeprice", "store");
}
