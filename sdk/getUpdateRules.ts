import { type Address, BaseError, type Hex, hexToBytes } from "viem";
import {
  type GetBlockErrorType,
  getBlock,
  type ReadContractErrorType,
  type ReadContractReturnType,
  readContract,
} from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import { decodePublicKey, type Ed25519PublicKey, type InvalidPublicKeyError } from "../relayer/message/ed25519.ts";
import { DEFAULT_WINDOWS, type TimeWindows } from "../relayer/message/timeWindows.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

/** A signer that the oracle accepts now. */
export type UsableSigner = {
  readonly number: number;
  readonly publicKey: Ed25519PublicKey;
  /** Packed layout of its messages. */
  readonly packed: bigint;
  /** keccak256 of a message with zero under every field. */
  readonly constantsHash: Hex;
  /** Publish times from here on are its own, Unix milliseconds. */
  readonly validFromMs: bigint;
  /** Publish times from here on are no longer; `undefined` when no retirement is set. */
  readonly validUntilMs: bigint | undefined;
};

/** What decides whether an oracle takes an update now. */
export type UpdateRules = {
  readonly rentalOffset: bigint;
  readonly windows: TimeWindows;
  /** Time of the block that is read, Unix milliseconds. */
  readonly nowMs: bigint;
  /** Newest first. */
  readonly signers: readonly UsableSigner[];
};

export type GetUpdateRulesParameters = ReadAt & {
  /** Address of the oracle. */
  readonly oracle: Address;
};

export type GetUpdateRulesReturnType = UpdateRules;

export type GetUpdateRulesErrorType = ReadContractErrorType | GetBlockErrorType | InvalidPublicKeyError;

/**
 * Reads by which rules an oracle judges updates: signers, their layouts, windows, and its clock. By default those of
 * the pending block, because an idle local chain's latest block is old.
 *
 * @example
 * const rules = await getUpdateRules(client, { oracle });
 * const checked = checkUpdate({ feedId, update, rules });
 */
export async function getUpdateRules(
  client: SdkClient,
  { oracle, ...at }: GetUpdateRulesParameters,
): Promise<GetUpdateRulesReturnType> {
  const block = at.blockNumber === undefined ? blockOf({ blockTag: at.blockTag ?? "pending" }) : blockOf(at);
  const contract = { address: oracle, abi: homePriceOracleAbi, ...block } as const;
  const [rentalOffset, maxExpiryAfterDateMs, signers, nowMs] = await Promise.all([
    readContract(client, { ...contract, functionName: "RENTAL_OFFSET" }),
    readContract(client, { ...contract, functionName: "MAX_EXPIRY_AFTER_DATE_MS" }),
    readContract(client, { ...contract, functionName: "usableSigners" }).then((numbers) =>
      Promise.all(
        numbers.map(async (number) =>
          toUsableSigner(
            number,
            await readContract(client, { ...contract, functionName: "signerInfo", args: [number] }),
          ),
        ),
      ),
    ),
    readTimeMs(client, block),
  ]);
  return { rentalOffset, windows: { ...DEFAULT_WINDOWS, maxExpiryAfterDateMs }, nowMs, signers };
}

function toUsableSigner(
  number: number,
  info: ReadContractReturnType<typeof homePriceOracleAbi, "signerInfo">,
): UsableSigner {
  return {
    number,
    publicKey: decodePublicKey(hexToBytes(info.publicKey)),
    packed: info.messageLayout,
    constantsHash: info.constantsHash,
    validFromMs: info.validFrom * 1000n,
    validUntilMs: info.retirement === 0n ? undefined : info.retirement * 1000n,
  };
}

/** Not every node knows a pending block; where there are real ones, the latest is hardly older. */
async function readTimeMs(client: SdkClient, block: ReturnType<typeof blockOf>): Promise<bigint> {
  try {
    return (await getBlock(client, block)).timestamp * 1000n;
  } catch (error) {
    if (!(error instanceof BaseError) || !("blockTag" in block) || block.blockTag !== "pending") throw error;
    return (await getBlock(client, { blockTag: "latest" })).timestamp * 1000n;
  }
}
