import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import {
  createServiceClient,
  fetchAll,
  RequestRuleError,
  type ServiceClient,
  type ServiceItemOf,
} from "home-price-oracle/service";

const MARKET = 5_826_765n;

/** Months of the service, newest first, in pages of two. */
const MONTHS = ["2026-10-01", "2026-09-01", "2026-08-01"].map((date, index) => ({
  date,
  count_sales: 150 - index,
  pct_sales: 28.5,
}));

function answer({ url = "/", headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, "http://service");
  const isKnown = headers.authorization === "the-key" && pathname === `/v1/market_metrics/${MARKET}/all_cash`;
  const offset = Number(searchParams.get("offset") ?? 0);
  const items = MONTHS.slice(offset, offset + 2);
  const next = offset + 2 < MONTHS.length ? `${pathname}?offset=${offset + 2}` : null;
  response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify({ items, total: MONTHS.length, links: { next } }));
}

describe("a chart of sales paid in cash", () => {
  const server = createServer(answer);
  let client: ServiceClient;
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    client = createServiceClient({ apiUrl: `http://127.0.0.1:${port}`, apiKey: "the-key" });
  });
  after(() => server.close());

  it("has every month, of all pages", async () => {
    const months: ServiceItemOf<"market_metrics/all_cash">[] = await fetchAll(client, "market_metrics/all_cash", {
      svc_id: MARKET,
    });
    assert.deepEqual(
      months.map(({ count_sales }) => count_sales),
      [150, 149, 148],
    );
  });

  it("is told what is wrong with its question before it is sent", async () => {
    const request = { svc_id: MARKET, start_date: "2026-02-30" };
    await assert.rejects(fetchAll(client, "market_metrics/all_cash", request), (error) => {
      assert(error instanceof RequestRuleError);
      assert.deepEqual(
        error.problems.map(({ rule, at }) => [rule, at]),
        [["calendar-date", "start_date"]],
      );
      return true;
    });
  });
});
