import { readFile } from "node:fs/promises";
import { getAddress, isAddressEqual } from "viem";
import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import { chainNamed } from "../configuration/chainNamed.ts";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { environmentNameOf } from "../configuration/environment.ts";
import { keyInHint } from "../configuration/keyInHint.ts";
import { InvalidConfigurationError } from "../configuration/loadConfiguration.ts";
import { keystoreSigner } from "../keys/keystoreSigner.ts";
import { privateKeySigner } from "../keys/privateKeySigner.ts";
import { type RemoteSigner, remoteSigner } from "../keys/remoteSigner.ts";
import type { TransactionSigner } from "../keys/transactionSigner.ts";

/**
 * Whoever signs the transactions to a chain.
 * @param chainName As in `chains`; without it the only chain is meant.
 * @throws InvalidConfigurationError when there is no key, or it is not that of `senderAddress`; what its kind of signer
 *   throws when it cannot be used.
 */
export function configuredSigner(configuration: Configuration, chainName?: string): Promise<TransactionSigner> {
  return signerOf(chainNamed(configuration, chainName));
}

/** A signer; of a remote one, whether it has the key can be asked. */
export type ConfiguredSigner = TransactionSigner & Partial<RemoteSigner>;

/** The same of a chain. */
export async function signerOf(chain: ChainConfiguration): Promise<ConfiguredSigner> {
  const signer = await openSigner(chain);
  const { senderAddress } = chain;
  if (senderAddress !== undefined && !isAddressEqual(senderAddress, signer.address)) {
    throw new InvalidConfigurationError(
      "OTHER_SENDER",
      `the sender's key is that of ${signer.address}, and senderAddress is ${senderAddress}`,
      `Correct ${keyInHint(chain, "senderAddress")}, or give the key that belongs to it.`,
    );
  }
  return signer;
}

/** Whether the configuration says where a chain's key is. */
export function hasKey({ privateKey, keystoreFile, remoteSignerUrl }: ChainConfiguration): boolean {
  return (privateKey ?? keystoreFile ?? remoteSignerUrl) !== undefined;
}

async function openSigner(chain: ChainConfiguration): Promise<ConfiguredSigner> {
  const { privateKey, keystoreFile, remoteSignerUrl, senderAddress, requestTimeoutSeconds } = chain;
  if (privateKey !== undefined) return privateKeySigner(privateKey);
  if (keystoreFile !== undefined) return openKeystore(chain, keystoreFile);
  if (remoteSignerUrl !== undefined && senderAddress !== undefined) {
    return remoteSigner({
      url: remoteSignerUrl,
      address: getAddress(senderAddress),
      timeoutMs: requestTimeoutSeconds * 1000,
    });
  }
  const ofChain = chain.chainName === undefined ? "" : ` on chain ${chain.chainName}`;
  throw new InvalidConfigurationError(
    "NO_PRIVATE_KEY",
    `there is no key to send transactions with${ofChain}`,
    `Set ${environmentNameOf("privateKey", chain.chainName)}, or ${keyInHint(chain, "privateKeyFile")} to a file that holds it; or keystoreFile, or remoteSignerUrl.`,
  );
}

async function openKeystore(chain: ChainConfiguration, path: string): Promise<TransactionSigner> {
  const { keystorePassword, senderAddress } = chain;
  if (keystorePassword === undefined) {
    throw new InvalidConfigurationError(
      "NO_KEYSTORE_PASSWORD",
      "there is no password for the keystore",
      `Set ${environmentNameOf("keystorePassword", chain.chainName)}, or ${keyInHint(chain, "keystorePasswordFile")} to a file that holds it.`,
    );
  }
  let json: string;
  try {
    json = await readFile(path, "utf8");
  } catch {
    throw new InvalidConfigurationError(
      "KEYSTORE_UNREADABLE",
      "the file named by keystoreFile cannot be read",
      `Check the path in ${keyInHint(chain, "keystoreFile")} and its permissions.`,
    );
  }
  return keystoreSigner({
    json,
    password: keystorePassword,
    ...(senderAddress !== undefined && { address: getAddress(senderAddress) }),
  });
}
