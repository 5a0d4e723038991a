import cliProgress from "cli-progress";

/** How far something has come that takes a while. */
export type Progress = {
  /** How much there will be, once that is known. */
  readonly expect: (total: number) => void;
  readonly advance: (by: number) => void;
  /** Removes the bar. */
  readonly stop: () => void;
};

/** Draws nothing. */
export const NO_PROGRESS: Progress = { expect() {}, advance() {}, stop() {} };

/** Where a bar can be drawn: standard error, if it is a terminal. */
type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean };

const WIDTH = 30;

/**
 * Draws a bar on a terminal, and nothing anywhere else: logs and pipes stay free of it.
 * @param what Plural of what is counted.
 */
export function startProgress(what: string, terminal: Terminal = process.stderr): Progress {
  if (terminal.isTTY !== true) return NO_PROGRESS;
  const bar = new cliProgress.SingleBar({
    stream: terminal,
    clearOnComplete: true,
    // Signals are the command's to answer.
    gracefulExit: false,
    format: (_options, { progress, value, total }) => {
      const done = value.toLocaleString("en-US");
      if (total === 0) return `${done} ${what}`;
      const filled = Math.round(Math.min(progress, 1) * WIDTH);
      return `[${"=".repeat(filled)}${" ".repeat(WIDTH - filled)}] ${done} of ${total.toLocaleString("en-US")} ${what}`;
    },
  });
  bar.start(0, 0);
  return {
    expect: (total) => bar.setTotal(total),
    advance: (by) => bar.increment(by),
    stop: () => bar.stop(),
  };
}
