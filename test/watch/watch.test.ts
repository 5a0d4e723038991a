import { describe, expect, it, onTestFinished } from "vitest";
import type { Journal } from "../../relayer/journal/journal.ts";
import { startWatch, type Watch } from "../../relayer/watch/watch.ts";
import type { WatchOptions } from "../../relayer/watch/watchOptions.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { readScrape } from "./promql/series.ts";
import { Receiver } from "./receiver.ts";
import { collectionReport, conditionOf, deliveryReport, feedAt, MINUTE_MS, TestClock } from "./reports.ts";
import { journalFolder, unreliable } from "./testJournal.ts";

type Started = Omit<WatchOptions, "journal" | "log" | "nowMs" | "version" | "chains">;

async function start(journal: Journal, clock: TestClock, options: Started = {}) {
  const { log, lines } = recordingLog();
  const watch = await startWatch({
    journal,
    log,
    nowMs: clock.nowMs,
    version: "1.2.3",
    chains: [{ name: "base" }],
    listen: "127.0.0.1:0",
    patience: { timeoutMs: 500, retries: 0 },
    ...options,
  });
  onTestFinished(() => watch.close());
  return { watch, lines };
}

async function oneProcess(options: Started = {}) {
  const clock = new TestClock();
  const journal = unreliable(await journalFolder().open());
  const webhook = await Receiver.start();
  const heartbeat = await Receiver.start();
  const urls = { webhookUrl: webhook.url, heartbeatUrl: heartbeat.url };
  return { clock, journal, webhook, heartbeat, ...(await start(journal, clock, { ...urls, ...options })) };
}

const healthz = async (watch: Watch) => {
  const answer = await fetch(`${watch.url}/healthz`);
  return { status: answer.status, ...((await answer.json()) as { reasons: string[]; allCurrent: boolean | null }) };
};

const scrape = async (watch: Watch) => readScrape(await (await fetch(`${watch.url}/metrics`)).text(), {});
const conditionValue = async (watch: Watch, wanted: string) =>
  (await scrape(watch)).find(
    ({ labels }) =>
      labels["__name__"] === "homeprice_condition" &&
      labels["kind"] === wanted &&
      labels["severity"] === "critical" &&
      labels["scope"] === "chain:base",
  )?.value;

describe("a good run", () => {
  it("is healthy, pings, and tells nobody anything", async () => {
    const { watch, webhook, heartbeat, clock } = await oneProcess();
    await watch.collected(collectionReport());
    await watch.delivered(deliveryReport("base"));
    await watch.runEnded({ ok: true, nextRunDueMs: clock.now + 1_440n * MINUTE_MS });
    expect(await healthz(watch)).toMatchObject({ status: 200, ok: true, allCurrent: true, version: "1.2.3" });
    expect([heartbeat.received.length, webhook.received.length]).toEqual([1, 0]);
  });

  it("is followed by pings every five minutes", async () => {
    const { watch, heartbeat, clock } = await oneProcess();
    await watch.runEnded({ ok: true, nextRunDueMs: clock.now + 1_440n * MINUTE_MS });
    for (let minute = 0; minute < 10; minute += 1) {
      clock.advance(MINUTE_MS);
      await watch.turn();
    }
    expect(heartbeat.received.length).toBe(3);
  });
});

describe("something critical", () => {
  it("turns /healthz to 503 and the metric to 1, holds pings back, is told, and recovers", async () => {
    const { watch, webhook, heartbeat, clock } = await oneProcess();
    const empty = conditionOf("balance-empty", { severity: "critical", subject: "0xabc" });
    await watch.delivered(deliveryReport("base", { conditions: [empty] }));
    await watch.runEnded({ ok: false, nextRunDueMs: clock.now + 10n * MINUTE_MS });
    expect(await healthz(watch)).toMatchObject({ status: 503, reasons: [expect.stringContaining("balance-empty")] });
    expect(await conditionValue(watch, "balance-empty")).toBe(1);
    clock.advance(6n * MINUTE_MS);
    await watch.turn();
    expect(heartbeat.received).toEqual([]);

    await watch.delivered(deliveryReport("base"));
    await watch.runEnded({ ok: true, nextRunDueMs: clock.now + 10n * MINUTE_MS });
    expect((await healthz(watch)).status).toBe(200);
    expect(await conditionValue(watch, "balance-empty")).toBe(0);
    expect(webhook.bodies.map(({ status }) => status)).toEqual(["firing", "resolved"]);
    expect(heartbeat.received.length).toBe(1);
  });
});

describe("turns", () => {
  it("tell what has stood for long enough though no run came", async () => {
    const { watch, webhook, clock } = await oneProcess();
    await watch.collected(collectionReport({ conditions: [conditionOf("service-down", { severity: "critical" })] }));
    expect(webhook.received).toEqual([]);
    clock.advance(5n * MINUTE_MS);
    await watch.turn();
    expect(webhook.bodies[0].alerts[0].kind).toBe("service-down");
  });

  it("are missed by a process that is stuck, which /healthz says", async () => {
    const { watch, clock } = await oneProcess();
    await watch.runEnded({ ok: true, nextRunDueMs: clock.now + 1_440n * MINUTE_MS });
    clock.advance(5n * MINUTE_MS);
    expect(await healthz(watch)).toMatchObject({ status: 503, reasons: [expect.stringContaining("stuck")] });
    await watch.turn();
    expect((await healthz(watch)).status).toBe(200);
  });

  it("come by themselves where they are asked to", async () => {
    const { heartbeat } = await oneProcess({ turnEveryMs: 5 });
    await expect.poll(() => heartbeat.received.length).toBe(1);
  });
});

describe("a journal that fails", () => {
  it("is told, makes the process ill, and recovers; what the steps report is told meanwhile", async () => {
    const { watch, webhook, clock, journal } = await oneProcess();
    journal.isDown = true;
    await watch.delivered(deliveryReport("base", { conditions: [conditionOf("paused")] }));
    clock.advance(MINUTE_MS);
    await watch.turn();
    expect(webhook.bodies.map(({ alerts }) => alerts[0].kind)).toEqual(["paused", "journal-failing"]);
    expect(webhook.bodies[1].alerts[0].message).toContain("SQLITE_FULL");
    expect((await healthz(watch)).status).toBe(503);
    journal.isDown = false;
    clock.advance(MINUTE_MS);
    await watch.turn();
    expect(webhook.bodies.at(-1)).toMatchObject({ status: "resolved", alerts: [{ kind: "journal-failing" }] });
    expect((await healthz(watch)).status).toBe(200);
  });
});

describe("two processes with one journal", () => {
  it("show the same conditions, tell them once, and keep their own apart", async () => {
    const clock = new TestClock();
    const folder = journalFolder();
    const webhook = await Receiver.start();
    const a = await start(await folder.open(), clock, { webhookUrl: webhook.url, instance: "a" });
    const b = await start(await folder.open(), clock, { webhookUrl: webhook.url, instance: "b" });
    const behind = [feedAt(1n, { status: "planned" })];
    await a.watch.delivered(
      deliveryReport("base", { feeds: behind, conditions: [conditionOf("balance-empty", { severity: "critical" })] }),
    );
    await a.watch.runEnded({ ok: false, conditions: [conditionOf("run-failed")], nextRunDueMs: clock.now });
    await b.watch.turn();
    expect(await conditionValue(b.watch, "balance-empty")).toBe(1);
    expect((await healthz(b.watch)).status).toBe(503);

    clock.advance(5n * MINUTE_MS);
    await b.watch.delivered(deliveryReport("base"));
    await b.watch.runEnded({ ok: true, nextRunDueMs: clock.now + 60n * MINUTE_MS });
    await a.watch.runEnded({
      ok: false,
      conditions: [conditionOf("run-failed")],
      nextRunDueMs: clock.now + 60n * MINUTE_MS,
    });
    clock.advance(26n * MINUTE_MS);
    await a.watch.turn();
    expect(webhook.bodies.map(({ status, alerts }) => [status, alerts[0].scope, alerts[0].kind])).toEqual([
      ["firing", "chain:base", "balance-empty"],
      ["resolved", "chain:base", "balance-empty"],
      ["firing", "self:a", "run-failed"],
    ]);
    // What it saw itself half an hour ago was behind; the other has looked since.
    expect((await healthz(a.watch)).status).toBe(200);
  });
});

it("a restart with a chain less forgets what stood there", async () => {
  const clock = new TestClock();
  const folder = journalFolder();
  const before = await start(await folder.open(), clock, {});
  await before.watch.delivered(
    deliveryReport("base", { conditions: [conditionOf("balance-empty", { severity: "critical" })] }),
  );
  const journal = await folder.open();
  await journal.putAlert({
    key: '["chain:gone","paused",""]',
    kind: "paused",
    severity: "critical",
    message: "",
    sinceMs: clock.now,
    toldAtMs: clock.now,
  });
  await start(journal, clock, {});
  expect((await journal.alerts()).map(({ key }) => key)).toEqual(['["chain:base","balance-empty",""]']);
});

it("ends at once though the webhook hangs, and what it did not take is told after the restart", async () => {
  const { watch, webhook, clock, journal } = await oneProcess({ patience: { timeoutMs: 600_000 } });
  webhook.reaction = "hang";
  const reported = watch.delivered(deliveryReport("base", { conditions: [conditionOf("paused")] }));
  await expect.poll(() => webhook.received.length).toBe(1);
  await watch.close();
  await reported;
  webhook.reaction = { status: 200 };
  webhook.received.length = 0;
  clock.advance(MINUTE_MS);
  const restarted = await start(journal, clock, { webhookUrl: webhook.url });
  await restarted.watch.turn();
  expect(webhook.bodies.map(({ alerts }) => alerts[0].kind)).toEqual(["paused"]);
});

describe("what stood in a process that is not there any more", () => {
  async function standingAfterStart(daysLater: bigint, instance: string | undefined): Promise<string[]> {
    const clock = new TestClock();
    const folder = journalFolder();
    const other = await start(await folder.open(), clock, { instance: "other" });
    await other.watch.runEnded({ ok: false, conditions: [conditionOf("run-failed")], nextRunDueMs: undefined });
    clock.advance(daysLater * 1_440n * MINUTE_MS);
    const journal = await folder.open();
    await start(journal, clock, instance === undefined ? {} : { instance });
    return (await journal.alerts()).map(({ key }) => key);
  }

  it("is kept while it may still be there, and forgotten when it has not repeated itself", async () => {
    expect(await standingAfterStart(0n, "this")).toEqual(['["self:other","run-failed",""]']);
    expect(await standingAfterStart(2n, "this")).toEqual([]);
  });

  it("is forgotten by a process that has the journal for itself", async () => {
    expect(await standingAfterStart(0n, undefined)).toEqual([]);
  });
});
