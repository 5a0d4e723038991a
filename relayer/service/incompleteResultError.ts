import { HomePriceError } from "../errors/HomePriceError.ts";

/** What had arrived when a result broke off. */
export type PartialResult = {
  /** Records handed out before the failure. */
  readonly received: number;
  /** Requests that were answered. */
  readonly answeredRequests: number;
  /** Ids, of a split list, whose records are complete. */
  readonly answeredIds: readonly unknown[];
  /** Ids, of a split list, whose records are missing or incomplete. */
  readonly unansweredIds: readonly unknown[];
};

/** A result of several requests that broke off: what has been handed out is not all of it. `cause` says why. */
export class IncompleteResultError extends HomePriceError {
  readonly partial: PartialResult;

  constructor(endpoint: string, partial: PartialResult, cause: unknown) {
    const { received, answeredRequests, answeredIds, unansweredIds } = partial;
    const ids =
      answeredIds.length + unansweredIds.length === 0
        ? ""
        : `, complete for ${answeredIds.length} of ${answeredIds.length + unansweredIds.length} ids`;
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      "INCOMPLETE_RESULT",
      `${endpoint} broke off after ${received} records from ${answeredRequests} requests${ids}: ${reason}`,
      {
        hint: cause instanceof HomePriceError ? cause.hint : "Try again.",
        cause,
      },
    );
    this.partial = partial;
  }
}
