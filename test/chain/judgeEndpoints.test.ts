import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AHEAD_SECONDS,
  chainIdOfMost,
  judgeEndpoints,
  LAG_BLOCKS,
  LAG_SECONDS,
  type Sighting,
} from "../../relayer/chain/judgeEndpoints.ts";

const NOW_SECONDS = 1_800_000_000n;
const settings = { chainId: 1, nowMs: Number(NOW_SECONDS) * 1000 };

function sighting(blocksBehind: bigint, secondsBehind: bigint, chainId = 1): Sighting {
  return { chainId, headBlock: 1_000_000n - blocksBehind, headTime: NOW_SECONDS - secondsBehind };
}

function statesOf(sightings: readonly (Sighting | undefined)[]) {
  return judgeEndpoints(sightings, settings).map((judgement) => judgement?.state);
}

describe("an endpoint", () => {
  test("is lagging when it is behind by some blocks and some time, and told how much", () => {
    const [, late] = judgeEndpoints([sighting(0n, 0n), sighting(LAG_BLOCKS, LAG_SECONDS)], settings);
    expect(late).toEqual({ state: "lagging", reason: "its newest block is 3 blocks and 60 s behind" });
  });

  test("is not lagging when only one of the two is much", () => {
    expect(statesOf([sighting(0n, 0n), sighting(1_000n, 59n), sighting(2n, 10_000n)])).toEqual([
      "usable",
      "usable",
      "usable",
    ]);
  });

  test("alone is never lagging, however old its newest block is", () => {
    expect(statesOf([sighting(0n, 1_000_000n)])).toEqual(["usable"]);
    expect(statesOf([undefined, sighting(0n, 1_000_000n)])).toEqual([undefined, "usable"]);
  });

  test("of another chain is named with both, and nobody is measured by it", () => {
    const [other, ours] = judgeEndpoints([{ ...sighting(0n, 0n), chainId: 5 }, sighting(900n, 90_000n)], settings);
    expect(other).toEqual({ state: "wrong-chain", reason: "it is chain 5, not 1" });
    expect(ours?.state).toBe("usable");
  });

  test("from the future is not believed, and nobody is measured by it", () => {
    const future = sighting(-1_000n, -AHEAD_SECONDS - 1n);
    expect(statesOf([future, sighting(0n, 0n)])).toEqual(["unreachable", "usable"]);
    // Then it is our clock that is wrong.
    expect(statesOf([future, future])).toEqual(["usable", "usable"]);
  });

  test("two frozen ones do not outvote the one that goes on", () => {
    expect(statesOf([sighting(50n, 600n), sighting(50n, 600n), sighting(0n, 0n)])).toEqual([
      "lagging",
      "lagging",
      "usable",
    ]);
  });
});

test("of those that have the right chain, at least one is usable", () => {
  const any = fc.option(
    fc.record({
      chainId: fc.constantFrom(1, 1, 1, 5),
      headBlock: fc.bigInt({ min: 0n, max: 1_000_000n }),
      headTime: fc.bigInt({ min: NOW_SECONDS - 10_000n, max: NOW_SECONDS + 10_000n }),
    }),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 5 }), (sightings) => {
      const states = statesOf(sightings);
      const right = sightings.filter((seen) => seen?.chainId === 1);
      expect(states.filter((state) => state === "usable").length > 0).toBe(right.length > 0);
      sightings.forEach((seen, index) => {
        if (!seen) expect(states[index]).toBeUndefined();
        else if (seen.chainId !== 1) expect(states[index]).toBe("wrong-chain");
      });
    }),
  );
});

describe("the chain where none is configured", () => {
  test("is that of most", () => {
    expect(chainIdOfMost([sighting(0n, 0n, 5), undefined, sighting(0n, 0n, 1), sighting(0n, 0n, 1)])).toBe(1);
  });

  test("is the first one's where none has more than another", () => {
    expect(chainIdOfMost([undefined, sighting(0n, 0n, 5), sighting(0n, 0n, 1)])).toBe(5);
    expect(chainIdOfMost([undefined])).toBeUndefined();
  });
});
