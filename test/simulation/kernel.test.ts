import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { Actor } from "../../simulation/kernel/actor.ts";
import { EventTrace } from "../../simulation/kernel/eventTrace.ts";
import { Kernel, StalledError } from "../../simulation/kernel/kernel.ts";
import { Randomness } from "../../simulation/kernel/randomness.ts";
import { VirtualTime } from "../../simulation/kernel/virtualTime.ts";

const START_MS = Date.UTC(2026, 2, 3, 12);
const HOUR_MS = 3_600_000;

let time: VirtualTime | undefined;

afterEach(() => {
  time?.stop();
  time = undefined;
});

function startKernel(seed = "seed") {
  const randomness = new Randomness(seed);
  time = new VirtualTime(START_MS, randomness.stream("chance"));
  return new Kernel(time, new EventTrace(), randomness);
}

/** Does something for real that takes a real while, each time another. */
async function reallyWait(): Promise<void> {
  const rounds = process.hrtime()[1] % 7;
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Three processes that ask the world for things and sleep in between. */
async function threeProcesses(seed: string): Promise<{ digest: string; order: string[] }> {
  const kernel = startKernel(seed);
  const order: string[] = [];
  const process = (name: string) =>
    new Actor(name).run(async () => {
      for (let step = 0; step < 5; step += 1) {
        await kernel.ask({
          kind: "journal",
          what: `step ${step}`,
          askingMs: Math.floor(Math.random() * 3),
          perform: async () => {
            await reallyWait();
            order.push(`${name}${step}`);
          },
        });
        await sleep(Math.random() * 4);
      }
    });
  await kernel.runUntil(Promise.all(["a", "b", "c"].map(process)));
  time?.stop();
  return { digest: kernel.trace.digest(), order };
}

describe("virtual time", () => {
  it("moves only to the next timer, however far away that is", async () => {
    const kernel = startKernel();
    const seen: number[] = [];
    await kernel.runUntil(
      (async () => {
        seen.push(Date.now() - START_MS);
        await sleep(10 * HOUR_MS);
        seen.push(Date.now() - START_MS);
        await new Promise((resolve) => setTimeout(resolve, HOUR_MS));
        seen.push(Date.now() - START_MS);
      })(),
    );
    expect(seen).toEqual([0, 10 * HOUR_MS, 11 * HOUR_MS]);
  });

  it("lets signals time out by it", async () => {
    const kernel = startKernel();
    const signal = AbortSignal.any([AbortSignal.timeout(HOUR_MS), new AbortController().signal]);
    const aborted = new Promise<unknown>((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));
    await expect(kernel.runUntil(aborted)).resolves.toMatchObject({ name: "TimeoutError" });
    expect(Date.now()).toBe(START_MS + HOUR_MS);
  });

  it("gives the process its own time back", () => {
    const kernel = startKernel();
    expect(kernel.time.nowMs()).toBe(START_MS);
    time?.stop();
    time = undefined;
    expect(Math.abs(Date.now() - START_MS)).toBeGreaterThan(HOUR_MS);
  });
});

describe("the kernel", () => {
  it("does the same with the same seed, however long things really take", async () => {
    const first = await threeProcesses("1");
    const second = await threeProcesses("1");
    expect(second).toEqual(first);
    expect(first.order).toHaveLength(15);
  });

  it("does something else with another seed", async () => {
    const orders = new Set<string>();
    for (const seed of ["1", "2", "3", "4"]) orders.add((await threeProcesses(seed)).order.join());
    expect(orders.size).toBeGreaterThan(1);
  });

  it("does one thing at a time", async () => {
    const kernel = startKernel();
    let under = 0;
    let most = 0;
    const one = () =>
      kernel.ask({
        kind: "rpc",
        what: "something",
        perform: async () => {
          under += 1;
          most = Math.max(most, under);
          await reallyWait();
          under -= 1;
        },
      });
    await kernel.runUntil(Promise.all([one(), one(), one()]));
    expect(most).toBe(1);
  });

  it("says so when nothing is left to happen", async () => {
    const kernel = startKernel();
    await expect(kernel.runUntil(new Promise(() => undefined))).rejects.toThrow(StalledError);
  });

  it("hands over what an operation throws", async () => {
    const kernel = startKernel();
    const failing = kernel.ask({ kind: "rpc", what: "fails", perform: () => Promise.reject(new Error("no")) });
    await expect(kernel.runUntil(failing)).rejects.toThrow("no");
  });
});

describe("a process that is killed", () => {
  /** A process that writes four times, of which the third is the last that may begin, or end. */
  async function killedAt(point: "before" | "after") {
    const kernel = startKernel();
    const written: number[] = [];
    const heard: number[] = [];
    const timers: string[] = [];
    const actor = new Actor("victim");
    kernel.crashes = (_, { what }, at) => what === "write 3" && at === point;
    let crashes = 0;
    kernel.onCrash = () => {
      crashes += 1;
    };
    actor.run(async () => {
      setInterval(() => timers.push(new Date().toISOString()), HOUR_MS);
      for (let step = 1; step <= 4; step += 1) {
        await kernel.ask({
          kind: "journal",
          what: `write ${step}`,
          askingMs: HOUR_MS,
          perform: () => {
            written.push(step);
          },
        });
        heard.push(step);
      }
    });
    await kernel.runUntil(sleep(10 * HOUR_MS));
    return { written, heard, crashes, timers: timers.length, isAlive: actor.isAlive };
  }

  it("has done nothing of what it was about to ask for", async () => {
    expect(await killedAt("before")).toMatchObject({ written: [1, 2], heard: [1, 2], crashes: 1, isAlive: false });
  });

  it("has done what it asked for, and does not know", async () => {
    expect(await killedAt("after")).toMatchObject({ written: [1, 2, 3], heard: [1, 2], crashes: 1, isAlive: false });
  });

  it("has no timers any more", async () => {
    const { timers } = await killedAt("before");
    expect(timers).toBeLessThanOrEqual(3);
  });

  it("is not heard of again when it asks for something", async () => {
    const kernel = startKernel();
    const actor = new Actor("victim");
    actor.end();
    let performed = 0;
    void actor.run(() =>
      kernel.ask({
        kind: "rpc",
        what: "anything",
        perform: () => {
          performed += 1;
        },
      }),
    );
    await kernel.runUntil(sleep(HOUR_MS));
    expect(performed).toBe(0);
  });
});
