import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDecimal, sameDecimal } from "../../relayer/message/decimalPrice.ts";
import { parseExactJson } from "../../relayer/service/exactJson.ts";

describe("parseExactJson", () => {
  test.each([
    ["216.94", 216.94],
    ["216.940", 216.94],
    ["0", 0],
    ["-0", -0],
    ["1e3", 1000],
    ["5826765", 5_826_765],
    ["1772544600000", 1_772_544_600_000],
    ["0.30000000000000004", 0.30000000000000004],
    ["9007199254740991", 9_007_199_254_740_991],
  ])("keeps %s a number", (literal, number) => {
    expect(parseExactJson(literal)).toBe(number);
  });

  test.each([
    "12345678901.12345678",
    "0.1234567890123456789",
    "9007199254740993",
    "12345678901234567890",
    "1e400",
    "-1e400",
    "1e-400",
    "5e-325",
    "0.1000000000000000055511151231257827",
  ])("keeps %s as text", (literal) => {
    expect(parseExactJson(literal)).toBe(literal);
  });

  test("leaves everything else alone", () => {
    const text = '{"a":[null,true,"1.0",{"b":""}],"__proto__":{"c":1},"toString":2}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  test.each(["", "{", "[1,]", "<html>", "nan", `${"[".repeat(200_000)}`])("refuses what is not JSON", (text) => {
    expect(() => parseExactJson(text)).toThrow();
  });

  test("a number of a million digits is handed on, not computed with", () => {
    const literal = "9".repeat(1_000_000);
    expect(parseExactJson(`[${literal}]`)).toEqual([literal]);
  });

  test("no decimal is ever changed", () => {
    const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,22})(\.[0-9]{1,22})?([eE][+-]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(digits, fc.boolean(), (unsigned, negative) => {
        const literal = negative ? `-${unsigned}` : unsigned;
        const read = parseExactJson(`{"price":${literal}}`) as { price: number | string };
        expect(sameDecimal(parseDecimal(String(read.price)), parseDecimal(literal))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
