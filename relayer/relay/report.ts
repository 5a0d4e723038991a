import type { Hex } from "viem";
import type { FeedKind } from "../message/feedId.ts";

/** What a run did for one feed. `updated`: sent and read back; `current`: nothing to send; `planned`: would be sent (dry run only). */
export type FeedStatus = "updated" | "current" | "planned" | "refused" | "missing" | "failed";

/** One feed of a run's report. Ids are digits, prices plain decimal text, dates YYYY-MM-DD, times ISO 8601. */
export type FeedReport = {
  readonly feedId: string;
  readonly marketId: string;
  readonly kind: FeedKind;
  readonly status: FeedStatus;
  readonly reason?: string;
  /** Of the price on the chain for a current feed, of the signed price received otherwise; null when none could be read. */
  readonly price: string | null;
  readonly date: string | null;
  readonly publishTime?: string;
  readonly transaction?: Hex;
  /** Where there are several chains. */
  readonly chainId?: number;
};

export type TransactionReport = {
  readonly hash: Hex;
  readonly chainId: number;
  /** Null when it was not mined within the wait. */
  readonly gasUsed: string | null;
  readonly feeds: readonly string[];
};

/** An item of the service's answer that was refused and belongs to no wanted feed. */
export type StrayItemReport = {
  readonly kind: FeedKind;
  readonly marketId: string | null;
  readonly reason: string;
};

/** One of several chains: whether every wanted feed is current on it, or why nothing could be done there. */
export type ChainReport = { readonly name: string; readonly ok: boolean } & (
  | { readonly chainId: number; readonly oracle: Hex }
  | { readonly error: { readonly code: string; readonly message: string; readonly hint: string } }
);

/** What a run did. `ok` only if nothing was refused and every wanted feed is on every chain and current. */
export type RelayReport = {
  readonly ok: boolean;
  /** Of the first chain, where there are several. */
  readonly chainId: number;
  readonly oracle: Hex;
  /** Each feed once, and once for every chain where there are several. */
  readonly feeds: readonly FeedReport[];
  readonly transactions: readonly TransactionReport[];
  readonly strayItems?: readonly StrayItemReport[];
  /** Where there are several. */
  readonly chains?: readonly ChainReport[];
  readonly durationsMs: StageDurations;
};

/**
 * How long the stages of a run took, in milliseconds. Chains are delivered to at the same time: of them, that of the
 * slowest.
 */
export type StageDurations = {
  readonly fetch: number;
  readonly verify: number;
  /** To compare with what the chains hold, and to write the outcome down. */
  readonly plan: number;
  /** To simulate, sign, write down and hand over. */
  readonly send: number;
  /** To wait until what was sent is mined, and to look up what became of it. */
  readonly confirm: number;
};
