import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { dateOfDay } from "../relayer/message/calendarDate.ts";
import { PRICE_LIMIT } from "../relayer/message/decimalPrice.ts";
import { fixedRegionsOf, type MessageLayout } from "../relayer/message/messageLayout.ts";
import type { PriceMessage } from "../relayer/message/priceMessage.ts";
import { DEFAULT_WINDOWS } from "../relayer/message/timeWindows.ts";
import type { Tampering } from "./testSigner.ts";

const MINUTE_MS = 60_000n;
const HOUR_MS = 3_600_000n;
const DAY_MS = 86_400_000n;

/** Signer numbers go up to 63; one that no test oracle gives away. */
const NOBODYS_NUMBER = 63;

/**
 * Why the oracle refuses an update: the names of its custom errors. `ExpiryNotAfterDate` is missing, as no message can
 * bring it about except in the hour before 00:00 UTC.
 */
export type InvalidReason =
  | "InvalidUpdateLength"
  | "InvalidFeedId"
  | "UnexpectedConstantBytes"
  | "ZeroPrice"
  | "PriceTooLarge"
  | "InvalidDate"
  | "ExpiryPassed"
  | "ExpiryTooFarAhead"
  | "PublishTimeTooOld"
  | "PublishTimeTooFarAhead"
  | "PublishedBeforeDate"
  | "ExpiryTooFarFromDate"
  | "UnknownSigner"
  | "InvalidSignature"
  | "WrongHint";

/** How a valid price is made invalid for one reason only. */
type Recipe = Tampering & {
  /** Changes what is signed. */
  readonly fields?: (fields: PriceMessage, circumstances: RecipeCircumstances) => Partial<PriceMessage>;
  /** Changes the 74 bytes before they are signed, in place. */
  readonly message?: (message: Uint8Array, layout: MessageLayout) => void;
  /** Only the 171-byte form can be invalid in this way. */
  readonly needsHint?: true;
};

type RecipeCircumstances = {
  /** Unix milliseconds, whole seconds. */
  readonly nowMs: bigint;
};

/** A layout whose messages have no constant bytes that could be wrong. */
export class NoConstantBytesError extends HomePriceError {
  constructor() {
    super("NO_CONSTANT_BYTES", "the layout has neither constant bytes nor padding, so none can be unexpected", {
      kind: "configuration",
      hint: "Use a layout with constant bytes, such as the default one.",
    });
  }
}

const RECIPES: Readonly<Record<InvalidReason, Recipe>> = {
  InvalidUpdateLength: { update: (update) => update.slice(0, -1) },
  InvalidFeedId: { fields: () => ({ feedId: 0n }) },
  UnexpectedConstantBytes: {
    message: (message, layout) => {
      const [region] = fixedRegionsOf(layout);
      if (!region) throw new NoConstantBytesError();
      flipBit(message, region.offset);
    },
  },
  ZeroPrice: { fields: () => ({ priceMantissa: 0n }) },
  PriceTooLarge: {
    fields: ({ priceExponent }) => ({ priceMantissa: (PRICE_LIMIT * 10n ** BigInt(-priceExponent)) / 10n ** 8n + 1n }),
  },
  InvalidDate: { fields: ({ date }) => ({ date: `${date.slice(0, 4)}-02-30` }) },
  ExpiryPassed: { fields: (_, { nowMs }) => ({ expiryMs: nowMs - MINUTE_MS }) },
  // Blocks go on between signing and bringing: by half an hour at most, or nothing is wrong any more.
  ExpiryTooFarAhead: {
    fields: (_, { nowMs }) => ({ expiryMs: nowMs + DEFAULT_WINDOWS.maxExpiryAheadMs + HOUR_MS / 2n }),
  },
  PublishTimeTooOld: {
    fields: (_, { nowMs }) => {
      const publishTimeMs = nowMs - DEFAULT_WINDOWS.maxPublishAgeMs - MINUTE_MS;
      return { publishTimeMs, date: dateOfDay(Number(publishTimeMs / DAY_MS)), expiryMs: nowMs + HOUR_MS / 2n };
    },
  },
  PublishTimeTooFarAhead: {
    fields: (_, { nowMs }) => ({ publishTimeMs: nowMs + DEFAULT_WINDOWS.maxPublishAheadMs + HOUR_MS / 2n }),
  },
  PublishedBeforeDate: {
    fields: ({ publishTimeMs }, { nowMs }) => ({
      date: dateOfDay(Number(publishTimeMs / DAY_MS) + 1),
      expiryMs: nowMs + DAY_MS,
    }),
  },
  ExpiryTooFarFromDate: {
    // 72 hours after the start of the day before yesterday are over at the next midnight, which is less than 25 hours away.
    fields: (_, { nowMs }) => ({
      date: dateOfDay(Number(nowMs / DAY_MS) - 2),
      expiryMs: nowMs + DEFAULT_WINDOWS.maxExpiryAheadMs - HOUR_MS / 2n,
    }),
  },
  UnknownSigner: { hint: (hint) => ({ ...hint, signerNumber: NOBODYS_NUMBER }), needsHint: true },
  // The lowest bit of S (RFC 8032, section 5.1.6).
  InvalidSignature: { signature: (signature) => flipBit(signature, 32) },
  WrongHint: { hint: (hint) => ({ ...hint, xOfR: hint.xOfR ^ 1n }), needsHint: true },
};

/** Every reason for which a test can have an update refused. */
export const INVALID_REASONS = Object.keys(RECIPES) as readonly InvalidReason[];

export function recipeFor(reason: InvalidReason): Recipe {
  return RECIPES[reason];
}

function flipBit(bytes: Uint8Array, index: number): void {
  bytes[index] = (bytes[index] ?? 0) ^ 1;
}
