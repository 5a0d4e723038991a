import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MarketChoice } from "../../relayer/configuration/configurationSchema.ts";
import { wantedFeeds } from "../../relayer/configuration/wantedFeeds.ts";
import { compareFeedLists, type FeedListDifference, isDifferent } from "../../relayer/markets/feedList.ts";
import { FEED_KINDS, type Feed, type FeedKind } from "../../relayer/message/feedId.ts";

/** `7` and `7:sales` as the configuration reads them. */
function choices(...texts: readonly string[]): MarketChoice[] {
  return texts.map((text) => {
    const [id = "", kind] = text.split(":");
    return { marketId: BigInt(id), ...(kind !== undefined && { kind: kind as FeedKind }) };
  });
}

/** `7` is found in both kinds. */
function feeds(...texts: readonly string[]): Feed[] {
  return choices(...texts).flatMap(({ marketId, kind }) =>
    (kind ? [kind] : FEED_KINDS).map((each) => ({ marketId, kind: each })),
  );
}

type Case = {
  entries?: readonly string[];
  found?: readonly string[];
  unknown?: readonly string[];
  kinds?: readonly FeedKind[];
  replace?: boolean;
};

function compare({ entries = [], found = [], unknown = [], kinds = FEED_KINDS, replace = false }: Case) {
  const difference = compareFeedLists({
    entries: choices(...entries),
    kinds,
    found: feeds(...found),
    unknown: feeds(...unknown),
    replace,
  });
  return {
    added: difference.added.flatMap(({ after }) => after),
    removed: difference.removed.flatMap(({ before }) => before),
    changed: difference.changed.map(({ before, after }) => `${before} -> ${after}`),
    unchanged: difference.unchanged.flatMap(({ before }) => before),
    notFound: difference.notFound.map(({ marketId, kind }) => `${marketId}:${kind}`),
  };
}

const NOTHING = { added: [], removed: [], changed: [], unchanged: [], notFound: [] };

describe("without replace, a list only grows", () => {
  test("markets are added as they were found: with a kind where that is not all", () => {
    expect(compare({ found: ["9", "8:sales", "7:rental"] })).toEqual({
      ...NOTHING,
      added: ["9", "8:sales", "7:rental"],
    });
  });

  test("a kind that was found is added to a market that is listed", () => {
    expect(compare({ entries: ["8:sales"], found: ["8"] })).toEqual({ ...NOTHING, changed: ["8:sales -> 8"] });
    expect(compare({ entries: ["8:sales"], found: ["8:rental"] })).toMatchObject({ changed: ["8:sales -> 8"] });
  });

  test("what was not found stays, and is named", () => {
    expect(compare({ entries: ["8", "7"], found: ["8:sales"] })).toEqual({
      ...NOTHING,
      unchanged: ["8", "7"],
      notFound: ["8:rental", "7:sales", "7:rental"],
    });
  });
});

describe("with replace, a list becomes what was found", () => {
  test("markets and kinds that were not found go", () => {
    expect(compare({ entries: ["9", "8", "7:rental"], found: ["8:sales", "6"], replace: true })).toEqual({
      ...NOTHING,
      added: ["6"],
      removed: ["9", "7:rental"],
      changed: ["8 -> 8:sales"],
    });
  });

  test("feeds of which nothing was learnt stay", () => {
    expect(compare({ entries: ["9", "8"], found: ["8:sales"], unknown: ["9", "8:rental"], replace: true })).toEqual({
      ...NOTHING,
      unchanged: ["9", "8"],
      notFound: ["9:sales", "9:rental", "8:rental"],
    });
  });
});

describe("an entry without a kind means the configured kinds", () => {
  test("one of them", () => {
    expect(compare({ kinds: ["sales"], found: ["9:sales", "8", "7:rental"] })).toMatchObject({
      added: ["9", "8:sales", "8:rental", "7:rental"],
    });
    expect(compare({ kinds: ["sales"], entries: ["9"], found: ["9:sales"] })).toEqual({ ...NOTHING, unchanged: ["9"] });
  });
});

test("entries that say the same in another way are left as they are", () => {
  expect(compare({ entries: ["8:sales", "8:rental", "7", "7:sales"], found: ["8", "7"], replace: true })).toEqual({
    ...NOTHING,
    unchanged: ["8:sales", "8:rental", "7", "7:sales"],
  });
});

const anyEntry = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom("", ":sales", ":rental"))
  .map(([id, kind]) => `${id}${kind}`);
const anyCase = fc.record({
  entries: fc.array(anyEntry, { maxLength: 6 }),
  found: fc.array(anyEntry, { maxLength: 6 }),
  unknown: fc.array(anyEntry, { maxLength: 3 }),
  kinds: fc.constantFrom<readonly FeedKind[]>(["sales"], ["rental"], ["sales", "rental"]),
  replace: fc.boolean(),
});

/** The list after a difference. */
function applied({ added, changed, unchanged }: FeedListDifference): MarketChoice[] {
  return choices(...[...unchanged, ...changed, ...added].flatMap(({ after }) => after));
}

function keysOf(list: readonly Feed[]): Set<string> {
  return new Set(list.map(({ marketId, kind }) => `${marketId}:${kind}`));
}

test("whatever is listed and found, the new list carries the right feeds, and doing it again changes nothing", () => {
  fc.assert(
    fc.property(anyCase, ({ entries, found, unknown, kinds, replace }) => {
      const once = { entries: choices(...entries), kinds, found: feeds(...found), unknown: feeds(...unknown), replace };
      const list = applied(compareFeedLists(once));
      const before = keysOf(entries.length === 0 ? [] : wantedFeeds({ markets: once.entries, kinds: [...kinds] }));
      const after = keysOf(list.length === 0 ? [] : wantedFeeds({ markets: list, kinds: [...kinds] }));
      const kept = replace ? before.intersection(keysOf(once.unknown)) : before;
      expect(after).toEqual(keysOf(once.found).union(kept));
      const again = compareFeedLists({ ...once, entries: list });
      expect(isDifferent(again)).toBe(false);
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});
