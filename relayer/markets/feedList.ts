import type { MarketChoice } from "../configuration/configurationSchema.ts";
import { FEED_KINDS, type Feed, type FeedKind } from "../message/feedId.ts";

/** What becomes of the entries of one market in the configuration's list `markets`. */
export type MarketChange = {
  readonly marketId: bigint;
  /** As they stand there now; none when the market is new. */
  readonly before: readonly string[];
  /** As they are to stand there; none when the market goes. */
  readonly after: readonly string[];
};

/** What a list of feeds changes in the configuration's list of markets. */
export type FeedListDifference = {
  readonly added: readonly MarketChange[];
  readonly removed: readonly MarketChange[];
  readonly changed: readonly MarketChange[];
  readonly unchanged: readonly MarketChange[];
  /** Feeds that stay in the list, though no price of them was found. */
  readonly notFound: readonly Feed[];
};

export type FeedListParameters = {
  /** The list as it is. */
  readonly entries: readonly MarketChoice[];
  /** The configured kinds: what an entry without a kind carries. */
  readonly kinds: readonly FeedKind[];
  /** Feeds that were found, in the order in which new ones are to be listed. */
  readonly found: readonly Feed[];
  /** Feeds of which nothing was learnt: they stay as they are. */
  readonly unknown: readonly Feed[];
  /** Whether feeds of the list that were not found go. Otherwise nothing is ever taken away. */
  readonly replace: boolean;
};

const NO_KINDS: ReadonlySet<FeedKind> = new Set();

/** How a list of markets changes so that it carries the feeds that were found. A market that needs no change gets none. */
export function compareFeedLists({ entries, kinds, found, unknown, replace }: FeedListParameters): FeedListDifference {
  const listed = Map.groupBy(entries, ({ marketId }) => marketId);
  const foundKinds = kindsByMarket(found);
  const unknownKinds = kindsByMarket(unknown);
  const changes = [...new Set([...listed.keys(), ...foundKinds.keys()])].map((marketId) => {
    const own = listed.get(marketId) ?? [];
    const before = new Set(own.flatMap(({ kind }) => (kind ? [kind] : kinds)));
    const kept = replace ? before.intersection(unknownKinds.get(marketId) ?? NO_KINDS) : before;
    const after = kept.union(foundKinds.get(marketId) ?? NO_KINDS);
    const texts = own.map(formatEntry);
    const isSame = before.symmetricDifference(after).size === 0;
    const notFound = [...kept.difference(foundKinds.get(marketId) ?? NO_KINDS)].map((kind) => ({ marketId, kind }));
    return { marketId, before: texts, after: isSame ? texts : entriesOf(marketId, after, kinds), notFound };
  });
  const isUnchanged = ({ before, after }: MarketChange) => before.join() === after.join();
  return {
    added: changes.filter(({ before }) => before.length === 0),
    removed: changes.filter(({ before, after }) => before.length > 0 && after.length === 0),
    changed: changes.filter((change) => change.before.length > 0 && change.after.length > 0 && !isUnchanged(change)),
    unchanged: changes.filter(isUnchanged),
    notFound: changes.flatMap((change) => change.notFound),
  };
}

/** Whether the list is to be written anew. */
export function isDifferent({ added, removed, changed }: FeedListDifference): boolean {
  return added.length + removed.length + changed.length > 0;
}

/** The entries of a market: its id alone where that means these kinds, one with `:kind` for each otherwise. */
function entriesOf(marketId: bigint, wanted: ReadonlySet<FeedKind>, kinds: readonly FeedKind[]): string[] {
  if (wanted.symmetricDifference(new Set(kinds)).size === 0) return [formatEntry({ marketId })];
  return FEED_KINDS.filter((kind) => wanted.has(kind)).map((kind) => formatEntry({ marketId, kind }));
}

function formatEntry({ marketId, kind }: MarketChoice): string {
  return kind ? `${marketId}:${kind}` : marketId.toString();
}

function kindsByMarket(feeds: readonly Feed[]): Map<bigint, Set<FeedKind>> {
  const grouped = Map.groupBy(feeds, ({ marketId }) => marketId);
  return new Map([...grouped].map(([marketId, ofMarket]) => [marketId, new Set(ofMarket.map(({ kind }) => kind))]));
}
