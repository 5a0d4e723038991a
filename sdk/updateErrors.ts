import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import type { Refusal, RefusalCode } from "../relayer/message/refusal.ts";

/** Refusals that only say that the source has nothing newer. */
const TOO_OLD: readonly RefusalCode[] = ["ExpiryPassed", "PublishTimeTooOld"];

/** A source gave an update that the oracle would not take, or that is not what was asked for. */
export class UpdateRefusedError extends HomePriceError {
  readonly feedId: bigint;
  /** Why: a code, which is the name of the contract's error where it has one, and a sentence with the values. */
  readonly refusal: Refusal;

  constructor(feedId: bigint, refusal: Refusal, source: string) {
    super("UPDATE_REFUSED", `the update of feed ${feedId} from ${source} is refused: ${refusal.message}`, {
      hint: TOO_OLD.includes(refusal.code)
        ? "The source has no newer price yet: ask again later, or another source."
        : "Do not use it. Ask again, or another source; if it stays like this, tell the operator of this one.",
    });
    this.feedId = feedId;
    this.refusal = refusal;
  }
}

/** A source has no update of a feed. */
export class UpdateMissingError extends HomePriceError {
  readonly feedId: bigint;

  constructor(feedId: bigint, source: string) {
    super("UPDATE_MISSING", `${source} has no signed price of feed ${feedId}`, {
      hint: "Check the market id: not every market has prices, and not every source carries all of them.",
    });
    this.feedId = feedId;
  }
}

/** The newest price that a source has is no fresher than what is not fresh enough. */
export class UpdateNotFreshEnoughError extends HomePriceError {
  readonly feedId: bigint;

  constructor(feedId: bigint, problem: string, source: string) {
    super("UPDATE_NOT_FRESH_ENOUGH", `the newest price of feed ${feedId} that ${source} has ${problem}`, {
      hint: "The day's prices appear at about 7:30 AM Eastern: try again later, or allow an older price.",
    });
    this.feedId = feedId;
  }
}

/** The oracle would take the update, but not serve its price: it lies outside the feed's band, or was vetoed. */
export class UpdateNotServedError extends HomePriceError {
  readonly feedId: bigint;

  constructor(feedId: bigint) {
    super("UPDATE_NOT_SERVED", `the oracle would not serve the newest price of feed ${feedId} now`, {
      hint: "It differs too much from the price before and has to wait, or the guardian has dropped it: see getPendingPrice.",
    });
    this.feedId = feedId;
  }
}
