import type { Answer } from "../answer.ts";
import type { CreditAccount } from "../creditAccount.ts";
import type { FaultSet } from "../faults.ts";
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
  /** Unix milliseconds, the same for the whole request. */
  readonly nowMs: bigint;
  /** Scheme and authority under which the client reached the service, for links. */
  readonly origin: string;
  readonly query: URLSearchParams;
  /** The body as it came; empty when there was none. */
  readonly bodyText: string;
  readonly faults: FaultSet;
};

export type Endpoint = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly costsCredits: boolean;
  answer(request: EndpointRequest, service: ServiceState): Answer;
};
