import { CHAIN_KEYS, type ChainKey } from "./chainKeys.ts";
import { CONFIGURATION_KEYS, type ConfigurationKey } from "./configurationSchema.ts";
import { nearestName } from "./nearestName.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Keys whose variables hold more than one plain text. */
const LISTS: readonly ConfigurationKey[] = ["rpcUrl", "markets", "kinds"];
const OBJECTS: readonly ConfigurationKey[] = ["layout", "responseFields"];
const NUMBERS: readonly ConfigurationKey[] = [
  "creditsPerRun",
  "creditsPerMonth",
  "chainId",
  "finality",
  "stuckAfterSeconds",
  "balanceWarningDays",
  "maxUpdatesPerTransaction",
  "maxGasPerTransaction",
  "maxExpiryAfterDateSeconds",
  "quarantineDelaySeconds",
  "defaultBandBasisPoints",
  "requestTimeoutSeconds",
  "receiptTimeoutSeconds",
  "archiveDays",
  "signerDelaySeconds",
  "heartbeatMinutes",
  "alertRepeatHours",
];

/** What is at the beginning and end of these is meant. */
const UNTRIMMED: readonly ConfigurationKey[] = ["keystorePassword"];

/** Variables of ours that are no configuration key. */
const OTHER_VARIABLES: readonly string[] = [
  "HOMEPRICE_LOG_LEVEL",
  "HOMEPRICE_SIMULATOR_ADMIN_KEY",
  "HOMEPRICE_SIMULATOR_API_KEY",
  "HOMEPRICE_SIMULATOR_SECRET_KEY",
  "HOMEPRICE_TEST_PROFILE",
  "HOMEPRICE_DATA_DIR",
];

const PREFIX = "HOMEPRICE_";
/** A chain's name has no underscore in it, so that it ends at the first one. */
const CHAIN_VARIABLE = /^HOMEPRICE_CHAINS_([A-Z][A-Z0-9]*)_([A-Z0-9_]+)$/;

/** Keys that have a variable of their own; chains are spelt key by key. */
const TOP_LEVEL_KEYS = CONFIGURATION_KEYS.filter((key) => key !== "chains");
const CHAIN_KEYS_BY_SPELLING = new Map(CHAIN_KEYS.map((key) => [spell(key), key]));

/**
 * The one environment spelling of a configuration key: `rpcUrl` is `HOMEPRICE_RPC_URL`, that of the chain base
 * `HOMEPRICE_CHAINS_BASE_RPC_URL`.
 */
export function environmentNameOf(key: string, chainName?: string): string {
  const ofChain = chainName === undefined ? "" : `CHAINS_${chainName.toUpperCase()}_`;
  return `${PREFIX}${ofChain}${spell(key)}`;
}

/**
 * The configuration keys that the environment sets, still unchecked. An empty variable counts as not set, because
 * container tools pass unset variables on as empty ones.
 * Text that should be a number or JSON and is not stays text, for the schema to refuse by the key's name.
 */
export function readEnvironment(environment: Environment): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const key of TOP_LEVEL_KEYS) {
    const text = environment[environmentNameOf(key)];
    if (text?.trim()) values[key] = parseVariable(key, text);
  }
  const chains: Record<string, Record<string, unknown>> = {};
  for (const [variable, text] of Object.entries(environment)) {
    const found = chainVariable(variable);
    if (!found || !text?.trim()) continue;
    chains[found.chainName] ??= {};
    Object.assign(chains[found.chainName] as object, { [found.key]: parseVariable(found.key, text) });
  }
  return Object.keys(chains).length === 0 ? values : { ...values, chains };
}

/** Names of the variables by which an environment sets configuration keys. */
export function variablesIn(environment: Environment): string[] {
  const topLevel = TOP_LEVEL_KEYS.map((key) => environmentNameOf(key));
  const ofChains = Object.keys(environment).filter((variable) => chainVariable(variable));
  return [...topLevel, ...ofChains].filter((variable) => environment[variable]?.trim());
}

/** A variable that looks like ours and is not: most likely misspelt, and without effect. */
export type UnknownVariable = {
  readonly name: string;
  /** The variable of ours that was most likely meant. */
  readonly nearest: string | undefined;
};

export function unknownVariables(environment: Environment): UnknownVariable[] {
  const known = [...TOP_LEVEL_KEYS.map((key) => environmentNameOf(key)), ...OTHER_VARIABLES];
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name) && !chainVariable(name))
    .map((name) => ({ name, nearest: nearestName(name, [...known, ...variablesOfChainIn(name)]) }));
}

/** What to say of an unknown variable. */
export function describeUnknownVariable({ name, nearest }: UnknownVariable): string {
  return `${name} is no variable of ours and has no effect${nearest === undefined ? "" : `; did you mean ${nearest}?`}`;
}

function chainVariable(variable: string): { chainName: string; key: ChainKey } | undefined {
  const [, name, spelling = ""] = CHAIN_VARIABLE.exec(variable) ?? [];
  const key = CHAIN_KEYS_BY_SPELLING.get(spelling);
  return name === undefined || key === undefined ? undefined : { chainName: name.toLowerCase(), key };
}

/** The variables of the chain whose name stands where a misspelt one has it. */
function variablesOfChainIn(variable: string): string[] {
  const [, name] = /^HOMEPRICE_CHAINS?_([A-Z][A-Z0-9]*)_/i.exec(variable) ?? [];
  return name === undefined ? [] : CHAIN_KEYS.map((key) => environmentNameOf(key, name));
}

function spell(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function parseVariable(key: ConfigurationKey, untrimmed: string): unknown {
  if (UNTRIMMED.includes(key)) return untrimmed;
  const text = untrimmed.trim();
  if (LISTS.includes(key)) return text.split(",").map((part) => part.trim());
  if (NUMBERS.includes(key)) return /^\d+$/.test(text) ? Number(text) : text;
  if (!OBJECTS.includes(key)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
