import type { Abi, Address, PublicClient } from "viem";
import type { DecodedError } from "../oracle/decodedErrors.ts";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";

/** Why a price is not served. */
export type Fault = "neverSet" | "expired" | "tooOld" | "quarantined" | "oraclePaused" | "feedPaused" | "signerRevoked";

/** What bounds the life of a price: its age, at most the bound that the face was deployed with; its expiry; nothing. */
export type Bound = "age" | "expiry" | "none";

/** What a face answers. It leaves out what it does not say. */
export type Reading = {
  /** In the unit of the face. */
  readonly value: bigint;
  /** Decimals of the value, where the face states them. */
  readonly decimals?: number;
  /** When the service published the price, seconds: ahead of the block where the service's clock is. */
  readonly publishTime?: bigint;
  /** The same, but never after the block. */
  readonly updatedAt?: bigint;
  /** Days since 1970-01-01. */
  readonly day?: number;
};

/** A face on a chain, that reads one feed. */
export type DeployedAdapter = {
  readonly address: Address;
  /** Holds the errors that the face adds to the oracle's. */
  readonly abi: Abi;
  read(client: PublicClient): Promise<Reading>;
};

/** One way to read a price: a function of the oracle, an adapter, or foreign code that reads through an adapter. */
export type AdapterUnderTest = {
  readonly name: string;
  readonly boundedBy: Bound;
  /** @param feed The staleness bound in seconds means nothing to a face that has none. */
  deploy(
    chain: TestChain,
    oracle: TestOracle,
    feed: { readonly feedId: bigint; readonly maxAge: bigint },
  ): Promise<DeployedAdapter>;
  /** The value that is due for a price of 8 decimals. Default: the price itself. */
  readonly valueDue?: (price: bigint) => bigint;
  /** The error that is due for a fault, given the oracle's own. Default: just that. */
  readonly refusal?: (fault: Fault, oracleError: DecodedError, adapter: DeployedAdapter) => DecodedError;
};

/** Where the price of a face ends is where an error begins: the oracle's own for each fault. */
export const ORACLE_ERROR = {
  neverSet: "NoPrice",
  expired: "PriceExpired",
  tooOld: "PriceTooOld",
  quarantined: "FeedQuarantined",
  oraclePaused: "FeedPaused",
  feedPaused: "FeedPaused",
  signerRevoked: "PriceSignerRevoked",
} as const satisfies Record<Fault, string>;
