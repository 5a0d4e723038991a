import fc from "fast-check";
import { hexToBytes } from "viem";
import { describe, expect, it } from "vitest";
import { checkPriceMessage, decodePriceMessage } from "../../relayer/message/priceMessage.ts";
import type { RefusalCode } from "../../relayer/message/refusal.ts";
import { checkTimeWindows } from "../../relayer/message/timeWindows.ts";
import { decodeUpdate } from "../../relayer/message/update.ts";
import {
  INVALID_REASONS,
  InexactPriceError,
  type InvalidReason,
  SignedPriceFactory,
  type SignedUpdate,
} from "../../testing/index.ts";
import { nodeAccepts } from "../ed25519/signers.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { FIELDS_ONLY_LAYOUT } from "./layouts.ts";

/** 2026-03-02 13:00:00 UTC, 8 AM Eastern. */
const NOW = BigInt(Date.UTC(2026, 2, 2, 13)) / 1_000n;
const SECRET_KEY = `0x${"5e".repeat(32)}` as const;
const market = { marketId: 5_826_765n } as const;
/** What is wrong with these is not the message. */
const IN_SIGNATURE: readonly InvalidReason[] = [
  "InvalidUpdateLength",
  "UnknownSigner",
  "InvalidSignature",
  "WrongHint",
];

describe("a signed update", () => {
  const factory = new SignedPriceFactory({ secretKey: SECRET_KEY, signerNumber: 7 });

  it("says what was asked for, in the bytes and beside them", () => {
    const signed = factory.sign(
      { ...market, kind: "rental", price: "2.35", publishTime: NOW - 10n, expiryMs: (NOW + 60n) * 1_000n + 7n },
      NOW,
    );
    expect(decodePriceMessage(hexToBytes(signed.message), factory.layout)).toEqual({
      ok: true,
      value: {
        feedId: 2_005_826_765n,
        priceMantissa: 235_000_000n,
        priceExponent: -8,
        publishTimeMs: (NOW - 10n) * 1_000n,
        expiryMs: (NOW + 60n) * 1_000n + 7n,
        date: "2026-03-02",
      },
    });
    expect(signed).toMatchObject({
      feedId: 2_005_826_765n,
      price: 235_000_000n,
      publishTime: NOW - 10n,
      expiry: NOW + 60n,
      date: "2026-03-02",
      day: 20_514,
    });
  });

  it("carries a signature that OpenSSL verifies, under the key of the seed", () => {
    const { message, signature } = factory.sign(market, NOW);
    expect(nodeAccepts(hexToBytes(factory.publicKey), hexToBytes(message), hexToBytes(signature))).toBe(true);
    expect(new SignedPriceFactory({ secretKey: SECRET_KEY }).publicKey).toBe(factory.publicKey);
  });

  it("has 171 bytes with signer number and hint, or 138", () => {
    const hinted = decodeUpdate(hexToBytes(factory.sign(market, NOW).update));
    expect(hinted?.hint?.signerNumber).toBe(7);
    const plain = factory.sign({ ...market, hinted: false }, NOW).update;
    expect(hexToBytes(plain)).toHaveLength(138);
  });

  it("is of a random key, unless one is given", () => {
    expect(new SignedPriceFactory().publicKey).not.toBe(new SignedPriceFactory().publicKey);
  });
});

const at = (isoTime: string) => BigInt(Date.parse(isoTime)) / 1_000n;

describe("defaults", () => {
  it.each([
    ["the morning's edition", "2026-03-02T13:00:00Z", "2026-03-02"],
    ["the day before's until 7:30 AM Eastern", "2026-03-02T12:29:59Z", "2026-03-01"],
    ["the new one from 7:30 AM Eastern on", "2026-03-02T12:30:00Z", "2026-03-02"],
    ["still the same after midnight UTC", "2026-03-03T03:00:00Z", "2026-03-02"],
    ["in summer time, too", "2026-07-01T11:30:00Z", "2026-07-01"],
  ])("the date is of %s", (_, time, date) => {
    expect(new SignedPriceFactory().sign(market, at(time)).date).toBe(date);
  });

  it("each price of a feed is newer than the one before, in the same second too", () => {
    const factory = new SignedPriceFactory();
    const times = [NOW, NOW, NOW, NOW + 1n].map((now) => factory.sign(market, now).publishTimeMs);
    expect(times).toEqual([0n, 1n, 2n, 1_000n].map((ms) => NOW * 1_000n + ms));
    expect(factory.sign({ ...market, kind: "rental" }, NOW).publishTimeMs).toBe(NOW * 1_000n);
  });

  it("a chain that has gone back to a snapshot is followed", () => {
    const factory = new SignedPriceFactory();
    factory.sign(market, NOW + 86_400n);
    expect(factory.sign(market, NOW).publishTime).toBe(NOW);
  });

  it("the price lives 24 h 55 min, but no longer than its date allows", () => {
    const factory = new SignedPriceFactory();
    expect(factory.sign(market, NOW).expiry).toBe(NOW + 89_700n);
    expect(factory.sign({ ...market, date: "2026-02-28" }, NOW).expiry).toBe(at("2026-03-03T00:00:00Z"));
    const stricter = new SignedPriceFactory({ maxExpiryAfterDateSeconds: 90_000 });
    expect(stricter.sign(market, NOW).expiry).toBe(at("2026-03-03T01:00:00Z"));
  });
});

describe("at any time of the day and of the year", () => {
  const factory = new SignedPriceFactory({ secretKey: SECRET_KEY });
  const anyTime = fc.bigInt({ min: at("2026-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") });
  const verdictOn = ({ message }: SignedUpdate, now: bigint): RefusalCode | "accepted" => {
    const decoded = decodePriceMessage(hexToBytes(message), factory.layout);
    if (!decoded.ok) return decoded.refusal.code;
    const checked = checkPriceMessage(decoded.value);
    const verdict = checked.ok ? checkTimeWindows(checked.value, now * 1_000n) : checked;
    return verdict.ok ? "accepted" : verdict.refusal.code;
  };

  it("a price with nothing but defaults is good, in the block after the next minutes, too", () => {
    fc.assert(
      fc.property(anyTime, fc.bigInt({ min: 0n, max: 600n }), (now, delay) => {
        expect(verdictOn(factory.sign(market, now), now + delay)).toBe("accepted");
      }),
    );
  });

  const inMessage = INVALID_REASONS.filter((reason) => !IN_SIGNATURE.includes(reason));
  it.each(inMessage)("what is to be refused for %s is, in the block after the next minutes, too", (reason) => {
    fc.assert(
      fc.property(anyTime, fc.bigInt({ min: 0n, max: 600n }), (now, delay) => {
        expect(verdictOn(factory.signInvalid(reason, market, now), now + delay)).toBe(reason);
      }),
      { numRuns: 30 },
    );
  });
});

describe("other layouts", () => {
  it("writes times in whole seconds and prices in the layout's decimals", () => {
    const factory = new SignedPriceFactory({ layout: FIELDS_ONLY_LAYOUT });
    const [first, second] = [factory.sign({ ...market, price: "216.94" }, NOW), factory.sign(market, NOW)];
    expect(decodePriceMessage(hexToBytes(first.message), FIELDS_ONLY_LAYOUT)).toMatchObject({
      ok: true,
      value: { priceMantissa: 21_694n, priceExponent: -2, publishTimeMs: NOW * 1_000n },
    });
    expect(first.price).toBe(21_694_000_000n);
    expect(second.publishTimeMs).toBe((NOW + 1n) * 1_000n);
  });

  it("writes 8 decimals where the exponent is open", () => {
    const factory = new SignedPriceFactory({ layout: EXPONENT_LAYOUT });
    const { message } = factory.sign({ ...market, price: 123n }, NOW);
    expect(decodePriceMessage(hexToBytes(message), EXPONENT_LAYOUT)).toMatchObject({
      ok: true,
      value: { priceMantissa: 123n, priceExponent: -8 },
    });
  });

  it("refuses a price with more decimals than the message holds", () => {
    const factory = new SignedPriceFactory({ layout: FIELDS_ONLY_LAYOUT });
    expect(() => factory.sign({ ...market, price: "216.945" }, NOW)).toThrow(InexactPriceError);
    expect(() => factory.sign({ ...market, price: 21_694_500_000n }, NOW)).toThrow("216.945");
  });
});

it.each([
  ["INVALID_SECRET_KEY", { secretKey: "0x1234" }],
  ["INVALID_LAYOUT", { layout: { ...FIELDS_ONLY_LAYOUT, date: { offset: 63 } } }],
] as const)("cannot be made: %s", (code, options) => {
  expect(() => new SignedPriceFactory(options)).toThrow(expect.objectContaining({ code }));
});

it.each([
  ["INVALID_ID", "market 0", { marketId: 0n }],
  ["INVALID_ID", "a market beyond the offset", { marketId: 2_000_000_001n, kind: "rental" }],
  ["INVALID_DECIMAL", "no number", { marketId: 1n, price: "a lot" }],
] as const)("does not sign, %s: %s", (code, _, price) => {
  expect(() => new SignedPriceFactory().sign(price, NOW)).toThrow(expect.objectContaining({ code }));
});
