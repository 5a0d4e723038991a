import type { Configuration } from "../configuration/configurationSchema.ts";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { type CreditBudget, type CreditLedger, createCreditBudget } from "../service/creditBudget.ts";
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from "../service/serviceClient.ts";
import type { ServiceLog } from "../service/serviceLog.ts";
import { configuredLedger } from "./configuredLedger.ts";

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

/**
 * The credits that a run may use.
 * @param ledger Where months are remembered; the configured store unless whoever has it open gives it.
 */
export function configuredBudget(
  configuration: Configuration,
  ledger: CreditLedger = configuredLedger(configuration),
): CreditBudget {
  return createCreditBudget({ perRun: configuration.creditsPerRun, perMonth: configuration.creditsPerMonth, ledger });
}
