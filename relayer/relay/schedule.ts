import { createTask, type ScheduledTask, validate } from "node-cron";
import { HomePriceError } from "../errors/HomePriceError.ts";

/** When the daily run is due: a cron expression in a time zone, right on both sides of a daylight-saving change. */
export type Schedule = { readonly expression: string; readonly timeZone: string };

/**
 * A task on the schedule, not yet started.
 * @throws HomePriceError when the expression or the time zone is not one.
 */
export function scheduleTask({ expression, timeZone }: Schedule, run: () => Promise<void> | void): ScheduledTask {
  if (!validate(expression)) throw invalidSchedule(`"${expression}" is not a cron expression`);
  try {
    new Intl.DateTimeFormat("en-US", { timeZone });
  } catch {
    throw invalidSchedule(`"${timeZone}" is not a time zone`);
  }
  return createTask(expression, run, { timezone: timeZone, noOverlap: true, name: "daily run" });
}

/** The instant that was found last for a schedule, and since when it has been the next one. Unix milliseconds. */
const foundRuns = new WeakMap<Schedule, { readonly sinceMs: number; readonly nextMs: number }>();

/** The next instant of the schedule after now, in Unix milliseconds. */
export function nextRunMs(schedule: Schedule): bigint {
  const found = foundRuns.get(schedule);
  const nowMs = Date.now();
  // It is asked for at every step, and the scheduler takes its time.
  if (found && nowMs >= found.sinceMs && nowMs < found.nextMs) return BigInt(found.nextMs);
  const task = scheduleTask(schedule, () => {});
  // Of a task that is not started, only getNextRuns tells.
  const [next] = task.getNextRuns(1);
  if (!next) throw invalidSchedule(`"${schedule.expression}" never comes due`);
  foundRuns.set(schedule, { sinceMs: nowMs, nextMs: next.getTime() });
  return BigInt(next.getTime());
}

const MINUTE_MS = 60_000;
const LOOK_BACK_MINUTES = 8 * 24 * 60;

/**
 * The latest instant of the schedule at or before now, in Unix milliseconds; `undefined` when there was none in the last
 * eight days. The scheduler only looks ahead, so this asks it about one minute after the other.
 */
export function previousRunMs({ expression, timeZone }: Schedule): bigint | undefined {
  // A field for seconds is left out: to the minute is near enough.
  const minutes = expression.trim().split(/\s+/).slice(-5).join(" ");
  const task = scheduleTask({ expression: minutes, timeZone }, () => {});
  const thisMinute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  for (let back = 0; back < LOOK_BACK_MINUTES; back += 1) {
    const time = thisMinute - back * MINUTE_MS;
    if (task.match(new Date(time))) return BigInt(time);
  }
  return undefined;
}

function invalidSchedule(problem: string): HomePriceError {
  return new HomePriceError("INVALID_SCHEDULE", problem, {
    kind: "configuration",
    hint: 'Correct schedule (such as "30 7 * * *") or timeZone (such as America/New_York) in the configuration.',
  });
}
