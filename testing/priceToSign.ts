import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { dayOfDate, startOfDayMs } from "../relayer/message/calendarDate.ts";
import {
  formatDecimal,
  PRICE_DECIMALS,
  parseDecimal,
  sameDecimal,
  scaleDecimal,
} from "../relayer/message/decimalPrice.ts";
import { type FeedKind, feedIdOf } from "../relayer/message/feedId.ts";
import type { MessageLayout } from "../relayer/message/messageLayout.ts";
import type { PriceMessage } from "../relayer/message/priceMessage.ts";
import { editionAt } from "../simulator/edition.ts";

const SECOND_MS = 1_000n;

/** As long as the service's own prices live: 55 minutes into the next edition, so that two are unexpired at once. */
const LIFE_MS = 24n * 3_600_000n + 55n * 60_000n;

/** A feed: by the id in the message, or by market and kind. */
export type FeedChoice =
  | { readonly feedId: bigint; readonly marketId?: undefined; readonly kind?: undefined }
  | {
      readonly marketId: bigint;
      /** Default: sales. */
      readonly kind?: FeedKind | undefined;
      readonly feedId?: undefined;
    };

/**
 * The id in the message of a feed.
 * @throws InvalidIdError when the market id is 0 or would reach into the range of rental feeds.
 */
export function feedIdChosen(choice: FeedChoice, rentalOffset: bigint): bigint {
  if (choice.feedId !== undefined) return choice.feedId;
  return feedIdOf({ marketId: choice.marketId, kind: choice.kind ?? "sales" }, rentalOffset);
}

/** A price that the test signer is to sign. Everything but the feed has a default that the oracle accepts. */
export type PriceToSign = FeedChoice & {
  /** 8 decimals as a bigint, or decimal text such as `"216.94"`. Default: 216.94. */
  readonly price?: bigint | string | undefined;
  /** Unix seconds. Default: now; where this feed was signed in the same second already, a moment after that. */
  readonly publishTime?: bigint | undefined;
  /** The same in milliseconds, as the message has it; takes precedence. */
  readonly publishTimeMs?: bigint | undefined;
  /** `YYYY-MM-DD`. Default: the date of the newest edition at the publish time (7:30 AM Eastern). */
  readonly date?: string | undefined;
  /** Unix seconds. Default: 24 h 55 min from now, or as late as the date allows. */
  readonly expiry?: bigint | undefined;
  /** The same in milliseconds, as the message has it; takes precedence. */
  readonly expiryMs?: bigint | undefined;
  /** Whether the update names its signer and carries the hint (171 bytes), or not (138). Default: true. */
  readonly hinted?: boolean | undefined;
};

/** A price with more digits than the messages of a layout can hold. */
export class InexactPriceError extends HomePriceError {
  constructor(price: string, decimals: number) {
    super("INEXACT_PRICE", `the price ${price} has more than the ${decimals} decimals of the message`, {
      kind: "configuration",
      hint: "Sign a price with fewer decimals, or use a layout with more.",
    });
  }
}

/** What the defaults of a message follow from. */
export type SigningCircumstances = {
  readonly layout: MessageLayout;
  readonly rentalOffset: bigint;
  readonly maxExpiryAfterDateSeconds: number;
  /** Unix milliseconds. */
  readonly nowMs: bigint;
  /** When this feed was last published, if it was. */
  readonly lastPublishTimeMs: (feedId: bigint) => bigint | undefined;
};

/**
 * What a message is to say, in its own units.
 * @throws InvalidIdError, InvalidDecimalError, InexactPriceError
 */
export function messageOf(price: PriceToSign, circumstances: SigningCircumstances): PriceMessage {
  const { layout, rentalOffset, maxExpiryAfterDateSeconds, nowMs } = circumstances;
  const feedId = feedIdChosen(price, rentalOffset);
  const publishTimeMs =
    price.publishTimeMs ??
    (price.publishTime === undefined ? defaultPublishTimeMs(feedId, circumstances) : price.publishTime * SECOND_MS);
  const date = price.date ?? editionAt(publishTimeMs).date;
  const expiryMs =
    price.expiryMs ??
    (price.expiry === undefined
      ? wholeUnits(defaultExpiryMs(date, nowMs, maxExpiryAfterDateSeconds), layout.expiry.unit)
      : price.expiry * SECOND_MS);
  return { feedId, ...priceOf(price.price ?? "216.94", layout), publishTimeMs, expiryMs, date };
}

/** The price as the layout writes it; 8 decimals where it leaves the exponent open. */
function priceOf(price: bigint | string, layout: MessageLayout): Pick<PriceMessage, "priceMantissa" | "priceExponent"> {
  const decimal = typeof price === "string" ? parseDecimal(price) : { mantissa: price, exponent: -PRICE_DECIMALS };
  const decimals = "decimals" in layout.price ? layout.price.decimals : PRICE_DECIMALS;
  const priceMantissa = scaleDecimal(decimal, decimals);
  const priceExponent = -decimals;
  if (!sameDecimal(decimal, { mantissa: priceMantissa, exponent: priceExponent })) {
    throw new InexactPriceError(formatDecimal(decimal), decimals);
  }
  return { priceMantissa, priceExponent };
}

/** Newer than what was signed before, so that bringing two prices one after the other changes the price twice. */
function defaultPublishTimeMs(feedId: bigint, { layout, nowMs, lastPublishTimeMs }: SigningCircumstances): bigint {
  const { unit } = layout.publishTime;
  const now = wholeUnits(nowMs, unit);
  const last = lastPublishTimeMs(feedId);
  // One that is further ahead was signed before the chain went back to a snapshot.
  if (last === undefined || last < now || last > now + 60n * SECOND_MS) return now;
  return last + (unit === "s" ? SECOND_MS : 1n);
}

function defaultExpiryMs(date: string, nowMs: bigint, maxExpiryAfterDateSeconds: number): bigint {
  const usual = nowMs + LIFE_MS;
  const day = dayOfDate(date);
  if (day === undefined) return usual;
  const latest = startOfDayMs(day) + BigInt(maxExpiryAfterDateSeconds) * SECOND_MS;
  return latest < usual ? latest : usual;
}

function wholeUnits(timeMs: bigint, unit: "ms" | "s"): bigint {
  return unit === "s" ? timeMs - (timeMs % SECOND_MS) : timeMs;
}
