import type { Answer } from "../answer.ts";
import type { CreditAccount } from "../creditAccount.ts";
import type { ChargedFor } from "../creditCosts.ts";
import type { RequestFaults } from "../faultsInForce.ts";
import type { MarketTable } from "../marketTable.ts";
import type { PriceSigner } from "../priceSigner.ts";
import type { PriceTable } from "../priceTable.ts";

/** What an endpoint sees of the service. */
export type ServiceState = {
  readonly prices: PriceTable;
  readonly markets: MarketTable;
  readonly signer: PriceSigner;
  readonly credits: CreditAccount;
  readonly rentalOffset: bigint;
  /** What stands where the maker's name does in identifiers. */
  readonly idPrefix: string;
  /** What happens to a request for a price that fails a pre-signing check: it fails as a whole, or lacks the price. */
  readonly onRefusal: "fail" | "omit";
};

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
  /** As the specification writes it, parameters in braces: `/v1/market_metrics/{id}/all_cash`. Counters, plans and faults know it by this. */
  readonly path: string;
  /** Paths under which it can be reached too. */
  readonly otherPaths?: readonly string[];
  readonly chargedFor: ChargedFor;
  /** Whether the search throttle of the free plan concerns it. */
  readonly isThrottledSearch?: boolean;
  answer(request: EndpointRequest, service: ServiceState): Answer;
};
