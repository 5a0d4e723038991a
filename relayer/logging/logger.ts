import { type DestinationStream, type Logger, pino } from "pino";
import { prettyFactory } from "pino-pretty";
import type { HiddenSecrets } from "./hiddenSecrets.ts";

export type { Logger } from "pino";

/** How much is logged, least first. */
export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/** Lines for people, or one JSON object a line for machines. */
export const LOG_FORMATS = ["pretty", "json"] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

export type LoggerOptions = {
  /** Default: lines for people on a terminal, JSON otherwise. */
  readonly format?: LogFormat | undefined;
  readonly level?: string | undefined;
  /** What must not stand in any line; more may be added to it later. */
  readonly secrets?: HiddenSecrets | undefined;
  /** Default: standard error. Standard output belongs to what a command prints. */
  readonly destination?: DestinationStream | undefined;
};

/** The program's log. */
export function createLogger({
  format = process.stderr.isTTY === true ? "pretty" : "json",
  level = "info",
  secrets,
  destination,
}: LoggerOptions = {}): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(secrets && { hooks: { streamWrite: (line: string) => secrets.hide(line) } }),
  };
  const lines = destination ?? pino.destination({ dest: 2, sync: true });
  if (format === "json") return pino(options, lines);
  const prettyLine = prettyFactory({
    colorize: destination === undefined && process.stderr.isTTY === true,
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
  });
  return pino(options, { write: (line) => lines.write(prettyLine(line)) });
}

/** The log of what is done on one chain. */
export function logOfChain(log: Logger, chain: string): Logger {
  return log.child({ chain });
}
