import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createPostgresEngine, type PostgresEngineOptions } from "../../relayer/engine/postgresEngine.ts";
import { type PostgresServer, startPostgresServer } from "../journal/postgresServer.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { EngineProcesses } from "./engineProcesses.ts";
import { type RecordedJobs, recordedJobs } from "./recordedJobs.ts";

let server: PostgresServer | undefined;
beforeAll(async () => {
  const started = await startPostgresServer();
  if ("missing" in started) process.stderr.write(`skipped, because there is no ${started.missing}\n`);
  else server = started;
});
afterAll(() => server?.stop());

const NEVER = { expression: "0 0 29 2 *", timeZone: "America/New_York" };

function engineOn(connectionString: string, options: Partial<PostgresEngineOptions> = {}) {
  const engine = createPostgresEngine({
    connectionString,
    schedule: NEVER,
    chainNames: ["one", "two"],
    nowMs: () => BigInt(Date.now()),
    log: recordingLog().log,
    ...options,
  });
  onTestFinished(() => engine.stop());
  return engine;
}

/** Looks again and again; the test's own time limit is what ends it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}

const turnsOf = (jobs: RecordedJobs, chain: string) => jobs.delivered.filter((turn) => turn.startsWith(`${chain} `));

describe("a process alone", () => {
  test("asks the service and delivers to every chain at the start, and again when the outcomes say so", async ({
    skip,
  }) => {
    if (!server) return skip();
    let asked = 0;
    const jobs = recordedJobs({
      collect: async () => {
        asked += 1;
        return { hasNewPrices: asked === 2, againAtMs: asked < 3 ? BigInt(Date.now() + 1_500) : undefined };
      },
    });
    await engineOn(await server.createDatabase()).start(jobs);
    await until(() => jobs.collected.length === 3 && turnsOf(jobs, "one").length === 2);
    await until(() => turnsOf(jobs, "two").length === 2);
    expect(jobs.collected.map((turn) => turn.replace(/ \S+$/, ""))).toEqual(["start", "again 1", "again 2"]);
  });

  test("does a job that failed again, and reports the trouble and its end", async ({ skip }) => {
    if (!server) return skip();
    let failures = 0;
    const jobs = recordedJobs({
      deliver: async (name) => {
        if (name === "one" && failures < 2) {
          failures += 1;
          throw new TypeError("broken");
        }
        return {};
      },
    });
    await engineOn(await server.createDatabase()).start(jobs);
    await until(() => turnsOf(jobs, "one").length === 3);
    const ofOne = jobs.troubles.filter((trouble) => trouble.job === "deliver" && trouble.chainName === "one");
    expect(ofOne.slice(0, 2)).toMatchObject([{ error: expect.any(TypeError) }, { error: expect.any(TypeError) }]);
    await until(() => jobs.troubles.some(({ job, error }) => job === "deliver" && error === undefined));
  });

  test("that new prices come for brings a waiting look at the chain forward", async ({ skip }) => {
    if (!server) return skip();
    const jobs = recordedJobs({
      collect: async () => {
        // Both chains wait for an hour from now on.
        await until(() => jobs.delivered.length >= 2);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        return { hasNewPrices: true };
      },
      deliver: async () => ({ againAtMs: BigInt(Date.now() + 3_600_000) }),
    });
    await engineOn(await server.createDatabase()).start(jobs);
    await until(() => turnsOf(jobs, "one").length === 2 && turnsOf(jobs, "two").length === 2);
  });

  test("takes names of chains that no queue can have", async ({ skip }) => {
    if (!server) return skip();
    const jobs = recordedJobs();
    const chainNames = ["Main net", "Main-net", "Main_net", "Große Kette"];
    await engineOn(await server.createDatabase(), { chainNames }).start(jobs);
    await until(() => chainNames.every((name) => turnsOf(jobs, name).length === 1));
  });
});

describe("several processes", () => {
  test("share the ticks of the schedule: each is done once", async ({ skip }) => {
    if (!server) return skip();
    const url = await server.createDatabase();
    const jobs = recordedJobs();
    const everyThreeSeconds = { expression: "*/3 * * * * *", timeZone: "America/New_York" };
    const engines = [1, 2, 3].map(() => engineOn(url, { schedule: everyThreeSeconds }));
    for (const engine of engines) await engine.start(jobs);
    const ticks = () => jobs.collected.filter((turn) => turn.startsWith("tick"));
    await until(() => ticks().length >= 1);
    const from = Date.now();
    const before = ticks().length;
    await until(() => ticks().length >= before + 4);
    // One in three seconds, and not three; a slow machine makes it fewer.
    expect(ticks().length - before).toBeLessThanOrEqual(Math.ceil((Date.now() - from) / 3_000) + 1);
  });

  test("never deliver to one chain at once, and take over from one that was killed", { timeout: 180_000 }, async ({
    skip,
  }) => {
    if (!server) return skip();
    const url = await server.createDatabase();
    const processes = new EngineProcesses();
    onTestFinished(() => processes.killAll());
    // A delivery is far longer than the pause between two.
    const pids = [1, 2, 3].map(() => processes.start(url, 3_000, ["one", "two"]));
    for (const pid of pids) await processes.until(({ pid: of, event }) => of === pid && event === "started");
    await processes.until(({ event }) => event === "ended");

    for (const round of [1, 2]) {
      const begun = await processes.until(
        ({ event, chain }) => event === "begun" && chain === "one",
        processes.events.length,
      );
      const from = processes.events.length;
      await processes.kill(begun.pid);
      const killed = await processes.until(({ event }) => event === "killed", from);
      const next = await processes.until(({ event, chain }) => event === "begun" && chain === "one", from);
      const seconds = (next.atMs - killed.atMs) / 1_000;
      process.stdout.write(`takeover ${round} after kill -9: ${seconds.toFixed(1)} s\n`);
      expect(next.pid).not.toBe(begun.pid);
      expect(seconds).toBeLessThan(60);
    }
    expect(processes.overlaps()).toEqual([]);
    const collected = processes.events.filter(({ event }) => event === "collect");
    expect(collected.every(({ reason }) => reason === "start")).toBe(true);
  });

  test("take over at once from one that is told to stop", { timeout: 60_000 }, async ({ skip }) => {
    if (!server) return skip();
    const url = await server.createDatabase();
    const processes = new EngineProcesses();
    onTestFinished(() => processes.killAll());
    // Longer than the test: only the signal ends a delivery.
    const first = processes.start(url, 120_000, ["one"]);
    await processes.until(({ event }) => event === "begun");
    const second = processes.start(url, 120_000, ["one"]);
    await processes.until(({ pid, event }) => pid === second && event === "started");
    const from = processes.events.length;
    const told = Date.now();
    await processes.kill(first, "SIGTERM");
    const next = await processes.until(({ event }) => event === "begun", from);
    expect(next.pid).toBe(second);
    expect(processes.overlaps()).toEqual([]);
    process.stdout.write(`takeover after SIGTERM: ${((next.atMs - told) / 1_000).toFixed(1)} s\n`);
  });
});

test("a PostgreSQL that restarts is told of, and ends nothing", { timeout: 90_000 }, async ({ skip }) => {
  if (!server) return skip();
  const jobs = recordedJobs({ deliver: async () => ({ againAtMs: BigInt(Date.now() + 500) }) });
  await engineOn(await server.createDatabase()).start(jobs);
  await until(() => jobs.delivered.length >= 4);
  await server.kill();
  await until(() => jobs.troubles.some(({ job, error }) => job === "engine" && error !== undefined));
  await server.restart();
  await until(() => jobs.troubles.findLast(({ job }) => job === "engine")?.error === undefined);
  const before = jobs.delivered.length;
  await until(() => jobs.delivered.length >= before + 4);
});

test("stopping aborts what is under way and waits for its end", { timeout: 60_000 }, async ({ skip }) => {
  if (!server) return skip();
  let ended = false;
  const jobs = recordedJobs({
    deliver: async (_, signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      ended = true;
      return {};
    },
  });
  const engine = engineOn(await server.createDatabase(), { chainNames: ["one"] });
  await engine.start(jobs);
  await until(() => jobs.delivered.length === 1);
  await engine.stop();
  expect(ended).toBe(true);
  expect(jobs.troubles.filter(({ error }) => error !== undefined)).toEqual([]);
});
