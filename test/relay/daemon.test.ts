import { HttpRequestError } from "viem";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import { type DaemonOptions, runDaemon } from "../../relayer/relay/daemon.ts";
import type { RelayReport } from "../../relayer/relay/report.ts";
import { type Edition, editionAt, editionBefore } from "../../simulator/edition.ts";
import { RPC_KEY } from "../chain/rpcProxy.ts";
import { type LogLine, recordingLog } from "./recordingLog.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a run says when the service has this edition. */
function reportOf(edition: Edition, changes: Partial<RelayReport> & { rental?: Edition } = {}): RelayReport {
  const { rental = edition, ...rest } = changes;
  const feed = (feedId: string, kind: "sales" | "rental", { date, publishTimeMs, expiryMs }: Edition) => ({
    feedId,
    marketId: "5826765",
    kind,
    status: "current" as const,
    price: "216.94",
    date,
    publishTime: new Date(Number(publishTimeMs)).toISOString(),
    expiry: new Date(Number(expiryMs)).toISOString(),
  });
  return {
    ok: true,
    chainId: 31_337,
    oracle: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    feeds: [feed("5826765", "sales", edition), feed("2005826765", "rental", rental)],
    transactions: [],
    ...rest,
  };
}

/** The newest edition of a service that publishes later (or, with a negative time, earlier) than half past seven. */
function publishedEdition(lateByMs = 0): Edition {
  return editionAt(BigInt(Date.now() - lateByMs));
}

/** A run, told how many there have been with it. */
type Run = (signal: AbortSignal, number: number) => Promise<RelayReport>;

/** A daemon that is running, with the times at which it asks. */
class RunningDaemon {
  /** ISO 8601 to the second. */
  readonly asked: string[] = [];
  readonly lines: LogLine[];
  readonly text: () => string;
  ended = false;
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(run: Run, options: Partial<DaemonOptions> = {}) {
    const { log, lines, text } = recordingLog();
    this.lines = lines;
    this.text = text;
    this.#done = runDaemon({
      schedule: { expression: "30 7 * * *", timeZone: "America/New_York" },
      run: (signal) => {
        this.asked.push(new Date().toISOString().slice(0, 19));
        return run(signal, this.asked.length);
      },
      log,
      signal: this.#stop.signal,
      ...options,
    }).finally(() => {
      this.ended = true;
    });
  }

  /** Asks for the end without waiting for it. */
  stop(): void {
    this.#stop.abort();
  }

  async end(): Promise<void> {
    this.stop();
    await this.#done;
  }

  messages(): string[] {
    return this.lines.map(({ msg }) => msg);
  }

  /** Minutes from each time it asked to the next. */
  pauses(): number[] {
    const times = this.asked.map((iso) => Date.parse(`${iso}Z`));
    return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / MINUTE_MS);
  }
}

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

/** Lets a promise-only step happen. */
function settle(): Promise<void> {
  return pass(0);
}

describe("when it asks", () => {
  test.each([
    ["2026-03-06T20:00:00Z", ["2026-03-07T12:30:00", "2026-03-08T11:30:00", "2026-03-09T11:30:00"]],
    ["2026-10-30T20:00:00Z", ["2026-10-31T11:30:00", "2026-11-01T12:30:00", "2026-11-02T12:30:00"]],
  ])(
    "at the start (%s) and at half past seven in New York, through a change of the clocks",
    async (start, expected) => {
      vi.setSystemTime(start);
      const daemon = new RunningDaemon(async () => reportOf(publishedEdition()));
      await pass(3 * DAY_MS);
      expect(daemon.asked).toEqual([start.slice(0, 19), ...expected]);
      await daemon.end();
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test("the log says when it will ask again", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition()));
    await settle();
    expect(daemon.lines).toContainEqual(
      expect.objectContaining({ msg: "waiting for the next edition", nextRun: "2026-03-05T12:30:00.000Z" }),
    );
    expect(daemon.messages()).toContain("every wanted feed is current");
    await daemon.end();
  });

  test("each report is handed on", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const onReport = vi.fn();
    const report = reportOf(publishedEdition());
    const daemon = new RunningDaemon(async () => report, { onReport });
    await settle();
    expect(onReport.mock.calls).toEqual([[report]]);
    await daemon.end();
  });

  test("a schedule that is none is told before anything runs", async () => {
    const run = vi.fn(async () => reportOf(publishedEdition()));
    const running = runDaemon({
      schedule: { expression: "never", timeZone: "America/New_York" },
      run,
      log: recordingLog().log,
      signal: new AbortController().signal,
    });
    await expect(running).rejects.toMatchObject({ code: "INVALID_SCHEDULE" });
    expect(run).not.toHaveBeenCalled();
  });
});

describe("an edition that is late", () => {
  test("is asked for with growing pauses until it is there, and then no more that day", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition(70 * MINUTE_MS)));
    await pass(12 * HOUR_MS);
    const [start, tick, ...again] = daemon.asked;
    expect([start, tick]).toEqual(["2026-03-04T12:00:00", "2026-03-04T12:30:00"]);
    const pauses = daemon.pauses().slice(1);
    const bounds = [1, 2, 4, 8, 15, 15, 15, 15, 15];
    pauses.forEach((pause, index) => {
      expect(pause).toBeGreaterThanOrEqual(Math.min(bounds[index] ?? 15, 15) - 0.02);
      expect(pause).toBeLessThanOrEqual(Math.min(2 * (bounds[index] ?? 15), 15) + 0.02);
    });
    const last = again.at(-1) ?? "";
    expect(last >= "2026-03-04T13:40:00" && last <= "2026-03-04T13:56:00").toBe(true);
    expect(daemon.messages().filter((message) => message === "the new edition is not published yet")).toHaveLength(
      again.length,
    );
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    await daemon.end();
  });

  test("of one kind is waited for too", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    const daemon = new RunningDaemon(async () =>
      reportOf(publishedEdition(), { rental: publishedEdition(30 * MINUTE_MS) }),
    );
    await pass(HOUR_MS + 16 * MINUTE_MS);
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    const last = daemon.asked.at(-1) ?? "";
    expect(last >= "2026-03-04T13:00:00").toBe(true);
    await daemon.end();
  });

  test("is waited for after a start between half past seven and its publishing", async () => {
    vi.setSystemTime("2026-03-04T12:31:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition(20 * MINUTE_MS)));
    await pass(HOUR_MS);
    expect(daemon.asked.length).toBeGreaterThan(2);
    expect(daemon.messages()).toContain("the new edition is not published yet");
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    expect((daemon.asked.at(-1) ?? "") >= "2026-03-04T12:50:00").toBe(true);
    await daemon.end();
  });

  test("is waited for when no run before half past seven has succeeded", async () => {
    vi.setSystemTime("2026-03-04T10:00:00Z");
    const daemon = new RunningDaemon(async () => {
      if (Date.now() < Date.parse("2026-03-04T12:30:00Z"))
        throw new HomePriceError("API_UNREACHABLE", "down", { hint: "wait" });
      return reportOf(publishedEdition(20 * MINUTE_MS));
    });
    await pass(4 * HOUR_MS);
    expect((daemon.asked.at(-1) ?? "") >= "2026-03-04T12:50:00").toBe(true);
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    await daemon.end();
  });

  test("is waited for when a run begins a moment before half past seven and is cut short by it", async () => {
    vi.setSystemTime("2026-03-04T12:29:59Z");
    const daemon = new RunningDaemon(async (signal, number) => {
      if (number === 1) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        signal.throwIfAborted();
      }
      return reportOf(publishedEdition(20 * MINUTE_MS));
    });
    await pass(HOUR_MS);
    expect(daemon.asked[1]).toBe("2026-03-04T12:30:00");
    expect((daemon.asked.at(-1) ?? "") >= "2026-03-04T12:50:00").toBe(true);
    await daemon.end();
  });

  test("that never comes is given up for the next one", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    const before = editionBefore(publishedEdition());
    const daemon = new RunningDaemon(async () =>
      Date.now() < Date.parse("2026-03-05T12:35:00Z") ? reportOf(before) : reportOf(publishedEdition()),
    );
    await pass(DAY_MS + 2 * HOUR_MS);
    // The next start of the schedule takes over, and its pauses begin anew.
    const tick = daemon.asked.indexOf("2026-03-05T12:30:00");
    expect(tick).toBeGreaterThan(90);
    expect(daemon.pauses()[tick]).toBeLessThanOrEqual(2.02);
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    await daemon.end();
  });
});

test("through two weeks of editions early, late and lost, none is missed and nobody is asked too often", async () => {
  vi.setSystemTime("2026-03-01T15:00:00Z");
  // Minutes after half past seven at which each day's edition is published, from 2 March on; the clocks change on the 8th.
  const lateness = [0, 70, -1, 300, 0, Number.POSITIVE_INFINITY, 20, 0, 1, 600, 0, 0, -1, 45];
  const isPublished = ({ date, publishTimeMs }: Edition) => {
    const late = lateness[Math.round((Date.parse(date) - Date.parse("2026-03-02")) / DAY_MS)] ?? 0;
    return Date.now() >= Number(publishTimeMs) + late * MINUTE_MS;
  };
  const fetched = new Map<string, number>();
  const daemon = new RunningDaemon(async () => {
    let edition = publishedEdition(-2 * MINUTE_MS);
    while (!isPublished(edition)) edition = editionBefore(edition);
    if (!fetched.has(edition.date)) fetched.set(edition.date, Date.now() - Number(edition.publishTimeMs));
    return reportOf(edition);
  });
  await pass(14 * DAY_MS);
  const delays = lateness.map((late, index) => {
    const fetchedMs = fetched.get(new Date(Date.parse("2026-03-02") + index * DAY_MS).toISOString().slice(0, 10));
    return fetchedMs === undefined ? undefined : fetchedMs / MINUTE_MS - Math.max(late, 0);
  });
  expect(delays.map((delay) => delay === undefined)).toEqual(lateness.map((late) => late === Number.POSITIVE_INFINITY));
  expect(Math.max(...delays.map((delay) => delay ?? 0))).toBeLessThanOrEqual(15.1);
  // Waiting takes one question every seven and a half to fifteen minutes, once the pauses have grown.
  expect(daemon.asked.length).toBeLessThan(14 + (70 + 300 + 24 * 60 + 20 + 600 + 45) / 7.5 + 6 * 4);
  await daemon.end();
});

describe("an edition that is early", () => {
  test("and is there at the start a minute before half past seven is not asked for all day", async () => {
    vi.setSystemTime("2026-03-04T12:29:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition(-5 * MINUTE_MS)));
    await pass(12 * HOUR_MS);
    expect(daemon.asked.length).toBeLessThanOrEqual(2);
    await daemon.end();
  });
});

describe("a run that is not in order", () => {
  test("is repeated until every wanted feed is current, and names the feed each time", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const report = reportOf(publishedEdition());
    const [first, ...others] = report.feeds;
    const broken = {
      ...report,
      ok: false,
      feeds: [{ ...first, status: "refused", reason: "InvalidSignature: no" }, ...others] as RelayReport["feeds"],
    };
    const daemon = new RunningDaemon(async (_, number) => (number < 3 ? broken : report));
    await pass(10 * MINUTE_MS);
    expect(daemon.asked).toHaveLength(3);
    const errors = daemon.lines.filter(({ msg }) => msg === "feed 5826765 refused");
    expect(errors).toHaveLength(2);
    expect(errors[0]).toMatchObject({ level: 50, feedId: "5826765", reason: "InvalidSignature: no" });
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    await daemon.end();
  });

  test.each([
    ["of ours", () => new HomePriceError("RPC_UNREACHABLE", "no RPC endpoint answers", { hint: "wait" })],
    ["of somebody else's", () => new Error("boom")],
    ["of the network", () => new TypeError("fetch failed")],
  ])("ends with an error %s: it is repeated, and told of", async (_, makeError) => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const daemon = new RunningDaemon(async (_, number) => {
      if (number < 3) throw makeError();
      return reportOf(publishedEdition());
    });
    await pass(10 * MINUTE_MS);
    expect(daemon.asked).toHaveLength(3);
    const errors = daemon.lines.filter(({ level }) => level >= 50);
    expect(errors).toHaveLength(2);
    expect(errors[0]).toMatchObject({ msg: makeError().message, againInSeconds: expect.any(Number) });
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    await daemon.end();
  });

  test.each([
    ["of the configuration", () => new HomePriceError("LAYOUT_DIFFERS", "layout", { hint: "", kind: "configuration" })],
    ["of the program", () => new TypeError("x is not a function")],
  ])("ends with an error %s: it waits for the next day, alive and loud", async (_, makeError) => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const daemon = new RunningDaemon(async () => {
      if (Date.now() < Date.parse("2026-03-05T00:00:00Z")) throw makeError();
      return reportOf(publishedEdition());
    });
    await pass(DAY_MS);
    expect(daemon.ended).toBe(false);
    expect(daemon.lines.some(({ level }) => level >= 60)).toBe(true);
    expect(daemon.asked.at(-1)).toBe("2026-03-05T12:30:00");
    expect(daemon.messages().at(-1)).toBe("every wanted feed is current");
    await daemon.end();
  });

  test("does not put the key of an RPC endpoint into the log", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const daemon = new RunningDaemon(async () => {
      throw new HttpRequestError({
        url: `https://rpc.example/v2/${RPC_KEY}`,
        status: 502,
        body: { method: "eth_call" },
      });
    });
    await pass(MINUTE_MS);
    expect(daemon.lines.some(({ level }) => level >= 50)).toBe(true);
    expect(daemon.text()).not.toContain(RPC_KEY);
    await daemon.end();
  });
});

describe("a run that takes long", () => {
  test("is told to end at half past seven, and the next one begins when it has", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    let running = 0;
    let most = 0;
    const signals: AbortSignal[] = [];
    const daemon = new RunningDaemon(async (signal, number) => {
      running += 1;
      most = Math.max(most, running);
      signals.push(signal);
      // The first one does not care for signals: it waits for a receipt.
      if (number === 1) await new Promise((resolve) => setTimeout(resolve, 50 * MINUTE_MS));
      running -= 1;
      return reportOf(publishedEdition());
    });
    await pass(31 * MINUTE_MS);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await pass(30 * MINUTE_MS);
    expect(daemon.asked.slice(0, 2)).toEqual(["2026-03-04T12:00:00", "2026-03-04T12:50:00"]);
    expect(most).toBe(1);
    await daemon.end();
  });

  test("is not repeated when it was cut short", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    const daemon = new RunningDaemon(async (signal, number) => {
      if (number === 1) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        signal.throwIfAborted();
      }
      return reportOf(publishedEdition());
    });
    await pass(2 * HOUR_MS);
    expect(daemon.asked).toEqual(["2026-03-04T12:00:00", "2026-03-04T12:30:00"]);
    expect(daemon.lines.filter(({ level }) => level >= 50)).toEqual([]);
    await daemon.end();
  });
});

describe("half past seven passes unnoticed", () => {
  test("because the machine slept: it asks as soon as it wakes", async () => {
    vi.setSystemTime("2026-03-04T12:00:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition()));
    await pass(10 * MINUTE_MS);
    expect(daemon.asked).toHaveLength(1);
    vi.setSystemTime("2026-03-04T14:00:00Z");
    await pass(30 * MINUTE_MS);
    expect(daemon.asked).toHaveLength(2);
    expect((daemon.asked[1] ?? "") < "2026-03-04T14:30:01").toBe(true);
    await daemon.end();
  });

  test("because the program was busy for some seconds: it asks all the same", async () => {
    vi.setSystemTime("2026-03-04T12:29:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition()));
    await pass(59 * SECOND_MS);
    vi.setSystemTime("2026-03-04T12:30:04Z");
    await pass(2 * SECOND_MS);
    expect(daemon.asked).toHaveLength(2);
    await daemon.end();
  });
});

describe("a stop", () => {
  test("while it waits for the next day ends it at once, and leaves no timer", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition()));
    await pass(HOUR_MS);
    await daemon.end();
    expect(daemon.messages().at(-1)).toBe("stopped");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("while it pauses ends it at once, without a word of failure", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const daemon = new RunningDaemon(async () => reportOf(publishedEdition(), { ok: false }));
    await pass(5 * SECOND_MS);
    await daemon.end();
    expect(daemon.asked).toHaveLength(1);
    expect(daemon.lines.filter(({ level }) => level >= 60)).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("while it runs waits for the run, which knows", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    let known = false;
    let finished = false;
    const daemon = new RunningDaemon(async (signal) => {
      signal.addEventListener("abort", () => {
        known = true;
      });
      await new Promise((resolve) => setTimeout(resolve, MINUTE_MS));
      finished = true;
      return reportOf(publishedEdition());
    });
    await pass(10 * SECOND_MS);
    daemon.stop();
    await pass(40 * SECOND_MS);
    expect([known, finished, daemon.ended]).toEqual([true, false, false]);
    await pass(10 * SECOND_MS);
    expect([finished, daemon.ended]).toEqual([true, true]);
    expect(daemon.messages().at(-1)).toBe("stopped");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("while half past seven waits for a run begins no other", async () => {
    vi.setSystemTime("2026-03-04T12:29:00Z");
    const daemon = new RunningDaemon(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10 * MINUTE_MS));
      return reportOf(publishedEdition());
    });
    await pass(2 * MINUTE_MS);
    daemon.stop();
    await pass(HOUR_MS);
    expect(daemon.ended).toBe(true);
    expect(daemon.asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("before the start asks nothing", async () => {
    vi.setSystemTime("2026-03-04T15:00:00Z");
    const run = vi.fn(async () => reportOf(publishedEdition()));
    await runDaemon({
      schedule: { expression: "30 7 * * *", timeZone: "America/New_York" },
      run,
      log: recordingLog().log,
      signal: AbortSignal.abort(),
    });
    expect(run).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
