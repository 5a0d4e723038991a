import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askBisecting } from "../../relayer/service/askBisecting.ts";
import { getLatestPrices } from "../../relayer/service/getLatestPrices.ts";
import {
  InvalidRequestError,
  type ServiceError,
  ServiceTimeoutError,
  ServiceUnavailableError,
  UnauthorizedError,
} from "../../relayer/service/serviceErrors.ts";
import { type Handler, latestAnswer, manyMarkets, rejectionOf, startServer, testClient } from "./priceServer.ts";

const FACTS = { method: "POST", path: "/v1/price_feed/latest", origin: "http://service" };
const invalid = () => new InvalidRequestError(FACTS, { status: 422, words: "" });
const unavailable = () => new ServiceUnavailableError(FACTS, { status: 500, words: "" });

/** Answers with an error as soon as one of the bad markets is asked for. */
function refusing(bad: readonly bigint[], status: number): Handler {
  const numbers = new Set(bad.map(Number));
  return ({ marketIds }) =>
    marketIds.some((id) => numbers.has(id))
      ? { status, body: { detail: "price must be positive" } }
      : latestAnswer(marketIds);
}

const ids = (list: readonly { marketId: bigint }[]) => list.map(({ marketId }) => marketId).sort();

describe.each([400, 422, 500])("bad markets that make a request fail with %i", (status) => {
  test.each([
    ["one", [617]],
    ["the first", [0]],
    ["the last", [999]],
    ["two neighbours", [499, 500]],
    ["first, middle and last", [0, 500, 999]],
    ["eight, spread evenly", [0, 125, 250, 375, 500, 625, 750, 875]],
    ["eight, spread anyhow", [3, 77, 151, 402, 404, 618, 800, 998]],
    ["ten", [50, 150, 250, 350, 450, 550, 650, 750, 850, 950]],
  ])("%s of 1,000 found, all others returned", async (_name, places) => {
    const marketIds = manyMarkets(1_000);
    const bad = places.map((place) => marketIds[place] ?? 0n);
    const server = await startServer(refusing(bad, status));
    const prices = await getLatestPrices(testClient(server.url, { minRetryDelayMs: 0 }), { marketIds, kind: "sales" });
    expect(ids(prices.rejected)).toEqual(bad);
    expect(ids(prices.received)).toEqual(marketIds.filter((id) => !bad.includes(id)));
    expect([prices.missing, prices.refused]).toEqual([[], []]);
    expect(prices.rejected[0]?.error).toMatchObject({
      status,
      message: expect.stringContaining("price must be positive"),
    });
    expect(prices.account?.creditsUsed).toBe(1_000 - bad.length);
    // Retries of 5xx included: four attempts at the whole, two at each part.
    expect(server.requests.length).toBeLessThanOrEqual(status === 500 ? 4 + 2 * 165 : 166);
  });
});

describe("small requests", () => {
  test("one market refused alone is rejected", async () => {
    const server = await startServer(refusing([7n], 422));
    const prices = await getLatestPrices(testClient(server.url), { marketIds: [7n], kind: "sales" });
    expect(prices.rejected).toMatchObject([{ marketId: 7n, error: { code: "API_INVALID_REQUEST" } }]);
    expect(server.requests).toHaveLength(1);
  });

  test("two markets, one bad", async () => {
    const server = await startServer(refusing([7n], 500));
    const prices = await getLatestPrices(testClient(server.url), { marketIds: [7n, 8n], kind: "sales" });
    expect(ids(prices.rejected)).toEqual([7n]);
    expect(ids(prices.received)).toEqual([8n]);
  });

  test("a few markets, each refused alone, are rejected each", async () => {
    const server = await startServer(refusing([1n, 2n, 3n], 422));
    const prices = await getLatestPrices(testClient(server.url), { marketIds: [1n, 2n, 3n], kind: "sales" });
    expect(ids(prices.rejected)).toEqual([1n, 2n, 3n]);
    expect(server.requests).toHaveLength(4);
  });

  test.each([1, 2, 5])("%i markets for which the service is down: thrown", async (count) => {
    const server = await startServer(() => ({ status: 503 }));
    const promise = getLatestPrices(testClient(server.url), { marketIds: manyMarkets(count), kind: "sales" });
    expect(await rejectionOf(promise)).toBeInstanceOf(ServiceUnavailableError);
    expect(server.requests).toHaveLength(4 + (count === 1 ? 0 : 2 * count));
  });
});

describe("when everything fails", () => {
  test.each([
    [500, "API_UNAVAILABLE", 4 + 5 * 2],
    [422, "API_INVALID_REQUEST", 1 + 5],
    [400, "API_INVALID_REQUEST", 1 + 5],
    [401, "API_UNAUTHORIZED", 1],
    [403, "API_FORBIDDEN", 1],
  ])("a %i is thrown after a few requests", async (status, code, requests) => {
    const server = await startServer(() => ({ status }));
    const promise = getLatestPrices(testClient(server.url), { marketIds: manyMarkets(2_500), kind: "sales" });
    expect(await rejectionOf(promise)).toMatchObject({ code, status });
    expect(server.requests).toHaveLength(requests);
  });

  test.each([
    ["Rate Limit Exceeded", "API_RATE_LIMITED", 4],
    ["Credits exhausted", "API_CREDITS_EXHAUSTED", 1],
  ])("a 429 %j is thrown, never split", async (error, code, requests) => {
    const server = await startServer(() => ({ status: 429, body: { error } }));
    const promise = getLatestPrices(testClient(server.url), { marketIds: manyMarkets(1_000), kind: "sales" });
    expect(await rejectionOf(promise)).toMatchObject({ code });
    expect(server.requests).toHaveLength(requests);
  });
});

describe("askBisecting", () => {
  test("finds any few bad markets of any list, within its budget", async () => {
    const scenario = fc
      .integer({ min: 1, max: 1_000 })
      .chain((count) => fc.tuple(fc.constant(count), fc.uniqueArray(fc.nat(count - 1), { maxLength: 8 })));
    await fc.assert(
      fc.asyncProperty(scenario, fc.boolean(), async ([count, places], serverError) => {
        fc.pre(places.length < count);
        const marketIds = manyMarkets(count);
        const bad = new Set(places.map((place) => marketIds[place]));
        // Five bad markets in exactly the places of the probes look like a service that is down.
        let requests = 0;
        const promise = askBisecting(marketIds, async (part) => {
          requests += 1;
          if (part.some((id) => bad.has(id))) throw serverError ? unavailable() : invalid();
          return part;
        });
        const outcome = await promise.catch((error: ServiceError) => error);
        expect(requests).toBeLessThanOrEqual(1 + 5 + 160);
        if (outcome instanceof Error) {
          expect(bad.size).toBeGreaterThanOrEqual(5);
          expect(requests).toBe(6);
          return;
        }
        expect(ids(outcome.rejected)).toEqual(marketIds.filter((id) => bad.has(id)));
        expect(outcome.answers.flat().sort()).toEqual(marketIds.filter((id) => !bad.has(id)));
      }),
      { numRuns: 300 },
    );
  });

  test("with too many bad markets stops, and loses no market", async () => {
    const marketIds = manyMarkets(1_000);
    let requests = 0;
    const { answers, rejected } = await askBisecting(marketIds, async (part) => {
      requests += 1;
      if (part.some((id) => id % 7n === 0n)) throw invalid();
      return part;
    });
    expect(requests).toBeLessThanOrEqual(1 + 5 + 160);
    expect([...answers.flat(), ...ids(rejected)].sort()).toEqual(marketIds);
    expect(ids(rejected)).toEqual(expect.arrayContaining(marketIds.filter((id) => id % 7n === 0n)));
  });

  test("notices a service that goes down in the middle", async () => {
    const marketIds = manyMarkets(1_000);
    let requests = 0;
    const { answers, rejected } = await askBisecting(marketIds, async (part) => {
      requests += 1;
      if (requests !== 2) throw unavailable();
      return part;
    });
    expect(requests).toBeLessThanOrEqual(2 + 24);
    expect(answers.flat()).toHaveLength(1);
    expect(rejected).toHaveLength(999);
  });

  test.each([new UnauthorizedError(FACTS, { status: 401, words: "" }), new ServiceTimeoutError(FACTS, 30)])(
    "$name in the middle rejects what was not answered",
    async (error) => {
      const marketIds = manyMarkets(100);
      let requests = 0;
      const { answers, rejected } = await askBisecting(marketIds, async (part) => {
        requests += 1;
        if (requests === 1) throw invalid();
        if (requests >= 4) throw error;
        return part;
      });
      expect(requests).toBe(4);
      expect(answers.flat().length + rejected.length).toBe(100);
      expect(rejected[0]?.error).toBe(error);
    },
  );

  test("an error that is not the service's is thrown as it is", async () => {
    const bug = new Error("a bug");
    const promise = askBisecting(manyMarkets(100), async (part) => {
      if (part.length === 100) throw invalid();
      if (part.length > 1) throw bug;
      return part;
    });
    expect(await rejectionOf(promise)).toBe(bug);
  });

  test("an error that passes by itself leaves nobody rejected", async () => {
    const marketIds = manyMarkets(50);
    let requests = 0;
    const { answers, rejected } = await askBisecting(marketIds, async (part) => {
      requests += 1;
      if (requests === 1) throw unavailable();
      return part;
    });
    expect(rejected).toEqual([]);
    expect(answers.flat().sort()).toEqual(marketIds);
  });
});
