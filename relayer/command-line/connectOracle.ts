import { type Address, hexToBytes, type LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type ChainConnection, connectChain } from "../chain/chainConnection.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { codeHashAt, readDeployment } from "../deployment/addressBook.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../message/ed25519.ts";

/** An oracle on a chain, and the key that signs its prices where one is known. */
export type OracleConnection = {
  readonly connection: ChainConnection;
  readonly oracle: Address;
  readonly signerPublicKey: Ed25519PublicKey | undefined;
};

/**
 * Connects to the configured chain.
 * @throws InvalidConfigurationError, RpcUnreachableError, WrongChainError
 */
export function connectConfiguredChain(configuration: Configuration): Promise<ChainConnection> {
  if (!configuration.rpcUrl) {
    throw new InvalidConfigurationError(
      "NO_RPC_URL",
      "no RPC endpoint is configured",
      "Set rpcUrl (HOMEPRICE_RPC_URL) to the address of a node, such as http://127.0.0.1:8545.",
    );
  }
  return connectChain({
    rpcUrls: configuration.rpcUrl,
    expectedChainId: configuration.chainId,
    timeoutMs: configuration.requestTimeoutSeconds * 1000,
  });
}

/**
 * Connects to the oracle: the configured one, else the one on record for the chain.
 * @throws InvalidConfigurationError when there is none, or no contract at its address.
 */
export async function connectOracle(configuration: Configuration): Promise<OracleConnection> {
  return findOracle(await connectConfiguredChain(configuration), configuration);
}

/**
 * The oracle on a chain: the configured one, else the one on record for the chain.
 * @throws InvalidConfigurationError when there is none, or no contract at its address.
 */
export async function findOracle(connection: ChainConnection, configuration: Configuration): Promise<OracleConnection> {
  const deployment = await readDeployment(connection, configuration.deploymentsDirectory);
  const oracle = configuration.oracleAddress ?? (deployment?.oracle as Address | undefined);
  if (!oracle) {
    throw new InvalidConfigurationError(
      "NO_ORACLE",
      `no oracle is known on chain ${connection.chain.id}`,
      "Set oracleAddress (HOMEPRICE_ORACLE_ADDRESS), or deploy one with homeprice deploy.",
    );
  }
  if (!(await codeHashAt(connection, oracle))) {
    throw new InvalidConfigurationError(
      "NO_CONTRACT",
      `there is no contract at ${oracle} on chain ${connection.chain.id}`,
      "Correct oracleAddress (HOMEPRICE_ORACLE_ADDRESS) or the RPC endpoint.",
    );
  }
  const publicKey = configuration.signerPublicKey ?? deployment?.signer.publicKey;
  const signerPublicKey = publicKey === undefined ? undefined : decodePublicKey(hexToBytes(publicKey));
  return { connection, oracle, signerPublicKey };
}

/**
 * The account that sends.
 * @throws InvalidConfigurationError when there is no key, or it is not one.
 */
export function senderAccount({ privateKey }: Configuration): LocalAccount {
  if (!privateKey) {
    throw new InvalidConfigurationError(
      "NO_PRIVATE_KEY",
      "there is no key to send transactions with",
      "Set HOMEPRICE_PRIVATE_KEY, or privateKeyFile (HOMEPRICE_PRIVATE_KEY_FILE) to a file that holds it.",
    );
  }
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    throw new InvalidConfigurationError(
      "INVALID_PRIVATE_KEY",
      "the private key is not a key of this curve",
      "Give 32 bytes as 0x-hex, not zero.",
    );
  }
}
