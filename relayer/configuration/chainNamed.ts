import { type ChainConfiguration, chainsOf } from "./chainConfiguration.ts";
import type { Configuration } from "./configurationSchema.ts";
import { InvalidConfigurationError } from "./loadConfiguration.ts";

/**
 * One chain of a configuration.
 * @param name As in `chains`; without it the only chain is meant. The only chain of a configuration without names has the
 *   name that its settings give it.
 * @throws InvalidConfigurationError when there is no such chain, or several and none is named.
 */
export function chainNamed(configuration: Configuration, name?: string): ChainConfiguration {
  const chains = chainsOf(configuration);
  const [first] = chains;
  if (name === undefined) {
    if (first && chains.length === 1) return first;
    throw new InvalidConfigurationError(
      "CHAIN_NOT_NAMED",
      `there are ${chains.length} chains: ${namesOf(chains)}`,
      "Say with --chain which of them is meant.",
    );
  }
  const found = chains.find((chain) => nameOfChain(chain) === name);
  if (found) return found;
  throw new InvalidConfigurationError(
    "UNKNOWN_CHAIN",
    `there is no chain ${name}; the configuration has ${namesOf(chains)}`,
    "Correct the name, or add the chain under chains of the configuration.",
  );
}

/** How a chain is called: as in the configuration, or by its id where chains have no names. */
export function nameOfChain({ chainName, chainId }: Pick<ChainConfiguration, "chainName" | "chainId">): string {
  return chainName ?? (chainId === undefined ? "chain" : String(chainId));
}

function namesOf(chains: readonly ChainConfiguration[]): string {
  return chains.map(nameOfChain).join(", ");
}
