import { Writable } from "node:stream";
import { pino } from "pino";
import type { Logger } from "../../relayer/logging/logger.ts";

export type LogLine = { readonly level: number; readonly msg: string; readonly [key: string]: unknown };

/** A log that keeps what is written to it, in the form in which the program writes it. */
export function recordingLog(): { log: Logger; lines: LogLine[]; text: () => string } {
  const lines: LogLine[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as LogLine);
      done();
    },
  });
  return { log: pino({ level: "debug", base: null }, stream), lines, text: () => JSON.stringify(lines) };
}
