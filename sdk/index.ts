/**
 * TypeScript SDK of the home price oracle: functions over a viem client, for Node, browsers and edge runtimes.
 *
 * @module
 */

export { chainlinkAdapterAbi } from "../relayer/chain/abi/chainlinkAdapterAbi.ts";
export { erc7412AdapterAbi } from "../relayer/chain/abi/erc7412AdapterAbi.ts";
export { homePriceOracleAbi } from "../relayer/chain/abi/homePriceOracleAbi.ts";
export { morphoAdapterAbi } from "../relayer/chain/abi/morphoAdapterAbi.ts";
export { pythAdapterAbi } from "../relayer/chain/abi/pythAdapterAbi.ts";
export { quoteAdapterAbi } from "../relayer/chain/abi/quoteAdapterAbi.ts";
export { readerErrorsAbi } from "../relayer/chain/abi/readerErrorsAbi.ts";
export { HomePriceError, type HomePriceErrorKind } from "../relayer/errors/HomePriceError.ts";
export { type Ed25519PublicKey, InvalidPublicKeyError } from "../relayer/message/ed25519.ts";
export { DEFAULT_RENTAL_OFFSET, FEED_KINDS, type FeedKind, InvalidIdError } from "../relayer/message/feedId.ts";
export { DEFAULT_LAYOUT, type MessageLayout } from "../relayer/message/messageLayout.ts";
export type { Checked, Refusal, RefusalCode } from "../relayer/message/refusal.ts";
export type { TimeWindows } from "../relayer/message/timeWindows.ts";
export { ServiceConfigurationError, ServiceError } from "../relayer/service/serviceErrors.ts";
export type { BatchExecutor } from "./batchSimulation.ts";
export { type CalendarDay, InvalidDayError, toDate, toDay } from "./calendarDay.ts";
export {
  type CheckedUpdate,
  type CheckUpdateParameters,
  type CheckUpdateReturnType,
  checkUpdate,
} from "./checkUpdate.ts";
export type { DailyPrice } from "./dailyPrice.ts";
export {
  type DecodedOracleError,
  type DecodeOracleErrorReturnType,
  decodeOracleError,
  type OracleErrorName,
} from "./decodeOracleError.ts";
export {
  type FeedId,
  marketOfFeed,
  rentalFeedId,
  salesFeedId,
  type ToFeedIdErrorType,
  toFeedId,
} from "./feedId.ts";
export type { FeedPrice } from "./feedPrice.ts";
export type { FreshnessRequirement } from "./freshnessRequirement.ts";
export {
  GATEWAY_PATH,
  type GatewayAnswer,
  type GatewayUpdate,
  gatewayAnswerSchema,
  gatewayUpdateSchema,
  toGatewayAnswer,
} from "./gatewayAnswer.ts";
export { GatewayError, type GatewayErrorCode, type GatewaySourceOptions, gatewaySource } from "./gatewaySource.ts";
export {
  type GetFreshnessErrorType,
  type GetFreshnessParameters,
  type GetFreshnessReturnType,
  getFreshness,
  UnknownFreshnessError,
} from "./getFreshness.ts";
export {
  type GetPendingPriceErrorType,
  type GetPendingPriceParameters,
  type GetPendingPriceReturnType,
  getPendingPrice,
} from "./getPendingPrice.ts";
export {
  type GetPriceErrorType,
  type GetPriceParameters,
  type GetPriceReturnType,
  getPrice,
} from "./getPrice.ts";
export {
  type GetPriceHistoryErrorType,
  type GetPriceHistoryParameters,
  type GetPriceHistoryReturnType,
  getPriceHistory,
} from "./getPriceHistory.ts";
export {
  type GetPriceOnErrorType,
  type GetPriceOnParameters,
  type GetPriceOnReturnType,
  getPriceOn,
} from "./getPriceOn.ts";
export {
  type GetPricesErrorType,
  type GetPricesParameters,
  type GetPricesReturnType,
  getPrices,
} from "./getPrices.ts";
export {
  type GetSettlementPriceErrorType,
  type GetSettlementPriceParameters,
  type GetSettlementPriceReturnType,
  getSettlementPrice,
} from "./getSettlementPrice.ts";
export {
  type GetUpdateRulesErrorType,
  type GetUpdateRulesParameters,
  type GetUpdateRulesReturnType,
  getUpdateRules,
  type UpdateRules,
  type UsableSigner,
} from "./getUpdateRules.ts";
export {
  type GetUpdatesErrorType,
  type GetUpdatesParameters,
  type GetUpdatesReturnType,
  getUpdates,
  type UpdateFailure,
} from "./getUpdates.ts";
export { type MarketId, type ToMarketIdErrorType, type ToMarketIdOptions, toMarketId } from "./marketId.ts";
export { OracleRevertError } from "./oracleRevertError.ts";
export type { PreparedCall, PullRequest, WriteRequest, Writing } from "./preparedCall.ts";
export { formatPrice, type PriceValue, toPriceValue } from "./priceValue.ts";
export type { ReadAt } from "./readAt.ts";
export {
  HOME_PRICE_ORACLE_ID,
  type ResolveOracleDataErrorType,
  type ResolveOracleDataParameters,
  type ResolveOracleDataReturnType,
  resolveOracleData,
} from "./resolveOracleData.ts";
export { CallRevertedError, OracleResolverError, type OracleResolverErrorCode } from "./resolverErrors.ts";
export type { SdkClient } from "./sdkClient.ts";
export { type ServiceSourceOptions, serviceSource } from "./serviceSource.ts";
export {
  MULTICALL3_ADDRESS,
  multicall3Abi,
  type ToMulticallOptions,
  type ToMulticallReturnType,
  toMulticall,
} from "./toMulticall.ts";
export {
  UpdateMissingError,
  UpdateNotFreshEnoughError,
  UpdateNotServedError,
  UpdateRefusedError,
} from "./updateErrors.ts";
export type {
  ReceivedUpdate,
  SourceAnswer,
  SourceFailure,
  StatedFields,
  UpdateRequest,
  UpdateSource,
} from "./updateSource.ts";
export {
  type WithFreshPriceBatchParameters,
  type WithFreshPriceErrorType,
  type WithFreshPricePullParameters,
  type WithFreshPriceReturnType,
  withFreshPrice,
} from "./withFreshPrice.ts";
