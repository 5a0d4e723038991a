import { formatPrice, parseDecimal, sameDecimal, scaleDecimal } from "../relayer/message/decimalPrice.ts";
import { type FeedKind, feedIdOf } from "../relayer/message/feedId.ts";
import type { MessageLayout } from "../relayer/message/messageLayout.ts";
import { checkPriceMessage, encodePriceMessage, type PriceMessage } from "../relayer/message/priceMessage.ts";
import { accepted, type Checked, refused } from "../relayer/message/refusal.ts";
import { checkTimeWindows } from "../relayer/message/timeWindows.ts";
import type { Edition } from "./edition.ts";
import { type FaultCircumstances, faultEffect, type ItemFaultKind } from "./faultEffects.ts";
import type { PriceItem } from "./priceItem.ts";
import type { PriceRow } from "./priceTable.ts";
import type { ServiceSigners } from "./serviceSigners.ts";

/** Decimals written where a layout leaves the exponent open: those of the exchange that consumes the prices. */
const FREE_EXPONENT_DECIMALS = 8;

export type PriceSignerOptions = {
  readonly layout: MessageLayout;
  readonly rentalOffset: bigint;
  readonly signers: ServiceSigners;
};

/** One price to sign. */
export type PriceToSign = {
  readonly marketId: bigint;
  readonly kind: FeedKind;
  readonly row: PriceRow;
  readonly edition: Edition;
  readonly faults: readonly ItemFaultKind[];
};

/**
 * Checks and signs prices, and keeps what it has signed until a newer edition comes. Sales and rental prices are kept
 * apart; a faulty item is never kept.
 */
export class PriceSigner {
  readonly #options: PriceSignerOptions;
  readonly #signed = new Map<string, PriceItem>();
  #newestDay = 0;

  constructor(options: PriceSignerOptions) {
    this.#options = options;
  }

  /** The signed item, or the first of the service's pre-signing checks that fails at `nowMs` (Unix milliseconds). */
  sign({ marketId, kind, row: sourceRow, edition, faults }: PriceToSign, nowMs: bigint): Checked<PriceItem> {
    const { rentalOffset, signers } = this.#options;
    const circumstances: FaultCircumstances = { nowMs, rentalOffset };
    const effects = faults.map(faultEffect);
    const row = effects.reduce((row, effect) => effect.row?.(row) ?? row, sourceRow);
    const source = effects.reduce(
      (fields, effect) => effect.source?.(fields, circumstances) ?? fields,
      messageFields(marketId, kind, row, edition, this.#options),
    );
    const checked = checkBeforeSigning(source, nowMs, rentalOffset);
    if (!checked.ok) return checked;

    const key = `${kind}:${marketId}:${edition.date}:${edition.publishTimeMs}`;
    const kept = effects.length === 0 ? this.#signed.get(key) : undefined;
    if (kept) return accepted(kept);

    const faulty = effects.reduce((fields, effect) => effect.fields?.(fields, circumstances) ?? fields, source);
    const layout = effects.reduce((layout, effect) => effect.layout?.(layout) ?? layout, this.#options.layout);
    const fields = inUnitsOf(layout, faulty);
    const encoded = encode(fields, layout);
    if (!encoded.ok) return encoded;
    const message = effects.reduce((message, { bytes }) => bytes?.(message) ?? message, encoded.value);
    const signer = signers[effects.find(({ key }) => key !== undefined)?.key ?? "present"];
    const item = effects.reduce<PriceItem>((item, effect) => effect.item?.(item) ?? item, {
      marketId,
      date: fields.date,
      price: priceText(fields, row),
      publishTimeMs: fields.publishTimeMs,
      expiryMs: fields.expiryMs,
      signature: signer.sign(message),
      publicKey: signer.publicKey,
      message,
      encoding: "hex",
    });
    if (effects.length === 0) this.#keep(key, item, edition);
    return accepted(item);
  }

  #keep(key: string, item: PriceItem, edition: Edition): void {
    if (edition.day > this.#newestDay) {
      this.#newestDay = edition.day;
      for (const [key, { date }] of this.#signed) if (date < edition.date) this.#signed.delete(key);
    }
    this.#signed.set(key, item);
  }
}

function messageFields(
  marketId: bigint,
  kind: FeedKind,
  row: PriceRow,
  edition: Edition,
  { layout, rentalOffset }: Pick<PriceSignerOptions, "layout" | "rentalOffset">,
): PriceMessage {
  const decimals = "exponent" in layout.price ? FREE_EXPONENT_DECIMALS : layout.price.decimals;
  return {
    feedId: feedIdOf({ marketId, kind }, rentalOffset),
    priceMantissa: scaleDecimal(parseDecimal(row.price), decimals),
    priceExponent: -decimals,
    publishTimeMs: edition.publishTimeMs,
    expiryMs: edition.expiryMs,
    date: edition.date,
  };
}

/** The six pre-signing checks of the specification, as whoever verifies the price will repeat them. */
function checkBeforeSigning(fields: PriceMessage, nowMs: bigint, rentalOffset: bigint): Checked<unknown> {
  if (fields.priceMantissa < 0n) return refused("ZeroPrice", "the price is below 0");
  const checked = checkPriceMessage(fields, rentalOffset);
  return checked.ok ? checkTimeWindows(checked.value, nowMs) : checked;
}

function encode(fields: PriceMessage, layout: MessageLayout): Checked<Uint8Array> {
  try {
    return accepted(encodePriceMessage(fields, layout));
  } catch (error) {
    // A layout with a narrower price field than ours; nothing else of a checked price can fail to fit.
    if (error instanceof RangeError) return refused("PriceTooLarge", error.message);
    throw error;
  }
}

/** Faults reckon from a clock in milliseconds; a layout with times in seconds holds whole ones only. */
function inUnitsOf({ publishTime, expiry }: MessageLayout, fields: PriceMessage): PriceMessage {
  const { publishTimeMs, expiryMs } = fields;
  return {
    ...fields,
    publishTimeMs: publishTime.unit === "s" ? publishTimeMs - (publishTimeMs % 1000n) : publishTimeMs,
    // Upwards, so that an expiry too far ahead stays too far.
    expiryMs: expiry.unit === "s" ? ((expiryMs + 999n) / 1000n) * 1000n : expiryMs,
  };
}

/** The source's own text as long as it is the number that is signed; else the signed number. */
function priceText({ priceMantissa, priceExponent }: PriceMessage, row: PriceRow): string {
  const isSame = sameDecimal(parseDecimal(row.price), { mantissa: priceMantissa, exponent: priceExponent });
  return isSame ? row.price : formatPrice(priceMantissa, -priceExponent);
}
