import type { Address } from "viem";
import { type GetBlockNumberErrorType, getBlockNumber, type ReadContractErrorType, readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import type { FeedId } from "./feedId.ts";
import { type FeedPrice, toFeedPrice } from "./feedPrice.ts";
import { getPrice } from "./getPrice.ts";
import { namingReverts, type OracleRevertError } from "./oracleRevertError.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

export type GetPricesParameters = ReadAt & {
  /** Address of the oracle. */
  readonly oracle: Address;
  readonly feedIds: readonly FeedId[];
  /** As in {@link getPrice}. */
  readonly maxAge?: bigint | undefined;
};

export type GetPricesReturnType = readonly FeedPrice[];

export type GetPricesErrorType = OracleRevertError | ReadContractErrorType | GetBlockNumberErrorType;

/** Feeds in one call: far below what a node lets a call spend. */
const FEEDS_PER_CALL = 500;

/**
 * The current prices of several feeds, in the order of the ids, all of the same block.
 *
 * @throws OracleRevertError when one of them is not served, as `getPrice` does.
 * @example
 * const [sales, rental] = await getPrices(client, { oracle, feedIds: [salesFeedId(101n), rentalFeedId(101n)] });
 */
export async function getPrices(
  client: SdkClient,
  { oracle, feedIds, maxAge, ...at }: GetPricesParameters,
): Promise<GetPricesReturnType> {
  const chunks = [];
  for (let start = 0; start < feedIds.length; start += FEEDS_PER_CALL) {
    chunks.push(feedIds.slice(start, start + FEEDS_PER_CALL));
  }
  const severalCalls = maxAge === undefined ? chunks.length > 1 : feedIds.length > 1;
  const block =
    severalCalls && at.blockNumber === undefined && at.blockTag === undefined
      ? { blockNumber: await getBlockNumber(client, { cacheTime: 0 }) }
      : blockOf(at);
  if (maxAge !== undefined) {
    return Promise.all(feedIds.map((feedId) => getPrice(client, { oracle, feedId, maxAge, ...block })));
  }
  const prices = await Promise.all(
    chunks.map((chunk) =>
      namingReverts(() =>
        readContract(client, {
          address: oracle,
          abi: homePriceOracleAbi,
          functionName: "latestPrices",
          args: [chunk],
          ...block,
        }),
      ),
    ),
  );
  return prices.flat().flatMap((price, index) => {
    const feedId = feedIds[index];
    return feedId === undefined ? [] : [toFeedPrice(feedId, price)];
  });
}
