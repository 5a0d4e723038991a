import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type EngineEvent = {
  readonly pid: number;
  readonly event: "started" | "collect" | "begun" | "ended" | "trouble" | "stopped" | "killed";
  readonly atMs: number;
  readonly chain?: string;
  readonly reason?: string;
  readonly job?: string;
  readonly error?: string | null;
};

const PROGRAM = fileURLToPath(new URL("./engineProcess.ts", import.meta.url));

/** Several relayer processes, and everything that they said. */
export class EngineProcesses {
  readonly events: EngineEvent[] = [];
  readonly #children = new Map<number, ChildProcess>();
  readonly #waiting = new Set<() => void>();

  start(url: string, jobMs: number, chains: readonly string[]): number {
    const child = spawn(process.execPath, [PROGRAM, url, String(jobMs), ...chains], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { pid } = child;
    if (pid === undefined) throw new Error("the process did not start");
    this.#children.set(pid, child);
    createInterface({ input: child.stdout }).on("line", (line) => this.#add(JSON.parse(line) as EngineEvent));
    return pid;
  }

  /** The first event, of those from some index on, that is looked for. */
  async until(matches: (event: EngineEvent) => boolean, from = 0): Promise<EngineEvent> {
    for (;;) {
      const found = this.events.slice(from).find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  async kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#children.get(pid);
    if (!child) throw new Error(`no process ${pid}`);
    this.#children.delete(pid);
    const ended = once(child, "exit");
    if (signal === "SIGKILL") this.#add({ pid, event: "killed", atMs: Date.now() });
    child.kill(signal);
    await ended;
  }

  async killAll(): Promise<void> {
    for (const pid of [...this.#children.keys()]) await this.kill(pid);
  }

  /** Pairs of deliveries to one chain that were under way at once, as far as the processes lived. */
  overlaps(): string[] {
    const spans = this.events
      .filter(({ event }) => event === "begun")
      .map((begun) => {
        const end = this.events.find(
          ({ event, pid, chain, atMs }) =>
            pid === begun.pid &&
            atMs >= begun.atMs &&
            (event === "killed" || (event === "ended" && chain === begun.chain)),
        );
        return { ...begun, endMs: end?.atMs ?? Number.POSITIVE_INFINITY };
      })
      .toSorted((a, b) => a.atMs - b.atMs);
    return spans.flatMap((span, index) =>
      spans
        .slice(index + 1)
        .filter((other) => other.chain === span.chain && other.atMs < span.endMs)
        .map((other) => `${span.chain}: ${span.pid} and ${other.pid}`),
    );
  }

  #add(event: EngineEvent): void {
    this.events.push(event);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
