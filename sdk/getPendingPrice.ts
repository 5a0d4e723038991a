import type { Address } from "viem";
import { type ReadContractErrorType, readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import type { FeedKind } from "../relayer/message/feedId.ts";
import type { FeedId } from "./feedId.ts";
import { type FeedPrice, toFeedPrice } from "./feedPrice.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

export type GetPendingPriceParameters<kind extends FeedKind = FeedKind> = ReadAt & {
  /** Address of the oracle. */
  readonly oracle: Address;
  readonly feedId: FeedId<kind>;
};

/** A price that lies outside its feed's band and is not served yet; `undefined` when none waits. */
export type GetPendingPriceReturnType<kind extends FeedKind = FeedKind> =
  | (FeedPrice<kind> & {
      /** Number of the signer whose signature it carries. */
      readonly signer: number;
      /** When its level began to wait, Unix seconds. */
      readonly waitingSince: bigint;
      /** When it becomes the latest price by itself, Unix seconds. */
      readonly servedFrom: bigint;
    })
  | undefined;

export type GetPendingPriceErrorType = ReadContractErrorType;

/**
 * The price of a feed that waits because it differs too much from the one before it.
 *
 * @example
 * const pending = await getPendingPrice(client, { oracle, feedId });
 * if (pending) console.log(formatPrice(pending.price), "from", pending.servedFrom);
 */
export async function getPendingPrice<kind extends FeedKind>(
  client: SdkClient,
  { oracle, feedId, ...at }: GetPendingPriceParameters<kind>,
): Promise<GetPendingPriceReturnType<kind>> {
  const { price, signer, waitingSince, servedFrom } = await readContract(client, {
    address: oracle,
    abi: homePriceOracleAbi,
    functionName: "pendingPrice",
    args: [feedId],
    ...blockOf(at),
  });
  if (price.price === 0n) return undefined;
  return { ...toFeedPrice(feedId, price), signer, waitingSince, servedFrom };
}
