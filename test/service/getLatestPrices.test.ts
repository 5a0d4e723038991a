import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { getLatestPrices, type LatestPrices } from "../../relayer/service/getLatestPrices.ts";
import type { ServiceClientOptions } from "../../relayer/service/serviceClient.ts";
import { CreditsExhaustedError, UnexpectedResponseError } from "../../relayer/service/serviceErrors.ts";
import { API_KEY, latestAnswer, manyMarkets, priceItem, rejectionOf, startServer, testClient } from "./priceServer.ts";

/** The prices read from one answer to one request. */
async function read(
  answer: unknown,
  marketIds: readonly bigint[] = [5826765n],
  options: Partial<ServiceClientOptions> = {},
): Promise<LatestPrices> {
  const server = await startServer(() => ({ body: answer }));
  return getLatestPrices(testClient(server.url, options), { marketIds, kind: "sales" });
}

describe("requests", () => {
  test("sales and rental go to endpoints of their own, with exact ids", async () => {
    const server = await startServer(({ marketIds }) => latestAnswer(marketIds));
    const client = testClient(server.url);
    const sales = await getLatestPrices(client, { marketIds: [5826765n, 9007199254740993n], kind: "sales" });
    const rental = await getLatestPrices(client, { marketIds: [5826765n], kind: "rental" });
    expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/v1/price_feed/latest", '{"svc_ids":[5826765,9007199254740993]}'],
      ["POST", "/v1/price_feed_rentals/latest", '{"svc_ids":[5826765]}'],
    ]);
    expect(server.requests.every(({ headers }) => headers.authorization === API_KEY)).toBe(true);
    expect(sales.received[0]).toMatchObject({ marketId: 5826765n, kind: "sales" });
    expect(rental.received[0]).toMatchObject({ marketId: 5826765n, kind: "rental" });
  });

  test("2,500 markets are three requests, whose credits are summed", async () => {
    const server = await startServer(({ marketIds }, _response, number) => ({
      body: {
        items: marketIds.map((id) => priceItem(id)),
        account: { est_credits_used: marketIds.length, est_remaining_credits: 10_000 - number },
      },
    }));
    const marketIds = manyMarkets(2_500);
    const prices = await getLatestPrices(testClient(server.url), { marketIds, kind: "sales" });
    expect(server.requests.map((request) => request.marketIds.length)).toEqual([1_000, 1_000, 500]);
    expect(prices.received.map(({ marketId }) => marketId)).toEqual(marketIds);
    expect(prices.account).toEqual({ creditsUsed: 2_500, creditsRemaining: 9_997 });
  });

  test("a market is asked for once", async () => {
    const server = await startServer(({ marketIds }) => latestAnswer(marketIds));
    const marketIds = [...manyMarkets(1_000), ...manyMarkets(1_000)];
    const prices = await getLatestPrices(testClient(server.url), { marketIds, kind: "sales" });
    expect(server.requests).toHaveLength(1);
    expect(prices.received).toHaveLength(1_000);
  });

  test("no markets are no request", async () => {
    const server = await startServer(() => latestAnswer([]));
    expect(await getLatestPrices(testClient(server.url), { marketIds: [], kind: "sales" })).toEqual({
      received: [],
      refused: [],
      missing: [],
      rejected: [],
      account: undefined,
    });
    expect(server.requests).toHaveLength(0);
  });

  test("the prefix of identifiers is configuration", async () => {
    const { svc_id: _, ...item } = priceItem(7);
    const server = await startServer(() => ({ body: { items: [{ ...item, acme_id: 7 }] } }));
    const client = testClient(server.url, { idPrefix: "acme" });
    const prices = await getLatestPrices(client, { marketIds: [7n], kind: "sales" });
    expect(server.requests[0]?.body).toBe('{"acme_ids":[7]}');
    expect(prices.received.map(({ marketId }) => marketId)).toEqual([7n]);
  });

  test("the caller's signal ends the run", async () => {
    const controller = new AbortController();
    const server = await startServer(({ marketIds }, _response, number) => {
      if (number === 2) controller.abort();
      return latestAnswer(marketIds);
    });
    const { signal } = controller;
    const promise = getLatestPrices(testClient(server.url), { marketIds: manyMarkets(2_500), kind: "sales", signal });
    expect(await rejectionOf(promise)).toMatchObject({ name: "AbortError" });
    expect(server.requests).toHaveLength(2);
  });
});

describe("an item", () => {
  test("becomes a received price", async () => {
    const { received, refused, missing, rejected } = await read({ items: [priceItem(5826765)] });
    expect(received).toEqual([
      {
        marketId: 5826765n,
        kind: "sales",
        date: "2026-03-02",
        price: { mantissa: 21694n, exponent: -2 },
        publishTimeMs: 1_772_454_600_000n,
        expiryMs: 1_772_544_600_000n,
        signature: new Uint8Array(64).fill(0xab),
        publicKey: new Uint8Array(32).fill(0xcd),
        message: new Uint8Array(74).fill(0xef),
      },
    ]);
    expect([refused, missing, rejected]).toEqual([[], [], []]);
  });

  test("may carry fields that nobody knows", async () => {
    const { received, refused } = await read({
      items: [priceItem(5826765, { signed_by: "key-2", proof: { path: [1, 2] } })],
      links: { next: null },
      property_type: "ALL_PROPERTIES",
    });
    expect(received).toHaveLength(1);
    expect(refused).toEqual([]);
  });

  test("may leave out all but market and signature; null counts as left out", async () => {
    const bare = { svc_id: "5826765", signature: "ab".repeat(64) };
    const nulls = { date: null, price: null, publish_timestamp: null, expiry: null, public_key: null, message: null };
    const expected = { marketId: 5826765n, kind: "sales", signature: new Uint8Array(64).fill(0xab) };
    expect((await read({ items: [bare] })).received).toEqual([expected]);
    expect((await read({ items: [{ ...bare, ...nulls }] })).received).toEqual([expected]);
  });

  test.each([
    ["216.94", 21694n, -2],
    ['"216.940"', 216940n, -3],
    ["12345678901.12345678", 1234567890112345678n, -8],
    ['"12345678901.12345678"', 1234567890112345678n, -8],
    ["1.474", 1474n, -3],
    ["0", 0n, 0],
    ["-1", -1n, 0],
    ["1e-7", 1n, -7],
    ["12345678901234567890123", 12345678901234567890123n, 0],
  ])("with price %s is read exactly", async (literal, mantissa, exponent) => {
    const item = JSON.stringify(priceItem(5826765, { price: "PRICE" })).replace('"PRICE"', literal);
    const { received } = await read(`{"items":[${item}]}`);
    expect(received[0]?.price).toEqual({ mantissa, exponent });
  });

  test("may have nested fields, other names, and times in seconds", async () => {
    const responseFields = {
      items: "data.prices",
      account: "meta.account",
      marketId: "market.id",
      date: "value.day",
      price: "value.usd",
      publishTime: "times.published",
      publishTimeUnit: "s",
      expiry: "times.expires",
      expiryUnit: "s",
      signature: "signed.signature",
      publicKey: "signed.key",
      message: "signed.message",
    } as const;
    const item = {
      market: { id: 5826765 },
      value: { day: "2026-03-02", usd: "216.94" },
      times: { published: 1_772_454_600, expires: "1772544600" },
      signed: {
        signature: "ab".repeat(64),
        key: `0x${"cd".repeat(32)}`,
        message: Buffer.alloc(74, 0xef).toString("base64"),
      },
    };
    const answer = { data: { prices: [item] }, meta: { account: { est_credits_used: 1 } } };
    const nested = await read(answer, [5826765n], { responseFields });
    const flat = await read({ items: [priceItem(5826765)] });
    expect(nested.received).toEqual(flat.received);
    expect(nested.account?.creditsUsed).toBe(1);
  });

  test.each([73, 75])("with a message of %i bytes reaches the checks at its real length", async (length) => {
    const { received } = await read({ items: [priceItem(5826765, { message: "ef".repeat(length) })] });
    expect(received[0]?.message?.length).toBe(length);
  });

  test.each([
    [{ signature: undefined }, "the item has no signature"],
    [{ signature: null }, "the item has no signature"],
    [{ signature: "" }, 'signature is "", not 64 bytes in hex'],
    [{ signature: "zz".repeat(64) }, "(128 characters), not 64 bytes in hex, 0x-hex, base64 or base64url"],
    [{ signature: "ab".repeat(63) }, "(126 characters), not 64 bytes"],
    [{ signature: 12 }, "signature is 12, not text"],
    [{ signature: { r: "", s: "" } }, "signature is an object, not text"],
    [{ public_key: "cd".repeat(31) }, "not 32 bytes"],
    [{ message: "0xef0" }, 'message is "0xef0", not 74 bytes'],
    [{ message: [1, 2] }, "message is an array, not text"],
    [{ date: 20260302 }, "date is 20260302, not text"],
    [{ price: "about 200" }, 'price is "about 200", not a decimal number'],
    [{ price: "" }, "not a decimal number"],
    [{ price: true }, "price is true, not a decimal number"],
    [{ price: "9".repeat(200_000) }, "(200000 characters), not a decimal number"],
    [{ publish_timestamp: "2026-03-02T12:30:00Z" }, "not a whole number of ms since 1970"],
    [{ publish_timestamp: 1.5 }, "publish_timestamp is 1.5, not a whole number"],
    [{ expiry: -1 }, "expiry is -1, not a whole number"],
    [{ expiry: "9".repeat(200_000) }, "not a whole number"],
  ])("with %j is refused, the others are not", async (changes, words) => {
    const items = [priceItem(1), priceItem(2, changes), priceItem(3)];
    const { received, refused, missing } = await read({ items }, [1n, 2n, 3n]);
    expect(received.map(({ marketId }) => marketId)).toEqual([1n, 3n]);
    expect(refused).toMatchObject([{ marketId: 2n, refusal: { code: "MalformedItem" } }]);
    expect(refused[0]?.refusal.message).toContain(words);
    expect(refused[0]?.refusal.message.length).toBeLessThan(400);
    expect(missing).toEqual([]);
  });

  test("that echoes the key is refused without it", async () => {
    const { refused } = await read({ items: [priceItem(5826765, { price: API_KEY })] });
    expect(refused[0]?.refusal.message).toContain("[API key]");
    expect(inspect(refused)).not.toContain(API_KEY);
  });

  test.each([
    {},
    null,
    7,
    "x",
    { svc_id: "5826765n" },
    { svc_id: 5826765.5 },
    { svc_id: -5826765 },
    { svc_id: [5826765] },
  ])("%j names no market: refused, and the market is missing", async (item) => {
    const { received, refused, missing } = await read({ items: [item] });
    expect(received).toEqual([]);
    expect(refused).toMatchObject([{ marketId: undefined, refusal: { code: "MalformedItem" } }]);
    expect(refused[0]?.refusal.message).toContain("svc_id");
    expect(missing).toEqual([5826765n]);
  });

  test("of a market that was not asked for is refused", async () => {
    const { refused, missing } = await read({ items: [priceItem(2_005_826_765)] });
    expect(refused).toMatchObject([{ marketId: 2_005_826_765n, refusal: { code: "WrongFeed" } }]);
    expect(missing).toEqual([5826765n]);
  });

  test("that comes twice counts once; with different contents neither counts", async () => {
    const same = await read({ items: [priceItem(1), priceItem(1), priceItem(2)] }, [1n, 2n]);
    expect(same.received.map(({ marketId }) => marketId)).toEqual([1n, 2n]);
    expect(same.refused).toEqual([]);
    for (const changes of [{ price: 217 }, { signature: "00".repeat(64) }, { signature: "zz" }]) {
      const items = [priceItem(1), priceItem(1, changes), priceItem(1), priceItem(2)];
      const { received, refused, missing } = await read({ items }, [1n, 2n]);
      expect(received.map(({ marketId }) => marketId)).toEqual([2n]);
      expect(refused).toMatchObject([{ marketId: 1n, refusal: { code: "MalformedItem" } }]);
      expect(refused[0]?.refusal.message).toContain("more than once");
      expect(missing).toEqual([]);
    }
  });
});

describe("an answer", () => {
  test("that lacks markets leaves them missing", async () => {
    const { received, missing } = await read({ items: [priceItem(2)] }, [1n, 2n, 3n]);
    expect(received.map(({ marketId }) => marketId)).toEqual([2n]);
    expect(missing).toEqual([1n, 3n]);
  });

  test("of 404 means that all of its markets are missing, and those of no other request", async () => {
    const server = await startServer(({ marketIds }, _response, number) =>
      number === 1 ? { status: 404, body: { detail: "Not Found" } } : latestAnswer(marketIds),
    );
    const marketIds = manyMarkets(1_200);
    const { received, missing } = await getLatestPrices(testClient(server.url), { marketIds, kind: "sales" });
    expect(missing).toEqual(marketIds.slice(0, 1_000));
    expect(received).toHaveLength(200);
  });

  test.each([{}, [], { items: {} }, { items: null }, { item: [] }, "text", 7, null])(
    "%j without a list of items is not what was promised",
    async (answer) => {
      const error = await rejectionOf(read(JSON.stringify(answer)));
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect((error as Error).message).toContain("without a list in items");
    },
  );

  test("with very many foreign items is still read", async () => {
    const { refused } = await read(`{"items":[${Array(130_000).fill("0").join(",")}]}`);
    expect(refused).toHaveLength(130_000);
  });
});

describe("a later request that fails", () => {
  test("does not lose what was answered before", async () => {
    const server = await startServer(({ marketIds }, _response, number) =>
      number === 1 ? latestAnswer(marketIds) : { status: 429, body: { error: "Not enough credits" } },
    );
    const marketIds = manyMarkets(2_500);
    const prices = await getLatestPrices(testClient(server.url), { marketIds, kind: "sales" });
    expect(prices.received).toHaveLength(1_000);
    expect(prices.rejected.map(({ marketId }) => marketId)).toEqual(marketIds.slice(1_000));
    expect(prices.rejected[0]?.error).toBeInstanceOf(CreditsExhaustedError);
    expect(server.requests).toHaveLength(2);
  });
});

test("latest prices, too, are asked for in the spelling of public clients", async () => {
  const server = await startServer(() => ({ status: 404, body: { detail: "nothing" } }));
  const client = testClient(server.url, { requestSpelling: "public-clients" });
  await getLatestPrices(client, { marketIds: [5_826_765n], kind: "sales" });
  expect(server.requests[0]?.body).toBe('{"svc_id":["5826765"]}');
});
