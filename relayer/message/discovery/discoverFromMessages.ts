import { DEFAULT_RENTAL_OFFSET } from "../feedId.ts";
import { checkLayout, type MessageLayout } from "../messageLayout.ts";
import { decodePriceMessage } from "../priceMessage.ts";
import { type Alignment, type Alignments, alignMessages, meaningOf } from "./alignMessages.ts";
import { RAW_COVERAGE } from "./coverage.ts";
import type { KnownMessage } from "./fieldReadings.ts";
import {
  type DiscoverLayoutOptions,
  type ItemSetAside,
  type LayoutDiscovery,
  MAX_ALTERNATIVES,
  type VerifiedItem,
} from "./layoutDiscovery.ts";
import { REBUILT_MISFIT_REASON, verifyRebuilt } from "./rebuiltItem.ts";
import { describeItem, inOrder, type UsableItem } from "./usableItems.ts";

/**
 * Finds a layout where items carry the bytes that were signed. Items that do not carry them have to verify over what
 * the layout makes of their values.
 */
export function discoverFromMessages(
  usable: readonly UsableItem[],
  setAside: readonly ItemSetAside[],
  { key, rentalOffset = DEFAULT_RENTAL_OFFSET }: DiscoverLayoutOptions,
): LayoutDiscovery {
  const messages = usable.flatMap((item) => (item.message ? [{ ...item, message: item.message }] : []));
  const aligned = alignMostMessages(messages, rentalOffset);
  const outcome = { tried: aligned.tried, candidates: aligned.tried, coverage: RAW_COVERAGE, usedRawMessage: true };
  const [best, ...others] = aligned.alignments;
  if (!best) {
    const reason = aligned.problem ?? "no layout fits the messages";
    return {
      ...outcome,
      found: false,
      reason: [reason, ...setAside.map(describeItem)].join("; "),
      setAside,
    };
  }
  const layout = checkLayout(best.layout, rentalOffset);
  const verified: VerifiedItem[] = [];
  const unfit: ItemSetAside[] = [];
  for (const usableItem of usable) {
    const { item, marketId, known, message } = usableItem;
    const isLeftOut = aligned.leftOut === item;
    const feedId = message
      ? isLeftOut
        ? undefined
        : decodedFeedId(message, layout)
      : verifyRebuilt(usableItem, layout, key)?.feedId;
    if (feedId !== undefined) verified.push({ item, feedId, date: known.date });
    else unfit.push({ item, marketId, reason: message ? MISFIT_REASON : REBUILT_MISFIT_REASON });
  }
  const alternatives = distinctMeanings(others, best);
  return {
    ...outcome,
    found: true,
    layout,
    alternatives,
    ambiguous: alternatives.length > 0,
    exact: best.isExact,
    verified,
    setAside: inOrder([...setAside, ...unfit]),
  };
}

const MISFIT_REASON = "what it says beside its message is not what its message says under the layout of the others";

/**
 * Layouts for all messages; or, where none fits, for all but one, whose item then does not say what its message says.
 * Values that are rounded come last: among several items one wrong one is likelier.
 */
function alignMostMessages(
  messages: readonly (KnownMessage & { readonly item: number })[],
  rentalOffset: bigint,
): Alignments & { readonly leftOut?: number } {
  const all = alignMessages(messages, rentalOffset, true);
  if (all.alignments.length > 0) return all;
  let tried = all.tried;
  if (messages.length >= 3) {
    for (const { item } of messages) {
      const others = alignMessages(
        messages.filter((message) => message.item !== item),
        rentalOffset,
        true,
      );
      tried += others.tried;
      if (others.alignments.length > 0) return { ...others, tried, leftOut: item };
    }
  }
  const rounded = alignMessages(messages, rentalOffset, false);
  tried += rounded.tried;
  return rounded.alignments.length > 0 ? { ...rounded, tried } : { ...all, tried };
}

function decodedFeedId(message: Uint8Array, layout: MessageLayout): bigint | undefined {
  const decoded = decodePriceMessage(message, layout);
  return decoded.ok ? decoded.value.feedId : undefined;
}

/** Other alignments that mean something else, one of each meaning. */
function distinctMeanings(others: readonly Alignment[], best: Alignment): MessageLayout[] {
  const byMeaning = new Map<string, MessageLayout>();
  for (const { layout } of others) {
    const meaning = meaningOf(layout);
    if (meaning !== meaningOf(best.layout) && !byMeaning.has(meaning)) byMeaning.set(meaning, layout);
  }
  return [...byMeaning.values()].slice(0, MAX_ALTERNATIVES);
}
