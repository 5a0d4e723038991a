import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Engine } from "../../relayer/engine/engine.ts";
import { createLocalEngine } from "../../relayer/engine/localEngine.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { type RecordedJobs, recordedJobs } from "./recordedJobs.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  const stopping = engines.splice(0).map((engine) => engine.stop());
  // Jobs that do not listen to the signal have to come to their end.
  await pass(HOUR_MS);
  await Promise.all(stopping);
  vi.useRealTimers();
});

const engines: Engine[] = [];

async function running(jobs: RecordedJobs, chainNames: readonly string[] = ["one"]) {
  const { log, lines } = recordingLog();
  const engine: Engine = createLocalEngine({
    schedule: { expression: "30 7 * * *", timeZone: "America/New_York" },
    chainNames,
    nowMs: () => BigInt(Date.now()),
    log,
  });
  engines.push(engine);
  await engine.start(jobs);
  await pass(0);
  return { engine, lines };
}

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

const inFuture = (milliseconds: number) => BigInt(Date.now() + milliseconds);

describe("the price service", () => {
  test.each([
    ["2026-03-06T20:00:00Z", ["2026-03-07T12:30:00", "2026-03-08T11:30:00", "2026-03-09T11:30:00"]],
    ["2026-10-30T20:00:00Z", ["2026-10-31T11:30:00", "2026-11-01T12:30:00", "2026-11-02T12:30:00"]],
  ])(
    "is asked at the start (%s) and at half past seven in New York, through a change of the clocks",
    async (start, ticks) => {
      vi.setSystemTime(start);
      const jobs = recordedJobs();
      await running(jobs);
      await pass(3 * DAY_MS);
      expect(jobs.collected).toEqual([`start ${start.slice(0, 19)}`, ...ticks.map((tick) => `tick ${tick}`)]);
    },
  );

  test("is asked again when the outcome says so; each time is counted, and a tick begins anew", async () => {
    vi.setSystemTime("2026-03-04T12:26:00Z");
    const jobs = recordedJobs({ collect: async () => ({ againAtMs: inFuture(3 * MINUTE_MS) }) });
    await running(jobs);
    await pass(9 * MINUTE_MS);
    expect(jobs.collected).toEqual([
      "start 2026-03-04T12:26:00",
      "again 1 2026-03-04T12:29:00",
      "tick 2026-03-04T12:30:00",
      "again 1 2026-03-04T12:33:00",
    ]);
  });

  test("is asked once more when a tick came while it was being asked", async () => {
    vi.setSystemTime("2026-03-04T12:29:50Z");
    const jobs = recordedJobs({
      collect: async ({ reason }) => {
        if (reason === "start") await new Promise((resolve) => setTimeout(resolve, 30 * SECOND_MS));
        return {};
      },
    });
    await running(jobs);
    await pass(HOUR_MS);
    expect(jobs.collected).toEqual(["start 2026-03-04T12:29:50", "tick 2026-03-04T12:30:20"]);
  });

  test("is asked at once when the machine wakes from a sleep over the schedule's instant", async () => {
    vi.setSystemTime("2026-03-04T03:00:00Z");
    const jobs = recordedJobs();
    const { lines } = await running(jobs);
    // Asleep, no timer runs; the clock goes on.
    vi.setSystemTime("2026-03-06T20:00:00Z");
    await pass(DAY_MS - 1);
    expect(jobs.collected[1]).toMatch(/^tick 2026-03-0[67]/);
    expect(lines.map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining("an instant of the schedule was missed"),
    );
  });
});

describe("a chain", () => {
  test("has its turn at the start, once a day, when it says so, and at once when prices are new", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    let passes = 0;
    const jobs = recordedJobs({
      collect: async ({ reason }) => {
        await new Promise((resolve) => setTimeout(resolve, 5 * SECOND_MS));
        return { hasNewPrices: reason === "tick" };
      },
      deliver: async () => {
        passes += 1;
        return passes === 1 ? { againAtMs: inFuture(12 * SECOND_MS) } : {};
      },
    });
    await running(jobs);
    await pass(HOUR_MS);
    expect(jobs.delivered).toEqual([
      "one 2026-03-04T12:00:00",
      "one 2026-03-04T12:00:12",
      "one 2026-03-04T12:30:00",
      "one 2026-03-04T12:30:05",
    ]);
  });

  test("does not hold up another one, whatever it does, and is never delivered to twice at once", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    let underWay = 0;
    let most = 0;
    const jobs = recordedJobs({
      collect: async () => ({ hasNewPrices: true, againAtMs: inFuture(MINUTE_MS) }),
      deliver: async (name) => {
        if (name === "failing") throw new TypeError("broken");
        if (name === "quick") return {};
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 10 * MINUTE_MS));
        underWay -= 1;
        return {};
      },
    });
    await running(jobs, ["hanging", "failing", "quick"]);
    await pass(25 * MINUTE_MS);
    const turnsOf = (name: string) => jobs.delivered.filter((turn) => turn.startsWith(name));
    expect(turnsOf("quick").length).toBeGreaterThanOrEqual(25);
    expect(turnsOf("hanging")).toEqual([
      "hanging 2026-03-04T12:00:00",
      "hanging 2026-03-04T12:10:00",
      "hanging 2026-03-04T12:20:00",
    ]);
    expect(most).toBe(1);
  });

  test("that fails is tried again after pauses that grow to a minute, and its trouble is reported, and the end of it", async () => {
    vi.setSystemTime("2026-03-04T13:00:00Z");
    let isDown = true;
    const jobs = recordedJobs({
      deliver: async () => {
        if (isDown) throw new Error("cannot be reached");
        return {};
      },
    });
    const { lines } = await running(jobs);
    await pass(20 * MINUTE_MS);
    const times = jobs.delivered.map((turn) => Date.parse(`${turn.slice(4)}Z`) / SECOND_MS);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.max(...pauses)).toBe(60);
    expect(pauses.at(0)).toBeLessThanOrEqual(2);
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: "cannot be reached", againInSeconds: expect.any(Number) }),
    );
    expect(jobs.troubles.at(-1)).toMatchObject({ job: "deliver", chainName: "one", error: expect.any(Error) });
    isDown = false;
    await pass(2 * MINUTE_MS);
    expect(jobs.troubles.at(-1)).toEqual({ job: "deliver", chainName: "one", error: undefined });
  });
});

describe("stopping", () => {
  test("aborts what is under way, waits for its end, and leaves no timer behind", async () => {
    vi.setSystemTime("2026-03-04T13:00:00Z");
    const ended: string[] = [];
    const jobs = recordedJobs({
      deliver: async (name, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await new Promise((resolve) => setTimeout(resolve, 3 * SECOND_MS));
        ended.push(name);
        return {};
      },
      collect: async () => ({ againAtMs: inFuture(HOUR_MS) }),
    });
    const { engine } = await running(jobs, ["one", "two"]);
    const stopping = engine.stop();
    await pass(2 * SECOND_MS);
    expect(ended).toEqual([]);
    await pass(2 * SECOND_MS);
    await stopping;
    expect(ended).toEqual(["one", "two"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("does not wait for the pause after an error", async () => {
    vi.setSystemTime("2026-03-04T13:00:00Z");
    const jobs = recordedJobs({ collect: () => Promise.reject(new Error("disk full")) });
    const { engine } = await running(jobs);
    await pass(10 * MINUTE_MS);
    await engine.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("a schedule that is none is told before anything is done", async () => {
  const jobs = recordedJobs();
  const engine = createLocalEngine({
    schedule: { expression: "never", timeZone: "America/New_York" },
    chainNames: ["one"],
    nowMs: () => BigInt(Date.now()),
    log: recordingLog().log,
  });
  await expect(engine.start(jobs)).rejects.toMatchObject({ code: "INVALID_SCHEDULE" });
  expect([...jobs.collected, ...jobs.delivered]).toEqual([]);
});
