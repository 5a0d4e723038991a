import type { HomePriceError } from "../errors/HomePriceError.ts";
import type { FeedKind } from "../message/feedId.ts";
import type { CollectedPrice, StrayItem } from "../relay/collectPrices.ts";
import type { Condition } from "../watch/condition.ts";

/**
 * How the newest edition of a kind stands, as of an answer of the service.
 *
 * - `new`: the edition that is due has come with this answer.
 * - `known`: it came with an earlier one.
 * - `not-published`: the date has not advanced since the schedule's last instant.
 * - `late`: the same, past the hour from which on that is an alert.
 * - `older`: the newest date went back.
 * - `unknown`: nothing came that passed its checks.
 */
export type EditionStatus = "new" | "known" | "not-published" | "late" | "older" | "unknown";

export type EditionReport = {
  readonly kind: FeedKind;
  readonly status: EditionStatus;
  /** Newest date that is known, by this answer or by an earlier one: days since 1970-01-01, and YYYY-MM-DD. */
  readonly day: number | undefined;
  readonly date: string | undefined;
  /** Earliest publish time of that edition's prices. */
  readonly publishTimeMs: bigint | undefined;
  /** The instant of the schedule since which an edition is due; `undefined` when there was none in the last days. */
  readonly expectedSinceMs: bigint | undefined;
  /** Whether that edition is the one that is due. */
  readonly isDueThere: boolean;
  /** Whether every wanted feed of the kind has a price of that date which passed its checks. */
  readonly isComplete: boolean;
};

/** A price that was given for a date which had another one before. */
export type RevisedPrice = {
  readonly feedId: bigint;
  readonly date: string;
  /** 8 decimals. */
  readonly from: bigint;
  readonly to: bigint;
};

/** What asking the price service once has brought. */
export type CollectionReport = {
  /** One for every feed that was asked for: every wanted one, or those that were still lacking. */
  readonly feeds: readonly CollectedPrice[];
  readonly strays: readonly StrayItem[];
  /** One for every wanted kind. */
  readonly editions: readonly EditionReport[];
  readonly revisions: readonly RevisedPrice[];
  /** Of the price service; each stands until a report comes without it. */
  readonly conditions: readonly Condition[];
  /** Why there was no usable answer at all. */
  readonly serviceError?: HomePriceError | undefined;
  /** Prices that the journal did not have before: every chain has to be looked at. */
  readonly newPrices: number;
  /** Prices that were asked for; each that comes costs a credit. */
  readonly pricesAsked: number;
  readonly durationsMs: { readonly fetch: number; readonly verify: number };
};

/** Whether there is nothing left to ask the service for until the next edition. */
export function isEverythingThere({ editions }: CollectionReport): boolean {
  return editions.every(({ isDueThere, isComplete }) => isDueThere && isComplete);
}
