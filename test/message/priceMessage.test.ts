import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEFAULT_LAYOUT,
  fixedRegionsOf,
  type MessageLayout,
  type TimeField,
} from "../../relayer/message/messageLayout.ts";
import {
  checkPriceMessage,
  decodePriceMessage,
  encodePriceMessage,
  FieldOverflowError,
  type PriceMessage,
} from "../../relayer/message/priceMessage.ts";
import { anyLayout, EXPONENT_LAYOUT } from "./layouts.ts";
import { priceMessage } from "./signedPrices.ts";

/** A layout and values that its fields can hold. */
const anyMessage = anyLayout.chain((layout) =>
  fc.record({ layout: fc.constant(layout), fields: fieldsOf(layout), byte: fc.nat(73), bit: fc.nat(7) }),
);

function fieldsOf(layout: MessageLayout): fc.Arbitrary<PriceMessage> {
  const { feedId, price, publishTime, expiry } = layout;
  return fc.record({
    feedId: numberOf(feedId.width),
    priceMantissa: numberOf(price.width),
    priceExponent: "exponent" in price ? exponentOf(price.exponent.width) : fc.constant(-price.decimals),
    publishTimeMs: timeOf(publishTime),
    expiryMs: timeOf(expiry),
    date: fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 10,
      maxLength: 10,
    }),
  });
}

function numberOf(width: number): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: 0n, max: 256n ** BigInt(width) - 1n });
}

function exponentOf(width: number): fc.Arbitrary<number> {
  const half = 2 ** (8 * width - 1);
  return fc.integer({ min: -half, max: half - 1 });
}

function timeOf({ width, unit }: TimeField): fc.Arbitrary<bigint> {
  return numberOf(width).map((time) => (unit === "s" ? time * 1000n : time));
}

describe("the codec", () => {
  test("writes the default layout byte for byte", () => {
    const bytes = Buffer.from(
      encodePriceMessage(priceMessage({ feedId: 2_005_826_765n, price: "1.474" }), DEFAULT_LAYOUT),
    );
    expect(bytes).toHaveLength(74);
    expect(bytes.subarray(0, 32).toString("hex")).toBe(DEFAULT_LAYOUT.constants[0]?.bytes.slice(2));
    expect(bytes.readBigUInt64LE(32)).toBe(2_005_826_765n);
    expect(bytes.readBigUInt64LE(40)).toBe(147_400_000n);
    expect(bytes.readBigUInt64LE(48)).toBe(BigInt(Date.parse("2026-03-04T12:30:00Z")));
    expect(bytes.readBigUInt64LE(56)).toBe(BigInt(Date.parse("2026-03-05T13:25:00Z")));
    expect(bytes.subarray(64).toString("ascii")).toBe("2026-03-04");
  });

  test("writes big-endian fields, an exponent, seconds and padding byte for byte", () => {
    const fields = priceMessage({ priceMantissa: 0x0102n, priceExponent: -3 });
    const bytes = Buffer.from(encodePriceMessage(fields, EXPONENT_LAYOUT));
    expect(bytes.subarray(0, 10).toString("ascii")).toBe("2026-03-04");
    expect(bytes.readUInt32BE(10)).toBe(5_826_765);
    expect(bytes.subarray(14, 30).toString("hex")).toBe(`${"00".repeat(14)}0102`);
    expect(bytes.readInt32BE(30)).toBe(-3);
    expect(bytes.readBigUInt64BE(34)).toBe(BigInt(Date.parse("2026-03-04T12:30:00Z") / 1000));
    expect(bytes.readUInt32LE(42)).toBe(Date.parse("2026-03-05T13:25:00Z") / 1000);
    expect(bytes.subarray(46).toString("hex")).toBe(`c0ffee${"00".repeat(10)}${"5a".repeat(15)}`);
  });

  test("reads what it wrote, whatever the layout", () => {
    return fc.assert(
      fc.property(anyMessage, ({ layout, fields }) => {
        const bytes = encodePriceMessage(fields, layout);
        expect(decodePriceMessage(bytes, layout)).toEqual({ ok: true, value: fields });
      }),
      { numRuns: 300 },
    );
  });

  test("refuses a change of any constant or padding bit; any other change is a change of a field", () => {
    return fc.assert(
      fc.property(anyMessage, ({ layout, fields, byte, bit }) => {
        const bytes = encodePriceMessage(fields, layout);
        bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
        const decoded = decodePriceMessage(bytes, layout);
        const fixed = fixedRegionsOf(layout).some(({ offset, length }) => byte >= offset && byte < offset + length);
        if (fixed) {
          expect(decoded).toMatchObject({ ok: false, refusal: { code: "UnexpectedConstantBytes" } });
          expect(decoded.ok ? "" : decoded.refusal.message).toContain(`byte ${byte} `);
        } else {
          expect(decoded).toMatchObject({ ok: true });
          expect(decoded).not.toEqual({ ok: true, value: fields });
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([0, 73, 75])("refuses %i bytes", (length) => {
    expect(decodePriceMessage(new Uint8Array(length), DEFAULT_LAYOUT)).toEqual({
      ok: false,
      refusal: { code: "InvalidMessageLength", message: `the message has ${length} bytes, not 74` },
    });
  });

  test("writes nothing that a field cannot hold", () => {
    const encode = (changes: Partial<PriceMessage>, layout = DEFAULT_LAYOUT) =>
      encodePriceMessage(priceMessage(changes), layout);
    expect(() => encode({ feedId: 2n ** 64n })).toThrow(FieldOverflowError);
    expect(() => encode({ feedId: -1n })).toThrow("feedId -1 does not fit in 8 bytes");
    expect(() => encode({ priceMantissa: 2n ** 64n })).toThrow(FieldOverflowError);
    expect(() => encode({ publishTimeMs: -1n })).toThrow("publishTime -1 does not fit");
    expect(() => encode({ priceExponent: -7 })).toThrow("the layout fixes 8 decimals, the price has 7");
    expect(() => encode({ priceExponent: 2 ** 31 }, EXPONENT_LAYOUT)).toThrow("price.exponent 2147483648 does not fit");
    expect(() => encode({ priceExponent: -(2 ** 31) - 1 }, EXPONENT_LAYOUT)).toThrow(FieldOverflowError);
    expect(() => encode({ publishTimeMs: 1_001n }, EXPONENT_LAYOUT)).toThrow("is not a whole number of seconds");
    for (const date of ["2026-3-4", "2026-03-044", "2026-03-0é"]) {
      expect(() => encode({ date })).toThrow("is not ten ASCII characters");
    }
  });
});

describe("a message against itself", () => {
  const check = (changes: Parameters<typeof priceMessage>[0]) => {
    const checked = checkPriceMessage(priceMessage(changes));
    return checked.ok ? checked.value : checked.refusal.code;
  };

  test("in order: price at 8 decimals and day are added", () => {
    expect(check({})).toMatchObject({ price: 21_694_000_000n, day: 20_516 });
  });

  test.each([0n, 2_000_000_000n, 4_000_000_000n, 2n ** 64n - 1n])("feed id %i is nobody's", (feedId) => {
    expect(check({ feedId })).toBe("InvalidFeedId");
  });

  test.each([1n, 1_999_999_999n, 2_000_000_001n, 3_999_999_999n])("feed id %i is somebody's", (feedId) => {
    expect(check({ feedId })).toMatchObject({ feedId });
  });

  test.each<[bigint, number, bigint | string]>([
    [1n, -8, 1n],
    [19n, -9, 1n], // truncated
    [9n, -9, "ZeroPrice"],
    [0n, 0, "ZeroPrice"],
    [0n, 2_147_483_647, "ZeroPrice"],
    [2n ** 60n - 1n, -8, 2n ** 60n - 1n],
    [2n ** 60n, -8, "PriceTooLarge"],
    [1n, 10, 10n ** 18n],
    [1n, 11, "PriceTooLarge"],
    [1n, 2_147_483_647, "PriceTooLarge"],
    [2n ** 256n - 1n, 2_147_483_647, "PriceTooLarge"],
    [2n ** 256n - 1n, -2_147_483_648, "ZeroPrice"],
    [10n ** 77n, -84, 10n],
    [10n ** 77n, -86, "ZeroPrice"],
  ])("price %i·10^%i", (priceMantissa, priceExponent, expected) => {
    const checked = check({ priceMantissa, priceExponent });
    if (typeof expected === "string") expect(checked).toBe(expected);
    else expect(checked).toMatchObject({ price: expected });
  });

  test("the first thing wrong is named, in the order of the contract", () => {
    expect(check({ feedId: 0n, priceMantissa: 0n, date: "nonsense!!" })).toBe("InvalidFeedId");
    expect(check({ priceMantissa: 0n, date: "nonsense!!" })).toBe("ZeroPrice");
    expect(check({ date: "nonsense!!" })).toBe("InvalidDate");
  });
});
