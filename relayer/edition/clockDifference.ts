import type { ClockReading } from "../service/serviceClock.ts";
import type { Condition } from "../watch/condition.ts";

/** More than what a Date header in whole seconds and the network account for. */
export const CLOCK_TOLERANCE_MS = 30_000n;

/** From here on prices are refused that are in order, or taken that are not, at the bounds of the time windows. */
export const CLOCK_TOO_FAR_MS = 300_000n;

/** Whether the clocks of this machine and of the service differ so much that no judgement about time can be relied on. */
export function isClockTooFar({ theirsMs, oursMs }: ClockReading): boolean {
  return magnitude(theirsMs - oursMs) > CLOCK_TOO_FAR_MS;
}

/** What a person should know of the difference between the service's clock and this machine's. */
export function clockCondition(reading: ClockReading): Condition | undefined {
  const aheadMs = reading.theirsMs - reading.oursMs;
  if (magnitude(aheadMs) <= CLOCK_TOLERANCE_MS) return undefined;
  const how = `${magnitude(aheadMs) / 1000n} s ${aheadMs > 0n ? "ahead of" : "behind"}`;
  return {
    kind: "clock-differs",
    subject: "",
    severity: isClockTooFar(reading) ? "critical" : "warning",
    message: `the price service's clock is ${how} this machine's`,
    hint: "One of the two is wrong: set this machine's by a time server (timedatectl set-ntp true). Until they agree, prices may be refused that are in order, and editions be called late that are not; homeprice doctor compares with the chain's clock too.",
  };
}

function magnitude(milliseconds: bigint): bigint {
  return milliseconds < 0n ? -milliseconds : milliseconds;
}
