import fc from "fast-check";
import { dateOfDay, startOfDayMs } from "../../../relayer/message/calendarDate.ts";
import type { DiscoveryItem } from "../../../relayer/message/discovery/knownValues.ts";
import { DEFAULT_RENTAL_OFFSET, type FeedKind, feedIdOf, feedOf } from "../../../relayer/message/feedId.ts";
import type { MessageLayout } from "../../../relayer/message/messageLayout.ts";
import { encodePriceMessage, type PriceMessage } from "../../../relayer/message/priceMessage.ts";
import type { MessageSigner } from "../../../simulator/messageSigner.ts";
import { SIGNER } from "../signedPrices.ts";

/** What an item is drawn from; a layout makes of it what it can hold. */
export type ItemSeed = {
  readonly marketId: bigint;
  readonly kind: FeedKind;
  /** Of the price at 18 decimals; cut to what fits. */
  readonly priceDigits: bigint;
  readonly day: number;
  readonly publishAfterMs: bigint;
  readonly expiryAfterMs: bigint;
  /**
   * Decimals of the number where the layout has an exponent field. Never 0 or 1: these read the same in either byte
   * order, and three items of no others could not settle it.
   */
  readonly decimals: number;
};

const HOUR_MS = 3_600_000;

/** Of a dollar, at 18 decimals. Prices have three decimals at most, as the service's have. */
const THOUSANDTH = 10n ** 15n;

const itemSeed: fc.Arbitrary<ItemSeed> = fc.record({
  marketId: fc.bigInt(1_000_000n, 9_999_999n),
  kind: fc.constantFrom("sales" as const, "rental" as const),
  priceDigits: fc.bigInt(10n ** 17n, 2_000n * 10n ** 18n),
  day: fc.integer({ min: 19_000, max: 23_000 }),
  publishAfterMs: fc.bigInt(BigInt(11 * HOUR_MS), BigInt(13 * HOUR_MS)),
  expiryAfterMs: fc.bigInt(BigInt(35 * HOUR_MS), BigInt(37 * HOUR_MS)),
  decimals: fc.integer({ min: 2, max: 18 }),
});

/** Three items to find a layout from, and a fourth that nobody has seen. Of one edition, or each of its own. */
export const itemSeeds: fc.Arbitrary<ItemSeed[]> = fc
  .record({
    // Three markets of one price, to the digit, settle nothing about the price.
    seeds: fc.uniqueArray(itemSeed, {
      minLength: 4,
      maxLength: 4,
      selector: ({ priceDigits }) => priceDigits / THOUSANDTH,
    }),
    isOneEdition: fc.boolean(),
    hasOneScale: fc.boolean(),
  })
  .map(({ seeds, isOneEdition, hasOneScale }) => {
    const [first] = seeds as [ItemSeed];
    const { day, publishAfterMs, expiryAfterMs, decimals } = first;
    return seeds.map((seed, index) => ({
      ...seed,
      // The fresh item is always of another day.
      ...(isOneEdition && index < 3 && { day, publishAfterMs, expiryAfterMs }),
      ...(hasOneScale && { decimals }),
    }));
  });

/** The fields of a seed's message, as far as the layout can hold them. */
export function messageOf(seed: ItemSeed, layout: MessageLayout): PriceMessage {
  const { price } = layout;
  const fits = (mantissa: bigint) => mantissa < 2n ** BigInt(8 * price.width);
  const digits = seed.priceDigits - (seed.priceDigits % THOUSANDTH);
  const mantissaAt = (decimals: number) => digits / 10n ** BigInt(18 - decimals);
  let decimals = "decimals" in price ? price.decimals : seed.decimals;
  while ("exponent" in price && !fits(mantissaAt(decimals))) decimals -= 1;
  let mantissa = mantissaAt(decimals);
  // A lower price where the decimals are fixed and leave no room for this one.
  if (!fits(mantissa)) mantissa = 1_000_000n + (seed.priceDigits % 4_000_000_000n);
  if (mantissa === 0n) mantissa = 1n + (seed.priceDigits % 1_000n);
  const whole = (timeMs: bigint, unit: "ms" | "s") => (unit === "s" ? timeMs - (timeMs % 1000n) : timeMs);
  const startMs = startOfDayMs(seed.day);
  return {
    feedId: feedIdOf(seed, DEFAULT_RENTAL_OFFSET),
    priceMantissa: mantissa,
    priceExponent: 0 - decimals,
    publishTimeMs: whole(startMs + seed.publishAfterMs, layout.publishTime.unit),
    expiryMs: whole(startMs + seed.expiryAfterMs, layout.expiry.unit),
    date: dateOfDay(seed.day),
  };
}

/** A signed item. Its kind is not said. */
export function itemOf(seed: ItemSeed, layout: MessageLayout): SignedItem {
  return signedItem(messageOf(seed, layout), layout);
}

export type SignedItem = DiscoveryItem & { readonly message: Uint8Array };

/** A message as an item of a latest answer brings it, with all that it says beside it. */
export function signedItem(fields: PriceMessage, layout: MessageLayout, signer: MessageSigner = SIGNER): SignedItem {
  const message = encodePriceMessage(fields, layout);
  const feed = feedOf(fields.feedId);
  if (!feed) throw new Error(`no feed ${fields.feedId}`);
  return {
    marketId: feed.marketId,
    signature: signer.sign(message),
    message,
    date: fields.date,
    price: { mantissa: fields.priceMantissa, exponent: fields.priceExponent },
    publishTimeMs: fields.publishTimeMs,
    expiryMs: fields.expiryMs,
  };
}

/** The same without the signed bytes. */
export function withoutMessage({ message: _, ...item }: DiscoveryItem): DiscoveryItem {
  return item;
}

/** A message that the items do not have: another market and kind, price and day; of their scale, if they have one. */
export function freshMessages(seed: ItemSeed, layout: MessageLayout, items: readonly DiscoveryItem[]): PriceMessage[] {
  const exponents = new Set(items.map(({ price }) => price?.exponent));
  const decimals = exponents.size === 1 ? 0 - (items[0]?.price?.exponent ?? 0) : seed.decimals;
  return (["sales", "rental"] as const).map((kind) => messageOf({ ...seed, kind, decimals }, layout));
}
