import { describe, expect, test } from "vitest";
import { createCreditBudget } from "../../relayer/service/creditBudget.ts";
import { fetchAll, fetchItems } from "../../relayer/service/fetchItems.ts";
import { fetchPage } from "../../relayer/service/fetchPage.ts";
import { IncompleteResultError } from "../../relayer/service/incompleteResultError.ts";
import { rejectionOf, type SeenRequest, startServer, testClient } from "./priceServer.ts";

const NAME = "market_metrics/all_cash/bulk";
const ids = (count: number, first = 1) => Array.from({ length: count }, (_, index) => BigInt(first + index));
const rowsOf = (marketIds: readonly number[]) =>
  marketIds.map((svc_id) => ({ svc_id, date: "2026-10-01", count_sales: 3 }));
const account = { est_credits_used: 0, est_remaining_credits: 9 };

/** Answers with one row for each market, in pages as the service links them. */
function pages(request: SeenRequest, origin: string) {
  const limit = Number(request.query.get("limit"));
  const offset = Number(request.query.get("offset") ?? 0);
  const rows = rowsOf(request.marketIds);
  const next = new URLSearchParams({ limit: String(limit), offset: String(offset + limit) });
  return {
    items: rows.slice(offset, offset + limit),
    total: rows.length,
    limit,
    offset,
    links: { next: offset + limit < rows.length ? `${origin}${request.path}?${next}` : null },
    account,
  };
}

describe("more ids than one request takes", () => {
  test("come back as one stream from as many requests as it takes, each id asked for once", async () => {
    const server = await startServer((request) => ({ body: pages(request, server.url) }));
    const svc_ids = [...ids(2_500), 1n, 2n];
    const rows = await fetchAll(testClient(server.url), NAME, { svc_ids });
    expect(rows.map(({ svc_id }) => svc_id)).toEqual(ids(2_500));
    expect(server.requests.map(({ marketIds }) => marketIds.length)).toEqual([1000, 1000, 500]);
  });

  test("a failure on the way says what was received, and hands out nothing more", async () => {
    const server = await startServer((request, _response, number) =>
      number === 2 ? { status: 422, body: { detail: "no" } } : { body: pages(request, server.url) },
    );
    const rows: bigint[] = [];
    const error = await rejectionOf(
      (async () => {
        for await (const row of fetchItems(testClient(server.url), NAME, { svc_ids: ids(2_500) }))
          rows.push(row.svc_id);
      })(),
    );
    expect(rows).toEqual(ids(1000));
    expect(error).toBeInstanceOf(IncompleteResultError);
    expect((error as Error).message).toMatch(
      /after 1000 records from 1 requests, complete for 1000 of 2500 ids: .*422: no/,
    );
    expect((error as IncompleteResultError).partial).toEqual({
      received: 1000,
      answeredRequests: 1,
      answeredIds: ids(1000),
      unansweredIds: ids(1500, 1001),
    });
    expect(server.requests).toHaveLength(2);
  });

  test("the failure of the first request is the failure", async () => {
    const server = await startServer(() => ({ status: 401 }));
    const error = await rejectionOf(fetchAll(testClient(server.url), NAME, { svc_ids: ids(2_500) }));
    expect(error).toMatchObject({ code: "API_UNAUTHORIZED" });
  });

  test("cannot be combined with an offset", async () => {
    const server = await startServer(() => ({ body: {} }));
    const error = await rejectionOf(fetchAll(testClient(server.url), NAME, { svc_ids: ids(1001), offset: 5 }));
    expect(error).toMatchObject({
      code: "REQUEST_RULE_BROKEN",
      problems: [{ rule: "no-offset-over-parts", value: 5 }],
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe("pages", () => {
  test("are followed by the service's links, body and all", async () => {
    const server = await startServer((request) => ({ body: pages(request, server.url) }));
    const rows = await fetchAll(testClient(server.url), NAME, { svc_ids: ids(5), limit: 2 });
    expect(rows).toHaveLength(5);
    expect(server.requests.map(({ query, marketIds }) => [query.get("offset"), marketIds.length])).toEqual([
      [null, 5],
      ["2", 5],
      ["4", 5],
    ]);
  });

  test("never lead the key to another place", async () => {
    const other = await startServer(() => ({ body: { items: [] } }));
    const links = { next: `${other.url}/v1/market_metrics/all_cash?offset=1` };
    const server = await startServer((_request, _response, number) => ({
      body: { items: rowsOf([1]), ...(number === 1 && { links }) },
    }));
    await fetchAll(testClient(server.url), NAME, { svc_ids: ids(1) });
    expect(server.requests).toHaveLength(2);
    expect(other.requests).toHaveLength(0);
  });

  test("at another path are refused", async () => {
    const server = await startServer((request) => ({
      body: { items: rowsOf(request.marketIds), links: { next: `${server.url}/v1/elsewhere?offset=1` } },
    }));
    const error = await rejectionOf(fetchAll(testClient(server.url), NAME, { svc_ids: ids(1) }));
    expect(error).toMatchObject({ code: "API_UNEXPECTED_RESPONSE" });
  });

  test("that lead in a circle end in an error", async () => {
    const server = await startServer((request) => ({
      body: { items: rowsOf(request.marketIds), links: { next: `${server.url}${request.path}?offset=1&limit=1` } },
    }));
    const error = await rejectionOf(fetchAll(testClient(server.url), NAME, { svc_ids: ids(1) }));
    expect(error).toMatchObject({ code: "INCOMPLETE_RESULT", cause: { code: "API_UNENDING_PAGES" } });
  });

  test.each([
    ["a last page that is short", (rows: unknown[]) => ({ items: rows.slice(1), links: { next: null } })],
    ["nothing found behind a page that promised more", () => undefined],
  ])("fewer records than announced are an error: %s", async (_name, second) => {
    const server = await startServer((request, _response, number) => {
      const whole = pages(request, server.url);
      if (number === 1) return { body: whole };
      const body = second(whole.items);
      return body ? { body: { ...whole, ...body } } : { status: 404, body: { detail: "nothing" } };
    });
    const error = await rejectionOf(fetchAll(testClient(server.url), NAME, { svc_ids: ids(4), limit: 2 }));
    expect(error).toMatchObject({ code: "INCOMPLETE_RESULT", cause: { code: "API_MISSING_RECORDS" } });
  });

  test("without a word about more are asked for until one is not full", async () => {
    const server = await startServer((request) => {
      const offset = Number(request.query.get("offset") ?? 0);
      const all = ids(5).map((id) => ({ svc_property_id: Number(id) }));
      const items = all.slice(offset, offset + Number(request.query.get("limit")));
      return items.length === 0 ? { status: 404 } : { body: { items, account } };
    });
    const request = { svc_id: 1n, property_type: "ALL_PROPERTIES", limit: 2 } as const;
    expect(await fetchAll(testClient(server.url), "property/search", request)).toHaveLength(5);
    expect(server.requests.map(({ query }) => query.get("offset"))).toEqual([null, "2", "4"]);
  });

  test("are no larger than what the caller still wants", async () => {
    const server = await startServer((request) => ({ body: pages(request, server.url) }));
    const rows = await fetchAll(testClient(server.url), NAME, { svc_ids: ids(9) }, { maxItems: 4 });
    expect(rows).toHaveLength(4);
    expect(server.requests.map(({ query }) => query.get("limit"))).toEqual(["4"]);
  });
});

describe("a budget of credits", () => {
  test("of ten stops the eleventh credit's call before it is sent", async () => {
    const server = await startServer((request) => ({
      body: { items: rowsOf(request.marketIds), account: { est_credits_used: 1, est_remaining_credits: 100 } },
    }));
    const client = testClient(server.url, { budget: createCreditBudget({ perRun: 10 }) });
    const call = () => fetchPage(client, NAME, { svc_ids: [1n], start_date: "2026-10-01", end_date: "2026-10-31" });
    for (let credit = 1; credit <= 10; credit += 1) await call();
    const error = await rejectionOf(call());
    expect(error).toMatchObject({ code: "CREDIT_BUDGET", budget: 10, used: 10, needed: 1 });
    expect(server.requests).toHaveLength(10);
    expect(client.creditUse()).toEqual({ used: 10, remaining: 100 });
  });

  test("counts what the answer says, not what a request might have cost", async () => {
    const server = await startServer(() => ({ body: { items: [], account: { est_credits_used: 2 } } }));
    const client = testClient(server.url, { budget: createCreditBudget({ perRun: 10 }) });
    const call = () => fetchPage(client, NAME, { svc_ids: ids(6), limit: 6 });
    for (let number = 1; number <= 3; number += 1) await call();
    expect(await rejectionOf(call())).toMatchObject({ code: "CREDIT_BUDGET", used: 6, needed: 6 });
  });

  test("is not touched by what the service refuses", async () => {
    const server = await startServer(() => ({ status: 429, body: { error: "Credit limit exceeded" } }));
    const client = testClient(server.url, { budget: createCreditBudget({ perRun: 5 }) });
    for (let number = 1; number <= 3; number += 1) {
      const error = await rejectionOf(fetchPage(client, NAME, { svc_ids: ids(5), limit: 5 }));
      expect(error).toMatchObject({ code: "API_CREDITS_EXHAUSTED" });
    }
    expect(server.requests).toHaveLength(3);
  });

  test("keeps what a request may have cost whose answer broke off", async () => {
    const server = await startServer(() => ({ body: '{"items": [' }));
    const client = testClient(server.url, { budget: createCreditBudget({ perRun: 9 }), retries: 0 });
    const call = () => fetchPage(client, NAME, { svc_ids: ids(5), limit: 5 });
    expect(await rejectionOf(call())).toMatchObject({ code: "API_UNEXPECTED_RESPONSE" });
    expect(await rejectionOf(call())).toMatchObject({ code: "CREDIT_BUDGET", used: 5, needed: 5 });
  });

  test("of a month is shared by all who write to one ledger", async () => {
    const server = await startServer(() => ({ body: { items: [], account: { est_credits_used: 4 } } }));
    const months = new Map<string, number>();
    const ledger = {
      usedIn: async (month: string) => months.get(month) ?? 0,
      add: async (month: string, credits: number) => void months.set(month, (months.get(month) ?? 0) + credits),
    };
    let nowMs = Date.UTC(2026, 10, 30);
    const client = () =>
      testClient(server.url, { budget: createCreditBudget({ perMonth: 6, ledger, nowMs: () => nowMs }) });
    await fetchPage(client(), NAME, { svc_ids: ids(4), limit: 4 });
    const error = await rejectionOf(fetchPage(client(), NAME, { svc_ids: ids(4), limit: 4 }));
    expect(error).toMatchObject({ code: "CREDIT_BUDGET", budget: 6, used: 4 });
    expect(months).toEqual(new Map([["2026-11", 4]]));
    nowMs = Date.UTC(2026, 11, 1);
    await fetchPage(client(), NAME, { svc_ids: ids(4), limit: 4 });
    expect(months.get("2026-12")).toBe(4);
  });
});
