import type { EditionRecord } from "../journal/journal.ts";
import { calendarDateIn } from "../relay/futureDate.ts";
import { type Schedule, scheduleTask } from "../relay/schedule.ts";
import { instantOfWallClock } from "./wallClock.ts";

const MINUTE_MS = 60_000n;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 24n * HOUR_MS;
const LOOK_BACK_MS = 8n * DAY_MS;

/** The service publishes at "about" the time of the schedule: a little before is in time too. */
const EARLY_MS = HOUR_MS;

/** Of two instants a day apart, an edition that has been published belongs to the nearer one. */
const HALF_A_DAY_MS = 12n * HOUR_MS;

/** Since when an edition is due, and from when on it is late. Unix milliseconds. */
export type DueEdition = { readonly dueMs: bigint; readonly lateAtMs: bigint };

/**
 * The instant since which an edition is due: the first instant of the schedule on the last day, in its own time zone,
 * that has had one. There is one edition a day, however often the schedule asks for it.
 *
 * The scheduler only looks ahead, so it is asked about one minute after the other.
 *
 * @param lateAt HH:MM in the schedule's time zone; when it is not after the due instant, it is of the next day.
 * @returns `undefined` when the schedule had no instant in the last eight days.
 * @throws HomePriceError when the schedule is none.
 */
export function dueEdition(schedule: Schedule, lateAt: string, nowMs: bigint): DueEdition | undefined {
  const { expression, timeZone } = schedule;
  // A field for seconds is left out: to the minute is near enough.
  const minutes = expression.trim().split(/\s+/).slice(-5).join(" ");
  const task = scheduleTask({ expression: minutes, timeZone }, () => {});
  const thisMinute = nowMs - (nowMs % MINUTE_MS);
  let dueMs: bigint | undefined;
  let date: string | undefined;
  for (let time = thisMinute; time > nowMs - LOOK_BACK_MS; time -= MINUTE_MS) {
    if (date !== undefined && calendarDateIn(time, timeZone) !== date) break;
    if (!task.match(new Date(Number(time)))) continue;
    dueMs = time;
    date ??= calendarDateIn(time, timeZone);
  }
  if (dueMs === undefined || date === undefined) return undefined;
  const sameDayMs = instantOfWallClock(date, lateAt, timeZone);
  const lateAtMs = sameDayMs > dueMs ? sameDayMs : instantOfWallClock(dayAfter(date), lateAt, timeZone);
  return { dueMs, lateAtMs };
}

/**
 * Whether an edition is the one that has been due since an instant, told from what the service gave and when: its date
 * is never computed from the clock.
 *
 * An edition that was seen before the instant is an earlier one, unless it was published shortly before. One that was
 * first seen after the instant was published for it or, when this program did not look for a day, for the one before:
 * then its publish time is nearer to that.
 */
export function isEditionOf(
  { publishTimeMs, firstSeenMs }: Pick<EditionRecord, "publishTimeMs" | "firstSeenMs">,
  dueMs: bigint,
): boolean {
  return publishTimeMs >= dueMs - (firstSeenMs < dueMs ? EARLY_MS : HALF_A_DAY_MS);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + Number(DAY_MS)).toISOString().slice(0, 10);
}
