import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { DEFAULT_RENTAL_OFFSET, feedOf } from "../relayer/message/feedId.ts";

/**
 * What can go wrong with one feed, or with every feed. Signatures are right for what is signed, so that only the fault
 * itself is wrong.
 */
export const FEED_FAULTS = {
  "bad-signature": "one bit of S is flipped",
  "unknown-signer": "signed with another key, which public_key names",
  "rotated-key": "signed with the service's next key, which public_key names",
  "changed-layout": "the fields stand in the signed message in reverse order",
  "wrong-kind": "the message carries the feed id of the market's other kind",
  mismatch: "the price beside the message is not the one inside",
  "short-message": "73 bytes are signed",
  "long-message": "75 bytes are signed",
  expired: "expiry is a second ago",
  "expiry-too-far": "expiry is 25 h and 30 s ahead",
  "publish-too-old": "published 49 h ago, dated accordingly",
  "publish-too-far-ahead": "published 61 min from now",
  "invalid-date": "dated 2026-02-30",
  "wrong-date": "dated a day too early",
  "future-date": "dated a day too late",
  "zero-price": "the signed price is 0",
  "late-edition": "the new edition is late: the one before it is served, and refused once it has expired",
  "revised-price": "the same date with a price 1 % higher, published up to half an hour later",
  refuse: "the source price is 0, which the service's own check refuses to sign",
  omitted: "the price is left out of the answer",
  "server-error": "any request for it is answered 500",
  "no-message": "the field message is left out",
  "no-public-key": "the field public_key is left out",
  base64: "signature, public key and message are in base64",
} as const;

/** What can go wrong with the whole service, or with one of its endpoints. */
export const SERVICE_FAULTS = {
  "rate-limited": "every request is answered 429, rate limit",
  "no-credits": "every request that costs credits is answered 429",
  forbidden: "every request is answered 403",
  unauthorized: "every request is answered 401",
  unavailable: "every request is answered 503",
  "server-error": "every request is answered 500",
  slow: "every answer takes seconds",
  "not-json": "every answer is a web page with status 200",
  "broken-json": "every answer has a comma too many",
  "wrong-content-type": "every answer calls itself a web page",
  truncated: "every answer breaks off in the middle, as if that were all",
  "cut-off": "the connection breaks off in the middle of every answer",
  "stale-cache": "a request that was answered well before is answered as it was then",
  "sales-for-rental": "a request for rental prices is answered with sales prices",
  yesterday: "late-edition for every feed",
} as const;

/** What is off by a number of milliseconds: KIND:MILLISECONDS. */
export const TIMED_FAULTS = {
  latency: "every answer takes so long",
  "clock-skew": "publish times, expiries and the Date header are so much later, or earlier if negative",
} as const;

export type FeedFaultKind = keyof typeof FEED_FAULTS;
export type ServiceFaultKind = keyof typeof SERVICE_FAULTS;
export type TimedFaultKind = keyof typeof TIMED_FAULTS;

/** Longest latency and largest skew of a clock either way, in milliseconds: ten minutes and 366 days. */
const MOST_MILLISECONDS: Readonly<Record<TimedFaultKind, number>> = {
  latency: 600_000,
  "clock-skew": 366 * 86_400_000,
};

const MOST_TIMES = 1_000_000;

/** What a fault of any kind may be limited to. */
type FaultLimits = {
  /** Only requests for the endpoint with this path, as docs/service.md writes it: `/v1/price_feed/{svc_id}/price_feed`. */
  readonly path?: string;
  /** Only so many requests, the next ones that it concerns. */
  readonly times?: number;
};

/** Something that the simulated service does wrong on demand. */
export type Fault = FaultLimits &
  (
    | {
        readonly kind: FeedFaultKind;
        /** Market id for sales, market id + rental offset for rental; every feed when absent. */
        readonly feedId?: bigint;
      }
    | { readonly kind: ServiceFaultKind }
    | {
        readonly kind: TimedFaultKind;
        /** `clock-skew` may be negative. */
        readonly milliseconds: number;
      }
  );

/** A fault that is written wrong. */
export class InvalidFaultError extends HomePriceError {
  constructor(text: string, problem: string) {
    super("INVALID_FAULT", `the fault "${text}" is not valid: ${problem}`, {
      kind: "configuration",
      hint:
        "Write KIND[:ARGUMENT][@PATH][*TIMES]. " +
        `KIND:FEEDID, or KIND alone for every feed: ${Object.keys(FEED_FAULTS).join(", ")}. ` +
        `KIND alone: ${Object.keys(SERVICE_FAULTS).join(", ")}. ` +
        `KIND:MILLISECONDS: ${Object.keys(TIMED_FAULTS).join(", ")}. ` +
        "FEEDID is the market id for sales, market id + rental offset for rental; " +
        "PATH limits the fault to one endpoint, TIMES to the next so many requests.",
    });
  }
}

/**
 * Reads a fault as written on a command line: `KIND[:ARGUMENT][@PATH][*TIMES]`, where the argument is a feed id or a
 * number of milliseconds. `bad-signature:5826765`, `slow`, `latency:250`, `server-error@/v1/price_feed/latest*2`.
 * @throws InvalidFaultError
 */
export function parseFault(text: string, rentalOffset: bigint = DEFAULT_RENTAL_OFFSET): Fault {
  const invalid = (problem: string) => new InvalidFaultError(text, problem);
  const [beforeTimes, times] = splitOnce(text.trim(), "*", invalid);
  const [beforePath, path] = splitOnce(beforeTimes, "@", invalid);
  const [kind, argument] = splitOnce(beforePath, ":", invalid);
  const limits = { ...(path !== undefined && { path }), ...(times !== undefined && { times: Number(times) }) };
  if (path !== undefined && !/^\/[\w\-./{}]*$/.test(path)) {
    throw invalid(`"${path}" is not the path of an endpoint, which begins with a slash`);
  }
  if (times !== undefined && !(/^[1-9]\d*$/.test(times) && Number(times) <= MOST_TIMES)) {
    throw invalid(`"${times}" is not a number of requests from 1 to ${MOST_TIMES}`);
  }

  if (isTimedFault(kind)) return { kind, milliseconds: parseMilliseconds(kind, argument, invalid), ...limits };
  if (isFeedFault(kind)) {
    if (argument === undefined) return { kind, ...limits };
    if (!/^\d{1,19}$/.test(argument) || !feedOf(BigInt(argument), rentalOffset)) {
      throw invalid(`"${argument}" is not a feed id`);
    }
    return { kind, feedId: BigInt(argument), ...limits };
  }
  if (!isServiceFault(kind)) throw invalid(`there is no kind "${kind}"`);
  if (argument !== undefined) throw invalid(`${kind} concerns the whole service, not one feed`);
  return { kind, ...limits };
}

/** The text that {@link parseFault} reads as this fault. */
export function formatFault(fault: Fault): string {
  const argument = "milliseconds" in fault ? fault.milliseconds : feedIdIn(fault);
  const path = fault.path === undefined ? "" : `@${fault.path}`;
  const times = fault.times === undefined ? "" : `*${fault.times}`;
  return `${fault.kind}${argument === undefined ? "" : `:${argument}`}${path}${times}`;
}

/** The feed that a fault names. */
export function feedIdIn(fault: Fault): bigint | undefined {
  return "feedId" in fault ? fault.feedId : undefined;
}

export function isFeedFault(kind: string): kind is FeedFaultKind {
  return Object.hasOwn(FEED_FAULTS, kind);
}

function isServiceFault(kind: string): kind is ServiceFaultKind {
  return Object.hasOwn(SERVICE_FAULTS, kind);
}

function isTimedFault(kind: string): kind is TimedFaultKind {
  return Object.hasOwn(TIMED_FAULTS, kind);
}

function splitOnce(
  text: string,
  separator: string,
  invalid: (problem: string) => InvalidFaultError,
): [string, string | undefined] {
  const [before = "", after, ...more] = text.split(separator);
  if (more.length > 0) throw invalid(`it has more than one "${separator}"`);
  return [before, after];
}

function parseMilliseconds(
  kind: TimedFaultKind,
  text: string | undefined,
  invalid: (problem: string) => InvalidFaultError,
): number {
  const most = MOST_MILLISECONDS[kind];
  const least = kind === "clock-skew" ? -most : 0;
  if (text === undefined) throw invalid(`${kind} needs a number of milliseconds`);
  const milliseconds = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (milliseconds >= least && milliseconds <= most) return milliseconds === 0 ? 0 : milliseconds;
  throw invalid(`"${text}" is not a whole number of milliseconds from ${least} to ${most}`);
}
