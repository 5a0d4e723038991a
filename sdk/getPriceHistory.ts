import type { Address } from "viem";
import { type GetBlockNumberErrorType, getBlockNumber, type ReadContractErrorType, readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import { type CalendarDay, type InvalidDayError, toDate, toDay } from "./calendarDay.ts";
import type { FeedId } from "./feedId.ts";
import { namingReverts, type OracleRevertError } from "./oracleRevertError.ts";
import { type PriceValue, toPriceValue } from "./priceValue.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

export type GetPriceHistoryParameters = ReadAt & {
  /** Address of the oracle. */
  readonly oracle: Address;
  readonly feedId: FeedId;
  /** Days since 1970-01-01, or the date `YYYY-MM-DD`. */
  readonly fromDay: CalendarDay;
  /** Included. The span may be of any length. */
  readonly toDay: CalendarDay;
};

/** One entry a date, gaps included. */
export type GetPriceHistoryReturnType = readonly {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The same as `YYYY-MM-DD`. */
  readonly date: string;
  /** `undefined` where the feed has no price. */
  readonly price: PriceValue | undefined;
}[];

export type GetPriceHistoryErrorType =
  | OracleRevertError
  | InvalidDayError
  | ReadContractErrorType
  | GetBlockNumberErrorType;

/** The contract gives at most so many at once. */
const DAYS_PER_CALL = 366;

/**
 * A feed's prices of a span of dates, all of the same block. Those of the last three days can still change.
 *
 * @throws OracleRevertError InvalidDaySpan when the span ends before it begins; InvalidDayError.
 * @example
 * const history = await getPriceHistory(client, { oracle, feedId, fromDay: "2025-01-01", toDay: "2026-03-02" });
 * const gaps = history.filter(({ price }) => price === undefined).length;
 */
export async function getPriceHistory(
  client: SdkClient,
  { oracle, feedId, fromDay, toDay: lastDay, ...at }: GetPriceHistoryParameters,
): Promise<GetPriceHistoryReturnType> {
  const [first, last] = [toDay(fromDay), toDay(lastDay)];
  const spans: [number, number][] = [];
  let start = first;
  do {
    spans.push([start, Math.min(start + DAYS_PER_CALL - 1, last)]);
    start += DAYS_PER_CALL;
  } while (start <= last);
  const block =
    spans.length > 1 && at.blockNumber === undefined && at.blockTag === undefined
      ? { blockNumber: await getBlockNumber(client, { cacheTime: 0 }) }
      : blockOf(at);
  const prices = await Promise.all(
    spans.map(([from, to]) =>
      namingReverts(() =>
        readContract(client, {
          address: oracle,
          abi: homePriceOracleAbi,
          functionName: "pricesBetween",
          args: [feedId, from, to],
          ...block,
        }),
      ),
    ),
  );
  return prices.flat().map((price, index) => ({
    day: first + index,
    date: toDate(first + index),
    price: price === 0n ? undefined : toPriceValue(price),
  }));
}
