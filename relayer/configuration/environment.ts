import { CONFIGURATION_KEYS, type ConfigurationKey } from "./configurationSchema.ts";

/** Keys whose variables hold more than one plain text. */
const LISTS: readonly ConfigurationKey[] = ["rpcUrl", "markets", "kinds"];
const OBJECTS: readonly ConfigurationKey[] = ["layout", "responseFields"];
const NUMBERS: readonly ConfigurationKey[] = [
  "creditsPerRun",
  "creditsPerMonth",
  "chainId",
  "maxExpiryAfterDateSeconds",
  "quarantineDelaySeconds",
  "defaultBandBasisPoints",
  "requestTimeoutSeconds",
  "receiptTimeoutSeconds",
  "maxUpdatesPerTransaction",
  "maxGasPerTransaction",
  "signerDelaySeconds",
];

/** Variables of ours that are no configuration key. */
const OTHER_VARIABLES: readonly string[] = [
  "HOMEPRICE_LOG_LEVEL",
  "HOMEPRICE_SIMULATOR_ADMIN_KEY",
  "HOMEPRICE_SIMULATOR_API_KEY",
  "HOMEPRICE_SIMULATOR_SECRET_KEY",
  "HOMEPRICE_TEST_PROFILE",
  "HOMEPRICE_DATA_DIR",
];

/** The one environment spelling of a configuration key: `rpcUrl` is `HOMEPRICE_RPC_URL`. */
export function environmentNameOf(key: string): string {
  return `HOMEPRICE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/**
 * The configuration keys that the environment sets, still unchecked. An empty variable counts as not set, because
 * container tools pass unset variables on as empty ones.
 * Text that should be a number or JSON and is not stays text, for the schema to refuse by the key's name.
 */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const key of CONFIGURATION_KEYS) {
    const text = environment[environmentNameOf(key)]?.trim();
    if (text) values[key] = parseVariable(key, text);
  }
  return values;
}

/** Variables that look like ours and are not: most likely misspelt, and without effect. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...CONFIGURATION_KEYS.map(environmentNameOf), ...OTHER_VARIABLES]);
  return Object.keys(environment).filter((name) => name.startsWith("HOMEPRICE_") && !known.has(name));
}

function parseVariable(key: ConfigurationKey, text: string): unknown {
  if (LISTS.includes(key)) return text.split(",").map((part) => part.trim());
  if (NUMBERS.includes(key)) return /^\d+$/.test(text) ? Number(text) : text;
  if (!OBJECTS.includes(key)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
