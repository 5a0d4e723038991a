/** Wall clock of America/New_York, daylight saving time included, from the time zone data of the runtime. */

const TIME_ZONE = "America/New_York";

const WALL_CLOCK = new Intl.DateTimeFormat("en-US", {
  timeZone: TIME_ZONE,
  calendar: "gregory",
  numberingSystem: "latn",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});

/**
 * What a clock on a wall in New York shows at an instant (Unix milliseconds), as the Unix milliseconds at which a clock
 * in UTC would show the same. Whole seconds.
 */
export function easternWallClockMs(instantMs: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of WALL_CLOCK.formatToParts(instantMs)) shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * The instant (Unix milliseconds) at which the wall clock in New York shows `wallClockMs` (see
 * {@link easternWallClockMs}). Not for the small hours of a night in which the clocks change: their times may exist
 * twice or not at all.
 */
export function instantOfEasternWallClockMs(wallClockMs: number): number {
  const offsetAt = (instantMs: number) => easternWallClockMs(instantMs) - instantMs;
  // The offset at the same figures in UTC is a guess some hours off; the offset at the guessed instant settles it.
  const guessMs = wallClockMs - offsetAt(wallClockMs);
  return wallClockMs - offsetAt(guessMs);
}
