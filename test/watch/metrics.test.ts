import { describe, expect, it } from "vitest";
import { CONDITION_KINDS } from "../../relayer/watch/condition.ts";
import { startHealthServer } from "../../relayer/watch/healthServer.ts";
import { createMetrics, type MetricsOptions } from "../../relayer/watch/metrics.ts";
import { readScrape } from "./promql/series.ts";
import { collectionReport, deliveryReport, endpointAt, feedAt, START_MS, TestClock, transactionOf } from "./reports.ts";

function start(options: Partial<MetricsOptions> = {}) {
  const clock = new TestClock();
  const chains = [{ name: "base", dailyBudgetWei: 4n * 10n ** 15n }, { name: "mainnet" }];
  const metrics = createMetrics({ version: "1.2.3", chains, nowMs: clock.nowMs, ofProcess: false, ...options });
  /** Values by name and labels, as in the text of a scrape. */
  const scrape = async () => {
    const samples = readScrape(await metrics.registry.metrics(), {});
    const text = ({ __name__: name, ...labels }: Readonly<Record<string, string>>) =>
      `${name}{${Object.entries(labels)
        .map(([label, value]) => `${label}=${value}`)
        .join()}}`;
    return new Map(samples.map(({ labels, value }) => [text(labels), value]));
  };
  return { clock, metrics, scrape };
}

describe("feeds", () => {
  it("are all current only once every chain has said so", async () => {
    const { metrics, scrape } = start();
    expect([metrics.allCurrent(), (await scrape()).get("homeprice_all_feeds_current{}")]).toEqual([undefined, 0]);
    metrics.recordDelivery(deliveryReport("base"));
    expect([metrics.allCurrent(), (await scrape()).get("homeprice_all_feeds_current{}")]).toEqual([undefined, 0]);
    metrics.recordDelivery(deliveryReport("mainnet"));
    expect([metrics.allCurrent(), (await scrape()).get("homeprice_all_feeds_current{}")]).toEqual([true, 1]);
    metrics.recordDelivery(deliveryReport("base", { feeds: [feedAt(1n), feedAt(2n, { status: "planned" })] }));
    const values = await scrape();
    expect([metrics.allCurrent(), values.get("homeprice_all_feeds_current{}")]).toEqual([false, 0]);
    expect(values.get("homeprice_chain_feeds_current{chain=base}")).toBe(0);
    expect(values.get("homeprice_chain_feeds_current{chain=mainnet}")).toBe(1);
    expect(values.get("homeprice_feeds{chain=base,status=planned}")).toBe(1);
    expect(values.get("homeprice_feeds{chain=base,status=failed}")).toBe(0);
  });

  it("are behind since the first look that found them so", () => {
    const { metrics, clock } = start();
    const behind = deliveryReport("base", { feeds: [feedAt(1n, { status: "sent" })] });
    metrics.recordDelivery(behind);
    clock.advance(60_000n);
    metrics.recordDelivery(behind);
    expect(metrics.chainsBehind()).toEqual([{ chain: "base", sinceMs: START_MS }]);
    metrics.recordDelivery(deliveryReport("base"));
    expect(metrics.chainsBehind()).toEqual([]);
  });

  it("have ages that grow between looks, and expiries that do not", async () => {
    const { metrics, clock, scrape } = start();
    metrics.recordDelivery(deliveryReport("base"));
    clock.advance(3_600_000n);
    const values = await scrape();
    expect(values.get("homeprice_price_age_seconds{chain=base,feed_id=2005826765,kind=rental}")).toBe(3_660);
    expect(values.get("homeprice_oldest_price_age_seconds{chain=base}")).toBe(3_660);
    const expiry = Number(START_MS) / 1000 + 90_000;
    expect(values.get("homeprice_price_expiry_timestamp_seconds{chain=base,feed_id=5826765,kind=sales}")).toBe(expiry);
    expect(values.get("homeprice_earliest_expiry_timestamp_seconds{chain=base}")).toBe(expiry);
  });

  it("without a price on the chain, and those that are wanted no more, have no age", async () => {
    const { metrics, scrape } = start();
    metrics.recordDelivery(deliveryReport("base"));
    const none = { price: 0n, day: 0, publishTime: 0n, expiry: 0n };
    metrics.recordDelivery(
      deliveryReport("base", { feeds: [feedAt(1n, { onChain: none }), feedAt(2n, { onChain: undefined })] }),
    );
    const names = [...(await scrape()).keys()];
    expect(names.filter((name) => name.startsWith("homeprice_price_") || name.includes("oldest"))).toEqual([]);
  });

  it("have two series each, or none where that is too many", async () => {
    const feeds = Array.from({ length: 500 }, (_, index) => feedAt(BigInt(index + 1)));
    const count = async (perFeed: boolean) => {
      const { metrics, scrape } = start({ perFeed });
      metrics.recordDelivery(deliveryReport("base", { feeds }));
      return [...(await scrape()).keys()].filter((name) => name.includes("feed_id=")).length;
    };
    expect([await count(true), await count(false)]).toEqual([1_000, 0]);
  });
});

describe("transactions", () => {
  it("are counted once for each thing that happens to them, however often they are reported", async () => {
    const { metrics, scrape } = start();
    const replacement = `0x${"ab".repeat(32)}` as const;
    const mined = { gasUsed: 6_500_000n, costWei: 13n * 10n ** 15n };
    const steps = [
      transactionOf(7),
      transactionOf(7),
      transactionOf(7, { hash: replacement }),
      transactionOf(7, { hash: replacement, ...mined }),
      transactionOf(7, { hash: replacement, ...mined, isFinal: true }),
      transactionOf(7, { hash: replacement, ...mined, isFinal: true }),
      transactionOf(8, mined),
    ];
    for (const transaction of steps) metrics.recordDelivery(deliveryReport("base", { transactions: [transaction] }));
    const values = await scrape();
    const counts = ["sent", "replaced", "mined", "final"].map((state) =>
      values.get(`homeprice_transactions_total{chain=base,state=${state}}`),
    );
    expect(counts).toEqual([2, 1, 2, 1]);
    expect(values.get("homeprice_gas_used_total{chain=base}")).toBe(13_000_000);
    expect(values.get("homeprice_spent_wei_total{chain=base}")).toBe(26e15);
    expect(values.get("homeprice_transactions_total{chain=mainnet,state=sent}")).toBe(0);
  });
});

describe("money", () => {
  it("is in wei, against the budget of a chain that has one; a runway that is not known is absent", async () => {
    const { metrics, scrape } = start();
    metrics.recordDelivery(deliveryReport("base"));
    metrics.recordDelivery(deliveryReport("mainnet"));
    const before = await scrape();
    expect(before.get("homeprice_balance_wei{chain=base}")).toBe(1e18);
    expect(before.get("homeprice_budget_used_ratio{chain=base}")).toBe(0.25);
    expect(before.get("homeprice_daily_budget_wei{chain=base}")).toBe(4e15);
    expect(before.has("homeprice_budget_used_ratio{chain=mainnet}")).toBe(false);
    expect(before.get("homeprice_balance_runway_seconds{chain=base}")).toBe(100 * 86_400);
    metrics.recordDelivery(deliveryReport("base", { runwayDays: undefined }));
    expect((await scrape()).has("homeprice_balance_runway_seconds{chain=base}")).toBe(false);
  });
});

describe("endpoints", () => {
  it("are counted by host, across several at one host and across a new count", async () => {
    const { metrics, scrape } = start();
    const report = (calls: number, failures: number) =>
      metrics.recordDelivery(
        deliveryReport("base", {
          endpoints: [
            endpointAt("https://rpc.example", { calls, failures }),
            endpointAt("https://rpc.example", { calls: 1, failures: 0, state: "lagging" }),
          ],
        }),
      );
    report(10, 2);
    report(15, 2);
    report(4, 1);
    const values = await scrape();
    expect(values.get("homeprice_rpc_calls_total{chain=base,host=https://rpc.example}")).toBe(16 + 5);
    expect(values.get("homeprice_rpc_failures_total{chain=base,host=https://rpc.example}")).toBe(2 + 1);
    const states = ["usable", "unreachable", "wrong-chain", "lagging"].map((state) =>
      values.get(`homeprice_endpoint_state{chain=base,host=https://rpc.example,state=${state}}`),
    );
    expect(states).toEqual([1, 0, 0, 1]);
  });
});

describe("the service", () => {
  it("is shown by editions, outcomes and refusals by code", async () => {
    const { metrics, scrape } = start();
    const feed = { marketId: 1n, feedId: 1n, kind: "sales" } as const;
    metrics.recordCollection(
      collectionReport({
        feeds: [
          { ...feed, outcome: "refused", refusal: { code: "InvalidSignature", message: "" } },
          { ...feed, outcome: "missing" },
        ],
        strays: [{ kind: "rental", marketId: undefined, refusal: { code: "MalformedItem", message: "" } }],
      }),
    );
    metrics.recordMonthCredits(1_234);
    const values = await scrape();
    expect(values.get("homeprice_refusals_total{kind=sales,code=InvalidSignature}")).toBe(1);
    expect(values.get("homeprice_refusals_total{kind=rental,code=MalformedItem}")).toBe(1);
    expect(values.get("homeprice_prices_total{kind=sales,outcome=missing}")).toBe(1);
    expect(values.get("homeprice_prices_total{kind=rental,outcome=missing}")).toBe(0);
    expect(values.get("homeprice_edition_date_timestamp_seconds{kind=sales}")).toBe(20_514 * 86_400);
    expect(values.get("homeprice_edition_status{kind=sales,status=new}")).toBe(1);
    expect(values.get("homeprice_edition_status{kind=sales,status=late}")).toBe(0);
    expect(values.get("homeprice_stage_duration_seconds_sum{stage=fetch,chain=}")).toBe(0.8);
    expect(values.get("homeprice_month_credits_used{}")).toBe(1_234);
  });
});

describe("runs and conditions", () => {
  it("are shown with their times", async () => {
    const { metrics, scrape, clock } = start();
    clock.advance(5_000n);
    metrics.recordRun(true, START_MS + 86_400_000n);
    clock.advance(5_000n);
    metrics.recordRun(false);
    const values = await scrape();
    const startSeconds = Number(START_MS) / 1000;
    expect(values.get("homeprice_start_time_seconds{}")).toBe(startSeconds);
    expect(values.get("homeprice_last_good_run_timestamp_seconds{}")).toBe(startSeconds + 5);
    expect(values.get("homeprice_last_run_timestamp_seconds{}")).toBe(startSeconds + 10);
    expect(values.get("homeprice_next_run_due_timestamp_seconds{}")).toBe(startSeconds + 86_400);
    expect(values.get("homeprice_runs_total{outcome=failed}")).toBe(1);
    expect(values.get("homeprice_build_info{version=1.2.3}")).toBe(1);
  });

  it("that are over are 0, not absent", async () => {
    const { metrics, scrape } = start();
    metrics.recordConditions("service", [{ kind: "service-down", severity: "critical" }]);
    expect((await scrape()).get("homeprice_condition{scope=service,kind=service-down,severity=critical}")).toBe(1);
    metrics.recordConditions("service", []);
    const values = await scrape();
    expect(values.get("homeprice_condition{scope=service,kind=service-down,severity=critical}")).toBe(0);
    expect([...values.keys()].filter((name) => name.startsWith("homeprice_condition")).length).toBe(
      2 * CONDITION_KINDS.length,
    );
  });
});

it("a scrape over HTTP gives them, with those of the process, and each registry is its own", async () => {
  const { metrics } = start({ ofProcess: true });
  start({ ofProcess: true }).metrics.recordRun(true);
  const health = () => ({ ok: true, reasons: [], allCurrent: null, lastRunEnd: null, nextRunDue: null, version: "" });
  const server = await startHealthServer({
    listen: "127.0.0.1:0",
    health,
    metrics: async () => ({ contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }),
  });
  const text = await (await fetch(`${server.url}/metrics`)).text();
  await server.close();
  expect(text).toContain('# TYPE homeprice_runs_total counter\nhomeprice_runs_total{outcome="ok"} 0');
  expect(text).toContain("process_resident_memory_bytes");
});
