import type { Address } from "viem";
import { type ReadContractErrorType, readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import type { FeedKind } from "../relayer/message/feedId.ts";
import type { FeedId } from "./feedId.ts";
import { type FeedPrice, toFeedPrice } from "./feedPrice.ts";
import { namingReverts, type OracleRevertError } from "./oracleRevertError.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

export type GetPriceParameters<kind extends FeedKind = FeedKind> = ReadAt & {
  /** Address of the oracle. */
  readonly oracle: Address;
  readonly feedId: FeedId<kind>;
  /**
   * Oldest price that will do, in seconds since it was published; its expiry is ignored then. Without it, the price has
   * to be unexpired, whatever its age.
   */
  readonly maxAge?: bigint | undefined;
};

export type GetPriceReturnType<kind extends FeedKind = FeedKind> = FeedPrice<kind>;

export type GetPriceErrorType = OracleRevertError | ReadContractErrorType;

/**
 * The current price of a feed.
 *
 * @throws OracleRevertError when it is not served: UnknownFeed, FeedPaused, NoPrice, PriceSignerRevoked,
 *   FeedQuarantined, PriceExpired, or with `maxAge` PriceTooOld.
 * @example
 * const { price, date } = await getPrice(client, { oracle, feedId: salesFeedId(5_826_765n) });
 * console.log(formatPrice(price), date); // 216.94 2026-03-02
 */
export async function getPrice<kind extends FeedKind>(
  client: SdkClient,
  { oracle, feedId, maxAge, ...at }: GetPriceParameters<kind>,
): Promise<GetPriceReturnType<kind>> {
  const contract = { address: oracle, abi: homePriceOracleAbi, ...blockOf(at) } as const;
  const price = await namingReverts(() =>
    maxAge === undefined
      ? readContract(client, { ...contract, functionName: "latestPrice", args: [feedId] })
      : readContract(client, { ...contract, functionName: "priceNoOlderThan", args: [feedId, maxAge] }),
  );
  return toFeedPrice(feedId, price);
}
