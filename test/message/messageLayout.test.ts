import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkLayout,
  constantBytesOf,
  DEFAULT_LAYOUT,
  fixedRegionsOf,
  InvalidLayoutError,
  type MessageLayout,
  messageLayoutSchema,
} from "../../relayer/message/messageLayout.ts";
import { anyLayout, EXPONENT_LAYOUT } from "./layouts.ts";

/** What is said about a layout that cannot be. */
function problemOf(layout: MessageLayout, rentalOffset?: bigint): string {
  try {
    checkLayout(layout, rentalOffset);
  } catch (error) {
    if (!(error instanceof InvalidLayoutError)) throw error;
    expect(error).toMatchObject({ code: "INVALID_LAYOUT", kind: "configuration" });
    expect(error.hint).not.toBe("");
    return error.message.replace("the message layout cannot be: ", "");
  }
  return "none";
}

const { feedId, price, publishTime, expiry } = DEFAULT_LAYOUT;
const shorterDomain = { offset: 0, bytes: `0x${"11".repeat(31)}` };

describe("a layout that can be", () => {
  test("the default, whose domain is what it says", () => {
    expect(checkLayout(DEFAULT_LAYOUT)).toBe(DEFAULT_LAYOUT);
    const domain = createHash("sha256").update("home-price-oracle/price-message/v1", "ascii").digest("hex");
    expect(DEFAULT_LAYOUT.constants).toEqual([{ offset: 0, bytes: `0x${domain}` }]);
  });

  test("one with an exponent, gaps and seconds", () => {
    expect(problemOf(EXPONENT_LAYOUT)).toBe("none");
    expect(messageLayoutSchema.parse(EXPONENT_LAYOUT)).toEqual(EXPONENT_LAYOUT);
  });

  test("any other", () => {
    return fc.assert(
      fc.property(anyLayout, (layout) => {
        expect(problemOf(layout)).toBe("none");
        expect(messageLayoutSchema.parse(layout)).toEqual(layout);
      }),
    );
  });

  test("constants and padding are optional in a configuration", () => {
    const { constants: _, padding: __, ...fields } = DEFAULT_LAYOUT;
    expect(messageLayoutSchema.parse(fields)).toMatchObject({ constants: [], padding: [] });
  });
});

describe("a layout that cannot be", () => {
  test.each<[string, Partial<MessageLayout>, string]>([
    [
      "two fields share a byte",
      { price: { ...price, offset: 39 } },
      "price (from byte 39) overlaps feedId (to byte 39)",
    ],
    [
      "a field stands inside another",
      { feedId: { ...feedId, offset: 66 }, padding: [{ offset: 32, length: 8 }] },
      "feedId (from byte 66) overlaps date (to byte 73)",
    ],
    [
      "the date lies on a field",
      { date: { offset: 63 }, padding: [{ offset: 73, length: 1 }] },
      "date (from byte 63) overlaps expiry (to byte 63)",
    ],
    [
      "a constant lies on a field",
      { constants: [{ offset: 0, bytes: `0x${"11".repeat(33)}` }] },
      "feedId (from byte 32) overlaps constants[0] (to byte 32)",
    ],
    [
      "padding lies on a constant",
      { padding: [{ offset: 31, length: 1 }] },
      "padding[0] (from byte 31) overlaps constants[0] (to byte 31)",
    ],
    [
      "two constants share a byte",
      { constants: [shorterDomain, { offset: 30, bytes: "0x1122" }] },
      "constants[1] (from byte 30) overlaps constants[0] (to byte 30)",
    ],
    [
      "the exponent lies on the price",
      {
        price: {
          offset: 40,
          width: 8,
          byteOrder: "little",
          exponent: { offset: 47, width: 1, byteOrder: "little" },
        },
      },
      "price.exponent (from byte 47) overlaps price (to byte 47)",
    ],
    [
      "nothing covers the first bytes",
      { constants: [{ offset: 2, bytes: `0x${"11".repeat(30)}` }] },
      "bytes 0 to 1, between the start and constants[0], are not covered",
    ],
    [
      "nothing covers bytes in the middle",
      { constants: [shorterDomain] },
      "bytes 31 to 31, between constants[0] and feedId, are not covered",
    ],
    [
      "nothing covers the last bytes",
      {
        constants: [{ offset: 0, bytes: `0x${"11".repeat(30)}` }],
        feedId: { ...feedId, offset: 30 },
        price: { offset: 38, width: 8, byteOrder: "little", decimals: 8 },
        publishTime: { ...publishTime, offset: 46 },
        expiry: { ...expiry, offset: 54 },
        date: { offset: 62 },
      },
      "bytes 72 to 73 are not covered",
    ],
    [
      "a field ends beyond the message",
      { date: { offset: 65 } },
      "bytes 64 to 64, between expiry and date, are not covered",
    ],
    [
      "padding ends beyond the message",
      { padding: [{ offset: 74, length: 1 }] },
      "padding[0] ends at byte 74, beyond the last byte 73",
    ],
    [
      "the feed id has no room for the rental offset",
      { feedId: { ...feedId, width: 3 }, padding: [{ offset: 35, length: 5 }] },
      "feedId has 3 bytes, no room for rental feed ids up to 3999999999",
    ],
    [
      "a time in milliseconds is too narrow",
      { publishTime: { ...publishTime, width: 5 }, padding: [{ offset: 53, length: 3 }] },
      "publishTime in ms needs at least 6 bytes, has 5",
    ],
    [
      "a time in seconds is too narrow",
      { expiry: { ...expiry, width: 3, unit: "s" }, padding: [{ offset: 59, length: 5 }] },
      "expiry in s needs at least 4 bytes, has 3",
    ],
  ])("%s", (_, changes, problem) => {
    expect(problemOf({ ...DEFAULT_LAYOUT, ...changes })).toBe(problem);
  });

  test("one byte more or less anywhere", () => {
    return fc.assert(
      fc.property(anyLayout, fc.constantFrom(-1, 1), fc.nat(), (layout, step, choice) => {
        const fields = ["feedId", "price", "publishTime", "expiry", "date"] as const;
        const name = fields[choice % fields.length] ?? "date";
        const moved = { ...layout, [name]: { ...layout[name], offset: layout[name].offset + step } };
        expect(problemOf(moved)).toMatch(/overlaps|not covered|beyond the last byte|offset/);
      }),
    );
  });

  test("the room for the rental offset is exact", () => {
    const narrow: MessageLayout = {
      ...DEFAULT_LAYOUT,
      feedId: { ...feedId, width: 4 },
      padding: [{ offset: 36, length: 4 }],
    };
    expect(problemOf(narrow, 2n ** 31n)).toBe("none");
    expect(problemOf(narrow, 2n ** 31n + 1n)).toContain("no room for rental feed ids up to 4294967297");
  });

  test.each([
    ["a number without width", { feedId: { ...feedId, width: 0 } }],
    ["a number wider than a word", { price: { ...price, width: 33 } }],
    ["a width that is not whole", { price: { ...price, width: 7.5 } }],
    ["an offset before the message", { date: { offset: -1 } }],
    ["an unknown byte order", { expiry: { ...expiry, byteOrder: "middle" } }],
    ["an unknown unit", { expiry: { ...expiry, unit: "min" } }],
    ["nineteen decimals", { price: { ...price, decimals: 19 } }],
    ["neither decimals nor exponent", { price: feedId }],
    ["both", { price: { ...price, exponent: { offset: 0, width: 1, byteOrder: "little" } } }],
    ["an exponent of three bytes", { price: { ...feedId, exponent: { offset: 0, width: 3, byteOrder: "little" } } }],
    ["a constant without bytes", { constants: [{ offset: 0, bytes: "0x" }] }],
    ["a constant of half a byte", { constants: [{ offset: 0, bytes: "0x123" }] }],
    ["padding without bytes", { padding: [{ offset: 0, length: 0 }] }],
    ["a field that no message has", { signature: { offset: 0 } }],
    ["a missing field", { expiry: undefined }],
  ])("%s is no layout", (_, changes) => {
    expect(messageLayoutSchema.safeParse({ ...DEFAULT_LAYOUT, ...changes }).success).toBe(false);
  });

  test.each<[string, Partial<MessageLayout>]>([
    [
      "no width",
      {
        price: { offset: 40, width: 0, byteOrder: "little", decimals: 8 },
        padding: [{ offset: 40, length: 8 }],
      },
    ],
    [
      "33 bytes",
      {
        constants: [{ offset: 0, bytes: `0x${"11".repeat(7)}` }],
        feedId: { offset: 7, width: 33, byteOrder: "little" },
      },
    ],
    ["nineteen decimals", { price: { offset: 40, width: 8, byteOrder: "little", decimals: 19 } }],
  ])("a field of %s, given by a program that skips the schema", (_, changes) => {
    expect(problemOf({ ...DEFAULT_LAYOUT, ...changes })).not.toBe("none");
  });
});

test("what is fixed in a message", () => {
  const bytes = Buffer.from(constantBytesOf(EXPONENT_LAYOUT)).toString("hex");
  expect(bytes).toBe(`${"00".repeat(46)}c0ffee${"00".repeat(10)}${"5a".repeat(15)}`);
  expect(fixedRegionsOf(EXPONENT_LAYOUT).map(({ offset, length }) => [offset, length])).toEqual([
    [46, 3],
    [49, 10],
    [59, 15],
  ]);
});
