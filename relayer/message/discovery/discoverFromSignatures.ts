import { scaleDecimal } from "../decimalPrice.ts";
import { DEFAULT_RENTAL_OFFSET } from "../feedId.ts";
import { checkLayout, type MessageLayout } from "../messageLayout.ts";
import { alignMessages, readingPlacesOf } from "./alignMessages.ts";
import { NO_COVERAGE, searchCoverage } from "./coverage.ts";
import type { KnownValues } from "./knownValues.ts";
import {
  type DiscoverLayoutOptions,
  type DiscoveryOutcome,
  type FoundLayout,
  type ItemSetAside,
  type LayoutDiscovery,
  MAX_ALTERNATIVES,
} from "./layoutDiscovery.ts";
import { searchLayouts } from "./layoutSearch.ts";
import { REBUILT_MISFIT_REASON, type RebuiltItem, verifyRebuilt } from "./rebuiltItem.ts";
import { MAX_SIGNATURE_CHECKS, planSearch } from "./searchPlan.ts";
import type { Hit } from "./searchRows.ts";
import { describeItem, inOrder, type UsableItem } from "./usableItems.ts";

/** Items among which those that make the shortest search are chosen. */
const CONSIDERED = 5;

/** Items whose signature is searched for, one after the other, until one of them fits a layout. */
const MAX_PROBES = 2;

/**
 * Finds a layout where items carry their signature only: layouts are tried one after the other until the signature of
 * one item verifies over what a layout makes of its values, and those of the others too.
 * @throws The signal's reason.
 */
export async function discoverFromSignatures(
  usable: readonly UsableItem[],
  setAside: readonly ItemSetAside[],
  options: DiscoverLayoutOptions,
): Promise<LayoutDiscovery> {
  const { key, rentalOffset = DEFAULT_RENTAL_OFFSET, constants = [], wide = false, threads, signal } = options;
  const { onSearch, onProgress } = options;
  const plans = usable
    .slice(0, CONSIDERED)
    .map((probe) => ({ probe, plan: planSearch({ known: probe.known, rentalOffset, constants, wide }) }));
  // The item with the fewest possible messages makes the shortest search.
  const planned = plans
    .filter(({ plan }) => plan.candidates > 0)
    .sort((a, b) => a.plan.signatureChecks - b.plan.signatureChecks)
    .slice(0, MAX_PROBES)
    // A second item in case that the first is at fault, if that does not take too long.
    .filter(({ plan }, index, all) => {
      const before = all.slice(0, index).reduce((sum, each) => sum + each.plan.signatureChecks, 0);
      return index === 0 || wide || before + plan.signatureChecks <= MAX_SIGNATURE_CHECKS;
    });
  const [first] = planned.length > 0 ? planned : plans;
  const outcome = {
    candidates: Math.max(0, ...planned.map(({ plan }) => plan.candidates)),
    coverage: first ? searchCoverage(first.plan) : NO_COVERAGE,
    usedRawMessage: false,
  };

  let [tried, shown] = [0, 0];
  const fruitless = new Set<UsableItem>();
  for (const { probe, plan } of planned) {
    const others = usable.filter((item) => item !== probe && !fruitless.has(item));
    let best: { layout: MessageLayout; candidate: number; verified: RebuiltItem[] } | undefined;
    const accept = ({ layout, candidate }: Hit) => {
      const verified = [probe, ...others].flatMap((item) => verifyRebuilt(item, layout, key) ?? []);
      const isBetter =
        !best ||
        verified.length > best.verified.length ||
        (verified.length === best.verified.length && candidate < best.candidate);
      // What fits the first item alone by chance must not hide what fits them all.
      if (verified.length > 0 && isBetter) best = { layout, candidate, verified };
      return verified.length === others.length + 1;
    };
    let accepted: Hit | undefined;
    for (const feedId of likelierFirst(probe.known)) {
      const { candidates } = plan;
      onSearch?.({ candidates, signatureChecks: plan.signatureChecks / probe.known.feedIds.length, feedId });
      const progress = onProgress && ((count: number) => onProgress(shown + count));
      accepted = await searchLayouts(plan, { key, signature: probe.signature, feedId }, accept, {
        threads,
        signal,
        onProgress: progress,
      });
      shown += candidates;
      // With the market's other id, or for another item, the same layouts are tried once more.
      tried = Math.max(tried, accepted ? accepted.candidate + 1 : candidates);
      if (accepted) break;
    }
    if (best) return { ...outcome, ...foundBySearch(best, usable, setAside, rentalOffset), tried };
    fruitless.add(probe);
  }
  const names = [...fruitless].map(({ item, marketId }) => `item ${item + 1} (market ${marketId})`).join(" and ");
  const reason =
    tried === 0
      ? "no layout of this family fills 74 bytes"
      : `the signature of ${names} verifies under none of ${tried.toLocaleString("en-US")} layouts`;
  return {
    ...outcome,
    found: false,
    reason: [reason, ...setAside.map(describeItem)].join("; "),
    tried,
    setAside,
  };
}

/** Below this many USD a price is rather a month's rent of a square foot than its value. */
const RATHER_RENT = 20n;

/** Of a market's sales and rental id the one that the price suggests first: a matter of time only. */
function likelierFirst({ feedIds, price }: KnownValues): readonly bigint[] {
  return scaleDecimal(price, 0) < RATHER_RENT ? feedIds.toReversed() : feedIds;
}

function foundBySearch(
  { layout: found, verified }: { readonly layout: MessageLayout; readonly verified: readonly RebuiltItem[] },
  usable: readonly UsableItem[],
  setAside: readonly ItemSetAside[],
  rentalOffset: bigint,
): Omit<FoundLayout, keyof DiscoveryOutcome> & Pick<DiscoveryOutcome, "setAside"> {
  const layout = checkLayout(found, rentalOffset);
  // Now that the messages are known, they tell which other layouts make the same bytes of these items.
  const exact = alignMessages(verified, rentalOffset, true);
  const { alignments } = exact.alignments.length > 0 ? exact : alignMessages(verified, rentalOffset, false);
  const places = readingPlacesOf(layout);
  const alternatives = [...new Map(alignments.map((each) => [readingPlacesOf(each.layout), each.layout]))]
    .filter(([otherPlaces]) => otherPlaces !== places)
    .map(([, other]) => other)
    .slice(0, MAX_ALTERNATIVES);
  const unfit = usable
    .filter(({ item }) => !verified.some((each) => each.item === item))
    .map(({ item, marketId }) => ({ item, marketId, reason: REBUILT_MISFIT_REASON }));
  return {
    found: true,
    layout,
    alternatives,
    ambiguous: alternatives.length > 0,
    exact: exact.alignments.length > 0,
    verified: verified
      .map(({ item, feedId, known: { date } }) => ({ item, feedId, date }))
      .sort((a, b) => a.item - b.item),
    setAside: inOrder([...setAside, ...unfit]),
  };
}
