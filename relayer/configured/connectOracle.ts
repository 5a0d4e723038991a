import { type Address, hexToBytes } from "viem";
import { type ChainConnection, connectChain } from "../chain/chainConnection.ts";
import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import { noRpcUrl } from "../configuration/chainSettings.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../message/ed25519.ts";
import { findOracle } from "./findOracle.ts";

/** An oracle on a chain, and the key that signs its prices where one is known. */
export type OracleConnection = {
  readonly connection: ChainConnection;
  readonly oracle: Address;
  readonly signerPublicKey: Ed25519PublicKey | undefined;
};

/**
 * Connects to a configured chain.
 * @throws InvalidConfigurationError, RpcUnreachableError, WrongChainError
 */
export async function connectConfiguredChain(chain: ChainConfiguration): Promise<ChainConnection> {
  if (!chain.rpcUrl) throw noRpcUrl(chain);
  return connectChain({
    rpcUrls: chain.rpcUrl,
    expectedChainId: chain.chainId,
    timeoutMs: chain.requestTimeoutSeconds * 1000,
  });
}

/**
 * Connects to the oracle of a chain: the configured one, else the one on record.
 * @throws InvalidConfigurationError when there is none, or no contract at its address.
 */
export async function connectOracle(chain: ChainConfiguration): Promise<OracleConnection> {
  const connection = await connectConfiguredChain(chain);
  const { oracle, recordedKey } = await findOracle(connection, chain);
  const publicKey = chain.signerPublicKey ?? recordedKey;
  const signerPublicKey = publicKey === undefined ? undefined : decodePublicKey(hexToBytes(publicKey));
  return { connection, oracle, signerPublicKey };
}
