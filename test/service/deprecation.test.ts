import { expect, test } from "vitest";
import { ENDPOINTS } from "../../relayer/service/endpoints/endpointTable.ts";
import { fetchAll } from "../../relayer/service/fetchItems.ts";
import { fetchPage } from "../../relayer/service/fetchPage.ts";
import type { ServiceLog } from "../../relayer/service/serviceLog.ts";
import { startServer, testClient } from "./priceServer.ts";

function recordingLog(): { readonly log: ServiceLog; readonly warnings: string[] } {
  const warnings: string[] = [];
  return { log: { debug: () => {}, info: () => {}, warn: (_, message) => void warnings.push(message) }, warnings };
}

test("an endpoint that the service wants used no more is still asked, with a warning that says what it says", async () => {
  const server = await startServer(() => ({ body: { items: [{ date: "2026-10-01", pct_volatility: 0.0052 }] } }));
  const { log, warnings } = recordingLog();
  const client = testClient(server.url, { log });
  const request = { svc_id: 5_826_765n };
  const { items } = await fetchPage(client, "price_feed/volatility", request);
  expect(items).toEqual([{ date: "2026-10-01", pct_volatility: 0.0052 }]);
  expect(await fetchAll(client, "price_feed/volatility", request)).toHaveLength(1);
  const { deprecated } = ENDPOINTS["price_feed/volatility"];
  expect(warnings).toEqual(Array(2).fill(`the service deprecates price_feed/volatility: ${deprecated}`));
});

test("of others nothing is said", async () => {
  const server = await startServer(() => ({ body: { items: [] } }));
  const { log, warnings } = recordingLog();
  await fetchPage(testClient(server.url, { log }), "price_feed/sales", { svc_id: 5_826_765n });
  expect(warnings).toEqual([]);
});
