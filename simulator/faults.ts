import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { DEFAULT_RENTAL_OFFSET, feedOf } from "../relayer/message/feedId.ts";

/** What can go wrong with one feed. Signatures are right for what is signed, so that only the fault itself is wrong. */
export const FEED_FAULTS = {
  "bad-signature": "one bit of S is flipped",
  "unknown-signer": "signed with another key, which public_key names",
  "wrong-kind": "the message carries the feed id of the market's other kind",
  mismatch: "the price beside the message is not the one inside",
  "short-message": "73 bytes are signed",
  "long-message": "75 bytes are signed",
  expired: "expiry is a second ago",
  "expiry-too-far": "expiry is 25 h and 30 s ahead",
  "publish-too-old": "published 49 h ago, dated accordingly",
  "publish-too-far-ahead": "published 61 min from now",
  "invalid-date": "dated 2026-02-30",
  "zero-price": "the signed price is 0",
  refuse: "the source price is 0, which the service's own check refuses to sign",
  omitted: "the price is left out of the answer",
  "server-error": "any request for it is answered 500",
  "no-message": "the field message is left out",
  "no-public-key": "the field public_key is left out",
  base64: "signature, public key and message are in base64",
} as const;

/** What can go wrong with the whole service. */
export const SERVICE_FAULTS = {
  "rate-limited": "every request is answered 429, rate limit",
  "no-credits": "every request that costs credits is answered 429",
  forbidden: "every request is answered 403",
  unauthorized: "every request is answered 401",
  unavailable: "every request is answered 503",
  slow: "every answer takes seconds",
  "not-json": "every answer is a web page with status 200",
  truncated: "every answer breaks off in the middle",
  yesterday: "the new edition is late: the one before it is served, and refused once it has expired",
} as const;

export type FeedFaultKind = keyof typeof FEED_FAULTS;
export type ServiceFaultKind = keyof typeof SERVICE_FAULTS;

/** Something that the simulated service does wrong on demand. */
export type Fault =
  | {
      readonly kind: FeedFaultKind;
      /** Market id for sales, market id + rental offset for rental. */
      readonly feedId: bigint;
    }
  | { readonly kind: ServiceFaultKind };

/** A fault that is written wrong. */
export class InvalidFaultError extends HomePriceError {
  constructor(text: string, problem: string) {
    super("INVALID_FAULT", `the fault "${text}" is not valid: ${problem}`, {
      kind: "configuration",
      hint:
        `Write KIND:FEEDID with one of ${Object.keys(FEED_FAULTS).join(", ")}; ` +
        `or KIND alone with one of ${Object.keys(SERVICE_FAULTS).join(", ")}. ` +
        "FEEDID is the market id for sales, market id + rental offset for rental.",
    });
  }
}

/**
 * Reads a fault as written on a command line: `bad-signature:5826765`, `slow`.
 * @throws InvalidFaultError
 */
export function parseFault(text: string, rentalOffset: bigint = DEFAULT_RENTAL_OFFSET): Fault {
  const [kind = "", feedIdText, ...more] = text.trim().split(":");
  if (more.length > 0) throw new InvalidFaultError(text, "it has more than one colon");
  if (isServiceFault(kind)) {
    if (feedIdText !== undefined) throw new InvalidFaultError(text, `${kind} concerns the whole service, not one feed`);
    return { kind };
  }
  if (!isFeedFault(kind)) throw new InvalidFaultError(text, `there is no kind "${kind}"`);
  if (feedIdText === undefined || feedIdText === "") throw new InvalidFaultError(text, `${kind} needs a feed id`);
  if (!/^\d{1,19}$/.test(feedIdText) || !feedOf(BigInt(feedIdText), rentalOffset)) {
    throw new InvalidFaultError(text, `"${feedIdText}" is not a feed id`);
  }
  return { kind, feedId: BigInt(feedIdText) };
}

/** The faults in force, by what they concern. */
export class FaultSet {
  readonly #service = new Set<ServiceFaultKind>();
  readonly #feeds = new Map<bigint, FeedFaultKind[]>();

  constructor(faults: readonly Fault[]) {
    for (const fault of faults) {
      if ("feedId" in fault) this.#feeds.set(fault.feedId, [...this.ofFeed(fault.feedId), fault.kind]);
      else this.#service.add(fault.kind);
    }
  }

  has(kind: ServiceFaultKind): boolean {
    return this.#service.has(kind);
  }

  /** In the order in which they were given. */
  ofFeed(feedId: bigint): readonly FeedFaultKind[] {
    return this.#feeds.get(feedId) ?? [];
  }
}

function isFeedFault(kind: string): kind is FeedFaultKind {
  return Object.hasOwn(FEED_FAULTS, kind);
}

function isServiceFault(kind: string): kind is ServiceFaultKind {
  return Object.hasOwn(SERVICE_FAULTS, kind);
}
