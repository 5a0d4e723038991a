import { type Decimal, PRICE_DECIMALS, PRICE_LIMIT, scaleDecimal } from "../decimalPrice.ts";
import { type FeedKind, feedIdOf, isMarketId } from "../feedId.ts";
import { DATE_LENGTH } from "../messageLayout.ts";
import type { ReceivedPrice } from "../signedPrice.ts";
import { SIGNATURE_LENGTH } from "../update.ts";

/** A signed latest item whose layout is not known yet. Its kind may be open: then both are tried. */
export type DiscoveryItem = Omit<ReceivedPrice, "kind"> & { readonly kind?: FeedKind | undefined };

/** What an item says beside its signature, and what its signed bytes have to say too. */
export type KnownValues = {
  /** The id that the message holds: one if the kind is known, else the market's sales and its rental id. */
  readonly feedIds: readonly bigint[];
  /** Above 0, without zeros at its end: `216.940` is 21694 · 10^-3. */
  readonly price: Decimal;
  readonly publishTimeMs: bigint;
  readonly expiryMs: bigint;
  /** Ten ASCII characters. */
  readonly date: string;
};

/** The five values of an item, or the reason why it is of no use for finding a layout. */
export function readKnownValues(
  item: DiscoveryItem,
  rentalOffset: bigint,
): { readonly known: KnownValues } | { readonly problem: string } {
  const { marketId, kind, price, publishTimeMs, expiryMs, date } = item;
  if (price === undefined || publishTimeMs === undefined || expiryMs === undefined || date === undefined) {
    const absent = Object.entries({ price, "publish time": publishTimeMs, expiry: expiryMs, date })
      .filter(([, value]) => value === undefined)
      .map(([name]) => name);
    return { problem: `it has no ${absent.join(", ")}` };
  }
  if (!isMarketId(marketId, rentalOffset)) return { problem: `${marketId} is no market id` };
  if (price.mantissa <= 0n) return { problem: "its price is not above 0" };
  if (!isPossible(price)) return { problem: "its price is larger or finer than any message could hold" };
  if (publishTimeMs <= 0n || expiryMs <= 0n) return { problem: "one of its times is 0" };
  if (date.length !== DATE_LENGTH || !/^[\x20-\x7e]+$/.test(date)) {
    return { problem: `its date is not ${DATE_LENGTH} ASCII characters` };
  }
  if (item.signature.length !== SIGNATURE_LENGTH) {
    return { problem: `its signature has ${item.signature.length} bytes, not ${SIGNATURE_LENGTH}` };
  }
  const kinds: readonly FeedKind[] = kind ? [kind] : ["sales", "rental"];
  const feedIds = kinds.map((each) => feedIdOf({ marketId, kind: each }, rentalOffset));
  return { known: { feedIds, price: withoutTrailingZeros(price), publishTimeMs, expiryMs, date } };
}

/** Prices of 10^10 and more are refused wherever they come from; nobody writes a hundred decimals. */
function isPossible({ mantissa, exponent }: Decimal): boolean {
  return exponent >= -100 && exponent <= 10 && scaleDecimal({ mantissa, exponent }, PRICE_DECIMALS) < PRICE_LIMIT;
}

/** The same number with the smallest mantissa. */
export function withoutTrailingZeros({ mantissa, exponent }: Decimal): Decimal {
  if (mantissa === 0n) return { mantissa, exponent: 0 };
  let [shortest, power] = [mantissa, exponent];
  while (shortest % 10n === 0n) {
    shortest /= 10n;
    power += 1;
  }
  return { mantissa: shortest, exponent: power };
}
