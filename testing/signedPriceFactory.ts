import { bytesToHex, type Hex } from "viem";
import { dayOfDate } from "../relayer/message/calendarDate.ts";
import { PRICE_DECIMALS, scaleDecimal } from "../relayer/message/decimalPrice.ts";
import { DEFAULT_RENTAL_OFFSET } from "../relayer/message/feedId.ts";
import { checkLayout, DEFAULT_LAYOUT, type MessageLayout } from "../relayer/message/messageLayout.ts";
import { encodePriceMessage, type PriceMessage } from "../relayer/message/priceMessage.ts";
import { type InvalidReason, recipeFor } from "./invalidPrices.ts";
import { messageOf, type PriceToSign } from "./priceToSign.ts";
import { createTestSigner, type EncodedUpdate, signUpdate, type TestSigner } from "./testSigner.ts";

/** A price that the test signer has signed: the bytes for the oracle, and what they say. */
export type SignedUpdate = EncodedUpdate & {
  /** The 74 signed bytes. */
  readonly message: Hex;
  readonly feedId: bigint;
  /** 8 decimals. */
  readonly price: bigint;
  /** Unix milliseconds, as the message has them. */
  readonly publishTimeMs: bigint;
  readonly expiryMs: bigint;
  /** Unix seconds rounded down, as the oracle returns them. */
  readonly publishTime: bigint;
  readonly expiry: bigint;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The same in days since 1970-01-01; `undefined` when it is no day of the calendar. */
  readonly day: number | undefined;
};

export type SignedPriceFactoryOptions = {
  /** The 32-byte Ed25519 seed. Default: a random one. */
  readonly secretKey?: Uint8Array | Hex | undefined;
  /** Default: the layout that is used wherever no other is configured. */
  readonly layout?: MessageLayout | undefined;
  /** Default: 2,000,000,000. */
  readonly rentalOffset?: bigint | undefined;
  /** The signer's number in the oracle. Default: 1, the first. */
  readonly signerNumber?: number | undefined;
  /** How long after 00:00 UTC of its date a price may expire. Default: 259,200 (72 hours). */
  readonly maxExpiryAfterDateSeconds?: number | undefined;
};

/**
 * Makes updates as the service would, with a key for tests in place of the service's: real messages, real Ed25519
 * signatures. An oracle that has this key as a signer takes them as it takes any other.
 */
export class SignedPriceFactory {
  readonly signer: TestSigner;
  readonly layout: MessageLayout;
  readonly rentalOffset: bigint;
  readonly signerNumber: number;
  readonly maxExpiryAfterDateSeconds: number;
  readonly #lastPublishTimesMs = new Map<bigint, bigint>();

  /** @throws InvalidSecretKeyError, InvalidLayoutError */
  constructor({
    secretKey,
    layout = DEFAULT_LAYOUT,
    rentalOffset = DEFAULT_RENTAL_OFFSET,
    signerNumber = 1,
    maxExpiryAfterDateSeconds = 259_200,
  }: SignedPriceFactoryOptions = {}) {
    this.signer = createTestSigner(secretKey);
    this.layout = checkLayout(layout, rentalOffset);
    this.rentalOffset = rentalOffset;
    this.signerNumber = signerNumber;
    this.maxExpiryAfterDateSeconds = maxExpiryAfterDateSeconds;
  }

  /** The key to register in the oracle: 32 bytes, RFC 8032. */
  get publicKey(): Hex {
    return this.signer.publicKey.hex;
  }

  /**
   * Signs a price.
   * @param now Unix seconds: the time of the block that is going to take it. Defaults are relative to it.
   * @throws InvalidIdError, InvalidDecimalError, InexactPriceError, FieldOverflowError, RangeError (what the layout's
   * fields cannot hold)
   */
  sign(price: PriceToSign, now: bigint): SignedUpdate {
    const fields = this.#messageOf(price, now);
    const signed = this.#encode(fields, price.hinted ?? true);
    this.#lastPublishTimesMs.set(fields.feedId, fields.publishTimeMs);
    return signed;
  }

  /**
   * Signs a price that the oracle refuses for this reason. For `PublishTimeTooOld` the feed must have no newer price: what
   * is not newer than the stored price is skipped, before any further check.
   * @param reason Name of the oracle's custom error.
   * @param now Unix seconds, as in {@link sign}.
   * @throws NoConstantBytesError, and what {@link sign} throws
   */
  signInvalid(reason: InvalidReason, price: PriceToSign, now: bigint): SignedUpdate {
    const recipe = recipeFor(reason);
    const fields = this.#messageOf(price, now);
    const changed = recipe.fields?.(fields, { nowMs: now * 1_000n });
    return this.#encode({ ...fields, ...changed }, recipe.needsHint ?? price.hinted ?? true, recipe);
  }

  #messageOf(price: PriceToSign, now: bigint): PriceMessage {
    return messageOf(price, {
      layout: this.layout,
      rentalOffset: this.rentalOffset,
      maxExpiryAfterDateSeconds: this.maxExpiryAfterDateSeconds,
      nowMs: now * 1_000n,
      lastPublishTimeMs: (feedId) => this.#lastPublishTimesMs.get(feedId),
    });
  }

  #encode(fields: PriceMessage, hinted: boolean, recipe: ReturnType<typeof recipeFor> = {}): SignedUpdate {
    const { feedId, priceMantissa, priceExponent, publishTimeMs, expiryMs, date } = fields;
    const message = encodePriceMessage(fields, this.layout);
    recipe.message?.(message, this.layout);
    return {
      ...signUpdate(message, this.signer, hinted ? this.signerNumber : undefined, recipe),
      message: bytesToHex(message),
      feedId,
      price: scaleDecimal({ mantissa: priceMantissa, exponent: priceExponent }, PRICE_DECIMALS),
      publishTimeMs,
      expiryMs,
      publishTime: publishTimeMs / 1_000n,
      expiry: expiryMs / 1_000n,
      date,
      day: dayOfDate(date),
    };
  }
}
