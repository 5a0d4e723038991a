import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { WorldResult } from "../world/worldResult.ts";
import type { SimulationTask } from "./simulationTask.ts";

const WORKER = fileURLToPath(new URL("./simulationWorker.ts", import.meta.url));

/** A run that did not come to its end has failed, whatever it found before. */
export type SimulationOutcome = {
  readonly task: SimulationTask;
  readonly result?: WorldResult | undefined;
  readonly error?: string | undefined;
};

/** Most of what a run makes is garbage at once: with more room for that, less of it is looked at twice. */
const ROOM = ["--max-semi-space-size=64"];

/** Longest that a run may take beside its days, and for each of them, in milliseconds. */
const SETUP_TIMEOUT_MS = 180_000;
const DAY_TIMEOUT_MS = 30_000;

/** Simulates tasks in processes of their own, several at a time, and tells of each as it ends. */
export async function simulateTasks(
  tasks: readonly SimulationTask[],
  workers: number,
  onOutcome: (outcome: SimulationOutcome, done: number) => void = () => undefined,
): Promise<readonly SimulationOutcome[]> {
  const outcomes: SimulationOutcome[] = [];
  const waiting = [...tasks.entries()];
  let done = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, task] = next;
      const outcome = await simulateTask(task);
      outcomes[index] = outcome;
      done += 1;
      onOutcome(outcome, done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, work));
  return outcomes;
}

function simulateTask(task: SimulationTask): Promise<SimulationOutcome> {
  return new Promise((resolve) => {
    const worker: ChildProcess = fork(WORKER, {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: [...process.execArgv, ...ROOM],
    });
    let outcome: SimulationOutcome | undefined;
    let said = "";
    const timer = setTimeout(
      () => {
        outcome ??= { task, error: "it did not come to its end in time" };
        worker.kill("SIGKILL");
      },
      SETUP_TIMEOUT_MS + task.days * DAY_TIMEOUT_MS,
    );
    worker.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
    });
    worker.on("message", (message) => {
      outcome ??= { task, ...(message as Pick<SimulationOutcome, "result" | "error">) };
    });
    worker.on("exit", (code, signal) => {
      clearTimeout(timer);
      resolve(outcome ?? { task, error: `the process ended with ${signal ?? code}: ${said}` });
    });
    worker.send(task);
  });
}
