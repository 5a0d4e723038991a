import type { Address } from "viem";
import { readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import { decodeOracleError, type OracleErrorName } from "./decodeOracleError.ts";
import type { FeedId } from "./feedId.ts";
import { type FreshnessRequirement, minDayOf } from "./freshnessRequirement.ts";
import { OracleRevertError } from "./oracleRevertError.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

/** Errors that a newer price does away with. */
const CURABLE: readonly OracleErrorName[] = [
  "NoPrice",
  "PriceExpired",
  "PriceTooOld",
  "PriceSignerRevoked",
  "PriceDayTooEarly",
];

/** Whether bringing a newer price can help against an error. */
export function isCurable(name: OracleErrorName): boolean {
  return CURABLE.includes(name);
}

/**
 * Whether a feed's stored price does not meet the requirement, so that a newer one has to be brought.
 * @throws OracleRevertError when a newer price could not help: UnknownFeed, FeedPaused, FeedQuarantined.
 */
export async function needsUpdate(
  client: SdkClient,
  {
    oracle,
    feedId,
    requirement,
    ...at
  }: ReadAt & { oracle: Address; feedId: FeedId; requirement: FreshnessRequirement },
): Promise<boolean> {
  const contract = { address: oracle, abi: homePriceOracleAbi, ...blockOf(at) } as const;
  const { maxAge } = requirement;
  try {
    const { day } =
      maxAge === undefined
        ? await readContract(client, { ...contract, functionName: "latestPrice", args: [feedId] })
        : await readContract(client, { ...contract, functionName: "priceNoOlderThan", args: [feedId, maxAge] });
    return day < minDayOf(requirement);
  } catch (error) {
    const decoded = decodeOracleError(error);
    if (!decoded) throw error;
    if (isCurable(decoded.name)) return true;
    throw new OracleRevertError(decoded, error);
  }
}
