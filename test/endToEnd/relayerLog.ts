import { createInterface } from "node:readline";
import type { Running } from "./commandLine.ts";

/** A line of a relayer's log, and when it came; milliseconds of this process's monotonic clock. */
export type LogLine = {
  readonly atMs: number;
  readonly msg: string;
  readonly level: number;
  /** Of what is done on one chain. */
  readonly chain?: string;
};

/** What a relayer has written into its log so far, a JSON object a line. */
export class RelayerLog {
  readonly lines: LogLine[] = [];

  constructor({ child }: Running) {
    if (!child.stderr) throw new Error("the process has no standard error");
    createInterface({ input: child.stderr }).on("line", (line) => {
      this.lines.push({ ...JSON.parse(line), atMs: performance.now() });
    });
  }

  /** Lines of work on a chain since an instant. */
  onChain(name: string, sinceMs = 0): LogLine[] {
    return this.lines.filter(({ chain, atMs }) => chain === name && atMs >= sinceMs);
  }
}
