import type { CrashPoint, OperationName } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { FaultCounts } from "../report/faultCounts.ts";
import { JOURNAL_WRITES } from "../world/askedJournal.ts";
import type { RelayerHost } from "../world/relayerHost.ts";
import { type Day, type Disturbance, HOUR_MS, MINUTE_MS } from "./disturbance.ts";

type Target = {
  readonly name: string;
  readonly weight: number;
  readonly matches: (operation: OperationName) => boolean;
  /** At the latest of so many operations of the sort. */
  readonly atMost: number;
};

const isWrite = ({ kind, what }: OperationName) =>
  kind === "journal" && JOURNAL_WRITES.has(what.split(" ", 1)[0] ?? "");
const isWriteOf = (name: string) => (operation: OperationName) => isWrite(operation) && operation.what.startsWith(name);

const TARGETS: readonly Target[] = [
  { name: "journal write", weight: 5, matches: isWrite, atMost: 40 },
  { name: "openAttempt", weight: 3, matches: isWriteOf("openAttempt"), atMost: 4 },
  { name: "recordMined", weight: 2, matches: isWriteOf("recordMined"), atMost: 4 },
  { name: "recordFinal", weight: 1, matches: isWriteOf("recordFinal"), atMost: 4 },
  { name: "addReplacement", weight: 2, matches: isWriteOf("addReplacement"), atMost: 1 },
  { name: "recordReceived", weight: 1, matches: isWriteOf("recordReceived"), atMost: 2 },
  {
    name: "sending a transaction",
    weight: 4,
    matches: ({ what }) => what.startsWith("eth_sendRawTransaction"),
    atMost: 6,
  },
  { name: "rpc request", weight: 3, matches: ({ kind }) => kind === "rpc", atMost: 250 },
  { name: "service request", weight: 1, matches: ({ kind }) => kind === "service", atMost: 3 },
  { name: "any operation", weight: 2, matches: () => true, atMost: 500 },
];

/** When the processes of a relayer are killed on one day. */
export function drawProcessDisturbances(
  day: Day,
  randomness: Randomness,
  hosts: readonly RelayerHost[],
  counts: FaultCounts,
): readonly Disturbance[] {
  return hosts.flatMap((host): Disturbance[] => {
    const disturbances: Disturbance[] = [];
    const times = randomness.pickWeighted([
      [0, 5],
      [1, 4],
      [2, 2],
      [5, 1],
    ]);
    for (let time = 0; time < times; time += 1) {
      const target = randomness.pickWeighted(TARGETS.map((each) => [each, each.weight] as const));
      const point: CrashPoint = randomness.pick(["before", "after"]);
      const fromMs = day.fromMs + randomness.between(-10, time === 0 ? 5 : 600) * MINUTE_MS;
      const left = randomness.between(1, target.atMost);
      const downMs = drawDownMs(randomness);
      disturbances.push({
        kind: "crash",
        subject: `${host.name} ${point} ${target.name} ${left}`,
        fromMs,
        toMs: fromMs,
        begin: () => {
          host.arm({ matches: target.matches, point, left, downMs });
          return undefined;
        },
      });
    }
    if (randomness.chance(0.04)) {
      const fromMs = randomness.between(day.fromMs, day.toMs);
      const downMs = randomness.between(2, 30) * HOUR_MS;
      disturbances.push({
        kind: "machine lost",
        subject: host.name,
        fromMs,
        toMs: fromMs,
        begin: () => {
          if (host.kill(downMs)) counts.struck("machine lost");
          return undefined;
        },
      });
    }
    return disturbances;
  });
}

function drawDownMs(randomness: Randomness): number {
  const [least, most] = randomness.pickWeighted([
    [[1_000, 30_000], 6],
    [[30_000, 10 * MINUTE_MS], 3],
    [[10 * MINUTE_MS, 3 * HOUR_MS], 1],
  ] as const);
  return randomness.between(least, most);
}
