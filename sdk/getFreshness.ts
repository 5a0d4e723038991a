import type { Address } from "viem";
import { type ReadContractErrorType, readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import type { FeedId } from "./feedId.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

export type GetFreshnessParameters = ReadAt & {
  /** Address of the oracle. */
  readonly oracle: Address;
  readonly feedId: FeedId;
};

/** In the order of the contract's `Freshness`. */
const STATES = ["fresh", "unknownFeed", "paused", "signerRevoked", "noPrice", "expired", "quarantined"] as const;

/**
 * Whether a feed's price is served, and if not, why: `fresh` (served), `unknownFeed` (no market has such an id),
 * `paused`, `signerRevoked` (signed by a key that has leaked), `noPrice` (nobody has brought one yet), `expired`, or
 * `quarantined` (expired, and a newer one waits outside the feed's band).
 */
export type GetFreshnessReturnType = (typeof STATES)[number];

export type GetFreshnessErrorType = ReadContractErrorType | UnknownFreshnessError;

/** A state that this version of the package does not know. */
export class UnknownFreshnessError extends HomePriceError {
  constructor(state: number) {
    super("UNKNOWN_FRESHNESS", `the oracle answers with freshness ${state}`, {
      hint: "Check the oracle's address, or use the version of this package that belongs to it.",
    });
  }
}

/**
 * Whether a feed's price is served, and if not, why.
 *
 * @example
 * if ((await getFreshness(client, { oracle, feedId })) === "expired") await bringPrice();
 */
export async function getFreshness(
  client: SdkClient,
  { oracle, feedId, ...at }: GetFreshnessParameters,
): Promise<GetFreshnessReturnType> {
  const state = await readContract(client, {
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "freshness",
    args: [feedId],
    ...blockOf(at),
  });
  const name = STATES[state];
  if (name === undefined) throw new UnknownFreshnessError(state);
  return name;
}
