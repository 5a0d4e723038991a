import { join } from "node:path";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { wantedFeeds } from "../configuration/wantedFeeds.ts";
import { projectDirectory } from "../deployment/projectDirectory.ts";
import type { Logger } from "../logging/logger.ts";
import type { RelayContext } from "../relay/relayOnce.ts";
import { relaySettings } from "../relay/relaySettings.ts";
import { createServiceClient, type ServiceClient } from "../service/serviceClient.ts";
import { SentTransactions } from "../store/sentTransactions.ts";
import { connectOracle, senderAccount } from "./connectOracle.ts";

/** The part of the configuration that a client of the price service needs. */
export function configuredClient(configuration: Configuration, log: Logger): ServiceClient {
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
    timeoutMs: configuration.requestTimeoutSeconds * 1000,
    log,
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
  const sentTransactions = await SentTransactions.open(
    configuration.store ?? join(projectDirectory(), ".homeprice", "store"),
  );
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
