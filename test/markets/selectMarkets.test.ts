import { describe, expect, test } from "vitest";
import { type MarketSelection, selectMarkets } from "../../relayer/markets/selectMarkets.ts";
import { type SeenRequest, startServer, testClient } from "../service/priceServer.ts";

type MarketItem = Readonly<Record<string, unknown>> & { readonly svc_id: number };

function marketItem(svc_id: number, fields: Readonly<Record<string, unknown>> = {}): MarketItem {
  return {
    svc_id,
    name: `Market ${svc_id}`,
    location_type: "CITY",
    state_abbreviation: "NY",
    region: "MIDDLE_ATLANTIC",
    total_population: svc_id,
    svc_exchange_market: 0,
    pricefeed_market: 0,
    ...fields,
  };
}

/** A page of records, with the link to the next one. */
function pageOf(items: readonly MarketItem[], request: SeenRequest, origin: string) {
  const limit = Number(request.query.get("limit") ?? 12);
  const offset = Number(request.query.get("offset") ?? 0);
  const next = new URLSearchParams(request.query);
  next.set("offset", String(offset + limit));
  const page = items.slice(offset, offset + limit);
  if (page.length === 0) return { status: 404, body: { detail: "No markets found" } };
  const link = offset + limit < items.length ? `${origin}${request.path}?${next}` : null;
  return { body: { items: page, total: items.length, limit, offset, links: { next: link } } };
}

/** A search over records that come in one order, whatever is asked for. */
async function serve(items: readonly MarketItem[], options: { filters?: boolean } = {}) {
  const server = await startServer((request) => {
    const type = request.query.get("location_type");
    const state = request.query.get("state_abbreviation");
    const isAsked = (item: MarketItem) =>
      (type === null || item["location_type"] === type) && (state === null || item["state_abbreviation"] === state);
    return pageOf(options.filters === false ? items : items.filter(isAsked), request, server.url);
  });
  const client = testClient(server.url);
  const select = async (selection: Partial<MarketSelection> = {}) => {
    const markets = await selectMarkets(client, { sort: "population", ...selection });
    return markets.map(({ marketId }) => Number(marketId));
  };
  return { select, requests: server.requests };
}

const count = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (to > from ? from + index : from - index));

describe("a selection that nothing cuts short", () => {
  test("follows the pages to the end", async () => {
    const { select, requests } = await serve(count(2500, 1).map((id) => marketItem(id)));
    expect(await select()).toEqual(count(2500, 1));
    expect(requests.map(({ query }) => query.get("limit"))).toEqual(["1000", "1000", "1000"]);
    expect(requests[0]?.query.get("sort_by")).toBe("TOTAL_POPULATION");
    expect(requests[0]?.query.get("sort_order")).toBe("DESC");
  });

  test("that matches nothing is empty", async () => {
    const { select } = await serve([]);
    expect(await select()).toEqual([]);
  });

  test("that breaks off is no selection", async () => {
    const items = count(2500, 1).map((id) => marketItem(id));
    const server = await startServer((request, _response, number) =>
      number === 2 ? { status: 403, body: { detail: "no" } } : pageOf(items, request, server.url),
    );
    await expect(selectMarkets(testClient(server.url), { sort: "population" })).rejects.toMatchObject({
      code: "INCOMPLETE_RESULT",
    });
  });
});

describe("the highest few", () => {
  test("need one page of a service that sorts", async () => {
    const { select, requests } = await serve(count(2500, 1).map((id) => marketItem(id)));
    expect(await select({ top: 3 })).toEqual([2500, 2499, 2498]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    ["the other way round", count(1, 2500)],
    ["in no order", [...count(2, 2000), 2500, 1, ...count(2001, 2499)]],
  ])("are found in a service that sorts %s", async (_name, ids) => {
    const { select, requests } = await serve(ids.map((id) => marketItem(id)));
    expect(await select({ top: 3 })).toEqual([2500, 2499, 2498]);
    expect(requests).toHaveLength(3);
  });

  test("come before those of which nothing is known, wherever the service puts these", async () => {
    const unknown = count(5000, 3001).map((id) => marketItem(id, { total_population: null }));
    const { select, requests } = await serve([...unknown, ...count(1500, 1).map((id) => marketItem(id))]);
    expect(await select({ top: 2 })).toEqual([1500, 1499]);
    expect(requests).toHaveLength(3);
    const all = await select({ top: 1502 });
    expect(all.slice(0, 1500)).toEqual(count(1500, 1));
    expect(all.slice(1500)).toEqual([3001, 3002]);
  });

  test("can be those of another field", async () => {
    const items = [marketItem(1, { median_income: 9 }), marketItem(3, { median_income: 8 }), marketItem(2)];
    const { select, requests } = await serve(items);
    expect(await select({ sort: "income", top: 2 })).toEqual([1, 3]);
    expect(requests[0]?.query.get("sort_by")).toBe("MEDIAN_INCOME");
  });

  test("of several searches are the highest of them all", async () => {
    const items = [
      ...count(2000, 1).map((id) => marketItem(id, { state_abbreviation: id % 2 === 0 ? "NY" : "NJ" })),
      marketItem(9000, { state_abbreviation: "CA" }),
    ];
    const { select, requests } = await serve(items);
    expect(await select({ top: 3, states: ["NY", "NJ"] })).toEqual([2000, 1999, 1998]);
    expect(requests.map(({ query }) => query.get("state_abbreviation"))).toEqual(["NY", "NJ"]);
  });
});

describe("markets with a flag", () => {
  const flagged = (id: number) => marketItem(id, { pricefeed_market: 1, svc_exchange_market: id === 7 ? 1 : 0 });

  test("need the pages on which they stand, of a service that sorts", async () => {
    const items = [...[5, 7, 6].map(flagged), ...count(3000, 10).map((id) => marketItem(id))];
    const { select, requests } = await serve(items);
    expect(await select({ flags: ["price-feed"] })).toEqual([7, 6, 5]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.query.get("sort_by")).toBe("PRICEFEED_MARKET");
    expect(await select({ flags: ["price-feed", "exchange"] })).toEqual([7]);
    expect(requests.at(-1)?.query.get("sort_by")).toBe("SVC_EXCHANGE_MARKET");
  });

  test("are found in a service that does not sort", async () => {
    const items = [flagged(7), ...count(3000, 1500).map((id) => marketItem(id)), flagged(5), marketItem(4), flagged(6)];
    const { select } = await serve(
      items.toSorted((a, b) => Number(b["total_population"]) - Number(a["total_population"])),
    );
    expect(await select({ flags: ["price-feed"] })).toEqual([7, 6, 5]);
  });

  test("are found under the maker's own names", async () => {
    const item = { ...marketItem(7), acme_id: 7, acme_exchange_market: 1 };
    const server = await startServer(() => ({ body: { items: [item], links: { next: null } } }));
    const client = testClient(server.url, { idPrefix: "acme" });
    const markets = await selectMarkets(client, { sort: "population", flags: ["exchange"] });
    expect(markets.map(({ marketId }) => marketId)).toEqual([7n]);
    expect(server.requests[0]?.query.get("sort_by")).toBe("ACME_EXCHANGE_MARKET");
  });
});

describe("kinds of areas and states", () => {
  const items = [
    marketItem(9, { location_type: "COUNTRY", state_abbreviation: null }),
    marketItem(8, { location_type: "CBSA", state_abbreviation: null }),
    marketItem(7, { location_type: "CITY", state_abbreviation: "NY" }),
    marketItem(6, { location_type: "COUNTY", state_abbreviation: "NJ" }),
    marketItem(5, { location_type: "CITY", state_abbreviation: "NJ", region: "PACIFIC" }),
    marketItem(4, { location_type: "PLACE", state_abbreviation: "NJ" }),
  ];

  test.each<[Partial<MarketSelection>, number[], (string | null)[]]>([
    [{ types: ["CITY"] }, [7, 5], ["CITY"]],
    [{ types: ["CITY", "COUNTY"], states: ["NJ"] }, [6, 5], ["CITY", "COUNTY"]],
    // These the service cannot be asked for.
    [{ types: ["COUNTRY"] }, [9], [null]],
    [{ types: ["PLACE", "CITY"] }, [7, 5, 4], [null]],
    [{ states: ["NJ"], region: "PACIFIC" }, [5], [null]],
  ])("%j", async (selection, ids, asked) => {
    const { select, requests } = await serve(items);
    expect(await select(selection)).toEqual(ids);
    expect(requests.map(({ query }) => query.get("location_type"))).toEqual(asked);
    const ignoring = await serve(items, { filters: false });
    expect(await ignoring.select(selection)).toEqual(ids);
  });
});
