import { bytesToHex } from "viem";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../message/ed25519.ts";
import type { Feed, FeedKind } from "../message/feedId.ts";
import type { MessageLayout } from "../message/messageLayout.ts";
import { accepted, type Checked, type Refusal, refused } from "../message/refusal.ts";
import { checkReceivedPrice, type ReceivedPrice, type SignedPrice } from "../message/signedPrice.ts";
import { DEFAULT_WINDOWS } from "../message/timeWindows.ts";
import { checkNotFuture } from "../relay/futureDate.ts";
import { getLatestPrices, type LatestPrices } from "../service/getLatestPrices.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import { InvalidRequestError } from "../service/serviceErrors.ts";

/** Whether a feed has a signed price, or why not. */
export type FeedFinding =
  | { readonly outcome: "signed"; readonly price: SignedPrice }
  /** The service has none: it left the market out, or refuses to sign for it. */
  | { readonly outcome: "missing"; readonly reason: string }
  /** One came, and is not right. */
  | { readonly outcome: "refused"; readonly refusal: Refusal }
  /** Nobody knows: the service failed. */
  | { readonly outcome: "failed"; readonly reason: string };

/** What is taken for granted about signed prices. */
export type SignedPriceExpectations = {
  readonly layout: MessageLayout;
  /** Key that signs. Without it, each price is checked under the key that it names itself. */
  readonly publicKey: Ed25519PublicKey | undefined;
  readonly rentalOffset: bigint;
  readonly maxExpiryAfterDateMs: bigint;
  /** In which "today" is meant. */
  readonly timeZone: string;
};

export type FindSignedPricesParameters = {
  readonly marketIds: readonly bigint[];
  readonly kinds: readonly FeedKind[];
  readonly expectations: SignedPriceExpectations;
  /** Unix milliseconds. */
  readonly nowMs: () => bigint;
  readonly signal?: AbortSignal | undefined;
};

/** Findings by market and kind. */
export type SignedPriceFindings = ReadonlyMap<bigint, Readonly<Partial<Record<FeedKind, FeedFinding>>>>;

/**
 * Asks for the latest price of every market in every kind and makes every check that needs no chain: the message by the
 * layout, its feed, price, date and windows, what stands beside it, and the signature.
 *
 * A kind that fails as a whole (a plan without rental prices, say) does not stop the other.
 * @throws the service's error when every kind failed, or the budget's; the signal's reason.
 */
export async function findSignedPrices(
  client: ServiceClient,
  { marketIds, kinds, expectations, nowMs, signal }: FindSignedPricesParameters,
): Promise<SignedPriceFindings> {
  const findings = new Map<bigint, Partial<Record<FeedKind, FeedFinding>>>(marketIds.map((id) => [id, {}]));
  const errors: HomePriceError[] = [];
  for (const kind of kinds) {
    let findingOf: (marketId: bigint) => FeedFinding;
    try {
      const latest = await getLatestPrices(client, { marketIds, kind, signal });
      findingOf = judge(latest, kind, expectations, nowMs());
    } catch (error) {
      if (signal?.aborted || !(error instanceof HomePriceError)) throw error;
      errors.push(error);
      findingOf = () => ({ outcome: "failed", reason: wordsOf(error) });
    }
    for (const [marketId, byKind] of findings) byKind[kind] = findingOf(marketId);
  }
  const [firstError] = errors;
  if (firstError && errors.length === kinds.length) throw firstError;
  return findings;
}

/** What one kind's answer says of each market. */
function judge(
  { received, refused: unreadable, rejected }: LatestPrices,
  kind: FeedKind,
  expectations: SignedPriceExpectations,
  nowMs: bigint,
): (marketId: bigint) => FeedFinding {
  const prices = new Map(received.map((price) => [price.marketId, price]));
  const refusals = new Map(unreadable.map(({ marketId, refusal }) => [marketId, refusal]));
  const errors = new Map(rejected.map(({ marketId, error }) => [marketId, error]));
  const marketsOfError = Map.groupBy(rejected, ({ error }) => error);
  const keyNamedBy = readKeysOnce();
  return (marketId) => {
    const refusal = refusals.get(marketId);
    if (refusal) return { outcome: "refused", refusal };
    const error = errors.get(marketId);
    if (error) {
      // A 400 or 422 for a market alone is the service's word on it; for several at once it may be about another.
      const isItsOwn = error instanceof InvalidRequestError && marketsOfError.get(error)?.length === 1;
      return { outcome: isItsOwn ? "missing" : "failed", reason: wordsOf(error) };
    }
    const price = prices.get(marketId);
    if (!price) return { outcome: "missing", reason: `the service has no ${kind} price of it` };
    const { publicKey } = expectations;
    const key = publicKey ? accepted(publicKey) : keyNamedBy(price);
    const checked = key.ok ? checkPrice(price, key.value, expectations, nowMs) : key;
    return checked.ok ? { outcome: "signed", price: checked.value } : { outcome: "refused", refusal: checked.refusal };
  };
}

function checkPrice(
  received: ReceivedPrice,
  publicKey: Ed25519PublicKey,
  { layout, rentalOffset, maxExpiryAfterDateMs, timeZone }: SignedPriceExpectations,
  nowMs: bigint,
): Checked<SignedPrice> {
  const checked = checkReceivedPrice(received, nowMs, {
    layout,
    publicKey,
    rentalOffset,
    windows: { ...DEFAULT_WINDOWS, maxExpiryAfterDateMs },
  });
  return checked.ok ? checkNotFuture(checked.value, nowMs, timeZone) : checked;
}

/** Reads the key that a price names; most name the same, and checking one takes as long as a signature. */
function readKeysOnce(): (price: ReceivedPrice) => Checked<Ed25519PublicKey> {
  const read = new Map<string, Checked<Ed25519PublicKey>>();
  return ({ publicKey }) => {
    if (!publicKey) return refused("UnknownSigner", "no signer is configured, and the price names none");
    const hex = bytesToHex(publicKey);
    const key = read.get(hex) ?? readKey(publicKey);
    read.set(hex, key);
    return key;
  };
}

function readKey(bytes: Uint8Array): Checked<Ed25519PublicKey> {
  try {
    return accepted(decodePublicKey(bytes));
  } catch (error) {
    if (error instanceof HomePriceError) return refused("UnknownSigner", error.message);
    throw error;
  }
}

/** Keys under which prices were found to be signed, and how many under each. */
export function signersOf(findings: SignedPriceFindings): Map<Ed25519PublicKey["hex"], number> {
  const signers = new Map<Ed25519PublicKey["hex"], number>();
  for (const finding of [...findings.values()].flatMap((byKind) => Object.values(byKind))) {
    if (finding.outcome !== "signed") continue;
    const { hex } = finding.price.publicKey;
    signers.set(hex, (signers.get(hex) ?? 0) + 1);
  }
  return signers;
}

/** Markets found to have a signed price, with the kinds that they have. */
export function signedFeeds(findings: SignedPriceFindings): Feed[] {
  return [...findings].flatMap(([marketId, byKind]) =>
    Object.entries(byKind).flatMap(([kind, { outcome }]) =>
      outcome === "signed" ? [{ marketId, kind: kind as FeedKind }] : [],
    ),
  );
}

function wordsOf({ message, hint }: HomePriceError): string {
  return `${message}. ${hint}`;
}
