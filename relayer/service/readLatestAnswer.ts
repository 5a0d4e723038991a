import type { FeedKind } from "../message/feedId.ts";
import { type Checked, type Refusal, refused } from "../message/refusal.ts";
import type { ReceivedPrice } from "../message/signedPrice.ts";
import { valueAt } from "./latestResponseFields.ts";
import { readLatestItem, readMarketId } from "./readLatestItem.ts";
import { haveSameContent } from "./sameContent.ts";
import type { ServiceClient } from "./serviceClient.ts";
import { type RequestFacts, UnexpectedResponseError } from "./serviceErrors.ts";

/** An item that could not be read as a price of a market that was asked for. */
export type RefusedItem = { readonly marketId: bigint | undefined; readonly refusal: Refusal };

export type LatestItems = {
  readonly received: readonly ReceivedPrice[];
  readonly refused: readonly RefusedItem[];
  /** Asked for, and not among the items in any form. */
  readonly missing: readonly bigint[];
};

/**
 * Sorts the items of one answer by market. A market twice with the same content counts once; with different contents
 * it is refused, because nothing says which of them is meant.
 *
 * @throws UnexpectedResponseError when the answer has no list of items.
 */
export function readLatestAnswer(
  answer: unknown,
  asked: { readonly marketIds: readonly bigint[]; readonly kind: FeedKind },
  { responseFields, clean }: ServiceClient,
  facts: RequestFacts,
): LatestItems {
  const items = valueAt(answer, responseFields.items);
  if (!Array.isArray(items)) {
    throw new UnexpectedResponseError(facts, `answered without a list in ${responseFields.items}`);
  }
  const refusedItems: RefusedItem[] = [];
  const refuse = (marketId: bigint | undefined, { refusal }: { refusal: Refusal }) => {
    refusedItems.push({ marketId, refusal });
  };

  const wanted = new Set(asked.marketIds);
  const byMarket = new Map<bigint, Checked<ReceivedPrice>>();
  const contradicted = new Set<bigint>();
  for (const [index, item] of items.entries()) {
    const marketId = readMarketId(item, responseFields);
    if (marketId === undefined) {
      refuse(undefined, refused("MalformedItem", `item ${index} has no market id in ${responseFields.marketId}`));
      continue;
    }
    if (!wanted.has(marketId)) {
      refuse(marketId, refused("WrongFeed", `the answer holds market ${marketId}, which was not asked for`));
      continue;
    }
    const read = readLatestItem(item, marketId, asked.kind, responseFields, clean);
    const earlier = byMarket.get(marketId);
    if (earlier && !haveSameContent(earlier, read)) contradicted.add(marketId);
    byMarket.set(marketId, read);
  }

  const received: ReceivedPrice[] = [];
  for (const [marketId, read] of byMarket) {
    if (contradicted.has(marketId)) {
      refuse(
        marketId,
        refused("MalformedItem", `the answer holds market ${marketId} more than once, with different contents`),
      );
    } else if (read.ok) {
      received.push(read.value);
    } else {
      refuse(marketId, read);
    }
  }
  return { received, refused: refusedItems, missing: asked.marketIds.filter((id) => !byMarket.has(id)) };
}
