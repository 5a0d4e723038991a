import { bytesToHex, type Hex } from "viem";
import { checkSignature, decodePublicKey, type Ed25519PublicKey } from "../message/ed25519.ts";
import { examinePrice } from "../message/examinedPrice.ts";
import { checkPriceMessage, decodePriceMessage } from "../message/priceMessage.ts";
import { checkAgreement, checkFeed, type ReceivedPrice } from "../message/signedPrice.ts";
import type { CollectedPrice, PriceRules } from "../relay/collectPrices.ts";

/** A feed's price that was refused although it came. */
export type RefusedPrice = Extract<CollectedPrice, { outcome: "refused" }>;

/**
 * Why signatures fail, or messages make no sense, when it is not the fault of single prices.
 *
 * - `signer-changed`: what came is in order by our layout, but signed by another key. `newKeys` are the keys that the
 *   prices name; `verified` says that the signatures are valid under them, so that what is named is what signed.
 * - `layout-changed`: what came is signed, but is no message by our layout. Where `newKeys` are not empty, the key has
 *   changed with it.
 * - `undecided`: the service sends no signed bytes, or names no key, so that the one cannot be told from the other.
 */
export type SignatureDiagnosis = {
  readonly cause: "signer-changed" | "layout-changed" | "undecided";
  readonly newKeys: readonly { readonly key: Hex; readonly verified: boolean }[];
  /** The refused prices that this explains. */
  readonly explained: readonly RefusedPrice[];
  /** What the first of them was refused with. */
  readonly example: string;
};

/** Refusals that a changed key or layout leads to; what has to do with time alone is not among them. */
const SUSPECT_CODES: ReadonlySet<string> = new Set([
  "InvalidSignature",
  "UnknownSigner",
  "InvalidMessageLength",
  "UnexpectedConstantBytes",
  "InvalidFeedId",
  "InvalidDate",
  "ZeroPrice",
  "PriceTooLarge",
  "WrongFeed",
  "MessageMismatch",
  "MalformedItem",
]);

/** What one refused price says about the cause. */
type Clue = {
  readonly price: RefusedPrice;
  readonly points: "to-signer" | "to-layout" | "to-either" | "to-itself";
  readonly foreignKey: Hex | undefined;
  readonly verified: boolean;
};

/**
 * Looks for one cause of many refusals: a changed key, or a changed layout. It is one only if at least half of the
 * prices that came are refused for it; fewer are bad prices, each by itself.
 *
 * @param cameCount Prices that came, refused or not.
 */
export function diagnoseSignatures(
  refused: readonly RefusedPrice[],
  cameCount: number,
  rules: Pick<PriceRules, "layout" | "rentalOffset" | "publicKeys">,
): SignatureDiagnosis | undefined {
  const keys = new KeyBook(rules.publicKeys);
  const suspects = refused.filter(({ refusal }) => SUSPECT_CODES.has(refusal.code));
  const clues = suspects.map((price) => clueOf(price, rules, keys)).filter(({ points }) => points !== "to-itself");
  const [first] = clues;
  if (!first || clues.length * 2 < cameCount) return undefined;
  const toLayout = clues.filter(({ points }) => points === "to-layout");
  const toSigner = clues.filter(({ points }) => points === "to-signer");
  const cause =
    toLayout.length * 2 >= clues.length
      ? "layout-changed"
      : toSigner.length * 2 >= clues.length
        ? "signer-changed"
        : "undecided";
  const newKeys = new Map<Hex, boolean>();
  for (const { foreignKey, verified } of clues) {
    if (foreignKey) newKeys.set(foreignKey, (newKeys.get(foreignKey) ?? false) || verified);
  }
  return {
    cause,
    newKeys: [...newKeys].map(([key, verified]) => ({ key, verified })),
    explained: clues.map(({ price }) => price),
    example: `${first.price.refusal.code}: ${first.price.refusal.message}`,
  };
}

function clueOf(price: RefusedPrice, rules: Pick<PriceRules, "layout" | "rentalOffset">, keys: KeyBook): Clue {
  const { received } = price;
  // What could not even be read is of another form, or rubbish.
  if (!received) return { price, points: "to-layout", foreignKey: undefined, verified: false };
  const { bytes, message } = examinePrice(received, rules);
  const named = received.publicKey && bytesToHex(received.publicKey);
  const foreignKey = named !== undefined && !keys.isOurs(named) ? named : undefined;
  const verified = bytes.ok && keys.signed(received, bytes.value);
  const clue = { price, foreignKey, verified };
  if (foreignKey) {
    // Bytes that were rebuilt fit our layout, signed or not; those that came make sense by it, or do not.
    if (received.message ? message.ok : verified) return { ...clue, points: "to-signer" };
    return { ...clue, points: verified ? "to-layout" : "to-either" };
  }
  if (received.message && message.ok) {
    // In order in every way but the signature. Under a key that it names, the price is bad; if it names none, ours has changed.
    return { ...clue, points: verified || named !== undefined ? "to-itself" : "to-signer" };
  }
  if (received.message && verified && isAnotherFeeds(received, rules)) return { ...clue, points: "to-itself" };
  if (verified || named !== undefined) return { ...clue, points: "to-layout" };
  return { ...clue, points: "to-either" };
}

/** Whether a message makes sense, and agrees with all that stands beside it but the market. */
function isAnotherFeeds(
  received: ReceivedPrice,
  { layout, rentalOffset }: Pick<PriceRules, "layout" | "rentalOffset">,
): boolean {
  const decoded = received.message && decodePriceMessage(received.message, layout);
  if (!decoded?.ok) return false;
  const message = checkPriceMessage(decoded.value, rentalOffset);
  return (
    message.ok && !checkFeed(received, message.value, rentalOffset).ok && checkAgreement(received, message.value).ok
  );
}

/** Keys by their text; to decode one is costly, and prices by the thousand name the same. */
class KeyBook {
  readonly #ours: readonly Ed25519PublicKey[];
  readonly #decoded = new Map<Hex, Ed25519PublicKey | undefined>();

  constructor(ours: readonly Ed25519PublicKey[]) {
    this.#ours = ours;
    for (const key of ours) this.#decoded.set(key.hex, key);
  }

  isOurs(key: Hex): boolean {
    return this.#ours.some(({ hex }) => hex === key);
  }

  /** Whether the signature is valid under the key that a price names, or under one of ours where it names none. */
  signed({ publicKey, signature }: ReceivedPrice, bytes: Uint8Array): boolean {
    const keys = publicKey ? [this.#decode(publicKey)] : this.#ours;
    return keys.some((key) => key !== undefined && checkSignature(key, bytes, signature).valid);
  }

  #decode(bytes: Uint8Array): Ed25519PublicKey | undefined {
    const hex = bytesToHex(bytes);
    if (!this.#decoded.has(hex)) this.#decoded.set(hex, tryDecode(bytes));
    return this.#decoded.get(hex);
  }
}

function tryDecode(bytes: Uint8Array): Ed25519PublicKey | undefined {
  try {
    return decodePublicKey(bytes);
  } catch {
    return undefined;
  }
}
