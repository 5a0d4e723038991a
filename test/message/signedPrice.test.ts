import { describe, expect, test } from "vitest";
import { parseDecimal } from "../../relayer/message/decimalPrice.ts";
import { checkSignature } from "../../relayer/message/ed25519.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import type { Refusal } from "../../relayer/message/refusal.ts";
import { checkReceivedPrice, type ReceivedPrice, type SignedPriceRules } from "../../relayer/message/signedPrice.ts";
import { EXPONENT_LAYOUT } from "./layouts.ts";
import { NOW_MS, PUBLIC_KEY, priceMessage, receivedPrice, SIGNER, STRANGER, timeMs, without } from "./signedPrices.ts";

function check(received: ReceivedPrice, rules: Partial<SignedPriceRules> = {}) {
  return checkReceivedPrice(received, NOW_MS, { layout: DEFAULT_LAYOUT, publicKey: PUBLIC_KEY, ...rules });
}

function refusalOf(received: ReceivedPrice, rules: Partial<SignedPriceRules> = {}): Refusal | undefined {
  const checked = check(received, rules);
  return checked.ok ? undefined : checked.refusal;
}

describe("a price with its message", () => {
  test("is accepted with everything that an update needs", () => {
    const received = receivedPrice();
    const checked = check(received);
    const signature = checkSignature(PUBLIC_KEY, received.message ?? new Uint8Array(), received.signature);
    expect(checked).toEqual({
      ok: true,
      value: {
        feedId: 5_826_765n,
        marketId: 5_826_765n,
        kind: "sales",
        messageBytes: received.message,
        signature: received.signature,
        xOfR: signature.valid && signature.xOfR,
        message: { ...priceMessage(), price: 21_694_000_000n, day: 20_516 },
        publicKey: PUBLIC_KEY,
      },
    });
  });

  test("needs nothing beside message and signature", () => {
    expect(
      refusalOf(without(receivedPrice(), "date", "price", "publishTimeMs", "expiryMs", "publicKey")),
    ).toBeUndefined();
  });

  test("may write its price with other zeros", () => {
    expect(refusalOf({ ...receivedPrice(), price: parseDecimal("216.9400") })).toBeUndefined();
  });

  test("is refused with the name of every field that differs from the message", () => {
    const received = receivedPrice();
    const mismatches: [Partial<ReceivedPrice>, string][] = [
      [{ date: "2026-03-03" }, "date 2026-03-03, signed 2026-03-04"],
      [{ price: parseDecimal("216.95") }, "price 216.95, signed 216.94"],
      [{ publishTimeMs: 1n }, `publish time 1, signed ${timeMs("2026-03-04T12:30:00Z")}`],
      [{ expiryMs: 1n }, `expiry 1, signed ${timeMs("2026-03-05T13:25:00Z")}`],
    ];
    for (const [changes, difference] of mismatches) {
      expect(refusalOf({ ...received, ...changes })).toEqual({
        code: "MessageMismatch",
        message: `the answer differs from the message it carries: ${difference}`,
      });
    }
    const all = refusalOf({ ...received, ...Object.assign({}, ...mismatches.map(([changes]) => changes)) });
    expect(all?.message).toContain(mismatches.map(([, difference]) => difference).join("; "));
  });

  test.each([0, 73, 75])("of %i bytes is refused, although it is signed", (length) => {
    const bytes = new Uint8Array(length);
    const signed = encodePriceMessage(priceMessage(), DEFAULT_LAYOUT);
    bytes.set(signed.subarray(0, length));
    expect(refusalOf(receivedPrice(priceMessage(), { bytes }))).toEqual({
      code: "InvalidMessageLength",
      message: `the message has ${length} bytes, not 74`,
    });
  });

  test("answers for its own market and kind only", () => {
    const received = receivedPrice();
    expect(refusalOf({ ...received, kind: "rental" })).toEqual({
      code: "WrongFeed",
      message: "the message is the sales price of market 5826765, sent as the rental price of market 5826765",
    });
    expect(refusalOf({ ...received, marketId: 7n })).toMatchObject({ code: "WrongFeed" });
    const rental = receivedPrice(priceMessage({ feedId: 2_005_826_765n }));
    expect(refusalOf(rental)).toBeUndefined();
    expect(refusalOf({ ...rental, kind: "sales" })).toMatchObject({ code: "WrongFeed" });
  });

  test("the rental offset is a parameter", () => {
    const rental = receivedPrice(priceMessage({ feedId: 2_005_826_765n }));
    const received = { ...rental, marketId: 1_005_826_765n };
    expect(refusalOf(received, { rentalOffset: 1_000_000_000n })?.code).toBe("InvalidFeedId");
    expect(refusalOf({ ...rental, marketId: 5_826_764n }, { rentalOffset: 2_000_000_001n })).toBeUndefined();
  });

  test("read by another layout is refused by its constant bytes", () => {
    const padded: MessageLayout = {
      ...DEFAULT_LAYOUT,
      constants: [{ offset: 0, bytes: `0x${"11".repeat(32)}` }],
    };
    expect(refusalOf(receivedPrice(), { layout: padded })?.code).toBe("UnexpectedConstantBytes");
    const other = receivedPrice(priceMessage({ priceMantissa: 21_694n, priceExponent: -2 }), {
      layout: EXPONENT_LAYOUT,
    });
    expect(refusalOf(other, { layout: EXPONENT_LAYOUT })).toBeUndefined();
    expect(refusalOf(other)?.code).toBe("UnexpectedConstantBytes");
  });
});

describe("a signature", () => {
  test("by another key is refused, whether the key is named or not", () => {
    const received = receivedPrice(priceMessage(), { signer: STRANGER });
    expect(refusalOf(received)).toMatchObject({ code: "UnknownSigner" });
    expect(refusalOf(received)?.message).toContain(Buffer.from(STRANGER.publicKey).toString("hex"));
    expect(refusalOf(without(received, "publicKey"))).toMatchObject({ code: "InvalidSignature" });
    expect(refusalOf({ ...received, publicKey: SIGNER.publicKey })).toMatchObject({ code: "InvalidSignature" });
  });

  test.each([0, 63, 65])("of %i bytes is refused", (length) => {
    expect(refusalOf({ ...receivedPrice(), signature: new Uint8Array(length) })).toEqual({
      code: "InvalidSignature",
      message: `the signature has ${length} bytes, not 64`,
    });
  });

  test("with any bit changed is refused", () => {
    for (let byte = 0; byte < 64; byte += 3) {
      const received = receivedPrice();
      const signature = Uint8Array.from(received.signature);
      signature[byte] = (signature[byte] ?? 0) ^ (1 << (byte % 8));
      expect(refusalOf({ ...received, signature })?.code).toBe("InvalidSignature");
    }
  });

  test("is looked at last", () => {
    const bad = { signature: new Uint8Array(64) };
    const expired = receivedPrice(priceMessage({ expiryMs: NOW_MS - 1n }));
    expect(refusalOf({ ...expired, ...bad })?.code).toBe("ExpiryPassed");
    expect(refusalOf({ ...receivedPrice(), ...bad, date: "2026-03-03" })?.code).toBe("MessageMismatch");
  });
});

describe("a price without its message", () => {
  test("is verified over the message that its fields make", () => {
    const received = without(receivedPrice(), "message");
    const checked = check({ ...received, price: parseDecimal("216.94") });
    expect(checked).toMatchObject({ ok: true, value: { messageBytes: receivedPrice().message } });
  });

  test("whose fields say something else has no valid signature", () => {
    const received = without(receivedPrice(), "message");
    expect(refusalOf({ ...received, price: parseDecimal("216.95") })?.code).toBe("InvalidSignature");
    expect(refusalOf({ ...received, publishTimeMs: (received.publishTimeMs ?? 0n) + 1n })?.code).toBe(
      "InvalidSignature",
    );
    expect(refusalOf({ ...received, kind: "rental" })?.code).toBe("InvalidSignature");
  });

  test.each([["date"], ["price"], ["publishTimeMs"], ["expiryMs"]] as const)("cannot be rebuilt without %s", (name) => {
    expect(refusalOf(without(receivedPrice(), "message", name))).toEqual({
      code: "MalformedItem",
      message: `no message came, and without ${name} it cannot be rebuilt`,
    });
  });

  test("names all that is missing", () => {
    const bare = without(receivedPrice(), "message", "date", "price", "publishTimeMs", "expiryMs");
    expect(refusalOf(bare)?.message).toContain("without date, price, publishTimeMs, expiryMs it");
  });

  test("cannot be rebuilt where values do not fit the layout", () => {
    const received = without(receivedPrice(), "message");
    const rebuilt = (changes: Partial<ReceivedPrice>) => refusalOf({ ...received, ...changes });
    expect(rebuilt({ price: parseDecimal("216.940000001") })).toEqual({
      code: "MalformedItem",
      message: "no message came, and the price has more than the layout's 8 decimals",
    });
    expect(rebuilt({ price: parseDecimal("-1") })?.code).toBe("MalformedItem");
    expect(rebuilt({ price: parseDecimal("1e30") })?.code).toBe("MalformedItem");
    expect(rebuilt({ expiryMs: 2n ** 64n })?.code).toBe("MalformedItem");
    expect(rebuilt({ date: "4 March 26" })?.code).toBe("InvalidDate");
    expect(rebuilt({ date: "yesterday" })?.code).toBe("MalformedItem");
  });

  test("cannot be rebuilt in a layout with an exponent: 216.94 has many", () => {
    const received = without(receivedPrice(priceMessage(), { layout: EXPONENT_LAYOUT }), "message");
    expect(refusalOf(received, { layout: EXPONENT_LAYOUT })).toEqual({
      code: "MalformedItem",
      message: "no message came, and the layout's price exponent does not follow from the price",
    });
  });
});

describe("an absurd exponent is answered at once, in few words", () => {
  const within = (limitMs: number, received: ReceivedPrice, rules: Partial<SignedPriceRules> = {}) => {
    const startedMs = performance.now();
    const refusal = refusalOf(received, rules);
    expect(performance.now() - startedMs).toBeLessThan(limitMs);
    return refusal;
  };

  test.each([
    [2_147_483_647, "PriceTooLarge"],
    [-2_147_483_648, "ZeroPrice"],
  ])("10^%i inside the message", (priceExponent, code) => {
    const message = priceMessage({ priceMantissa: 2n ** 128n - 1n, priceExponent });
    const received = receivedPrice(message, { layout: EXPONENT_LAYOUT });
    expect(within(2_000, received, { layout: EXPONENT_LAYOUT })?.code).toBe(code);
  });

  test.each(["1e9999", "1e-9999"])("%s beside the message", (text) => {
    expect(within(2_000, { ...receivedPrice(), price: parseDecimal(text) })?.code).toBe("MessageMismatch");
  });

  test.each(["1e9999", "1e-9999"])("%s without a message", (text) => {
    const refusal = within(2_000, { ...without(receivedPrice(), "message"), price: parseDecimal(text) });
    expect(refusal?.code).toBe("MalformedItem");
    expect(refusal?.message.length).toBeLessThan(300);
  });
});
