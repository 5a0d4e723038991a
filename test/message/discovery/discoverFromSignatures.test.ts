import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { discoverLayout } from "../../../relayer/message/discovery/discoverLayout.ts";
import type { DiscoveryItem } from "../../../relayer/message/discovery/knownValues.ts";
import type { DiscoverLayoutOptions, FoundLayout } from "../../../relayer/message/discovery/layoutDiscovery.ts";
import { constantBytesOf, DEFAULT_LAYOUT, type MessageLayout } from "../../../relayer/message/messageLayout.ts";
import { decodePriceMessage, encodePriceMessage } from "../../../relayer/message/priceMessage.ts";
import { PUBLIC_KEY, priceMessage, STRANGER } from "../signedPrices.ts";
import { freshMessages, itemOf, itemSeeds, signedItem, withoutMessage } from "./randomItems.ts";
import { layoutWithoutMessage } from "./randomLayouts.ts";

const IS_LONG = process.env["HOMEPRICE_TEST_PROFILE"] === "long";

// Up to a minute a search on two idle cores.
if (IS_LONG) vi.setConfig({ testTimeout: 3_600_000 });

const FIELDS = [
  priceMessage(),
  priceMessage({ feedId: 5_822_447n, price: "601.89" }),
  priceMessage({ feedId: 2_005_372_594n, price: "5.295" }),
];

/** The narrowest numbers and a long constant region: only some thousand layouts fill a message with it. */
const SHORT_SEARCH: MessageLayout = {
  date: { offset: 0 },
  publishTime: { offset: 10, width: 4, byteOrder: "big", unit: "s" },
  price: { offset: 14, width: 4, byteOrder: "big", decimals: 4 },
  feedId: { offset: 18, width: 4, byteOrder: "big" },
  expiry: { offset: 22, width: 4, byteOrder: "big", unit: "s" },
  constants: [{ offset: 26, bytes: `0x${"c3".repeat(48)}` }],
  padding: [],
};

function itemsOf(layout: MessageLayout, messages = FIELDS): DiscoveryItem[] {
  const { price } = layout;
  return messages.map((fields) => {
    const decimals = "decimals" in price ? price.decimals : 8;
    const priceMantissa =
      decimals > 8
        ? fields.priceMantissa * 10n ** BigInt(decimals - 8)
        : fields.priceMantissa / 10n ** BigInt(8 - decimals);
    return withoutMessage(signedItem({ ...fields, priceMantissa, priceExponent: 0 - decimals }, layout));
  });
}

function constantsOf(layout: MessageLayout): Uint8Array[] {
  const bytes = constantBytesOf(layout);
  return layout.constants.map(({ offset, bytes: hex }) => bytes.slice(offset, offset + (hex.length - 2) / 2));
}

async function found(
  items: readonly DiscoveryItem[],
  options: Partial<DiscoverLayoutOptions> = {},
): Promise<FoundLayout> {
  const outcome = await discoverLayout(items, { key: PUBLIC_KEY, ...options });
  if (!outcome.found) throw new Error(outcome.reason);
  return outcome;
}

describe("without the signed bytes", () => {
  test("finds the default layout, given its domain", async () => {
    const outcome = await found(itemsOf(DEFAULT_LAYOUT), { constants: constantsOf(DEFAULT_LAYOUT) });
    expect(outcome).toMatchObject({ layout: DEFAULT_LAYOUT, ambiguous: false, exact: true, usedRawMessage: false });
    expect(outcome.verified).toEqual(FIELDS.map(({ feedId, date }, item) => ({ item, feedId, date })));
    expect(outcome.tried).toBe(1);
    expect(outcome.candidates).toBeLessThan(2_000_000);
  });

  const number = { width: 16, byteOrder: "big" } as const;
  test.each<[string, MessageLayout]>([
    [
      "without any constant bytes",
      {
        feedId: { offset: 0, ...number },
        publishTime: { offset: 16, ...number, unit: "ms" },
        price: { offset: 32, ...number, decimals: 18 },
        date: { offset: 48 },
        expiry: { offset: 58, ...number, unit: "ms" },
        constants: [],
        padding: [],
      },
    ],
    ["of the narrowest numbers", SHORT_SEARCH],
    [
      "with a version byte of 1 before the domain",
      {
        feedId: { offset: 40, width: 4, byteOrder: "little" },
        price: { offset: 44, width: 8, byteOrder: "little", decimals: 6 },
        publishTime: { offset: 52, width: 4, byteOrder: "little", unit: "s" },
        expiry: { offset: 56, width: 8, byteOrder: "little", unit: "s" },
        date: { offset: 64 },
        constants: [
          { offset: 0, bytes: "0x01" },
          { offset: 1, bytes: `0x${"ab".repeat(39)}` },
        ],
        padding: [],
      },
    ],
    [
      "with an exponent of two bytes and the domain last",
      {
        feedId: { offset: 0, width: 4, byteOrder: "big" },
        price: { offset: 4, width: 8, byteOrder: "big", exponent: { offset: 12, width: 2, byteOrder: "big" } },
        publishTime: { offset: 14, width: 4, byteOrder: "big", unit: "s" },
        expiry: { offset: 18, width: 4, byteOrder: "big", unit: "s" },
        date: { offset: 22 },
        constants: [{ offset: 32, bytes: `0x${"d0".repeat(42)}` }],
        padding: [],
      },
    ],
  ])("finds a layout %s", async (_name, layout) => {
    // The version byte is not given.
    const constants = constantsOf(layout).filter(({ length }) => length > 1);
    const outcome = await found(itemsOf(layout), { constants });
    expect(outcome.layout).toEqual(layout);
    expect(outcome.verified).toHaveLength(3);
  });

  test("finds the same in one thread as in several", async () => {
    const layout: MessageLayout = {
      ...DEFAULT_LAYOUT,
      date: { offset: 32 },
      expiry: { ...DEFAULT_LAYOUT.expiry, offset: 42 },
      publishTime: { ...DEFAULT_LAYOUT.publishTime, offset: 50, unit: "s" },
      price: { offset: 58, width: 8, byteOrder: "little", decimals: 17 },
      feedId: { ...DEFAULT_LAYOUT.feedId, offset: 66 },
    };
    // With so many decimals only rents fit.
    const items = itemsOf(layout, FIELDS.slice(2));
    const constants = constantsOf(layout);
    const several = await found(items, { constants, threads: 3 });
    expect(several.layout).toEqual(layout);
    expect(await found(items, { constants, threads: 1 })).toEqual(several);
  });

  test("finds two constant regions at either end", async () => {
    const layout: MessageLayout = {
      ...SHORT_SEARCH,
      date: { offset: 20 },
      publishTime: { ...SHORT_SEARCH.publishTime, offset: 30 },
      price: { ...SHORT_SEARCH.price, offset: 34 },
      feedId: { ...SHORT_SEARCH.feedId, offset: 38 },
      expiry: { ...SHORT_SEARCH.expiry, offset: 42 },
      constants: [
        { offset: 0, bytes: `0x${"aa".repeat(20)}` },
        { offset: 46, bytes: `0x${"bb".repeat(28)}` },
      ],
    };
    expect((await found(itemsOf(layout), { constants: constantsOf(layout) })).layout).toEqual(layout);
  });

  test("finds a price that the message holds with fewer decimals", async () => {
    const layout: MessageLayout = { ...SHORT_SEARCH, price: { offset: 14, width: 4, byteOrder: "big", decimals: 1 } };
    const items = itemsOf(layout).map((item, index) => ({
      ...item,
      price: { mantissa: FIELDS[index]?.priceMantissa ?? 0n, exponent: -8 },
    }));
    expect(await found(items, { constants: constantsOf(layout) })).toMatchObject({ layout, exact: false });
  });

  test("finds padding in a wide search", async () => {
    const four = { width: 4, byteOrder: "little" } as const;
    const layout: MessageLayout = {
      feedId: { offset: 46, ...four },
      price: { offset: 50, ...four, decimals: 4 },
      publishTime: { offset: 54, ...four, unit: "s" },
      expiry: { offset: 58, ...four, unit: "s" },
      date: { offset: 62 },
      constants: [{ offset: 0, bytes: `0x${"c3".repeat(46)}` }],
      padding: [{ offset: 72, length: 2 }],
    };
    expect((await found(itemsOf(layout), { constants: constantsOf(layout), wide: true })).layout).toEqual(layout);
  });

  test("finds any layout of the family from three items", { skip: !IS_LONG }, async () => {
    await fc.assert(
      fc.asyncProperty(layoutWithoutMessage, itemSeeds, async ({ layout, constants }, seeds) => {
        const items = seeds.slice(0, 3).map((seed) => withoutMessage(itemOf(seed, layout)));
        const outcome = await found(items, { constants });
        expect(outcome.verified).toHaveLength(3);
        const [, , , fresh] = seeds;
        for (const fields of fresh ? freshMessages(fresh, layout, items) : []) {
          const message = encodePriceMessage(fields, layout);
          expect(decodePriceMessage(message, outcome.layout)).toEqual(decodePriceMessage(message, layout));
        }
      }),
      { seed: 20_261_121, numRuns: 20 },
    );
  });
});

describe("items that do not fit", () => {
  const constants = constantsOf(SHORT_SEARCH);
  const good = itemsOf(SHORT_SEARCH);
  const signedByStranger = (item: DiscoveryItem) => ({ ...item, signature: STRANGER.sign(new Uint8Array(74)) });

  test.each([0, 1, 2])("item %i, badly signed, is named and set aside", async (bad) => {
    const items = good.map((item, index) => (index === bad ? signedByStranger(item) : item));
    const outcome = await found(items, { constants });
    expect(outcome.layout).toEqual(SHORT_SEARCH);
    expect(outcome.verified.map(({ item }) => item)).toEqual([0, 1, 2].filter((index) => index !== bad));
    expect(outcome.setAside).toMatchObject([{ item: bad, reason: expect.stringMatching(/signature does not verify/) }]);
  });

  test("end in nothing found, with what was covered, where all are badly signed", async () => {
    const outcome = await discoverLayout(good.map(signedByStranger), { key: PUBLIC_KEY, constants });
    expect(outcome).toMatchObject({
      found: false,
      reason: expect.stringMatching(/verifies under none of [\d,]+ layouts/),
    });
    expect(outcome.tried).toBe(outcome.candidates);
    expect(outcome.coverage.covered).toContainEqual(expect.stringMatching(/fixed decimals, constant bytes first/));
  });

  test("end in nothing found where no layout of the family fills the message", async () => {
    const outcome = await discoverLayout(good, { key: PUBLIC_KEY, constants: [new Uint8Array(70)] });
    expect(outcome).toMatchObject({
      found: false,
      candidates: 0,
      tried: 0,
      reason: expect.stringMatching(/fills 74 bytes/),
    });
  });

  test("end in nothing found where no message can have the signature", async () => {
    const impossible = good.map((item) => ({ ...item, signature: new Uint8Array(64).fill(0xff) }));
    expect(await discoverLayout(impossible, { key: PUBLIC_KEY, constants })).toMatchObject({ found: false });
  });
});

describe("a search", () => {
  const stranger = itemsOf(DEFAULT_LAYOUT).map((item) => ({ ...item, signature: STRANGER.sign(new Uint8Array(74)) }));

  test.each([1, 2])("with %i threads ends when it is told to", async (threads) => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const search = discoverLayout(stranger, {
      key: PUBLIC_KEY,
      threads,
      signal: stop.signal,
      onProgress: () => stop.abort(reason),
    });
    await expect(search).rejects.toBe(reason);
  });

  test("says what it begins and how far it is, to the end", async () => {
    const constants = constantsOf(SHORT_SEARCH);
    const [item] = itemsOf(SHORT_SEARCH).map((each) => ({ ...each, signature: STRANGER.sign(new Uint8Array(74)) }));
    let [expected, last] = [0, 0];
    await discoverLayout(item ? [item] : [], {
      key: PUBLIC_KEY,
      constants,
      onSearch: ({ candidates }) => {
        expected += candidates;
      },
      onProgress: (tried) => {
        expect(tried).toBeGreaterThan(last);
        last = tried;
      },
    });
    expect(expected).toBeGreaterThan(0);
    expect(last).toBe(expected);
  });
});
