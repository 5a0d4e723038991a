import { environmentNameOf } from "./environment.ts";

/** Unchecked values by key. */
export type KeyValues = Record<string, unknown>;

/** Values by key, of one level: of the whole configuration, or of one chain. */
export type Level = { readonly chainName: string | undefined; readonly values: KeyValues };

/** The levels of unchecked values: the top, then each chain that has keys. */
export function levelsOf(values: KeyValues): Level[] {
  return [{ chainName: undefined, values }, ...chainsIn(values)];
}

/** What values say of a chain, or of the top level; nothing when they say nothing. */
export function levelIn(values: KeyValues, chainName: string | undefined): KeyValues {
  return levelsOf(values).find((level) => level.chainName === chainName)?.values ?? {};
}

/** The file's values with those of the environment before them, key by key, chain by chain. */
export function mergeValues(file: KeyValues, environment: KeyValues): KeyValues {
  const merged = { ...file, ...environment };
  // What is no object in the file is a mistake there, to be told.
  if ("chains" in file && !isKeyValues(file["chains"])) return { ...merged, chains: file["chains"] };
  const chains = { ...copyOf(file["chains"]) };
  for (const { chainName, values } of chainsIn(environment)) {
    const inFile = chains[String(chainName)];
    if (inFile === undefined || isKeyValues(inFile)) chains[String(chainName)] = { ...inFile, ...values };
  }
  return "chains" in merged ? { ...merged, chains } : merged;
}

/** How a key is called: as it is written in the file, or as the environment spells it. */
export type KeyNaming = (chainName: string | undefined, key: string) => string;

/** Calls each key as whoever gave its value did. A value that was read from a file of its own is called by that. */
export function namingAfterSource(values: KeyValues, fromEnvironment: KeyValues): KeyNaming {
  return (chainName, key) => {
    const inEnvironment = levelIn(fromEnvironment, chainName);
    const isOfFile = !(key in inEnvironment) && `${key}File` in levelIn(values, chainName);
    const given = isOfFile ? `${key}File` : key;
    return given in inEnvironment ? environmentNameOf(given, chainName) : pathOf(chainName, given);
  };
}

/** A key as it stands in a file: `rpcUrl`, `chains.base.rpcUrl`. */
export function pathOf(chainName: string | undefined, key: string): string {
  return chainName === undefined ? key : `chains.${chainName}.${key}`;
}

export function isKeyValues(value: unknown): value is KeyValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function chainsIn({ chains }: KeyValues): Level[] {
  if (!isKeyValues(chains)) return [];
  return Object.entries(chains).flatMap(([chainName, values]) => (isKeyValues(values) ? { chainName, values } : []));
}

/** Chains whose values can be changed without changing those of the file. */
function copyOf(chains: unknown): KeyValues {
  if (!isKeyValues(chains)) return {};
  return Object.fromEntries(
    Object.entries(chains).map(([name, values]) => [name, isKeyValues(values) ? { ...values } : values]),
  );
}
