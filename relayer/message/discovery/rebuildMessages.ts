import type { MessageLayout, TimeField } from "../messageLayout.ts";
import { encodePriceMessage } from "../priceMessage.ts";
import type { KnownValues } from "./knownValues.ts";
import { priceFormsOf, roundedPriceFormsOf } from "./priceForms.ts";

/**
 * The bytes that an item's message may have under a layout: one message for each feed id that the item may have and,
 * where the layout has an exponent field, for each exponent. Times are cut to seconds, and prices to the layout's
 * decimals, where these do not hold more. None when the values do not fit into the fields.
 */
export function* rebuildMessages(
  known: KnownValues,
  layout: MessageLayout,
): Generator<{ readonly message: Uint8Array; readonly feedId: bigint }> {
  const { price } = layout;
  const forms =
    "exponent" in price
      ? priceFormsOf(known.price, price.width, price.exponent.width)
      : [...priceFormsOf(known.price, price.width, undefined), ...roundedPriceFormsOf(known.price, price.width)].filter(
          ({ decimals }) => decimals === price.decimals,
        );
  const time = (timeMs: bigint, { unit }: TimeField) => (unit === "s" ? timeMs - (timeMs % 1000n) : timeMs);
  const publishTimeMs = time(known.publishTimeMs, layout.publishTime);
  const expiryMs = time(known.expiryMs, layout.expiry);
  for (const { mantissa, decimals } of forms) {
    for (const feedId of known.feedIds) {
      const priceFields = { priceMantissa: mantissa, priceExponent: -decimals };
      try {
        const fields = { feedId, ...priceFields, publishTimeMs, expiryMs, date: known.date };
        yield { message: encodePriceMessage(fields, layout), feedId };
      } catch (error) {
        // A value too large for its field: not this item's layout.
        if (!(error instanceof RangeError)) throw error;
      }
    }
  }
}
