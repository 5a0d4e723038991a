import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Randomness } from "../../../simulator/world/randomness.ts";
import { always } from "./worldsUnderTest.ts";

const anyIndex = fc.nat({ max: 4_294_967_295 });

/** Computed by another program, from the definition in `randomness.ts`. */
const KNOWN_OF_EMPTY_SEED = [1030290278, 1299996523, 1406508081, 517778320];
const KNOWN_OF_BRANCH = [3159932938, 741758457, 1175694828];

const random = Randomness.ofSeed("a seed").branch("somewhere").branch(12n);

describe("the numbers of a place", () => {
  it("are the ones that every process and platform makes of its path", () => {
    expect([0, 1, 2, 4_294_967_295].map((index) => Randomness.ofSeed("").uint32(index))).toEqual(KNOWN_OF_EMPTY_SEED);
    expect([0, 1, 2].map((index) => random.uint32(index))).toEqual(KNOWN_OF_BRANCH);
  });

  it("do not depend on what was asked before", () => {
    always(fc.uniqueArray(anyIndex, { minLength: 2, maxLength: 20 }), (indexes) => {
      const forwards = indexes.map((index) => random.uint32(index));
      const other = Randomness.ofSeed("a seed").branch("somewhere").branch("12");
      const backwards = indexes.toReversed().map((index) => other.uint32(index));
      expect(backwards.toReversed()).toEqual(forwards);
    });
  });

  it("are others under another seed, another name, or in another order of names", () => {
    const streams = [
      random,
      Randomness.ofSeed("another seed").branch("somewhere").branch(12n),
      Randomness.ofSeed("a seed").branch("somewhere").branch(13n),
      Randomness.ofSeed("a seed").branch(12n).branch("somewhere"),
      Randomness.ofSeed("a seed").branch("somewhere12"),
      Randomness.ofSeed("a seed").branch("somewhere"),
    ];
    const texts = streams.map((stream) => Array.from({ length: 4 }, (_, index) => stream.uint32(index)).join(" "));
    expect(new Set(texts).size).toBe(streams.length);
  });

  it("stay within their bounds", () => {
    always(fc.tuple(anyIndex, fc.integer({ min: -1000, max: 1000 }), fc.nat({ max: 1000 })), ([index, low, width]) => {
      expect(random.uniform(index)).toBeGreaterThanOrEqual(0);
      expect(random.uniform(index)).toBeLessThan(1);
      expect(random.integer(index, low, low + width)).toBeGreaterThanOrEqual(low);
      expect(random.integer(index, low, low + width)).toBeLessThanOrEqual(low + width);
      expect(Math.abs(random.smooth(index / 97))).toBeLessThanOrEqual(1);
      expect([low, low + 1]).toContain(random.rounded(index, low + 0.5));
      expect(random.rounded(index, low)).toBe(low);
    });
  });

  it("are spread evenly: each sixteenth of the range gets its share, and so does each bit", () => {
    const count = 65_536;
    const sixteenths = new Array<number>(16).fill(0);
    const bits = new Array<number>(32).fill(0);
    for (let index = 0; index < count; index += 1) {
      const value = random.uint32(index);
      const sixteenth = value >>> 28;
      sixteenths[sixteenth] = (sixteenths[sixteenth] ?? 0) + 1;
      for (let bit = 0; bit < 32; bit += 1) bits[bit] = (bits[bit] ?? 0) + ((value >>> bit) & 1);
    }
    // Six standard deviations of a fair draw.
    for (const share of sixteenths) expect(Math.abs(share - count / 16)).toBeLessThan(6 * 62);
    for (const ones of bits) expect(Math.abs(ones - count / 2)).toBeLessThan(6 * 128);
  });
});
