import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Ed25519PublicKey } from "../message/ed25519.ts";
import { type Feed, type FeedKind, feedIdOf } from "../message/feedId.ts";
import type { MessageLayout } from "../message/messageLayout.ts";
import type { Refusal } from "../message/refusal.ts";
import { checkReceivedPrice, type ReceivedPrice, type SignedPrice } from "../message/signedPrice.ts";
import { DEFAULT_WINDOWS } from "../message/timeWindows.ts";
import { getLatestPrices, type LatestPrices } from "../service/getLatestPrices.ts";
import type { ServiceClient } from "../service/serviceClient.ts";
import { checkNotFuture } from "./futureDate.ts";

/** What the service gave for one wanted feed. */
export type CollectedPrice = { readonly feedId: bigint } & Feed &
  (
    | { readonly outcome: "checked"; readonly price: SignedPrice }
    | { readonly outcome: "refused"; readonly refusal: Refusal; readonly received?: ReceivedPrice }
    | { readonly outcome: "missing" }
    | { readonly outcome: "failed"; readonly reason: string }
  );

/** An item that belongs to no wanted feed: its market cannot be read, or was not asked for. */
export type StrayItem = { readonly kind: FeedKind; readonly marketId: bigint | undefined; readonly refusal: Refusal };

export type CollectedPrices = {
  /** One for every wanted feed. */
  readonly feeds: readonly CollectedPrice[];
  readonly strays: readonly StrayItem[];
};

/** What the relayer takes for granted about signed prices. */
export type PriceRules = {
  readonly layout: MessageLayout;
  /** Keys whose signatures are accepted; the one named beside a price is used, the first where none is. */
  readonly publicKeys: readonly Ed25519PublicKey[];
  readonly rentalOffset: bigint;
  readonly maxExpiryAfterDateMs: bigint;
  /** In which "today" is meant. */
  readonly timeZone: string;
};

/**
 * Fetches the latest price of every wanted feed and checks each, before anything is compared with a chain.
 *
 * One kind that fails as a whole (a plan without rental prices, say) does not stop the other.
 * @throws the service's error when every kind failed.
 */
export async function collectPrices(
  client: ServiceClient,
  wanted: readonly Feed[],
  rules: PriceRules,
  { nowMs, signal }: { nowMs: () => bigint; signal?: AbortSignal | undefined },
): Promise<CollectedPrices> {
  const byKind = [...Map.groupBy(wanted, ({ kind }) => kind)];
  const results = await Promise.all(
    byKind.map(async ([kind, feeds]): Promise<CollectedPrices & { error?: HomePriceError }> => {
      const marketIds = feeds.map(({ marketId }) => marketId);
      try {
        const latest = await getLatestPrices(client, { marketIds, kind, signal });
        const answers = indexAnswers(latest);
        return {
          feeds: feeds.map((feed) => judge(feed, answers, rules, nowMs())),
          strays: straysOf(latest, kind, new Set(marketIds)),
        };
      } catch (error) {
        if (!(error instanceof HomePriceError)) throw error;
        const reason = `${error.message}. ${error.hint}`;
        return { feeds: feeds.map((feed) => failed(feed, reason, rules)), strays: [], error };
      }
    }),
  );
  const errors = results.flatMap(({ error }) => error ?? []);
  const [firstError] = errors;
  if (firstError && errors.length === results.length) throw firstError;
  return { feeds: results.flatMap(({ feeds }) => feeds), strays: results.flatMap(({ strays }) => strays) };
}

/** What was refused and is no wanted feed's; whatever the service sends that is not right must be seen. */
function straysOf({ refused }: LatestPrices, kind: FeedKind, wanted: ReadonlySet<bigint>): StrayItem[] {
  return refused
    .filter(({ marketId }) => marketId === undefined || !wanted.has(marketId))
    .map((item) => ({ kind, ...item }));
}

/** One kind's answer, by market. */
type AnswersByMarket = {
  readonly received: ReadonlyMap<bigint, ReceivedPrice>;
  readonly refused: ReadonlyMap<bigint, Refusal>;
  readonly rejected: ReadonlyMap<bigint, HomePriceError>;
};

function indexAnswers({ received, refused, rejected }: LatestPrices): AnswersByMarket {
  return {
    received: new Map(received.map((price) => [price.marketId, price])),
    refused: new Map(refused.flatMap(({ marketId, refusal }) => (marketId === undefined ? [] : [[marketId, refusal]]))),
    rejected: new Map(rejected.map(({ marketId, error }) => [marketId, error])),
  };
}

/** Finds what came for one feed and checks it. */
function judge(feed: Feed, answers: AnswersByMarket, rules: PriceRules, nowMs: bigint): CollectedPrice {
  const identified = { ...feed, feedId: feedIdOf(feed, rules.rentalOffset) };
  const unreadable = answers.refused.get(feed.marketId);
  if (unreadable) return { ...identified, outcome: "refused", refusal: unreadable };
  const rejected = answers.rejected.get(feed.marketId);
  if (rejected) return failed(feed, `${rejected.message}. ${rejected.hint}`, rules);
  const received = answers.received.get(feed.marketId);
  if (!received) return { ...identified, outcome: "missing" };

  const checked = checkReceivedPrice(received, nowMs, {
    layout: rules.layout,
    publicKey: keyFor(received, rules.publicKeys),
    rentalOffset: rules.rentalOffset,
    windows: { ...DEFAULT_WINDOWS, maxExpiryAfterDateMs: rules.maxExpiryAfterDateMs },
  });
  if (!checked.ok) return { ...identified, outcome: "refused", refusal: checked.refusal, received };
  const today = checkNotFuture(checked.value, nowMs, rules.timeZone);
  if (!today.ok) return { ...identified, outcome: "refused", refusal: today.refusal, received };
  return { ...identified, outcome: "checked", price: checked.value };
}

function failed(feed: Feed, reason: string, { rentalOffset }: PriceRules): CollectedPrice {
  return { ...feed, feedId: feedIdOf(feed, rentalOffset), outcome: "failed", reason };
}

/** The accepted key that a price names, or the first, under which an unknown name is refused as such. */
function keyFor({ publicKey }: ReceivedPrice, keys: readonly Ed25519PublicKey[]): Ed25519PublicKey {
  const named = publicKey && keys.find(({ bytes }) => bytes.every((byte, index) => byte === publicKey[index]));
  const [first] = keys;
  const key = named ?? first;
  if (!key) throw new RangeError("no public key to check prices with");
  return key;
}
