import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatDecimal,
  formatPrice,
  InvalidDecimalError,
  parseDecimal,
  sameDecimal,
  scaleDecimal,
} from "../../relayer/message/decimalPrice.ts";

describe("reading", () => {
  test.each([
    ["216.94", 21_694n, -2],
    ["216.90", 21_690n, -2],
    ["0", 0n, 0],
    ["007", 7n, 0],
    ["1e3", 1n, 3],
    ["1.5E-3", 15n, -4],
    ["2.5e+2", 25n, 1],
    ["-1.25", -125n, -2],
    [" 4.2 ", 42n, -1],
    ["123456789012345678901234567890.12345678", 12345678901234567890123456789012345678n, -8],
  ])("%j", (text, mantissa, exponent) => {
    expect(parseDecimal(text)).toEqual({ mantissa, exponent });
  });

  test.each([
    "",
    " ",
    ".5",
    "5.",
    "1,000",
    "0x10",
    "1e",
    "1e99999",
    "NaN",
    "Infinity",
    "1.2.3",
    "--1",
    "+1",
    "1 2",
    "１",
  ])("%j is no decimal number", (text) => {
    expect(() => parseDecimal(text)).toThrow(InvalidDecimalError);
  });
});

describe("scaling", () => {
  test.each([
    ["216.94", 21_694_000_000n],
    ["0.000000019", 1n],
    ["0.000000009", 0n],
    ["-0.000000019", -1n], // towards zero
    ["1e10", 10n ** 18n],
    ["1e-9999", 0n],
    ["0e9999", 0n],
  ])("%s at 8 decimals", (text, scaled) => {
    expect(scaleDecimal(parseDecimal(text), 8)).toBe(scaled);
  });

  test("an exponent of two billion places below zero is zero, at once", () => {
    expect(scaleDecimal({ mantissa: 10n ** 40n, exponent: -2_147_483_648 }, 8)).toBe(0n);
    expect(scaleDecimal({ mantissa: 0n, exponent: 2_147_483_647 }, 8)).toBe(0n);
  });
});

describe("comparing", () => {
  test("zeros make no difference", () => {
    expect(sameDecimal(parseDecimal("216.940"), parseDecimal("216.94"))).toBe(true);
    expect(sameDecimal(parseDecimal("2e2"), parseDecimal("200.00"))).toBe(true);
    expect(sameDecimal(parseDecimal("0.00"), parseDecimal("0"))).toBe(true);
  });

  test("anything else does", () => {
    expect(sameDecimal(parseDecimal("216.94"), parseDecimal("216.95"))).toBe(false);
    expect(sameDecimal(parseDecimal("1e9999"), parseDecimal("1e-9999"))).toBe(false);
    expect(sameDecimal(parseDecimal("-1"), parseDecimal("1"))).toBe(false);
  });
});

describe("writing", () => {
  test.each([
    [21_694_000_000n, "216.94"],
    [1n, "0.00000001"],
    [100_000_000n, "1"],
    [0n, "0"],
    [2n ** 60n - 1n, "11529215046.06846975"],
  ])("%i", (price, text) => {
    expect(formatPrice(price)).toBe(text);
  });

  test("reads back as the same number, at any decimals", () => {
    return fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 60n }), fc.integer({ min: 0, max: 18 }), (price, decimals) => {
        const text = formatPrice(price, decimals);
        expect(text).toMatch(/^\d+(\.\d*[1-9])?$/);
        expect(scaleDecimal(parseDecimal(text), decimals)).toBe(price);
      }),
    );
  });
});

test.each([
  ["216.95", "216.95"],
  ["216.950", "216.95"],
  ["-0.5", "-0.5"],
  ["1e3", "1000"],
  ["0", "0"],
  ["1e31", "1·10^31"],
  ["1e-81", "1·10^-81"],
])("%s is written %s", (text, written) => {
  expect(formatDecimal(parseDecimal(text))).toBe(written);
});
