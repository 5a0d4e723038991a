import { existsSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { privateKeyToAddress } from "viem/accounts";
import { createLocalEngine } from "../../relayer/engine/localEngine.ts";
import { LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { dayOfDate } from "../../relayer/message/calendarDate.ts";
import { editionOfDay } from "../../simulator/edition.ts";
import { secretKeyOfSeed } from "../../simulator/serviceSigners.ts";
import { drawChainDisturbances } from "../disturbances/chainDisturbances.ts";
import { type Day, type Disturbance, HOUR_MS, MINUTE_MS } from "../disturbances/disturbance.ts";
import { disturbMempool } from "../disturbances/mempoolDisturbances.ts";
import { drawOtherParty } from "../disturbances/otherPartyDisturbances.ts";
import { drawProcessDisturbances } from "../disturbances/processDisturbances.ts";
import { drawServiceDisturbances } from "../disturbances/serviceDisturbances.ts";
import { EventTrace } from "../kernel/eventTrace.ts";
import { Kernel } from "../kernel/kernel.ts";
import { Randomness } from "../kernel/randomness.ts";
import { VirtualTime } from "../kernel/virtualTime.ts";
import { SimulatedNetwork, type Site } from "../network/simulatedNetwork.ts";
import { FaultCounts } from "../report/faultCounts.ts";
import { ToldAlerts } from "../violations/deadWithoutAlert.ts";
import { ChainWorld } from "./chainWorld.ts";
import { deployChain } from "./deployedChain.ts";
import { Judge } from "./judge.ts";
import { OTHER_PARTY } from "./otherParty.ts";
import { priceCourse } from "./priceCourse.ts";
import { PriceServiceWorld } from "./priceServiceWorld.ts";
import { RelayerHost } from "./relayerHost.ts";
import { createSharedEngine } from "./sharedEngine.ts";
import { SharedQueue } from "./sharedQueue.ts";
import { RELAYERS, TroubleLog } from "./troubleLog.ts";
import type { WorldOptions, WorldResult } from "./worldResult.ts";
import { ALERTS_ORIGIN, CHAINS, HEARTBEAT_ORIGIN, SCHEDULE } from "./worldSettings.ts";

const FIRST_DAY = dayOfDate("2026-02-02") ?? 0;

/** When a day's plan is made, and when the day before is judged: ahead of the edition. */
const PLANNED_BEFORE_MS = 30 * MINUTE_MS;
const JUDGED_BEFORE_MS = MINUTE_MS;

/** A seed for the service's keys, which are the same in every run: what is signed does not depend on who asks when. */
const SERVICE_SEED = 1;

/** Most processes that share the work of a world. */
const MOST_PROCESSES = 3;

const RELAYER = privateKeyToAddress(LOCAL_RELAYER_KEY);

/**
 * Runs a simulated world from its first day to its last. One at a time can run in a process, and only the first of a
 * process is sure to be the same as any other with its seed: libraries keep random identifiers for themselves.
 */
export async function runWorld(options: WorldOptions): Promise<WorldResult> {
  const folder = await mkdtemp(join(fastFolder(), "homeprice-simulation-"));
  const begun = process.hrtime.bigint();
  try {
    const result = await runIn(folder, options);
    return { ...result, realMs: Number((process.hrtime.bigint() - begun) / 1_000_000n) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runIn(
  folder: string,
  { seed, days, print, log: logOptions, stopAtViolation }: WorldOptions,
): Promise<WorldResult> {
  const startMs = dayFrom(FIRST_DAY).fromMs - HOUR_MS;
  const randomness = new Randomness(seed);
  const service = new PriceServiceWorld(
    priceCourse(FIRST_DAY - 1, days + 3, randomness.stream("prices")),
    secretKeyOfSeed(SERVICE_SEED),
  );
  const deployed = await Promise.all(
    CHAINS.map(({ chainId, blockIntervalMs }) =>
      deployChain({
        chainId,
        startMs,
        blockIntervalMs,
        signerPublicKey: service.publicKey,
        funded: [RELAYER, OTHER_PARTY],
      }),
    ),
  );
  const time = new VirtualTime(startMs, randomness.stream("chance"));
  const trace = new EventTrace(print);
  const kernel = new Kernel(time, trace, randomness);
  const network = new SimulatedNetwork(kernel, randomness.stream("network"));
  const uninstall = network.install();
  const counts = new FaultCounts();
  const troubles = new TroubleLog();
  const alerts = new ToldAlerts();
  const journalPath = join(folder, "journal.sqlite");
  const log = logOptions ?? pino({ level: "silent" });

  try {
    service.joinNetwork(network);
    service.onRequest = (faults, isReachable) => {
      for (const kind of new Set(faults.map((fault) => fault.kind))) counts.struck(`service ${kind}`);
      if (!isReachable) counts.struck("service silent");
    };
    network.serve(
      ALERTS_ORIGIN,
      listener("alert", (body) => alerts.receive(body)),
    );
    network.serve(
      HEARTBEAT_ORIGIN,
      listener("heartbeat", () => undefined),
    );

    const chains: ChainWorld[] = [];
    for (const [index, specification] of CHAINS.entries()) {
      const chainDeployed = deployed[index];
      if (!chainDeployed) throw new RangeError("a chain was not deployed");
      const world = await ChainWorld.start(specification, chainDeployed, {
        kernel,
        randomness,
        network,
        troubles,
        counts,
      });
      chains.push(world);
    }

    let upSinceMs: number | undefined;
    let endDown: ((atMs: number) => void) | undefined = troubles.begin(RELAYERS, startMs);
    const hosts: RelayerHost[] = [];
    const judge: Judge = new Judge({
      kernel,
      service,
      troubles,
      alerts,
      chains,
      journalPath,
      upSinceMs: () => upSinceMs,
    });
    for (const world of chains) {
      disturbMempool(world, {
        kernel,
        randomness: randomness.stream(`mempool ${world.name}`),
        counts,
        troubles,
        onSeen: (transaction) => judge.lookAtTransaction(world, transaction),
      });
    }
    const review = () => {
      const isUp = hosts.some((host) => host.isUp);
      if (isUp) {
        upSinceMs ??= time.nowMs();
        endDown?.(time.nowMs());
        endDown = undefined;
      } else {
        upSinceMs = undefined;
        endDown ??= troubles.begin(RELAYERS, time.nowMs());
      }
    };
    const died = (host: string, error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      judge.note("process died", [`${host}: ${text}`]);
    };
    const chainNames = chains.map(({ name }) => name);
    const queue = new SharedQueue(kernel, randomness.stream("queue"), counts);
    const processes = processesOf(seed);
    for (let number = 1; number <= processes; number += 1) {
      hosts.push(
        new RelayerHost({
          name: `relayer-${number}`,
          kernel,
          counts,
          journalPath,
          chains,
          privateKey: LOCAL_RELAYER_KEY,
          signerPublicKey: service.publicKey,
          engineOf: (nowMs, engineLog) =>
            processes === 1
              ? createLocalEngine({ schedule: SCHEDULE, chainNames, nowMs, log: engineLog })
              : createSharedEngine({ queue, kernel, schedule: SCHEDULE, chainNames, log: engineLog }),
          log,
          onDeath: died,
          onUp: review,
          onDown: review,
        }),
      );
    }
    kernel.crashes = (actor, operation, point) =>
      hosts.find((host) => host.isActor(actor))?.strikes(operation, point) ?? false;
    kernel.onCrash = (actor) => {
      hosts.find((host) => host.isActor(actor))?.struck();
    };
    const rejected = (error: unknown) => died("somebody", error);
    process.on("unhandledRejection", rejected);

    const askWorld = <T>(what: string, perform: () => T | Promise<T>) => kernel.ask({ kind: "world", what, perform });
    const main = async () => {
      for (const host of hosts) host.start();
      for (let index = 0; index < days; index += 1) {
        const day = dayFrom(FIRST_DAY + index);
        await until(day.fromMs - PLANNED_BEFORE_MS);
        const ofDay = randomness.stream(`day ${index}`);
        const { disturbances, revisions } = drawServiceDisturbances(day, ofDay.stream("service"), {
          service,
          troubles,
        });
        const plan: Disturbance[] = [
          ...disturbances,
          ...chains.flatMap((world) =>
            drawChainDisturbances(day, ofDay.stream(`chain ${world.name}`), world, { kernel, troubles, counts }),
          ),
          ...drawProcessDisturbances(day, ofDay.stream("processes"), hosts, counts),
          ...drawOtherParty(day, ofDay.stream("other party"), { chains, service, kernel, counts }),
        ];
        for (const disturbance of plan) schedule(disturbance, kernel, counts);
        for (let atMs = day.fromMs; atMs < day.toMs - HOUR_MS; atMs += HOUR_MS) {
          await until(atMs + 55 * MINUTE_MS);
          await askWorld("look for dead feeds", () => judge.lookForDeadFeeds());
        }
        await until(day.toMs - JUDGED_BEFORE_MS);
        await askWorld("judge the day", () => judge.judgeDay(day, revisions));
        if (stopAtViolation && judge.violations.length > 0) return;
      }
    };
    try {
      await kernel.runUntil(main());
    } finally {
      process.off("unhandledRejection", rejected);
    }
    return {
      seed,
      days,
      startMs,
      digest: trace.digest(),
      events: trace.events,
      faults: counts.all(),
      violations: judge.violations,
      transactions: judge.transactions,
      costWei: Object.fromEntries([...judge.costWei].map(([name, wei]) => [name, wei.toString()])),
      crashes: hosts.reduce((sum, host) => sum + host.crashes, 0),
      takeovers: queue.takeovers,
      relayers: hosts.length,
      alertsTold: alerts.told,
      expectations: judge.expectations,
      excused: judge.excused,
      realMs: 0,
    };
  } finally {
    uninstall();
    time.stop();
    for (const { edr } of deployed) await edr.close();
  }
}

/** Memory, where the machine offers it as a folder: that the disk has everything is not what is looked at here. */
function fastFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

/** One process in a world, two in the next, three in the one after that: the seeds of every run have all of them. */
function processesOf(seed: string): number {
  return 1 + Number((BigInt(seed) + BigInt(MOST_PROCESSES) - 1n) % BigInt(MOST_PROCESSES));
}

/** The span from one edition to the next. */
function dayFrom(day: number): Day {
  return {
    day,
    fromMs: Number(editionOfDay(day).publishTimeMs),
    toMs: Number(editionOfDay(day + 1).publishTimeMs),
  };
}

async function until(timeMs: number): Promise<void> {
  const leftMs = timeMs - Date.now();
  if (leftMs > 0) await sleep(leftMs);
}

/** Lets a disturbance begin and end at its times. */
function schedule({ kind, subject, fromMs, toMs, begin }: Disturbance, kernel: Kernel, counts: FaultCounts): void {
  const nowMs = Date.now();
  setTimeout(
    () => {
      kernel.note(`begins: ${kind} (${subject})`);
      counts.begun(kind);
      const end = begin();
      if (!end) return;
      setTimeout(
        () => {
          kernel.note(`ends: ${kind} (${subject})`);
          end();
        },
        Math.max(0, toMs - Date.now()),
      );
    },
    Math.max(0, fromMs - nowMs),
  );
}

/** Somebody who is told something and says thank you. */
function listener(kind: string, hear: (body: string) => void): Site {
  return {
    kind,
    latencyMs: [20, 300],
    describe: ({ method, url }) => `${method} ${url.pathname}`,
    answer: async ({ body }) => {
      hear(body);
      return { status: 200, contentType: "text/plain", text: "OK" };
    },
  };
}
