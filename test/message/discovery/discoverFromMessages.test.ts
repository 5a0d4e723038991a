import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discoverLayout } from "../../../relayer/message/discovery/discoverLayout.ts";
import type { DiscoveryItem } from "../../../relayer/message/discovery/knownValues.ts";
import type { FoundLayout, NoLayoutFound } from "../../../relayer/message/discovery/layoutDiscovery.ts";
import { checkLayout, DEFAULT_LAYOUT, type MessageLayout } from "../../../relayer/message/messageLayout.ts";
import { decodePriceMessage, encodePriceMessage } from "../../../relayer/message/priceMessage.ts";
import { EXPONENT_LAYOUT } from "../layouts.ts";
import { PUBLIC_KEY, priceMessage, SIGNER, STRANGER, timeMs } from "../signedPrices.ts";
import { freshMessages, itemOf, itemSeeds, type SignedItem, signedItem, withoutMessage } from "./randomItems.ts";
import { layoutWithMessage } from "./randomLayouts.ts";

/** Three markets of one edition. */
const FIELDS = [
  priceMessage(),
  priceMessage({ feedId: 5_822_447n, price: "601.89" }),
  priceMessage({ feedId: 2_005_372_594n, price: "5.295" }),
];
const itemsOf = (layout: MessageLayout) => FIELDS.map((fields) => signedItem(fields, layout));

async function found(items: readonly DiscoveryItem[]): Promise<FoundLayout> {
  const outcome = await discoverLayout(items, { key: PUBLIC_KEY });
  if (!outcome.found) throw new Error(outcome.reason);
  return outcome;
}

async function notFound(items: readonly DiscoveryItem[]): Promise<NoLayoutFound> {
  const outcome = await discoverLayout(items, { key: PUBLIC_KEY });
  if (outcome.found) throw new Error(JSON.stringify(outcome.layout));
  return outcome;
}

/** An item whose bytes were changed before they were signed. */
function withBytes(item: SignedItem, change: (message: Uint8Array) => void): SignedItem {
  const message = Uint8Array.from(item.message);
  change(message);
  return { ...item, message, signature: SIGNER.sign(message) };
}

describe("with the signed bytes", () => {
  test("finds any layout of the family from three items: it reads other prices as the true one does", async () => {
    await fc.assert(
      fc.asyncProperty(layoutWithMessage, itemSeeds, async (layout, seeds) => {
        const items = seeds.slice(0, 3).map((seed) => itemOf(seed, layout));
        const outcome = await found(items);
        expect(outcome.verified).toHaveLength(3);
        expect(outcome.setAside).toEqual([]);
        expect(outcome.usedRawMessage).toBe(true);
        checkLayout(outcome.layout);
        const [, , , fresh] = seeds;
        for (const fields of fresh ? freshMessages(fresh, layout, items) : []) {
          const message = encodePriceMessage(fields, layout);
          expect(decodePriceMessage(message, outcome.layout)).toEqual(decodePriceMessage(message, layout));
        }
      }),
      { seed: 20_261_121, numRuns: 100 },
    );
  });

  test.each([
    ["the default layout", DEFAULT_LAYOUT],
    ["one with an exponent, big-endian, in seconds, with constants and padding", EXPONENT_LAYOUT],
  ])("writes %s down as it is", async (_name, layout) => {
    const outcome = await found(itemsOf(layout));
    expect(outcome.layout).toEqual(layout);
    expect(outcome).toMatchObject({ ambiguous: false, alternatives: [], exact: true });
  });

  test("says which feeds and dates verified", async () => {
    const { verified } = await found(itemsOf(DEFAULT_LAYOUT));
    expect(verified).toEqual(FIELDS.map(({ feedId, date }, item) => ({ item, feedId, date })));
  });
});

describe("what the bytes leave open", () => {
  test("zeros beside a price are its own, because a later price may need them", async () => {
    // A price of four bytes as far as these items show; 8 decimals of a house in Kings County need five.
    const layout: MessageLayout = { ...DEFAULT_LAYOUT, price: { ...DEFAULT_LAYOUT.price, decimals: 2 } };
    const items = FIELDS.slice(0, 2).map((fields) =>
      signedItem({ ...fields, priceMantissa: fields.priceMantissa / 10n ** 6n, priceExponent: -2 }, layout),
    );
    const outcome = await found(items);
    expect(outcome.layout.price).toEqual({ offset: 40, width: 8, byteOrder: "little", decimals: 2 });
    expect(outcome.ambiguous).toBe(false);
  });

  test("a byte beside the price that is its exponent is one, and a later price may have another", async () => {
    const layout: MessageLayout = {
      ...DEFAULT_LAYOUT,
      price: { offset: 41, width: 8, byteOrder: "little", exponent: { offset: 40, width: 1, byteOrder: "little" } },
      publishTime: { ...DEFAULT_LAYOUT.publishTime, offset: 49 },
      expiry: { ...DEFAULT_LAYOUT.expiry, offset: 57 },
      date: { offset: 0 },
      constants: [{ offset: 10, bytes: `0x${"5a".repeat(22)}` }],
      padding: [{ offset: 65, length: 9 }],
    };
    const { layout: guessed, ambiguous } = await found(itemsOf(layout));
    expect(ambiguous).toBe(false);
    const message = encodePriceMessage({ ...priceMessage(), priceMantissa: 21694n, priceExponent: -2 }, layout);
    expect(decodePriceMessage(message, guessed)).toEqual(decodePriceMessage(message, layout));
  });

  test("a byte far from the price that happens to be its exponent stays a constant", async () => {
    const layout: MessageLayout = {
      ...DEFAULT_LAYOUT,
      constants: [{ offset: 0, bytes: `0x${"1122f8".repeat(10)}1122` }],
    };
    expect((await found(itemsOf(layout))).layout).toEqual(layout);
  });

  test("a market id that reads the same in both byte orders is settled by another", async () => {
    const layout: MessageLayout = {
      ...DEFAULT_LAYOUT,
      constants: [{ offset: 0, bytes: `0x${"5a".repeat(25)}` }],
      padding: [{ offset: 25, length: 7 }],
    };
    const symmetrical = signedItem(priceMessage({ feedId: 7n }), layout);
    const open = await found([symmetrical]);
    expect(open.ambiguous).toBe(true);
    const orders = [open.layout, ...open.alternatives].map(({ feedId }) => feedId.byteOrder);
    expect(orders.toSorted()).toEqual(["big", "little"]);

    const settled = await found([symmetrical, ...itemsOf(layout)]);
    expect(settled.ambiguous).toBe(false);
    expect(settled.layout.feedId).toEqual(layout.feedId);
  });

  test("equal times are settled by others", async () => {
    const equal = { publishTimeMs: timeMs("2026-03-04T12:30:00Z"), expiryMs: timeMs("2026-03-04T12:30:00Z") };
    const open = await found(FIELDS.map((fields) => signedItem({ ...fields, ...equal }, DEFAULT_LAYOUT)));
    expect(open.layout).toEqual(DEFAULT_LAYOUT);
    expect(open.ambiguous).toBe(true);
    expect(open.alternatives[0]?.publishTime).toEqual({ ...DEFAULT_LAYOUT.expiry });

    const settled = await found([
      signedItem({ ...priceMessage(), ...equal }, DEFAULT_LAYOUT),
      ...itemsOf(DEFAULT_LAYOUT),
    ]);
    expect(settled.ambiguous).toBe(false);
  });
});

describe("values that are rounded", () => {
  const wholeDollars: MessageLayout = { ...DEFAULT_LAYOUT, price: { ...DEFAULT_LAYOUT.price, decimals: 0 } };
  const cut = FIELDS.map((fields) => ({
    ...fields,
    priceMantissa: fields.priceMantissa / 10n ** 8n,
    priceExponent: 0,
  }));
  const shown = FIELDS.map(({ priceMantissa }) => ({ mantissa: priceMantissa, exponent: -8 }));

  test("in the message are found, and said to be rounded", async () => {
    const items = cut.map(
      (fields, index) => ({ ...signedItem(fields, wholeDollars), price: shown[index] }) as SignedItem,
    );
    const outcome = await found(items);
    expect(outcome.layout).toEqual(wholeDollars);
    expect(outcome.exact).toBe(false);
  });

  test("beside the message are found, and said to be rounded", async () => {
    const items = FIELDS.map((fields, index) => {
      const fine = { ...fields, priceMantissa: fields.priceMantissa + 12_345n + BigInt(index) };
      return { ...signedItem(fine, DEFAULT_LAYOUT), price: shown[index] } as SignedItem;
    });
    const outcome = await found(items);
    expect(outcome.layout).toEqual(DEFAULT_LAYOUT);
    expect(outcome.exact).toBe(false);
  });

  test("of times are found too", async () => {
    const layout: MessageLayout = { ...DEFAULT_LAYOUT, expiry: { ...DEFAULT_LAYOUT.expiry, unit: "s" } };
    const items = itemsOf(layout).map((item) => ({ ...item, expiryMs: (item.expiryMs ?? 0n) + 321n }));
    expect(await found(items)).toMatchObject({ layout, exact: false });
  });
});

describe("items that do not fit", () => {
  const good = itemsOf(DEFAULT_LAYOUT) as [SignedItem, SignedItem, SignedItem];

  test("are named and set aside where the signature is wrong", async () => {
    const bad = { ...good[1], signature: STRANGER.sign(good[1].message) };
    const outcome = await found([good[0], bad, good[2]]);
    expect(outcome.layout).toEqual(DEFAULT_LAYOUT);
    expect(outcome.verified.map(({ item }) => item)).toEqual([0, 2]);
    expect(outcome.setAside).toEqual([
      {
        item: 1,
        marketId: 5_822_447n,
        reason: expect.stringMatching(/signature does not verify.*whatever the layout/),
      },
    ]);
  });

  test("are named and set aside where the price beside the message is not the signed one", async () => {
    const other = { ...good[1], price: { mantissa: 60_190n, exponent: -2 } };
    const outcome = await found([good[0], other, good[2]]);
    expect(outcome).toMatchObject({ layout: DEFAULT_LAYOUT, exact: true });
    expect(outcome.setAside).toMatchObject([{ item: 1, reason: expect.stringMatching(/beside its message/) }]);
  });

  test("are named and set aside where they cannot be used at all", async () => {
    const outcome = await found([
      { ...good[0], message: good[0].message.slice(1) },
      { ...good[1], publicKey: STRANGER.publicKey },
      { ...good[2], price: { mantissa: 0n, exponent: 0 } },
      { marketId: 1n, signature: good[0].signature },
      ...good,
    ]);
    expect(outcome.layout).toEqual(DEFAULT_LAYOUT);
    const reasons = outcome.setAside.map(({ reason }) => reason);
    expect(reasons[0]).toMatch(/73 bytes/);
    expect(reasons[1]).toMatch(/names the public key/);
    expect(reasons[2]).toMatch(/not above 0/);
    expect(reasons[3]).toMatch(/no price, publish time, expiry, date/);
  });

  test("are set aside where the price is beyond all bounds, in no time", async () => {
    const absurd = [9_999, -9_999, 11].map((exponent) => ({ ...good[1], price: { mantissa: 1n, exponent } }));
    const outcome = await found([...absurd, ...good]);
    expect(outcome.layout).toEqual(DEFAULT_LAYOUT);
    expect(outcome.setAside.map(({ reason }) => reason)).toEqual(
      Array(3).fill(expect.stringMatching(/larger or finer/)),
    );
  });

  test("without their message verify over the one that the layout makes of them", async () => {
    const outcome = await found([good[0], withoutMessage(good[1]), good[2]]);
    expect(outcome.verified.map(({ item }) => item)).toEqual([0, 1, 2]);
    const stranger = { ...withoutMessage(good[1]), signature: STRANGER.sign(good[1].message) };
    expect((await found([good[0], stranger, good[2]])).setAside).toMatchObject([{ item: 1 }]);
  });
});

describe("no layout", () => {
  const items = itemsOf(DEFAULT_LAYOUT);

  test("is found where no signature verifies, and the reason is not the layout", async () => {
    const outcome = await notFound(items.map((item) => ({ ...item, signature: STRANGER.sign(item.message) })));
    expect(outcome.reason).toMatch(/item 1 \(market 5826765\).*does not verify.*whatever the layout/);
  });

  test("is found where bytes differ that are none of the five fields", async () => {
    const numbered = items.map((item, index) =>
      withBytes(item, (message) => {
        message[3] = index;
      }),
    );
    expect((await notFound(numbered)).reason).toBe("bytes 3 differ between the items and are none of the five fields");
  });

  test("is found where a value is nowhere in the messages, and it is named", async () => {
    const outcome = await notFound(items.map((item) => ({ ...item, expiryMs: 1_234_567_890_123n })));
    expect(outcome.reason).toMatch(/no bytes of the message are its expiry/);
    expect(outcome.coverage.covered).not.toEqual([]);
  });

  test("is found without items", async () => {
    expect((await notFound([])).reason).toBe("there is no item");
  });
});
