/**
 * Client of the housing market and property data service: every endpoint by its name, typed, with pages, id lists of any
 * length and a budget of credits, for Node, browsers and edge runtimes. Keep the API key out of pages: everybody can
 * read it there.
 *
 * `docs/service.md` lists every endpoint with its fields and rules.
 *
 * @example
 * const client = createServiceClient({ apiUrl: "https://api.example.com", apiKey });
 * const rows = await fetchAll(client, "market_metrics/all_cash", { svc_id: 5826765n, start_date: "2024-01-01" });
 *
 * @module
 */

export { HomePriceError, type HomePriceErrorKind } from "../errors/HomePriceError.ts";
export { InvalidDecimalError } from "../message/decimalPrice.ts";
export { FEED_KINDS, type FeedKind } from "../message/feedId.ts";
export type { Refusal, RefusalCode } from "../message/refusal.ts";
export type { ReceivedPrice } from "../message/signedPrice.ts";
export type { AccountBlock } from "./account.ts";
export type { RejectedMarket } from "./askBisecting.ts";
export { REQUEST_SPELLINGS, type RequestSpelling } from "./buildRequest.ts";
export { FIELD_RULES } from "./checkRequest.ts";
export {
  type CreditBudget,
  CreditBudgetError,
  type CreditBudgetOptions,
  type CreditLedger,
  type CreditReservation,
  createCreditBudget,
} from "./creditBudget.ts";
export { type CreditEstimate, estimateCredits } from "./creditCost.ts";
export type { CreditUse } from "./creditMeter.ts";
export { hasDataOn } from "./dataStart.ts";
export type { Cadence, CreditCost, Endpoint, OtherPath } from "./endpoints/endpoint.ts";
export { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "./endpoints/endpointTable.ts";
export { METRIC_NAMES, METRICS, type Metric, type MetricName } from "./endpoints/metricTable.ts";
export {
  type FetchItemsOptions,
  fetchAll,
  fetchItems,
  MissingRecordsError,
  UnendingPagesError,
} from "./fetchItems.ts";
export { type FetchPageOptions, fetchPage, type ServiceItemOf, type ServiceRequestOf } from "./fetchPage.ts";
export { getLatestPrices, type LatestPrices, type LatestPricesParameters } from "./getLatestPrices.ts";
export { IncompleteResultError, type PartialResult } from "./incompleteResultError.ts";
export type { LatestResponseFields, LatestResponseFieldsInput } from "./latestResponseFields.ts";
export type { RefusedItem } from "./readLatestAnswer.ts";
export type { NextPage, ServicePage } from "./readPage.ts";
export { type RequestProblem, RequestRuleError } from "./requestRuleError.ts";
export type { RequestRule, RequestValues, RuleBreach, RuleContext } from "./rules/requestRule.ts";
export { hasDisclosedPrice } from "./schemas/disclosedPrice.ts";
export { type Flag, isNo, isUnknown, isYes } from "./schemas/flag.ts";
export { grossYieldOf, type ListingMedians } from "./schemas/grossYield.ts";
export {
  ARMS_LENGTH_SALES,
  EVENT_FILTER_ALIASES,
  EVENT_TYPES,
  type EventName,
  type EventType,
  isArmsLengthSale,
  isForSaleListingEvent,
  isNonArmsLengthTransfer,
  isRentalListingEvent,
  isTransfer,
  LISTING_EVENT_NAMES,
  NON_ARMS_LENGTH_TRANSFERS,
  RENTAL_EVENT_NAMES,
  SALE_EVENT_NAMES,
} from "./schemas/housingEventNames.ts";
export { type PurchaseToSaleRatio, readPurchaseToSaleRatio } from "./schemas/metricItems.ts";
export { isFromBeforeTracking, TRACKING_BASELINE } from "./schemas/recordTracking.ts";
export { isSingleFamilyHome } from "./schemas/unitType.ts";
export {
  LOCATION_TYPES,
  type LocationType,
  MARKET_SORT_FIELDS,
  type MarketSortField,
  PORTFOLIO_SIZES,
  type PortfolioSize,
  PROPERTY_TYPES,
  type PropertyType,
  REGIONS,
  type Region,
  STATE_ABBREVIATIONS,
  STATE_FIPS_CODES,
  type StateAbbreviation,
  UNIT_TYPES,
  type UnitType,
} from "./schemas/vocabulary.ts";
export { type Market, type MarketSearchResult, type SearchMarketsParameters, searchMarkets } from "./searchMarkets.ts";
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from "./serviceClient.ts";
export {
  CreditsExhaustedError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServiceConfigurationError,
  ServiceError,
  ServiceTimeoutError,
  ServiceUnavailableError,
  ServiceUnreachableError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "./serviceErrors.ts";
export type { ServiceLog } from "./serviceLog.ts";
