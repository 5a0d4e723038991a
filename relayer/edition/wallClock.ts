/** 00:00 UTC of a date and the time of a wall clock on it, as if its time zone were UTC; Unix milliseconds. */
function asIfUtcMs(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00Z`);
}

/**
 * The instant at which a wall clock in a time zone shows a time of a date. Of a time that the clock shows twice, the
 * first; where it skips the time, as it does when the clocks go forward, the instant at which it would have shown it.
 *
 * @param date YYYY-MM-DD.
 * @param time HH:MM.
 * @returns Unix milliseconds.
 */
export function instantOfWallClock(date: string, time: string, timeZone: string): bigint {
  const shown = asIfUtcMs(date, time);
  // The offsets in force on both sides: no zone changes its clocks twice in two days.
  const before = offsetMs(shown - 86_400_000, timeZone);
  const after = offsetMs(shown + 86_400_000, timeZone);
  const [first, second] = [shown - before, shown - after];
  const isShownBefore = first + offsetMs(first, timeZone) === shown;
  const isShownAfter = second + offsetMs(second, timeZone) === shown;
  return BigInt(isShownBefore || !isShownAfter ? first : second);
}

/** How far a zone's wall clock is ahead of UTC at an instant, in milliseconds. */
function offsetMs(instantMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
  const shown = asIfUtcMs(`${parts["year"]}-${parts["month"]}-${parts["day"]}`, `${parts["hour"]}:${parts["minute"]}`);
  return shown - Math.floor(instantMs / 60_000) * 60_000;
}
