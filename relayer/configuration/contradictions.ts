import { type ChainConfiguration, chainsOf } from "./chainConfiguration.ts";
import { type ChainKey, KEY_SOURCES, UNSHARED_CHAIN_KEYS } from "./chainKeys.ts";
import type { Configuration } from "./configurationSchema.ts";
import { environmentNameOf } from "./environment.ts";
import type { KeyNaming } from "./keyValues.ts";
import type { Problem } from "./problem.ts";

/** Keys that are in order one by one, and do not go together. */
export type Contradiction = {
  readonly problem: Problem;
  /** Keys that cannot be used because of it. */
  readonly keys: readonly { readonly chainName: string | undefined; readonly key: ChainKey }[];
};

/** What cannot be of a configuration as a whole. */
export function contradictionsIn(configuration: Configuration, naming: KeyNaming): Contradiction[] {
  const chains = chainsOf(configuration);
  return [
    ...chainKeysAtTopLevel(configuration, naming),
    ...severalKeySources(configuration, naming),
    ...chains.flatMap((chain) => remoteSignerWithoutAddress(chain, configuration, naming)),
    ...chains.flatMap((chain) => chainWithoutId(chain)),
    ...sameOracleTwice(chains),
  ];
}

/** What only one chain can have, beside chains with names. */
function chainKeysAtTopLevel(configuration: Configuration, naming: KeyNaming): Contradiction[] {
  const [name] = Object.keys(configuration.chains ?? {});
  const keys = UNSHARED_CHAIN_KEYS.filter((key) => configuration[key] !== undefined);
  if (name === undefined || keys.length === 0) return [];
  const names = keys.map((key) => naming(undefined, key)).join(", ");
  const problem = {
    code: "CHAIN_KEYS_AT_TOP_LEVEL",
    message: `${names} ${keys.length === 1 ? "stands" : "stand"} at the top level, beside chains: of several chains each has its own`,
    hint: `Write it under the chain's name (chains.${name}.${keys[0]}, ${environmentNameOf(keys[0] ?? "", name)}), and take it away from the top level.`,
  };
  return [{ problem, keys: keys.map((key) => ({ chainName: undefined, key })) }];
}

/** More than one place where the sender's key is. */
function severalKeySources({ chains = {}, ...topLevel }: Configuration, naming: KeyNaming): Contradiction[] {
  const levels = [
    { chainName: undefined, values: topLevel },
    ...Object.entries(chains).map(([chainName, values]) => ({ chainName, values })),
  ];
  return levels.flatMap(({ chainName, values }) => {
    const sources = KEY_SOURCES.filter((source) => values[source] !== undefined);
    if (sources.length < 2) return [];
    const names = sources.map((source) => naming(chainName, source)).join(" and ");
    const problem = {
      code: "SEVERAL_SENDER_KEYS",
      message: `${names} each say where the sender's key is`,
      hint: "Keep the one that is meant, and take the others away: a private key, a keystore, or a remote signer.",
    };
    return [{ problem, keys: sources.map((key) => ({ chainName, key })) }];
  });
}

/** A remote signer may have many keys. */
function remoteSignerWithoutAddress(
  { chainName, remoteSignerUrl, senderAddress }: ChainConfiguration,
  { chains }: Configuration,
  naming: KeyNaming,
): Contradiction[] {
  if (remoteSignerUrl === undefined || senderAddress !== undefined) return [];
  const isOwn = chainName === undefined || chains?.[chainName]?.remoteSignerUrl !== undefined;
  const path = chainName === undefined ? "senderAddress" : `chains.${chainName}.senderAddress`;
  const problem = {
    code: "NO_SENDER_ADDRESS",
    message: `${path} is not set: ${naming(isOwn ? chainName : undefined, "remoteSignerUrl")} does not say which of the signer's keys is the sender's`,
    hint: `Set ${path} (${environmentNameOf("senderAddress", chainName)}) to the address that the remote signer is to sign for.`,
  };
  return [{ problem, keys: [{ chainName, key: "senderAddress" }] }];
}

/** Endpoints that are mixed up between two chains would not be noticed otherwise: oracles have the same address on each. */
function chainWithoutId({ chainName, chainId }: ChainConfiguration): Contradiction[] {
  if (chainName === undefined || chainId !== undefined) return [];
  const problem = {
    code: "NO_CHAIN_ID",
    message: `chains.${chainName}.chainId is not set`,
    hint: `Set it (${environmentNameOf("chainId", chainName)}) to the id that the chain's RPC endpoints must have.`,
  };
  return [{ problem, keys: [{ chainName, key: "chainId" }] }];
}

/** Two names for one target would bring every price twice. */
function sameOracleTwice(chains: readonly ChainConfiguration[]): Contradiction[] {
  const found: Contradiction[] = [];
  for (const [index, chain] of chains.entries()) {
    const twin = chains.slice(0, index).find((other) => isSameOracle(other, chain));
    if (!twin) continue;
    const problem = {
      code: "SAME_ORACLE_TWICE",
      message: `chains.${twin.chainName} and chains.${chain.chainName} are the same oracle: ${chain.oracleAddress ?? "the one on record"} on chain ${chain.chainId}`,
      hint: "Take one of them away, or correct its chainId or oracleAddress.",
    };
    found.push({ problem, keys: [{ chainName: chain.chainName, key: "oracleAddress" }] });
  }
  return found;
}

function isSameOracle(one: ChainConfiguration, other: ChainConfiguration): boolean {
  return (
    one.chainId !== undefined &&
    one.chainId === other.chainId &&
    one.oracleAddress?.toLowerCase() === other.oracleAddress?.toLowerCase()
  );
}
