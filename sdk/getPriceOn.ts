import type { Address } from "viem";
import { type ReadContractErrorType, readContract } from "viem/actions";
import { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
import type { FeedKind } from "../relayer/message/feedId.ts";
import { type CalendarDay, type InvalidDayError, toDay } from "./calendarDay.ts";
import { type DailyPrice, toDailyPrice } from "./dailyPrice.ts";
import type { FeedId } from "./feedId.ts";
import { namingReverts, type OracleRevertError } from "./oracleRevertError.ts";
import { blockOf, type ReadAt } from "./readAt.ts";
import type { SdkClient } from "./sdkClient.ts";

export type GetPriceOnParameters<kind extends FeedKind = FeedKind> = ReadAt & {
  /** Address of the oracle. */
  readonly oracle: Address;
  readonly feedId: FeedId<kind>;
  /** Days since 1970-01-01, or the date `YYYY-MM-DD`. */
  readonly day: CalendarDay;
};

export type GetPriceOnReturnType<kind extends FeedKind = FeedKind> = DailyPrice<kind>;

export type GetPriceOnErrorType = OracleRevertError | InvalidDayError | ReadContractErrorType;

/**
 * The price of a date as it is so far; final only when `getSettlementPrice` gives it.
 *
 * @throws OracleRevertError NoPriceOn when there is none; InvalidDayError.
 * @example
 * const { price, isRevised } = await getPriceOn(client, { oracle, feedId, day: "2026-03-02" });
 */
export async function getPriceOn<kind extends FeedKind>(
  client: SdkClient,
  { oracle, feedId, day, ...at }: GetPriceOnParameters<kind>,
): Promise<GetPriceOnReturnType<kind>> {
  const args = [feedId, toDay(day)] as const;
  const contract = { address: oracle, abi: homePriceOracleAbi, ...blockOf(at) } as const;
  const price = await namingReverts(() => readContract(client, { ...contract, functionName: "priceOn", args }));
  return toDailyPrice(feedId, price);
}
