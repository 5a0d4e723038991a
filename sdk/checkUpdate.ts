import { bytesToHex, type Hex, hexToBytes, isHex } from "viem";
import { unpackLayout } from "../relayer/chain/packedLayout.ts";
import { type FeedKind, feedOf } from "../relayer/message/feedId.ts";
import { accepted, type Checked, type Refusal, refused } from "../relayer/message/refusal.ts";
import { checkReceivedPrice, type ReceivedPrice, type SignedPrice } from "../relayer/message/signedPrice.ts";
import { formatTimeMs } from "../relayer/message/timeWindows.ts";
import {
  decodeUpdate,
  encodeUpdate,
  HINTED_UPDATE_LENGTH,
  PLAIN_UPDATE_LENGTH,
  type UpdateHint,
} from "../relayer/message/update.ts";
import type { FeedId } from "./feedId.ts";
import type { UpdateRules, UsableSigner } from "./getUpdateRules.ts";
import type { MarketId } from "./marketId.ts";
import { type PriceValue, toPriceValue } from "./priceValue.ts";
import type { StatedFields } from "./updateSource.ts";

/** An update that has passed every check of the oracle which needs no state of the feed: signature, windows, format. */
export type CheckedUpdate<kind extends FeedKind = FeedKind> = {
  readonly feedId: FeedId<kind>;
  readonly marketId: MarketId;
  readonly kind: kind;
  /** As the oracle would store it. */
  readonly price: PriceValue;
  /** Exactly what was signed: `mantissa · 10^exponent`. */
  readonly signedPrice: { readonly mantissa: bigint; readonly exponent: number };
  /** Unix milliseconds. */
  readonly publishTimeMs: bigint;
  /** Unix milliseconds. */
  readonly expiryMs: bigint;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The same as `YYYY-MM-DD`. */
  readonly date: string;
  /** Number of the signer in the oracle. */
  readonly signer: number;
  /** The 171 bytes for `updatePrices`. */
  readonly update: Hex;
};

export type CheckUpdateParameters<kind extends FeedKind = FeedKind> = {
  /** The feed whose price it has to be. */
  readonly feedId: FeedId<kind>;
  /** 138 or 171 bytes. */
  readonly update: Hex;
  readonly rules: UpdateRules;
  /** What the source said beside it; differences are refused. */
  readonly stated?: StatedFields | undefined;
};

export type CheckUpdateReturnType<kind extends FeedKind = FeedKind> = Checked<CheckedUpdate<kind>>;

/**
 * Checks an update as the oracle would: length, message, price, date, windows, signer, signature, and the hint of the
 * 171-byte form, which is never repaired. An update of 138 bytes comes back as one of 171, which costs less on-chain.
 *
 * @example
 * const checked = checkUpdate({ feedId, update, rules: await getUpdateRules(client, { oracle }) });
 * if (!checked.ok) console.log(checked.refusal.code, checked.refusal.message);
 */
export function checkUpdate<kind extends FeedKind>({
  feedId,
  update,
  rules,
  stated = {},
}: CheckUpdateParameters<kind>): CheckUpdateReturnType<kind> {
  const feed = feedOf(feedId, rules.rentalOffset);
  if (!feed) return refused("InvalidFeedId", `${feedId} is neither a market id nor market id + ${rules.rentalOffset}`);
  if (!isHex(update) || update.length % 2 !== 0) return refused("MalformedItem", "the update is not written in hex");
  const parts = decodeUpdate(hexToBytes(update));
  if (!parts) {
    const length = update.length / 2 - 1;
    const expected = `${PLAIN_UPDATE_LENGTH} or ${HINTED_UPDATE_LENGTH}`;
    return refused("InvalidUpdateLength", `the update has ${length} bytes, not ${expected}`);
  }
  const { message, signature, hint } = parts;
  const { signer: statedSigner, ...fields } = stated;
  const named = hint?.signerNumber ?? statedSigner;
  if (named !== (statedSigner ?? named)) {
    return refused("MessageMismatch", `the update names signer ${named}, the answer that carries it ${statedSigner}`);
  }
  const signers = rules.signers.filter(({ number }) => named === undefined || number === named);
  if (signers.length === 0) return notUsable(named, rules.signers);

  let refusal: Refusal | undefined;
  for (const signer of signers) {
    const checked = checkSigned({ ...fields, ...feed, message, signature }, hint, signer, rules);
    if (checked.ok) {
      const { message: said, xOfR } = checked.value;
      return accepted({
        feedId,
        marketId: feed.marketId as MarketId,
        kind: feed.kind as kind,
        price: toPriceValue(said.price),
        signedPrice: { mantissa: said.priceMantissa, exponent: said.priceExponent },
        publishTimeMs: said.publishTimeMs,
        expiryMs: said.expiryMs,
        day: said.day,
        date: said.date,
        signer: signer.number,
        update: bytesToHex(encodeUpdate(message, signature, { signerNumber: signer.number, xOfR })),
      });
    }
    // Of several signers, the one whose format it is says best what is wrong.
    if (!refusal || refusal.code === "UnexpectedConstantBytes") refusal = checked.refusal;
  }
  return { ok: false, refusal: refusal ?? { code: "UnknownSigner", message: "the oracle accepts no signer now" } };
}

/** All checks that depend on who is said to have signed. */
function checkSigned(
  received: ReceivedPrice & { readonly message: Uint8Array },
  hint: UpdateHint | undefined,
  signer: UsableSigner,
  { rentalOffset, windows, nowMs }: UpdateRules,
): Checked<SignedPrice> {
  const { number, publicKey, validFromMs, validUntilMs } = signer;
  const layout = unpackLayout(signer, received.message);
  if (!layout) {
    return refused("UnexpectedConstantBytes", `the message is not in the format of signer ${number}`);
  }
  const checked = checkReceivedPrice(received, nowMs, { layout, publicKey, rentalOffset, windows });
  if (!checked.ok) return checked;
  const { publishTimeMs } = checked.value.message;
  if (publishTimeMs < validFromMs || (validUntilMs !== undefined && publishTimeMs >= validUntilMs)) {
    const until = validUntilMs === undefined ? "" : ` to ${formatTimeMs(validUntilMs)}`;
    return refused(
      "PublishTimeOutsideSigner",
      `published at ${formatTimeMs(publishTimeMs)}; signer ${number} signs from ${formatTimeMs(validFromMs)}${until}`,
    );
  }
  if (hint && hint.xOfR !== checked.value.xOfR) {
    return refused("WrongHint", `the x in the update is ${hint.xOfR}, that of the signature ${checked.value.xOfR}`);
  }
  return checked;
}

function notUsable(named: number | undefined, signers: readonly UsableSigner[]): { ok: false; refusal: Refusal } {
  const usable = signers.map(({ number }) => number).join(", ") || "none";
  if (named === undefined) return refused("SignerNotUsable", "the oracle accepts no signer now");
  return refused(
    "SignerNotUsable",
    `the oracle accepts no price of signer ${named} now; it accepts those of: ${usable}`,
  );
}
