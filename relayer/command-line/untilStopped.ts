import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Logger } from "../logging/logger.ts";

/**
 * A signal that aborts at the first SIGTERM or SIGINT, so that what is under way can be brought to an end. A second one
 * ends the process at once.
 */
export function untilStopped(log: Logger): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) {
        log.warn("stopped at once");
        process.exit(name === "SIGTERM" ? 143 : 130);
      }
      log.info(`${name}: finishing what is under way`);
      controller.abort(new Error("stopped"));
    });
  }
  return controller.signal;
}

/**
 * What a single run found, or, where a stop ended it, an error that says so instead of whatever broke off last.
 * @throws HomePriceError
 */
export async function unlessStopped<T>(signal: AbortSignal, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new HomePriceError("STOPPED", "the run was stopped before it was complete", {
      hint: "Run it again: what is done is not repeated.",
    });
  }
}
