import type { Hex } from "viem";
import { dayOfDate } from "../../relayer/message/calendarDate.ts";
import { parseDecimal, scaleDecimal } from "../../relayer/message/decimalPrice.ts";
import { type Feed, feedIdOf } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { checkPriceMessage, decodePriceMessage } from "../../relayer/message/priceMessage.ts";
import type { Checked } from "../../relayer/message/refusal.ts";
import type { PriceItem } from "../../simulator/priceItem.ts";
import { PriceSigner, type PriceToSign } from "../../simulator/priceSigner.ts";

/** A price that the service has signed with its own key. */
export type SignedByService = {
  readonly feedId: bigint;
  readonly day: number;
  /** 8 decimals. */
  readonly price: bigint;
  readonly publishTimeMs: bigint;
  readonly expiryMs: bigint;
  /** When it was signed first, Unix milliseconds. */
  readonly signedAtMs: number;
};

/** What identifies a price, wherever it is met. */
export function identityOf({
  feedId,
  publishTimeMs,
  price,
}: Pick<SignedByService, "feedId" | "publishTimeMs" | "price">): string {
  return `${feedId}/${publishTimeMs}/${price}`;
}

/**
 * The service's signer, which remembers everything that it has signed: whatever stands on a chain must be among it.
 */
export class RecordingPriceSigner extends PriceSigner {
  readonly #ownKeys: ReadonlySet<Hex>;
  readonly #signed = new Map<string, SignedByService>();

  /** @param ownKeys The keys that are the service's; what another signs is not signed by the service. */
  constructor(options: ConstructorParameters<typeof PriceSigner>[0], ownKeys: readonly Uint8Array[]) {
    super(options);
    this.#ownKeys = new Set(ownKeys.map(hexOf));
  }

  override sign(wanted: PriceToSign, nowMs: bigint): Checked<PriceItem> {
    const signed = super.sign(wanted, nowMs);
    if (signed.ok) this.#remember(wanted, signed.value, Number(nowMs));
    return signed;
  }

  has(identity: string): boolean {
    return this.#signed.has(identity);
  }

  /** Whether a price of a feed and date was among what has been given out by an instant (Unix milliseconds). */
  wasGivenOut(feedId: bigint, day: number, price: bigint, byMs: number): boolean {
    return [...this.#signed.values()].some(
      (signed) => signed.feedId === feedId && signed.day === day && signed.price === price && signed.signedAtMs <= byMs,
    );
  }

  /** Forgets what no contract takes any more. */
  forgetBefore(publishTimeMs: bigint): void {
    for (const [identity, signed] of this.#signed) {
      if (signed.publishTimeMs < publishTimeMs) this.#signed.delete(identity);
    }
  }

  #remember({ marketId, kind }: PriceToSign, item: PriceItem, signedAtMs: number): void {
    const { publicKey } = item;
    // An item may be given without its key, or its message, which whoever receives it then puts together again.
    if (publicKey !== undefined && !this.#ownKeys.has(hexOf(publicKey))) return;
    const signed = item.message === undefined ? fieldsOf(item, { marketId, kind }) : decoded(item.message);
    if (!signed || this.#signed.has(identityOf(signed))) return;
    this.#signed.set(identityOf(signed), { ...signed, signedAtMs });
  }
}

type SignedFields = Omit<SignedByService, "signedAtMs">;

function decoded(message: Uint8Array): SignedFields | undefined {
  const read = decodePriceMessage(message, DEFAULT_LAYOUT);
  const checked = read.ok ? checkPriceMessage(read.value) : read;
  return checked.ok ? checked.value : undefined;
}

function fieldsOf({ price, date, publishTimeMs, expiryMs }: PriceItem, feed: Feed): SignedFields | undefined {
  const day = dayOfDate(date);
  if (day === undefined) return undefined;
  const feedId = feedIdOf(feed);
  return { feedId, day, price: scaleDecimal(parseDecimal(price), 8), publishTimeMs, expiryMs };
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
