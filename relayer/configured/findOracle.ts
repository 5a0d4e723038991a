import type { Address, Hex } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import { keyInHint } from "../configuration/keyInHint.ts";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { codeHashAt, readDeployment } from "../deployment/addressBook.ts";

/** Where a chain's oracle is, and whose prices it was deployed for. */
export type FoundOracle = {
  readonly oracle: Address;
  /** The signer's key in the address book of the chain. */
  readonly recordedKey: Hex | undefined;
};

/**
 * The oracle on a chain: the configured one, else the one on record for the chain.
 * @throws InvalidConfigurationError when there is none, or no contract at its address.
 */
export async function findOracle(
  connection: ChainConnection,
  chain: Pick<ChainConfiguration, "chainName" | "oracleAddress" | "deploymentsDirectory">,
): Promise<FoundOracle> {
  const deployment = await readDeployment(connection, chain.deploymentsDirectory);
  const oracle = chain.oracleAddress ?? (deployment?.oracle as Address | undefined);
  if (!oracle) {
    throw new InvalidConfigurationError(
      "NO_ORACLE",
      `no oracle is known on chain ${connection.chain.id}`,
      `Set ${keyInHint(chain, "oracleAddress")}, or deploy one with homeprice deploy.`,
    );
  }
  if (!(await codeHashAt(connection, oracle))) {
    throw new InvalidConfigurationError(
      "NO_CONTRACT",
      `there is no contract at ${oracle} on chain ${connection.chain.id}`,
      `Correct ${keyInHint(chain, "oracleAddress")} or the RPC endpoint.`,
    );
  }
  return { oracle, recordedKey: deployment?.signer.publicKey };
}
