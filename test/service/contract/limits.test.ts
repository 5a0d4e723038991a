import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCreditBudget } from "../../../relayer/service/creditBudget.ts";
import { fetchAll, fetchItems } from "../../../relayer/service/fetchItems.ts";
import { fetchPage } from "../../../relayer/service/fetchPage.ts";
import { IncompleteResultError } from "../../../relayer/service/incompleteResultError.ts";
import { parseFault } from "../../../simulator/faults.ts";
import { namedMarket } from "../../../simulator/marketTable.ts";
import type { PriceService } from "../../../simulator/priceService.ts";
import { rejectionOf } from "../priceServer.ts";
import { clientOf, startContractService } from "./contractService.ts";
import { CHICAGO, USA } from "./examples.ts";

const STOCK = "market_metrics/housing_stock/bulk";
const STOCK_PATH = "/v1/market_metrics/housing_stock";
const SEARCH_PATH = "/v1/search/markets";

/** As many markets as make three requests. */
const MANY = Array.from({ length: 2_500 }, (_, index) => BigInt(index + 1));
const MONTH = { start_date: "2025-03-01", end_date: "2025-03-31" };

let service: PriceService;
afterEach(() => service.close());

describe("bulk metrics of 2,500 markets", () => {
  beforeEach(async () => {
    const markets = new Map(MANY.map((marketId) => [marketId, namedMarket(marketId, `Market ${marketId}`)]));
    service = await startContractService({ markets });
  });

  test("are one stream from three requests, each market once, by id within each of them", async () => {
    const pages: number[] = [];
    const request = { svc_ids: MANY, ...MONTH };
    const onPage = ({ items }: { readonly items: readonly unknown[] }) => pages.push(items.length);
    const rows = await fetchAll(clientOf(service), STOCK, request, { onPage });
    expect(pages).toEqual([1000, 1000, 500]);
    expect(service.requests[STOCK_PATH]).toBe(3);
    expect(rows.map(({ svc_id }) => svc_id)).toEqual([
      ...MANY.slice(0, 1000).reverse(),
      ...MANY.slice(1000, 2000).reverse(),
      ...MANY.slice(2000).reverse(),
    ]);
    expect(new Set(rows.map(({ date }) => date))).toEqual(new Set(["2025-03-01"]));
  });

  test("say what was received when the second request fails, and are never passed off as complete", async () => {
    const received: bigint[] = [];
    const onPage = () => service.setFaults([parseFault(`server-error@${STOCK_PATH}`)]);
    const stream = async () => {
      const client = clientOf(service, { retries: 2, minRetryDelayMs: 1, maxRetryDelayMs: 2 });
      for await (const row of fetchItems(client, STOCK, { svc_ids: MANY, ...MONTH }, { onPage })) {
        received.push(row.svc_id);
      }
    };
    const error = await rejectionOf(stream());
    expect(error).toBeInstanceOf(IncompleteResultError);
    expect((error as Error).message).toMatch(
      /after 1000 records from 1 requests, complete for 1000 of 2500 ids: .*500/,
    );
    expect((error as IncompleteResultError).partial).toEqual({
      received: 1000,
      answeredRequests: 1,
      answeredIds: MANY.slice(0, 1000),
      unansweredIds: MANY.slice(1000),
    });
    expect(received).toEqual(MANY.slice(0, 1000).reverse());
    // The first, and three attempts at the second.
    expect(service.requests[STOCK_PATH]).toBe(4);
  });

  test("survive a failure that passes", async () => {
    const client = clientOf(service, { retries: 2, minRetryDelayMs: 1, maxRetryDelayMs: 2 });
    const faults = [parseFault(`server-error@${STOCK_PATH}*2`)];
    const onPage = () => service.setFaults(faults.splice(0));
    const rows = await fetchAll(client, STOCK, { svc_ids: MANY, ...MONTH }, { onPage });
    expect(rows).toHaveLength(2_500);
    expect(service.requests[STOCK_PATH]).toBe(5);
  });

  test("end with what was received when credits run out on the way", async () => {
    service.setCredits(1_999);
    const error = await rejectionOf(fetchAll(clientOf(service), STOCK, { svc_ids: MANY, ...MONTH }));
    expect(error).toMatchObject({ code: "INCOMPLETE_RESULT", cause: { code: "API_CREDITS_EXHAUSTED" } });
    expect((error as IncompleteResultError).partial).toMatchObject({ received: 1000, answeredRequests: 1 });
    expect(service.state().credits.remaining).toBe(999);
  });
});

describe("credits", () => {
  beforeEach(async () => {
    service = await startContractService();
  });

  const days = (count: number) => ({ svc_id: USA, start_date: `2024-06-${30 - count}`, end_date: "2024-06-29" });

  test("of the free plan come back with the next cycle; those of the paid one roll over", async () => {
    const CYCLE_MS = 30n * 86_400_000n;
    for (const [name, left] of [
      ["free", 1_000 - 1],
      ["paid", 2_000_000 - 3 - 1],
    ] as const) {
      service.setClock({ offsetMs: 0n });
      service.setPlan({ name });
      await fetchPage(clientOf(service), "price_feed/sales", days(3));
      service.setClock({ offsetMs: CYCLE_MS });
      const { account } = await fetchPage(clientOf(service), "price_feed/sales", days(1));
      expect([name, account]).toEqual([name, { creditsUsed: 1, creditsRemaining: left }]);
    }
  });

  test("within a budget of ten: the call for the eleventh is not sent", async () => {
    const client = clientOf(service, { budget: createCreditBudget({ perRun: 10 }) });
    const before = service.state().credits.remaining;
    for (let day = 1; day <= 10; day += 1) await fetchPage(client, "price_feed/sales", days(1));
    expect(await rejectionOf(fetchPage(client, "price_feed/sales", days(1)))).toMatchObject({
      code: "CREDIT_BUDGET",
      budget: 10,
      used: 10,
      needed: 1,
    });
    expect(service.requests["/v1/price_feed/{svc_id}/price_feed"]).toBe(10);
    expect(service.state().credits.remaining).toBe(before - 10);
    // What is free may still be asked for.
    expect((await fetchPage(client, "search/markets", { query: "chicago" })).items.length).toBeGreaterThan(0);
    expect(client.creditUse()).toMatchObject({ used: 10 });
  });
});

describe("the free plan's search throttle", () => {
  beforeEach(async () => {
    service = await startContractService();
  });

  test("is a rate limit, of searches alone, for a minute", async () => {
    service.setPlan({ name: "free", searchesPerMinute: 2, sendsRetryAfter: true });
    const client = clientOf(service);
    const search = () => fetchPage(client, "search/markets", { query: "chicago" });
    await search();
    await fetchPage(client, "property/search_markets", { query: "chicago" });
    expect(await rejectionOf(search())).toMatchObject({
      code: "API_RATE_LIMITED",
      retryable: true,
      retryAfterMs: 60_000,
    });
    const request = { svc_id: CHICAGO, property_type: "CONDO", limit: 1 } as const;
    expect((await fetchPage(client, "property/search", request)).items).toHaveLength(1);
    service.setClock({ offsetMs: 60_000n });
    expect((await search()).items.length).toBeGreaterThan(0);
    expect(service.requests[SEARCH_PATH]).toBe(3);
  });

  test("does not concern those who pay", async () => {
    service.setPlan({ name: "paid" });
    for (let number = 1; number <= 31; number += 1) {
      await fetchPage(clientOf(service), "search/markets", { svc_id: CHICAGO });
    }
    expect(service.requests[SEARCH_PATH]).toBe(31);
  });
});
