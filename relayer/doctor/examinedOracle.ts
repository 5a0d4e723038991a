import { type Address, BaseError, hexToBytes } from "viem";
import { homePriceOracleAbi } from "../chain/abi/homePriceOracleAbi.ts";
import type { ChainConnection } from "../chain/chainConnection.ts";
import { readUsableSigners, type UsableSigner } from "../chain/readSigners.ts";
import { isNodeOutOfReach } from "../chain/rpcError.ts";
import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import { keyInHint } from "../configuration/keyInHint.ts";
import { findOracle } from "../configured/findOracle.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../message/ed25519.ts";
import type { TimeWindows } from "../message/timeWindows.ts";

/** What the oracle itself says that it is. */
export type ExaminedOracle = {
  readonly connection: ChainConnection;
  readonly address: Address;
  /** Who may propose signers and set bands. */
  readonly owner: Address;
  readonly rentalOffset: bigint;
  readonly windows: TimeWindows;
  /** Signers that it accepts now, newest first. */
  readonly usableSigners: readonly UsableSigner[];
  /** The signer's key on record in the address book of the chain. */
  readonly recordedKey: Ed25519PublicKey | undefined;
};

/** There is a contract, but it is another one. */
export class NotAnOracleError extends HomePriceError {
  constructor(address: Address, chainId: number, chain: ChainConfiguration) {
    super("NOT_AN_ORACLE", `the contract at ${address} on chain ${chainId} is no home price oracle`, {
      kind: "configuration",
      hint: `Correct ${keyInHint(chain, "oracleAddress")}: homeprice deploy prints the oracle's address and writes it into deployments/<chainId>.json.`,
    });
  }
}

/**
 * Finds the configured oracle, or the one on record, and reads what it never changes and whom it trusts.
 * @throws InvalidConfigurationError, NotAnOracleError; what viem throws when the node fails.
 */
export async function examineOracle(connection: ChainConnection, chain: ChainConfiguration): Promise<ExaminedOracle> {
  const found = await findOracle(connection, chain);
  const contract = { address: found.oracle, abi: homePriceOracleAbi } as const;
  const { publicClient } = connection;
  try {
    const [
      owner,
      rentalOffset,
      maxExpiryAheadMs,
      maxPublishAgeMs,
      maxPublishAheadMs,
      maxExpiryAfterDateMs,
      usableSigners,
    ] = await Promise.all([
      publicClient.readContract({ ...contract, functionName: "owner" }),
      publicClient.readContract({ ...contract, functionName: "RENTAL_OFFSET" }),
      publicClient.readContract({ ...contract, functionName: "MAX_EXPIRY_AHEAD_MS" }),
      publicClient.readContract({ ...contract, functionName: "MAX_PUBLISH_AGE_MS" }),
      publicClient.readContract({ ...contract, functionName: "MAX_PUBLISH_AHEAD_MS" }),
      publicClient.readContract({ ...contract, functionName: "MAX_EXPIRY_AFTER_DATE_MS" }),
      readUsableSigners(connection, found.oracle),
    ]);
    return {
      connection,
      address: found.oracle,
      owner,
      rentalOffset,
      windows: { maxExpiryAheadMs, maxPublishAgeMs, maxPublishAheadMs, maxExpiryAfterDateMs },
      usableSigners,
      recordedKey: found.recordedKey && decodePublicKey(hexToBytes(found.recordedKey)),
    };
  } catch (error) {
    if (!(error instanceof BaseError) || isNodeOutOfReach(error)) throw error;
    throw new NotAnOracleError(found.oracle, connection.chain.id, chain);
  }
}
