import { describe, expect, onTestFinished, test } from "vitest";
import { RpcUnreachableError } from "../../relayer/chain/chainConnection.ts";
import type { DeliveryReport } from "../../relayer/deliver/deliveryReport.ts";
import { type RelayerDaemonOptions, runRelayerDaemon } from "../../relayer/engine/daemon.ts";
import type { Engine, EngineJobs } from "../../relayer/engine/engine.ts";
import { createLocalEngine } from "../../relayer/engine/localEngine.ts";
import { startWatch } from "../../relayer/watch/watch.ts";
import { type EditionFixture, startEditionFixture } from "../edition/editionFixture.ts";
import { timeMs } from "../message/signedPrices.ts";
import { recordingLog } from "../relay/recordingLog.ts";

const NOW = "2026-03-04T12:31:00Z";

function deliveryReport(changes: Partial<DeliveryReport> = {}): DeliveryReport {
  return {
    name: "one",
    chainId: 31_337,
    oracle: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    sender: undefined,
    feeds: [],
    transactions: [],
    unmined: 0,
    unfinal: 0,
    lookAgainAtMs: undefined,
    conditions: [],
    endpoints: [],
    balanceWei: undefined,
    runwayDays: undefined,
    spentTodayWei: 0n,
    durationsMs: { settle: 0, plan: 0, send: 0 },
    ...changes,
  };
}

/** A daemon with a real watch, journal and price service; what is delivered is up to the test. */
async function running(fixture: EditionFixture, changes: Partial<RelayerDaemonOptions> = {}) {
  const { log, lines } = recordingLog();
  const nowMs = () => timeMs(NOW);
  const watch = await startWatch({
    journal: fixture.journal,
    log,
    nowMs,
    version: "0",
    chains: [{ name: "one" }],
  });
  const stop = new AbortController();
  const done = runRelayerDaemon({
    engine: createLocalEngine({
      schedule: { expression: "0 0 29 2 *", timeZone: "America/New_York" },
      chainNames: ["one"],
      nowMs,
      log,
    }),
    watch,
    journal: fixture.journal,
    collect: (signal) => fixture.collect({ signal }),
    deliver: async () => deliveryReport(),
    nextRunMs: () => timeMs("2026-03-05T12:30:00Z"),
    archiveDays: 0,
    nowMs,
    log,
    signal: stop.signal,
    ...changes,
  });
  onTestFinished(async () => {
    stop.abort();
    await done;
    await watch.close();
  });
  return { watch, lines, done, stop: () => stop.abort() };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("the daemon", () => {
  test("collects, delivers what is new, and shows how it stands", async () => {
    const fixture = (await startEditionFixture()).at(NOW);
    let passes = 0;
    const { watch } = await running(fixture, {
      deliver: async () => {
        passes += 1;
        return deliveryReport();
      },
    });
    // At the start, and again because prices came.
    await until(() => passes === 2);
    expect(await fixture.journal.newestEdition("sales")).toBeDefined();
    await until(() => watch.health().ok);
  });

  test("tells of what the service does wrong", async () => {
    const fixture = (await startEditionFixture()).at(NOW).faults("rotated-key");
    const { watch } = await running(fixture);
    await until(() => !watch.health().ok);
    expect(watch.health().reasons).toContainEqual(expect.stringMatching(/^service: signer-changed/));
  });

  test("goes on when a chain cannot be reached, tells of it, and of its end", async () => {
    const fixture = (await startEditionFixture()).at(NOW);
    let isDown = true;
    const { watch } = await running(fixture, {
      deliver: async () => {
        if (isDown) throw new RpcUnreachableError(["http://127.0.0.1:1 refused"]);
        return deliveryReport();
      },
    });
    await until(() => !watch.health().ok);
    expect(watch.health().reasons).toEqual([
      expect.stringMatching(/^self: chain-unreachable: delivering to one fails/),
    ]);
    isDown = false;
    await until(() => watch.health().ok);
  });

  test("goes on when the journal fails, and names it", async () => {
    const fixture = (await startEditionFixture()).at(NOW);
    const { watch } = await running(fixture, {
      collect: () => Promise.reject(new Error("disk full")),
    });
    await until(() => !watch.health().ok);
    expect(watch.health().reasons[0]).toContain("collecting prices fails: disk full");
  });

  test("removes what is older than the journal reaches back, once a day", async () => {
    const fixture = (await startEditionFixture()).at("2026-03-02T12:31:00Z");
    await fixture.collect();
    expect((await fixture.journal.size()).prices).toBe(4);
    fixture.at(NOW);
    const { lines } = await running(fixture, { archiveDays: 1 });
    await until(() => lines.some(({ msg }) => msg === "removed old prices from the journal"));
    expect((await fixture.journal.size()).prices).toBe(4);
    expect(await fixture.journal.pricesOn(Math.floor(Date.parse("2026-03-02") / 86_400_000))).toEqual([]);
  });

  test("stops at the next step, and what it was doing has ended by then", async () => {
    const fixture = (await startEditionFixture()).at(NOW);
    let ended = false;
    const { done, stop, lines } = await running(fixture, {
      deliver: async (_, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        ended = true;
        return deliveryReport();
      },
    });
    await until(() => lines.some(({ msg }) => msg === "asked the price service") || fixture.requests() > 0);
    stop();
    await done;
    expect(ended).toBe(true);
    expect(lines.at(-1)?.msg).toBe("stopped");
  });

  test("can be stopped while what hands out the work still waits for its database", async () => {
    const fixture = (await startEditionFixture()).at(NOW);
    const waiting = Promise.withResolvers<void>();
    let given: EngineJobs | undefined;
    const engine: Engine = {
      isShared: true,
      start: (jobs) => {
        given = jobs;
        return waiting.promise;
      },
      stop: async () => waiting.reject(new Error("stopped")),
    };
    const { done, stop, watch } = await running(fixture, { engine });
    given?.report({ job: "engine", error: new Error("connect ECONNREFUSED") });
    await until(() => !watch.health().ok);
    expect(watch.health().reasons).toEqual([
      "self: journal-failing: the job queue in PostgreSQL fails: connect ECONNREFUSED",
    ]);
    stop();
    await done;
  });
});
