import type { Logger } from "../logging/logger.ts";
import { type Schedule, scheduleTask } from "../relay/schedule.ts";

/** The schedule's instants, and those that were missed while the machine slept. */
export type DailyTick = { readonly stop: () => Promise<void> };

/**
 * Calls at each instant of the schedule.
 * @param onTick Told the instant that is meant, Unix milliseconds: the same in every process, however late it wakes.
 *   Must not throw.
 * @throws HomePriceError when the schedule is none.
 */
export async function startDailyTick(
  schedule: Schedule,
  log: Logger,
  onTick: (instantMs: bigint) => void,
): Promise<DailyTick> {
  const task = scheduleTask(schedule, () => {});
  task.on("execution:started", ({ date }) => onTick(toSecond(date)));
  // The scheduler does not make up for what it missed.
  task.on("execution:missed", ({ date }) => {
    log.warn(
      { missed: date.toISOString() },
      "an instant of the schedule was missed, as when a machine sleeps; it is made up for now",
    );
    onTick(toSecond(date));
  });
  await task.start();
  log.info({ nextRun: task.getNextRun()?.toISOString() }, "waiting for the next edition");
  return { stop: async () => task.destroy() };
}

function toSecond(date: Date): bigint {
  return BigInt(Math.floor(date.getTime() / 1000)) * 1000n;
}
