import { describe, expect, test } from "vitest";
import { type DataCall, estimateCalls } from "../../relayer/command-line/commands/data/dataCall.ts";
import { seriesCalls } from "../../relayer/command-line/commands/data/seriesCalls.ts";

const NOW_MS = Date.UTC(2026, 10, 21);
const PRICES = { single: "price_feed/sales", bulk: "price_feed/sales/bulk" } as const;

function estimate(calls: readonly DataCall[], maxItems?: number) {
  const context = { nationwideMarketId: 5_826_765n };
  return estimateCalls(calls, { context, nowMs: NOW_MS, maxItems });
}

const markets = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1));
const JANUARY = { from: "2024-01-01", to: "2024-01-31" };

describe("a series", () => {
  test.each([
    [{ market: markets(1), ...JANUARY }, 31, 1],
    [{ market: markets(2), ...JANUARY }, 62, 1],
    [{ market: [...markets(2), 1n], ...JANUARY }, 62, 1],
    // Pages of 10,000 rows, lists of 1,000 markets.
    [{ market: markets(1001), ...JANUARY }, 31_031, 5],
    [{ market: markets(1), from: "2019-01-01", to: "2021-12-31" }, 1096, 2],
    [{ market: markets(3), last: 4 }, 12, 3],
    [{ market: markets(3) }, 36, 3],
    [{ market: markets(3), last: 40, from: "2026-11-20", to: "2026-11-21" }, 6, 3],
  ])("%o", (options, credits, requests) => {
    expect(estimate(seriesCalls(PRICES, options))).toMatchObject({ credits, requests });
  });

  test("is bounded by what is wanted at most, over all its calls", () => {
    expect(estimate(seriesCalls(PRICES, { market: markets(3), last: 4 }), 5).credits).toBe(5);
    expect(estimate(seriesCalls(PRICES, { market: markets(3), ...JANUARY }), 5)).toMatchObject({
      credits: 5,
      requests: 1,
    });
  });
});

describe("properties", () => {
  test.each<[DataCall["endpoint"], DataCall["request"], number | undefined, number | null, number | null]>([
    ["property/event_history", { svc_property_ids: markets(10_001) }, undefined, 10_001, 2],
    ["property_search/v2", { svc_property_ids: [1n, 2n, 2n] }, undefined, 2, 1],
    ["property_search/v2", { svc_ids: [7n] }, undefined, null, null],
    ["property/search", { svc_id: 7n, property_type: "CONDO" }, undefined, null, null],
    // Pages of 5,000 properties.
    ["property/search", { svc_id: 7n, property_type: "CONDO" }, 9_000, 9_000, 2],
  ])("%s %o", (endpoint, request, maxItems, credits, requests) => {
    expect(estimate([{ endpoint, request }], maxItems)).toMatchObject({ credits, requests });
  });
});

test("a request that breaks a rule has no estimate", () => {
  expect(() => estimate([{ endpoint: "property_search/v2", request: { svc_ids: [5_826_765n] } }])).toThrow(
    /nationwide-search-names-operator/,
  );
});
