import { type Logger, pino } from "pino";
import pretty from "pino-pretty";

export type { Logger } from "pino";

/** How much is logged, least first. */
export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

/**
 * The program's log, on standard error: lines for people on a terminal, one JSON object a line otherwise. Standard output
 * belongs to what a command prints.
 */
export function createLogger({
  pretty: forPeople = process.stderr.isTTY === true,
  level = "info",
}: {
  pretty?: boolean;
  level?: string;
} = {}): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!forPeople) return pino(options, pino.destination({ dest: 2, sync: true }));
  const stream = pretty({
    destination: 2,
    sync: true,
    colorize: process.stderr.isTTY === true,
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
  });
  return pino(options, stream);
}
