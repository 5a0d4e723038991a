import { HomePriceError } from "../errors/HomePriceError.ts";

/** Whoever read what the command prints has gone (`… | head`), or the disk behind it is full. */
export class OutputClosedError extends HomePriceError {
  constructor(cause: unknown) {
    const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    super("OUTPUT_CLOSED", `standard output takes nothing more${reason}; stopped`, {
      hint: "What had been asked for by then has been paid for. Use --max for the beginning, or --output for a file.",
      cause,
    });
  }
}

let isListening = false;

/**
 * Writes to standard output and waits until it is taken: a slow reader slows the work down.
 * @throws OutputClosedError
 */
export async function writeToStandardOutput(text: string): Promise<void> {
  if (!isListening) {
    // Without a listener, a reader that goes away would end the process by an error of its own.
    process.stdout.on("error", () => {});
    isListening = true;
  }
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(new OutputClosedError(error)) : resolve()));
  });
}
