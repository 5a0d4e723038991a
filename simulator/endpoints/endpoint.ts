import type { Answer } from "../answer.ts";
import type { CreditAccount } from "../creditAccount.ts";
import type { ChargedFor } from "../creditCosts.ts";
import type { RequestFaults } from "../faultsInForce.ts";
import type { MarketTable } from "../marketTable.ts";
import type { PriceSigner } from "../priceSigner.ts";
import type { PriceTable } from "../priceTable.ts";
import type { UnmatchedAnswer } from "../world/addresses.ts";
import type { Worlds } from "../worlds.ts";

/** What an endpoint sees of the service. */
export type ServiceState = {
  readonly prices: PriceTable;
  /** Markets that the service was given, and those of its prices. */
  readonly markets: MarketTable;
  /** Everything that was not given. */
  readonly worlds: Worlds;
  readonly signer: PriceSigner;
  readonly credits: CreditAccount;
  readonly rentalOffset: bigint;
  /** What stands where the maker's name does in identifiers. */
  readonly idPrefix: string;
  /** What happens to a request for a price that fails a pre-signing check: it fails as a whole, or lacks the price. */
  readonly onRefusal: "fail" | "omit";
  /** Whether market search finds the generated markets, too. */
  readonly listsGeneratedMarkets: boolean;
  readonly v2Answers: V2Answers;
  readonly unmatchedAddresses: UnmatchedAnswer;
};

/**
 * How property search v2 answers. `items`: `items` and `account`, as the specification has it. `properties`: `data`,
 * `metadata`, `pagination` and `account_info`, as public clients saw it.
 */
export const V2_ANSWERS = ["items", "properties"] as const;
export type V2Answers = (typeof V2_ANSWERS)[number];

/** One authorised request. */
export type EndpointRequest = {
  /** What the service's clock shows: Unix milliseconds, the same for the whole request. */
  readonly nowMs: bigint;
  /** How much of that is a fault of the clock; the rest decides what has been published. */
  readonly clockSkewMs: bigint;
  /** Scheme and authority under which the client reached the service, for links. */
  readonly origin: string;
  /** The path as it was asked for, for links. */
  readonly path: string;
  /** What stands in the places of the endpoint's path that are in braces, decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as it came; empty when there was none. */
  readonly bodyText: string;
  readonly faults: RequestFaults;
};

export type Endpoint = {
  readonly method: "GET" | "POST";
  /** As the endpoint table writes it, parameters in braces: `/v1/market_metrics/{svc_id}/all_cash`. Counters, plans and faults know it by this. */
  readonly path: string;
  /** Paths under which it can be reached too. */
  readonly otherPaths?: readonly string[];
  readonly chargedFor: ChargedFor;
  /** Whether the search throttle of the free plan concerns it. */
  readonly isThrottledSearch?: boolean;
  answer(request: EndpointRequest, service: ServiceState): Answer;
};
